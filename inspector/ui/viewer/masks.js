// The masks of one example and run: pixels, and what is drawn of them, made once and kept.

import { channels, colourRevision } from './colours.js';
import { boxOf, outline } from './rle.js';

const AGREEMENT_SHARE = 0.62; // white would hide the photograph more than the colours do

export class Masks {
  /** Pixels are row by row; `ignored` counts neither for nor against and is left uncoloured. */
  constructor(truth, prediction, height, width, ignored = null) {
    Object.assign(this, { truth, prediction, height, width, ignored });
    this.kept = new Map();
  }

  /** A canvas of the picture's size with one role filled; null where there is no such mask. */
  area(role) {
    if (role === 'agreement') {
      if (!this.truth && !this.prediction) return null;
    } else if (!this[role]) return null;
    return this.keep(`area ${role} ${colourRevision()}`, () => {
      const canvas = new OffscreenCanvas(this.width, this.height);
      const image = new ImageData(this.width, this.height);
      const out = new Uint32Array(image.data.buffer);
      if (role === 'agreement') this.paintAgreement(out);
      else if (role === 'ignored') paintHatch(out, this.ignored, this.width);
      else paintOne(out, this[role], packed(channels(role), 1));
      canvas.getContext('2d').putImageData(image, 0, 0);
      return canvas;
    });
  }

  paintAgreement(out) {
    const { truth, prediction, ignored } = this;
    const both = packed(channels('agreement'), AGREEMENT_SHARE);
    const onlyTruth = packed(channels('truth'), 1);
    const onlyPrediction = packed(channels('prediction'), 1);
    for (let i = 0; i < out.length; i++) {
      const inTruth = truth ? truth[i] : 0;
      const inPrediction = prediction && !ignored?.[i] ? prediction[i] : 0;
      if (inTruth) out[i] = inPrediction ? both : onlyTruth;
      else if (inPrediction) out[i] = onlyPrediction;
    }
  }

  outline(role) {
    if (!this[role]) return null;
    return this.keep(`outline ${role}`, () => outline(this[role], this.height, this.width));
  }

  box(role) {
    if (!this[role]) return null;
    return this.keep(`box ${role}`, () => boxOf(this[role], this.height, this.width));
  }

  /** Rings around the small pieces that do not hang together with the rest of a mask. */
  stray(role) {
    if (!this[role]) return [];
    return this.keep(`stray ${role}`, () => strayPieces(this[role], this.height, this.width));
  }

  keep(name, make) {
    if (!this.kept.has(name)) this.kept.set(name, make());
    return this.kept.get(name);
  }
}

function paintOne(out, pixels, value) {
  for (let i = 0; i < out.length; i++) if (pixels[i]) out[i] = value;
}

/** Grey stripes of eight pixels, four of them drawn. */
function paintHatch(out, pixels, width) {
  const grey = packed([187, 187, 187], 0.8);
  for (let i = 0; i < out.length; i++) {
    if (pixels[i] && ((i % width) + Math.floor(i / width)) % 8 < 4) out[i] = grey;
  }
}

function packed([red, green, blue], alpha) {
  return ((Math.round(alpha * 255) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

const STRAY_SHARE = 0.05; // of the mask: a piece smaller than this is called stray

/** Find the pieces of a mask (pixels that touch, corners included) that are stray. */
export function strayPieces(pixels, height, width) {
  const seen = new Uint8Array(pixels.length);
  const stack = [];
  const pieces = [];
  let total = 0;
  for (let start = pixels.indexOf(1); start >= 0; start = pixels.indexOf(1, start + 1)) {
    if (seen[start]) continue;
    let size = 0;
    let [left, right, top, bottom] = [width, 0, height, 0];
    seen[start] = 1;
    stack.push(start);
    while (stack.length) {
      const place = stack.pop();
      const y = Math.floor(place / width);
      const x = place - y * width;
      size++;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
      for (let near = Math.max(y - 1, 0); near <= Math.min(y + 1, height - 1); near++) {
        for (let side = Math.max(x - 1, 0); side <= Math.min(x + 1, width - 1); side++) {
          const next = near * width + side;
          if (pixels[next] && !seen[next]) {
            seen[next] = 1;
            stack.push(next);
          }
        }
      }
    }
    total += size;
    pieces.push({
      size,
      x: (left + right + 1) / 2,
      y: (top + bottom + 1) / 2,
      radius: Math.hypot(right - left + 1, bottom - top + 1) / 2,
    });
  }
  return pieces.filter((piece) => piece.size < STRAY_SHARE * total);
}
