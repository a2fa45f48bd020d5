// Examples made ready to draw before they are asked for: words, masks as pixels, the picture.

import { Masks } from './masks.js';
import { rasterise } from './rle.js';

const CAPACITY = 48; // examples
const PICTURES = 32; // decoded pictures that are kept for the next example of the same picture

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
    this.ignored = item.ignored ? rasterise(item.ignored, height, width) : null;
    this.byRun = new Map();
  }

  /** The second ground truth, if it has this example. */
  get second() {
    if (!this.item.second) return null;
    this.other ??= new Masks(
      rasterise(this.item.second, this.height, this.width), null, this.height, this.width,
    );
    return this.other;
  }

  /** The masks of one run (-1: ground truth only), made once. */
  masks(run) {
    if (!this.byRun.has(run)) {
      const counts = this.item.runs[run]?.mask ?? null;
      const prediction = counts === null ? null : rasterise(counts, this.height, this.width);
      this.byRun.set(run, new Masks(this.truth, prediction, this.height, this.width, this.ignored));
    }
    return this.byRun.get(run);
  }

  /** The same picture and truth with another mask as run 0, and what is stored as run 1. */
  withMask(mask, run) {
    const stored = this.item.runs[run];
    const runs = [{ mask }, ...(stored?.mask ? [stored] : [])];
    return new Ready({ ...this.item, runs, second: null }, this.bitmap, this.pictureFault);
  }
}

export class Cache {
  /** `warm(ready)` prepares what drawing will need; it is called while the page has time. */
  constructor(server, warm) {
    this.server = server;
    this.warm = warm;
    this.cold = [];
    this.imageOf = null; // row of each example's picture, as soon as it is known
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
    if (this.imageOf) for (const place of missing) this.picture(this.imageOf[place]).catch(() => {});
    missing.forEach((place, at) => {
      const promise = items.then((list) => this.build(list[at]));
      promise.then(
        (ready) => {
          if (!this.ready.has(place)) return;
          this.done.set(place, ready);
          this.later(ready);
        },
        () => this.ready.delete(place),
      );
      this.ready.set(place, promise);
    });
    for (const place of [...this.ready.keys()].slice(0, Math.max(0, this.ready.size - CAPACITY))) {
      this.done.delete(place);
      this.ready.delete(place);
    }
  }

  /** Warm one example after the other, each in a moment of its own. */
  later(ready) {
    this.cold.push(ready);
    if (this.cold.length > 1) return;
    const next = () => {
      this.warm(this.cold[0]);
      this.cold.shift();
      if (this.cold.length) requestIdleCallback(next, { timeout: 100 });
    };
    requestIdleCallback(next, { timeout: 100 });
  }

  /** A picture that is no example: nothing is known of it. */
  loose(bitmap, size) {
    return new Ready({ size, target: null, ignored: null, runs: [], others: [] }, bitmap, null);
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
    for (const old of [...this.pictures.keys()].slice(0, Math.max(0, this.pictures.size - PICTURES))) {
      this.pictures.delete(old); // not closed: an example on its way may still show it
    }
    return known;
  }
}
