// The canvas: a picture with a layer over it, in one or several panes that share zoom and pan.

import { layerOf } from './layers.js';
import { Pen } from './pen.js';
import { boxOf, outline, rasterise } from './rle.js';
import { text } from './words.js';

const LEAST_ZOOM = 0.1;
const MOST_ZOOM = 64;
const GAP = 4; // between panes, in page pixels
const MARGIN = 12;

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
    this.split = 0.5;
    this.panes = 1;
    this.fit();
  }

  /** Match the canvas to its place on the page, in device pixels. */
  fit() {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.ratio = ratio;
    this.restyle();
  }

  restyle() {
    const style = getComputedStyle(this.canvas);
    this.background = style.getPropertyValue('--stage').trim() || '#222';
    this.missing = style.getPropertyValue('--no-picture').trim() || '#888';
  }

  clear() {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  /** Rectangle of a pane on the canvas, in device pixels. */
  rectangle(pane, panes) {
    const gap = GAP * this.ratio;
    const width = (this.canvas.width - gap * (panes - 1)) / panes;
    return { x: pane * (width + gap), y: 0, width, height: this.canvas.height };
  }

  /** Scale that shows the whole picture in a pane. */
  base(ready, rectangle) {
    const margin = 2 * MARGIN * this.ratio;
    return Math.max(0.01, Math.min(
      (rectangle.width - margin) / ready.width,
      (rectangle.height - margin) / ready.height,
    ));
  }

  /** Where the picture lies in a pane, in device pixels. */
  frame(ready, rectangle) {
    const scale = this.base(ready, rectangle) * this.zoom;
    return {
      scale,
      x: rectangle.x + (rectangle.width - ready.width * scale) / 2 + this.shift.x * this.ratio,
      y: rectangle.y + (rectangle.height - ready.height * scale) / 2 + this.shift.y * this.ratio,
    };
  }

  /**
   * Draw one example.
   * @param ready what the cache made ready
   * @param views list of {run, layer}: one a pane, or the two halves of a swipe
   * @param options {swipe, opacity, hidden, others, stray, boxes}
   */
  draw(ready, views, options) {
    this.current = ready;
    this.panes = options.swipe ? 1 : views.length;
    this.clear();
    views.forEach((view, at) => {
      const rectangle = this.rectangle(options.swipe ? 0 : at, this.panes);
      this.context.save();
      this.context.setTransform(1, 0, 0, 1, 0, 0);
      this.context.beginPath();
      const divider = rectangle.width * this.split;
      if (options.swipe && at === 0) this.context.rect(0, 0, divider, rectangle.height);
      else if (options.swipe) {
        this.context.rect(divider, 0, rectangle.width - divider, rectangle.height);
      } else this.context.rect(rectangle.x, 0, rectangle.width, rectangle.height);
      this.context.clip();
      this.drawView(ready, view, rectangle, options);
      this.context.restore();
    });
    if (options.swipe) this.drawDivider();
  }

  drawView(ready, { run, layer, over }, rectangle, options) {
    const { context } = this;
    const { scale, x, y } = this.frame(ready, rectangle);
    context.setTransform(scale, 0, 0, scale, x, y);
    context.imageSmoothingEnabled = scale / this.ratio < 3; // show pixels as pixels when close
    // Enlarging is as smooth in the quick way; only shrinking needs the slow one.
    context.imageSmoothingQuality = scale < 1 ? 'high' : 'low';
    if (ready.bitmap) {
      context.drawImage(ready.bitmap, 0, 0, ready.width, ready.height);
    } else {
      context.fillStyle = this.missing;
      context.fillRect(0, 0, ready.width, ready.height);
    }
    if (options.hidden) return;
    const pen = new Pen(context, ready.masks(run), {
      unit: this.ratio / scale, opacity: options.opacity,
    });
    if (options.others) this.drawOthers(ready, run, pen);
    if (ready.ignored) pen.fill('ignored');
    layerOf(layer).draw(pen);
    const shown = layerOf(layer).legend.map(([role]) => role);
    const roles = ['truth', 'prediction'].filter((r) => shown.includes(r));
    if (over !== undefined) pen.dashed(ready.masks(over).outline('prediction'));
    if (options.second && ready.second && layer !== 'picture') pen.second(ready.second.outline('truth'));
    const { box, targetBox } = ready.item.runs[run] ?? {};
    if (box && roles.includes('prediction')) {
      if (targetBox && roles.includes('truth')) pen.rectangle(targetBox, 'truth', 2);
      pen.rectangle(box, 'prediction', 2.5);
    }
    if (options.boxes) roles.forEach((role) => pen.box(role));
    if (options.stray) roles.forEach((role) => pen.rings(role));
  }

  drawOthers(ready, run, pen) {
    ready.others ??= ready.item.others.map((other) => {
      const pixels = rasterise(other.mask, ready.height, ready.width);
      return {
        ...other,
        path: outline(pixels, ready.height, ready.width),
        box: boxOf(pixels, ready.height, ready.width),
      };
    });
    const hit = ready.item.runs[run]?.other ?? null;
    for (const other of ready.others) {
      const label = other.row === hit ? text('others.hit', { category: other.category }) : '';
      pen.other(other.path, other.box, label);
    }
  }

  drawDivider() {
    const { context, canvas, ratio } = this;
    const x = canvas.width * this.split;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = 'rgba(0, 0, 0, 0.6)';
    context.fillRect(x - 2 * ratio, 0, 4 * ratio, canvas.height);
    context.fillStyle = '#fff';
    context.fillRect(x - ratio, 0, 2 * ratio, canvas.height);
    context.beginPath();
    context.arc(x, canvas.height / 2, 9 * ratio, 0, 2 * Math.PI);
    context.fill();
  }

  // ---- zoom and pan, shared by all panes ----

  reset() {
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
  }

  /** Show one pixel of the picture as one pixel of the screen. */
  actualPixels() {
    if (!this.current) return;
    this.zoom = this.limit(1 / this.base(this.current, this.rectangle(0, this.panes)));
    this.shift = { x: 0, y: 0 };
  }

  /** Zoom to a box of the picture, with some room around it. */
  zoomTo(box) {
    const ready = this.current;
    if (!ready || !box) return;
    const rectangle = this.rectangle(0, this.panes);
    const room = 1.5;
    const base = this.base(ready, rectangle);
    this.zoom = this.limit(Math.min(
      rectangle.width / (box.width * room), rectangle.height / (box.height * room),
    ) / base);
    const scale = (base * this.zoom) / this.ratio;
    this.shift = {
      x: (ready.width / 2 - box.x - box.width / 2) * scale,
      y: (ready.height / 2 - box.y - box.height / 2) * scale,
    };
  }

  limit(zoom) {
    return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
  }

  /** Zoom by a factor so that a point (page pixels from the canvas's corner) stays in place. */
  zoomAt(factor, point) {
    const zoom = this.limit(this.zoom * factor);
    const rectangle = this.rectangle(this.paneAt(point.x), this.panes);
    const x = point.x - (rectangle.x + rectangle.width / 2) / this.ratio;
    const y = point.y - (rectangle.y + rectangle.height / 2) / this.ratio;
    const ratio = zoom / this.zoom;
    this.shift = { x: x - (x - this.shift.x) * ratio, y: y - (y - this.shift.y) * ratio };
    this.zoom = zoom;
  }

  zoomBy(factor) {
    const rectangle = this.rectangle(0, this.panes);
    this.zoomAt(factor, {
      x: (rectangle.x + rectangle.width / 2) / this.ratio,
      y: (rectangle.y + rectangle.height / 2) / this.ratio,
    });
  }

  pan(x, y) {
    this.shift = { x: this.shift.x + x, y: this.shift.y + y };
  }

  paneAt(x) {
    return Math.min(this.panes - 1, Math.floor((x / this.canvas.clientWidth) * this.panes));
  }
}
