// Tiles of all selected examples; only what is on the screen is in the page.

import { channels } from './colours.js';
import { decodeCounts } from './rle.js';
import { count, fraction, make, said, text } from './words.js';

const TILE = { width: 176, height: 172, gap: 8, picture: 120 };
const BATCH = 48; // tiles asked for in one request
const KEPT = 600; // tiles that stay known

export class Gallery {
  /** `open(position)` shows an example; `fail(error)` says why tiles stay empty. */
  constructor(element, { server, open, fail, veils, othersKnown }) {
    Object.assign(this, { element, server, open, fail, veils, othersKnown });
    this.floor = make('div', { class: 'floor' });
    element.append(this.floor);
    this.tiles = new Map(); // position -> element on the screen
    this.rows = new Map(); // place -> promise of the row
    this.order = new Int32Array();
    element.addEventListener('scroll', () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.layout()).observe(element);
    element.addEventListener('keydown', (event) => this.key(event));
  }

  /** Show an order; the tile at `position` is brought onto the screen and marked. */
  show(order, run, sort, position) {
    const same = order === this.order && run === this.run && sort === this.sort;
    Object.assign(this, { order, run, sort, position });
    if (!same) {
      this.rows.clear();
      this.tiles.forEach((tile) => tile.remove());
      this.tiles.clear();
    }
    this.layout();
    this.reveal(position);
    this.paint();
  }

  layout() {
    const width = this.element.clientWidth;
    if (!width) return;
    this.columns = Math.max(1, Math.floor((width - TILE.gap) / (TILE.width + TILE.gap)));
    this.step = (width - TILE.gap) / this.columns;
    const lines = Math.ceil(this.order.length / this.columns);
    this.floor.style.height = `${lines * (TILE.height + TILE.gap) + TILE.gap}px`;
    this.tiles.forEach((tile, at) => this.place(tile, at));
    this.schedule();
  }

  reveal(position) {
    if (!this.columns) return;
    const top = Math.floor(position / this.columns) * (TILE.height + TILE.gap);
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + TILE.height > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 3);
    }
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  /** Put the tiles of the visible lines into the page and take the others out. */
  paint() {
    if (!this.columns || this.element.hidden) return;
    const line = TILE.height + TILE.gap;
    const first = Math.max(0, Math.floor(this.element.scrollTop / line) - 1) * this.columns;
    const lines = Math.ceil(this.element.clientHeight / line) + 3;
    const last = Math.min(this.order.length, first + lines * this.columns);
    for (const [at, tile] of this.tiles) {
      if (at < first || at >= last) {
        tile.remove();
        this.tiles.delete(at);
      }
    }
    for (let at = first; at < last; at++) if (!this.tiles.has(at)) this.add(at);
    for (const [at, tile] of this.tiles) {
      if (at === this.position) tile.setAttribute('aria-current', 'true');
      else tile.removeAttribute('aria-current');
      tile.tabIndex = at === this.position ? 0 : -1;
    }
    this.want();
  }

  add(at) {
    const tile = make('button', { type: 'button', class: 'tile', 'data-position': at },
      make('canvas', { 'aria-hidden': 'true' }),
      make('span', { class: 'words' }), make('span', { class: 'value' }));
    tile.addEventListener('click', () => this.open(at));
    this.place(tile, at);
    this.tiles.set(at, tile);
    this.floor.append(tile);
  }

  place(tile, at) {
    const x = TILE.gap + (at % this.columns) * this.step;
    const y = TILE.gap + Math.floor(at / this.columns) * (TILE.height + TILE.gap);
    tile.style.transform = `translate(${Math.round(x)}px, ${y}px)`;
    tile.style.width = `${Math.floor(this.step - TILE.gap)}px`;
  }

  /** Fetch what the tiles on the screen need, a moment after the scrolling has passed. */
  want() {
    clearTimeout(this.asking);
    this.asking = setTimeout(() => {
      const blank = [...this.tiles].filter(([, tile]) => !tile.dataset.example);
      const missing = blank.map(([at]) => this.order[at]).filter((p) => !this.rows.has(p));
      for (let from = 0; from < missing.length; from += BATCH) {
        const places = missing.slice(from, from + BATCH);
        const rows = this.server.rows(places, this.run, true);
        rows.catch((error) => this.fail(error));
        places.forEach((place, at) => {
          const row = rows.then((list) => list[at]);
          row.catch(() => this.rows.delete(place));
          this.rows.set(place, row);
        });
      }
      for (const [at, tile] of blank) {
        this.rows.get(this.order[at]).then((row) => this.fill(tile, row), () => {});
      }
      for (const place of [...this.rows.keys()].slice(0, Math.max(0, this.rows.size - KEPT))) {
        this.rows.delete(place);
      }
    }, 40);
  }

  async fill(tile, row) {
    if (!tile.isConnected) return;
    tile.dataset.example = row.id;
    tile.querySelector('.words').textContent = row.sentence;
    tile.toggleAttribute('data-veiled', this.veils(row));
    const value = sortedValue(row, this.sort, this.othersKnown);
    tile.querySelector('.value').textContent = value;
    tile.setAttribute('aria-label',
      `${this.veils(row) ? text('care.veiled') : row.sentence}, ${value}`);
    const canvas = tile.querySelector('canvas');
    let bitmap = null;
    if (row.hasPicture) {
      try {
        bitmap = await this.server.thumbnail(row.image);
      } catch {
        bitmap = null;
      }
    }
    if (tile.isConnected) drawTile(canvas, row, bitmap);
    bitmap?.close();
  }

  key(event) {
    const moves = {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns, ArrowUp: -this.columns,
    };
    const by = moves[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(this.order.length - 1, Math.max(0, this.position + by));
    this.position = next;
    this.reveal(next);
    this.paint();
    this.tiles.get(next)?.focus();
  }
}

/** The value by which the gallery is sorted, as it stands on a tile. */
function sortedValue(row, sort, othersKnown) {
  const scored = row.status === 'scored' ? fraction(row.iou) : row.status ? text(`status.${row.status}`) : '';
  const values = {
    area: () => text('pixels', { count: count(row.targetArea) }),
    prediction: () => (row.predictionArea < 0 ? '–'
      : text('pixels', { count: count(row.predictionArea) })),
    words: () => text('words', { count: row.words }),
    same: () => (othersKnown ? text('same', { count: count(row.same) }) : text('unknown')),
    category: () => row.category,
    failure: () => said(row.failureLabel) || scored,
  };
  return (values[sort] ?? (() => scored))();
}

/** Draw a thumbnail and its masks straight from the run lengths, at the tile's own size. */
function drawTile(canvas, row, bitmap) {
  const ratio = window.devicePixelRatio || 1;
  const [height, width] = row.size;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(TILE.picture * ratio);
  const scale = Math.min(canvas.width / width, canvas.height / height);
  const w = Math.max(1, Math.round(width * scale));
  const h = Math.max(1, Math.round(height * scale));
  const x = Math.round((canvas.width - w) / 2);
  const y = Math.round((canvas.height - h) / 2);
  const context = canvas.getContext('2d');
  if (bitmap) context.drawImage(bitmap, x, y, w, h);
  else {
    context.fillStyle = getComputedStyle(canvas).getPropertyValue('--no-picture');
    context.fillRect(x, y, w, h);
  }
  const truth = sample(row.target, height, width, h, w);
  const prediction = sample(row.mask, height, width, h, w);
  const ignored = sample(row.ignored, height, width, h, w);
  if (!truth && !prediction) return;
  const image = context.getImageData(x, y, w, h);
  const colours = [null, channels('truth'), channels('prediction'), channels('agreement')];
  const shares = [0, 0.65, 0.65, 0.4];
  for (let i = 0; i < w * h; i++) {
    const kind = (truth?.[i] ? 1 : 0) + (prediction?.[i] && !ignored?.[i] ? 2 : 0);
    if (!kind) continue;
    const share = shares[kind];
    for (let channel = 0; channel < 3; channel++) {
      const at = 4 * i + channel;
      image.data[at] = image.data[at] * (1 - share) + colours[kind][channel] * share;
    }
  }
  context.putImageData(image, x, y);
}

/** Take every so many pixels of a mask, without drawing it whole. */
function sample(counts, height, width, h, w) {
  if (!counts) return null;
  const ends = decodeCounts(counts);
  for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
  const out = new Uint8Array(w * h);
  let run = 0;
  for (let x = 0; x < w; x++) {
    const column = Math.floor(((x + 0.5) * width) / w) * height;
    for (let y = 0; y < h; y++) {
      const place = column + Math.floor(((y + 0.5) * height) / h);
      while (run < ends.length && ends[run] <= place) run++;
      out[y * w + x] = run & 1;
    }
  }
  return out;
}
