// Turning pages in an order: which example is on show, what is made ready around it.

import { Cache } from './cache.js';
import { announce, makeReachable, showExample, showMessage } from './panel.js';
import { wait, waitNoMore } from './waiting.js';
import { count, text } from './words.js';

const AHEAD = 4; // neighbours that are made ready in the direction of travel
const BEHIND = 2;
const SETTLED_MS = 120; // the address and the strip may follow when the key is released
const $ = (id) => document.getElementById(id);

/** What a page needs to turn pages; the page itself adds its state and controls. */
export class Paging {
  constructor(server) {
    this.server = server;
    this.cache = new Cache(server, (ready) => this.looking.warm(ready));
    this.order = new Int32Array(); // places of the selected examples
    this.position = 0; // in the order
    this.direction = 1; // of travel
    this.turn = 0; // grows with every page turn; the newest wins
    this.showing = null; // what is on the screen
    this.refusal = ''; // why the last order that was asked for could not be had
  }

  /** Show the example at a position of the order: in this very frame if it is ready. */
  async show(position, prefetch = true) {
    if (!this.order.length) return;
    const last = this.order.length - 1;
    const next = Math.min(Math.max(position, 0), last);
    this.direction = next < this.position ? -1 : 1;
    this.position = next;
    $('position').style.minWidth = `${2 * count(last + 1).length + 3}ch`; // nothing beside it moves
    $('position').textContent = `${count(next + 1)} / ${count(last + 1)}`;
    await this.bring(this.order[next]);
    if (prefetch) this.prefetch();
  }

  /** Show an example wherever it is, also one that the filters leave out. */
  async showPlace(place) {
    const position = this.order.indexOf(place);
    if (position >= 0) {
      await this.show(position);
      return;
    }
    $('position').textContent = `– / ${count(this.order.length)}`;
    await this.bring(place);
  }

  async bring(place) {
    this.viewer.dataset.example = this.ids[place];
    const turn = ++this.turn;
    const ready = this.cache.peek(place);
    if (ready) {
      this.present(ready, turn);
    } else {
      wait();
      try {
        const loaded = await this.cache.get(place);
        if (turn !== this.turn) return; // the newest key press wins
        this.present(loaded, turn);
      } catch (error) {
        if (turn === this.turn) this.fail(error);
      }
    }
  }

  present(ready, turn) {
    const { item } = ready;
    this.showing = ready;
    waitNoMore();
    this.live.turned();
    this.looking.present(ready);
    this.describe(ready);
    requestAnimationFrame(() => {
      if (turn === this.turn) this.viewer.dataset.painted = item.id;
    });
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.store.set({ example: item.id });
      this.views.mark();
      this.strip.show(item, this.runIndex, (place) => this.cache.get(place));
      announce(`${$('position').textContent}: ${$('canvas').getAttribute('aria-label')}`);
      ['sentence', 'why'].forEach(makeReachable);
    }, SETTLED_MS);
  }

  describe(ready) {
    const { item } = ready;
    this.veil(item);
    const plain = this.state.match.includes('r') || this.state.match.includes('n');
    showExample(this.start, item, this.runIndex, plain ? '' : this.state.sentence);
    const faults = this.refusal ? [this.refusal] : []; // what is on show is not what was asked for
    if (ready.pictureFault) {
      faults.push(text(`picture.${ready.pictureFault}`, { file: item.fileName || item.imageId }));
    }
    if (!item.hasTruth) faults.push(text('truth.broken'));
    const { evidence } = item.runs[this.runIndex] ?? {};
    if (evidence === 'counts' || evidence === 'iou') faults.push(text(`evidence.${evidence}`));
    if (this.care.veils(item) && item.sensitive) faults.push(text('care.veiled'));
    showMessage(faults.join(' '));
    $('clear').hidden = $('suggest').hidden = true;
    const mode = this.start.failures.find(
      (failure) => failure.key === item.runs[this.runIndex]?.failure,
    );
    this.card.show();
    this.presenting.show();
    $('canvas').setAttribute('aria-label', text('canvas', {
      sentence: this.care.veils(item) ? text('care.veiled') : item.sentence,
      failure: mode ? mode.label : text('legend.truth'),
      iou: $('iou').textContent,
    }));
  }

  /** Veil what may hurt, and what a second ground truth dropped, until it is asked for. */
  veil(item) {
    const veiled = this.care.veils(item);
    this.viewer.toggleAttribute('data-veiled', veiled);
    $('sentence').setAttribute('aria-hidden', String(veiled)); // nor read aloud
    document.getElementById('facts-side').toggleAttribute('data-veiled', veiled);
    $('unveil').hidden = !veiled;
  }

  unveil() {
    if (!this.showing) return;
    this.care.unveil(this.showing.item.index);
    this.describe(this.showing);
  }

  prefetch() {
    const wanted = [];
    for (let step = 1; step <= AHEAD; step++) wanted.push(this.position + step * this.direction);
    for (let step = 1; step <= BEHIND; step++) wanted.push(this.position - step * this.direction);
    const places = wanted.filter((at) => at >= 0 && at < this.order.length);
    this.cache.request(places.map((at) => this.order[at]));
  }

  step(by) {
    this.show(this.position + by);
  }

  /** Go to the next example of another target, past the other sentences of this one. */
  async stepTarget(by) {
    try {
      this.referents ??= await this.server.referents();
    } catch (error) {
      this.fail(error);
      return;
    }
    let at = this.position;
    const now = this.referents[this.order[at]];
    while (at >= 0 && at < this.order.length && this.referents[this.order[at]] === now) at += by;
    if (at >= 0 && at < this.order.length) await this.show(at);
  }

  /** Go to the next sentence of the same target. */
  stepSentence(by) {
    const siblings = this.showing?.item.siblings ?? [];
    const at = siblings.findIndex((sibling) => sibling.place === this.showing.item.index) + by;
    if (at >= 0 && at < siblings.length) this.showPlace(siblings[at].place);
  }
}
