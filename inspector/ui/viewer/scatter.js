// Target area, or the IoU of another run, against IoU, thinned; a drawn rectangle becomes two
// filters, and so do two pairs of fields; a click opens a point.

import { RangeFields } from './range_fields.js';
import { count, fraction, make, text } from './words.js';

const ROOM = { left: 56, right: 32, top: 16, bottom: 44 };
const NEAR = 8; // page pixels
const APART = 64; // page pixels between ticks with a label, at least

export class Scatter {
  /** `runs` are the names of all runs; `choose` takes {iou, area, other, otherIou}: those set. */
  constructor(element, { server, open, choose, runs }) {
    Object.assign(this, { element, server, open, choose });
    this.other = ''; // the run across, or the target area
    this.menu = make('select', { id: 'scatter-across' },
      make('option', { value: '' }, text('scatter.by.area')),
      ...runs.map((run) => make('option', { value: run }, text('scatter.iou-of', { run }))));
    this.menu.addEventListener('change', () => {
      this.other = this.menu.value;
      this.show(this.query, this.ranges);
    });
    this.across = new RangeFields({
      label: '', step: 'any',
      chosen: (range) => choose(this.other ? { other: this.other, otherIou: range }
        : { area: range }),
    });
    this.up = new RangeFields({
      label: text('iou'), step: '0.05', chosen: (range) => choose({ iou: range }),
    });
    element.append(make('div', { class: 'beside' },
      make('label', { for: 'scatter-across', class: 'quiet' }, text('scatter.by')), this.menu,
      this.across.element, make('span', { class: 'quiet' }, text('iou')), this.up.element));
    this.canvas = make('canvas', { role: 'img', 'aria-label': text('scatter.label') });
    this.said = make('p', { class: 'quiet' });
    element.append(this.canvas, this.said);
    this.points = [];
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** Show a selection; `ranges` {iou, area, other, otherIou} are what it is filtered by. */
  async show(query, ranges) {
    const mine = (this.asking = (this.asking ?? 0) + 1);
    Object.assign(this, { query, ranges });
    this.across.name(this.other ? text('scatter.iou-of', { run: this.other }) : text('scatter.x'));
    this.across.show(!this.other ? ranges.area
      : ranges.other === this.other ? ranges.otherIou : null);
    this.up.show(ranges.iou);
    let answer;
    try {
      answer = await this.server.scatter({ ...query, against: this.other });
    } catch (error) {
      if (mine === this.asking) this.said.textContent = error.message;
      return;
    }
    if (mine !== this.asking) return;
    // Without a target there is no area to draw it at.
    this.points = answer.points.filter((point) => this.other || point[1] > 0);
    this.said.textContent = text(answer.total ? 'scatter.said' : 'scatter.none', {
      shown: count(this.points.length), all: count(answer.total),
    });
    const areas = this.points.map((point) => point[1]).filter((area) => area > 0);
    this.low = Math.log10(Math.max(1, Math.min(...areas, 1e9)));
    this.high = Math.log10(Math.max(10, ...areas));
    if (this.high - this.low < 0.5) this.high = this.low + 0.5;
    if (this.other) [this.low, this.high] = [0, 1];
    else if (!areas.length) [this.low, this.high] = [0, 5]; // nothing to fit the axis to
    this.draw();
  }

  x(area) {
    const { clientWidth } = this.canvas;
    const share = this.other ? area
      : Math.max(0, (Math.log10(Math.max(1, area)) - this.low) / (this.high - this.low));
    return ROOM.left + share * (clientWidth - ROOM.left - ROOM.right);
  }

  y(iou) {
    return ROOM.top + (1 - iou) * (this.canvas.clientHeight - ROOM.top - ROOM.bottom);
  }

  areaAt(x) {
    const share = (x - ROOM.left) / (this.canvas.clientWidth - ROOM.left - ROOM.right);
    return this.other ? share : 10 ** (this.low + share * (this.high - this.low));
  }

  iouAt(y) {
    return 1 - (y - ROOM.top) / (this.canvas.clientHeight - ROOM.top - ROOM.bottom);
  }

  draw() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    if (!canvas.clientWidth || this.low === undefined) return;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const quiet = style.getPropertyValue('--quiet');
    this.axes(context, style.getPropertyValue('--line'), quiet);
    context.fillStyle = style.getPropertyValue('--ink');
    context.globalAlpha = this.points.length > 500 ? 0.35 : 0.6;
    for (const [, area, iou] of this.points) {
      context.beginPath();
      context.arc(this.x(area), this.y(iou), 3, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    if (this.brush) {
      const { x0, y0, x1, y1 } = this.brush;
      context.strokeStyle = quiet;
      context.setLineDash([4, 3]);
      context.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
      context.setLineDash([]);
    }
  }

  axes(context, line, ink) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    context.strokeStyle = line;
    context.fillStyle = ink;
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (let tenth = 0; tenth <= 10; tenth += 2) {
      const y = this.y(tenth / 10);
      context.beginPath();
      context.moveTo(ROOM.left, y);
      context.lineTo(width - ROOM.right, y);
      context.stroke();
      context.fillText((tenth / 10).toFixed(1), ROOM.left - 8, y);
    }
    context.textAlign = 'center';
    if (this.other) {
      for (let tenth = 0; tenth <= 10; tenth += 2) {
        context.fillText((tenth / 10).toFixed(1), this.x(tenth / 10), height - ROOM.bottom + 14);
      }
      context.beginPath(); // where both runs are equally good
      context.moveTo(this.x(0), this.y(0));
      context.lineTo(this.x(1), this.y(1));
      context.stroke();
    } else {
      for (const area of this.ticks()) {
        context.beginPath();
        context.moveTo(this.x(area), ROOM.top);
        context.lineTo(this.x(area), height - ROOM.bottom);
        context.stroke();
        context.fillText(count(area), this.x(area), height - ROOM.bottom + 14);
      }
    }
    const across = this.other ? text('scatter.iou-of', { run: this.other }) : text('scatter.x');
    context.fillText(across, (ROOM.left + width - ROOM.right) / 2, height - 10);
    context.save();
    context.translate(12, (ROOM.top + height - ROOM.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(text('iou'), 0, 0);
    context.restore();
  }

  /** Round areas whose labels have room beside each other: 1 2 5, or powers of ten alone. */
  ticks() {
    const decade = this.x(10 ** (this.low + 1)) - this.x(10 ** this.low);
    const steps = decade * Math.log10(2) >= APART ? [1, 2, 5]
      : decade * Math.log10(3) >= APART ? [1, 3] : [1];
    const ticks = [];
    for (let power = Math.floor(this.low); power <= this.high; power++) {
      ticks.push(...steps.map((step) => step * 10 ** power));
    }
    return ticks.filter((area) => {
      const place = Math.log10(area);
      return place >= this.low - 1e-9 && place <= this.high + 1e-9;
    });
  }

  nearest(x, y) {
    let best = null;
    let least = NEAR * NEAR;
    for (const point of this.points) {
      const distance = (this.x(point[1]) - x) ** 2 + (this.y(point[2]) - y) ** 2;
      if (distance <= least) [best, least] = [point, distance];
    }
    return best;
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener('pointerdown', (event) => {
      const { offsetX: x, offsetY: y } = event;
      this.brush = { x0: x, y0: y, x1: x, y1: y };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.brush) {
        this.brush.x1 = event.offsetX;
        this.brush.y1 = event.offsetY;
        this.draw();
        return;
      }
      const point = this.nearest(event.offsetX, event.offsetY);
      canvas.title = !point ? '' : this.other
        ? text('scatter.pair', {
          other: this.other, run: this.query.run, x: fraction(point[1]), y: fraction(point[2]),
        })
        : text('scatter.point', { area: count(point[1]), iou: fraction(point[2]) });
      canvas.style.cursor = point ? 'pointer' : 'crosshair';
    });
    canvas.addEventListener('pointerup', (event) => {
      const { brush } = this;
      this.brush = null;
      if (!brush) return;
      if (Math.hypot(brush.x1 - brush.x0, brush.y1 - brush.y0) < 5) {
        const point = this.nearest(event.offsetX, event.offsetY);
        if (point) this.open(point[0]);
      } else {
        const [left, right] = [brush.x0, brush.x1].sort((a, b) => a - b);
        const [top, bottom] = [brush.y0, brush.y1].sort((a, b) => a - b);
        const clip = (value) => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));
        const iou = [clip(this.iouAt(bottom)), clip(this.iouAt(top))];
        if (this.other) {
          this.choose({
            iou, other: this.other, otherIou: [clip(this.areaAt(left)), clip(this.areaAt(right))],
          });
        } else {
          this.choose({
            iou,
            area: [Math.max(0, Math.floor(this.areaAt(left))), Math.ceil(this.areaAt(right))],
          });
        }
      }
      this.draw();
    });
  }
}
