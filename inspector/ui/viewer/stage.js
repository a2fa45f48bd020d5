// The canvas: a picture with a layer over it, zoomed and panned.

import { LAYERS, Pen } from './layers.js';

const MOST_ZOOM = 64;

export class Stage {
  constructor(canvas, onMove) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.onMove = onMove;
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
    this.fit();
    this.listen();
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
    this.background = getComputedStyle(this.canvas).getPropertyValue('--stage').trim() || '#222';
    this.missing = getComputedStyle(this.canvas).getPropertyValue('--no-picture').trim() || '#888';
  }

  reset() {
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
  }

  /** Where the picture lies on the canvas, in device pixels. */
  frame(ready) {
    const { canvas } = this;
    const margin = 12 * this.ratio;
    const base = Math.min(
      (canvas.width - 2 * margin) / ready.width,
      (canvas.height - 2 * margin) / ready.height,
    );
    const scale = Math.max(base, 0.01) * this.zoom;
    return {
      scale,
      x: (canvas.width - ready.width * scale) / 2 + this.shift.x * this.ratio,
      y: (canvas.height - ready.height * scale) / 2 + this.shift.y * this.ratio,
    };
  }

  clear() {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  draw(ready, { run, layer, opacity, hidden }) {
    this.current = ready;
    this.clear();
    const { context } = this;
    const { scale, x, y } = this.frame(ready);
    context.setTransform(scale, 0, 0, scale, x, y);
    context.imageSmoothingEnabled = scale / this.ratio < 3; // show pixels as pixels when close
    context.imageSmoothingQuality = 'high';
    if (ready.bitmap) {
      context.drawImage(ready.bitmap, 0, 0, ready.width, ready.height);
    } else {
      context.fillStyle = this.missing;
      context.fillRect(0, 0, ready.width, ready.height);
    }
    if (hidden) return;
    const masks = ready.masks(run);
    const pen = new Pen(context, masks, scale, this.ratio, opacity);
    LAYERS.find((entry) => entry.key === layer).draw(pen, masks);
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (!this.current) return;
        event.preventDefault();
        this.zoomAt(Math.exp(-event.deltaY * 0.002), event);
      },
      { passive: false },
    );
    let from = null;
    canvas.addEventListener('pointerdown', (event) => {
      from = { x: event.clientX - this.shift.x, y: event.clientY - this.shift.y };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!from) return;
      this.shift = { x: event.clientX - from.x, y: event.clientY - from.y };
      this.onMove();
    });
    const end = () => {
      from = null;
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }

  /** Zoom by a factor so that the point under the pointer stays where it is. */
  zoomAt(factor, { clientX, clientY }) {
    const zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    const box = this.canvas.getBoundingClientRect();
    const x = clientX - box.left - box.width / 2;
    const y = clientY - box.top - box.height / 2;
    const ratio = zoom / this.zoom;
    this.shift = { x: x - (x - this.shift.x) * ratio, y: y - (y - this.shift.y) * ratio };
    this.zoom = zoom;
    if (zoom === 1) this.shift = { x: 0, y: 0 };
    this.onMove();
  }
}
