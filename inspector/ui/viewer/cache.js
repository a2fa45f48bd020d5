// Examples made ready to draw before they are asked for: words, masks as pixels, the picture.

import { Masks } from './masks.js';
import { rasterise } from './rle.js';

const CAPACITY = 48; // examples
const PICTURES = 32; // decoded pictures that no ready example uses

/** One example with everything that drawing needs. */
class Ready {
  constructor(item, bitmap, pictureFault) {
    this.item = item;
    this.bitmap = bitmap;
    this.pictureFault = pictureFault;
    const [height, width] = item.size;
    this.height = height;
    this.width = width;
    this.truth = item.target === null ? null : rasterise(item.target, height, width);
    this.byRun = new Map();
  }

  /** The masks of one run (-1: ground truth only), made once. */
  masks(run) {
    if (!this.byRun.has(run)) {
      const counts = this.item.runs[run]?.mask ?? null;
      const prediction = counts === null ? null : rasterise(counts, this.height, this.width);
      this.byRun.set(run, new Masks(this.truth, prediction, this.height, this.width));
    }
    return this.byRun.get(run);
  }
}

export class Cache {
  constructor(server) {
    this.server = server;
    this.ready = new Map(); // place -> promise of Ready, least recently used first
    this.done = new Map(); // place -> Ready, for drawing in the same frame as the key press
    this.pictures = new Map(); // image row -> promise of bitmap, least recently used first
  }

  /** The example at once if it is ready, else null. */
  peek(place) {
    return this.done.get(place) ?? null;
  }

  get(place) {
    this.request([place]);
    const promise = this.ready.get(place);
    this.ready.delete(place);
    this.ready.set(place, promise);
    return promise;
  }

  /** Ask for several examples in one request; those that are there cost nothing. */
  request(places) {
    const missing = [...new Set(places)].filter((place) => !this.ready.has(place));
    if (!missing.length) return;
    const items = this.server.examples(missing);
    missing.forEach((place, at) => {
      const promise = items.then((list) => this.build(list[at]));
      promise.then(
        (ready) => this.ready.has(place) && this.done.set(place, ready),
        () => this.ready.delete(place),
      );
      this.ready.set(place, promise);
    });
    for (const place of [...this.ready.keys()].slice(0, Math.max(0, this.ready.size - CAPACITY))) {
      this.done.delete(place);
      this.ready.delete(place);
    }
    this.tidy();
  }

  async build(item) {
    if (!item.hasPicture) return new Ready(item, null, 'missing');
    try {
      return new Ready(item, await this.picture(item.image), null);
    } catch {
      this.pictures.delete(item.image);
      return new Ready(item, null, 'broken');
    }
  }

  picture(row) {
    const known = this.pictures.get(row) ?? this.server.picture(row);
    this.pictures.delete(row);
    this.pictures.set(row, known);
    return known;
  }

  /** Free the oldest decoded pictures, as far as no ready example shows them. */
  tidy() {
    if (this.pictures.size <= PICTURES + CAPACITY) return;
    const used = new Set([...this.done.values()].map((ready) => ready.item.image));
    for (const [row, promise] of this.pictures) {
      if (this.pictures.size <= PICTURES) break;
      if (used.has(row)) continue;
      this.pictures.delete(row);
      promise.then((bitmap) => bitmap.close(), () => {});
    }
  }
}
