// What can be laid over a picture. One entry adds a layer: its key, its digit, what it draws.
// One colour logic everywhere: blue is ground truth, orange is prediction, white is agreement.

import { outline } from './rle.js';

export const COLOURS = {
  truth: [0, 114, 178], // #0072B2
  prediction: [213, 94, 0], // #D55E00
  agreement: [255, 255, 255],
};

/** Legend marks of a layer: [colour role, text key, how it is drawn]. */
const BOTH_FILLED = [
  ['agreement', 'legend.both', 'area'],
  ['prediction', 'legend.prediction-only', 'area'],
  ['truth', 'legend.truth-only', 'area'],
];
const BOTH_LINES = [
  ['truth', 'legend.truth', 'line'],
  ['prediction', 'legend.prediction', 'line'],
];

export const LAYERS = [
  {
    key: 'agreement',
    digit: '1',
    legend: BOTH_FILLED,
    draw(pen, masks) {
      pen.fill(masks.agreement());
      pen.line(masks.truth, 'truth', 2);
      pen.line(masks.prediction, 'prediction', 2);
    },
  },
  {
    key: 'contours',
    digit: '2',
    legend: BOTH_LINES,
    draw(pen, masks) {
      pen.line(masks.truth, 'truth', 2.5);
      pen.line(masks.prediction, 'prediction', 2.5);
    },
  },
  {
    key: 'fill',
    digit: '3',
    legend: [
      ['truth', 'legend.truth', 'area'],
      ['prediction', 'legend.prediction', 'area'],
    ],
    draw(pen, masks) {
      pen.fill(masks.filled('truth'));
      pen.fill(masks.filled('prediction'));
      pen.line(masks.truth, 'truth', 1.5);
      pen.line(masks.prediction, 'prediction', 1.5);
    },
  },
  {
    key: 'truth',
    digit: '4',
    legend: [['truth', 'legend.truth', 'area']],
    draw(pen, masks) {
      pen.fill(masks.filled('truth'));
      pen.line(masks.truth, 'truth', 2);
    },
  },
  {
    key: 'prediction',
    digit: '5',
    legend: [['prediction', 'legend.prediction', 'area']],
    draw(pen, masks) {
      pen.fill(masks.filled('prediction'));
      pen.line(masks.prediction, 'prediction', 2);
    },
  },
  { key: 'picture', digit: '6', legend: [], draw() {} },
];

/** The masks of one example and run, with what is drawn of them made once and kept. */
export class Masks {
  constructor(truth, prediction, height, width) {
    this.height = height;
    this.width = width;
    this.truth = truth && { pixels: truth };
    this.prediction = prediction && { pixels: prediction };
    this.areas = new Map();
  }

  agreement() {
    return this.area('agreement', (out) => {
      const truth = this.truth?.pixels;
      const prediction = this.prediction?.pixels;
      const both = packed(COLOURS.agreement, 0.62);
      const onlyTruth = packed(COLOURS.truth, 1);
      const onlyPrediction = packed(COLOURS.prediction, 1);
      for (let i = 0; i < out.length; i++) {
        const inTruth = truth ? truth[i] : 0;
        const inPrediction = prediction ? prediction[i] : 0;
        if (inTruth) out[i] = inPrediction ? both : onlyTruth;
        else if (inPrediction) out[i] = onlyPrediction;
      }
    });
  }

  filled(role) {
    const mask = this[role];
    if (!mask) return null;
    return this.area(role, (out) => {
      const colour = packed(COLOURS[role], 1);
      for (let i = 0; i < out.length; i++) if (mask.pixels[i]) out[i] = colour;
    });
  }

  area(name, paint) {
    if (!this.areas.has(name)) {
      const image = new ImageData(this.width, this.height);
      paint(new Uint32Array(image.data.buffer));
      const canvas = new OffscreenCanvas(this.width, this.height);
      canvas.getContext('2d').putImageData(image, 0, 0);
      this.areas.set(name, canvas);
    }
    return this.areas.get(name);
  }

  outline(mask) {
    mask.path ??= outline(mask.pixels, this.height, this.width);
    return mask.path;
  }
}

/** Draws areas and cased lines of one example onto a canvas; lines keep their width at any zoom. */
export class Pen {
  constructor(context, masks, scale, pixelRatio, opacity) {
    Object.assign(this, { context, masks, scale, pixelRatio, opacity });
  }

  fill(canvas) {
    if (!canvas) return;
    this.context.imageSmoothingEnabled = false;
    this.context.globalAlpha = this.opacity;
    this.context.drawImage(canvas, 0, 0);
    this.context.globalAlpha = 1;
  }

  line(mask, role, width) {
    if (!mask) return;
    const { context } = this;
    const unit = this.pixelRatio / this.scale;
    const path = this.masks.outline(mask);
    context.lineJoin = context.lineCap = 'round';
    context.strokeStyle = 'rgba(0, 0, 0, 0.7)'; // the casing: a line must show on any photograph
    context.lineWidth = (width + 2) * unit;
    context.stroke(path);
    context.strokeStyle = `rgb(${COLOURS[role].join(' ')})`;
    context.lineWidth = width * unit;
    context.stroke(path);
  }
}

function packed([red, green, blue], alpha) {
  return ((Math.round(alpha * 255) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
