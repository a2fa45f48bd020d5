// Draws areas, cased lines, boxes and rings of one example; lines keep their width at any zoom.

import { colour } from './colours.js';

const CASING = 'rgba(0, 0, 0, 0.7)'; // a line must show on any photograph

export class Pen {
  /** `unit` is the length of one page pixel in pixels of the picture. */
  constructor(context, masks, { unit, opacity }) {
    Object.assign(this, { context, masks, unit, opacity });
  }

  fill(role) {
    const area = this.masks.area(role);
    if (!area) return;
    this.context.imageSmoothingEnabled = false;
    this.context.globalAlpha = this.opacity;
    this.context.drawImage(area, 0, 0);
    this.context.globalAlpha = 1;
  }

  line(role, width) {
    const path = this.masks.outline(role);
    if (path) this.stroke(path, colour(role), width);
  }

  box(role) {
    const box = this.masks.box(role);
    if (box) this.rectangle([box.x, box.y, box.width, box.height], role, 1.5);
  }

  /** Outline a box {x, y, width, height} of the picture in the colour of a role. */
  rectangle([x, y, width, height], role, thick) {
    const path = new Path2D();
    path.rect(x, y, width, height);
    this.stroke(path, colour(role), thick);
  }

  rings(role) {
    for (const piece of this.masks.stray(role)) {
      const path = new Path2D();
      path.arc(piece.x, piece.y, piece.radius + 6 * this.unit, 0, 2 * Math.PI);
      this.stroke(path, colour(role), 2);
    }
  }

  /** Outline the prediction of another run: white and dashed, on dark. */
  dashed(path) {
    if (!path) return;
    const { context, unit } = this;
    context.lineCap = 'butt';
    context.strokeStyle = CASING;
    context.lineWidth = 4 * unit;
    context.stroke(path);
    context.setLineDash([7 * unit, 5 * unit]);
    context.strokeStyle = '#fff';
    context.lineWidth = 2.5 * unit;
    context.stroke(path);
    context.setLineDash([]);
  }

  /** Outline the second ground truth: black and dotted, on light. */
  second(path) {
    const { context, unit } = this;
    context.lineCap = 'round';
    context.strokeStyle = 'rgba(255, 255, 255, 0.9)';
    context.lineWidth = 4 * unit;
    context.stroke(path);
    context.setLineDash([0.1 * unit, 5 * unit]);
    context.strokeStyle = '#000';
    context.lineWidth = 3 * unit;
    context.stroke(path);
    context.setLineDash([]);
  }

  /** Outline another object; the one on which the prediction landed is dashed and named. */
  other(path, box, label) {
    const { context, unit } = this;
    if (label) context.setLineDash([6 * unit, 4 * unit]);
    this.stroke(path, '#bbbbbb', label ? 2 : 1);
    context.setLineDash([]);
    if (!label || !box) return;
    context.save();
    context.translate(box.x, box.y);
    context.scale(unit, unit);
    context.font = '600 12px system-ui, sans-serif';
    const width = context.measureText(label).width + 12;
    context.fillStyle = 'rgba(20, 22, 25, 0.88)';
    context.fillRect(0, -20, width, 20);
    context.fillStyle = '#fff';
    context.fillText(label, 6, -6);
    context.restore();
  }

  stroke(path, style, width) {
    const { context, unit } = this;
    context.lineJoin = context.lineCap = 'round';
    context.strokeStyle = CASING;
    context.lineWidth = (width + 2) * unit;
    context.stroke(path);
    context.strokeStyle = style;
    context.lineWidth = width * unit;
    context.stroke(path);
  }
}
