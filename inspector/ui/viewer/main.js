// The page: state, what follows from a change of it, and the controls.

import { readAddress, writeAddress } from './address.js';
import { Cache } from './cache.js';
import { listenToKeys } from './keys.js';
import { LAYERS } from './layers.js';
import { showExample, showMessage, showNothing, showProblems, showRun } from './panel.js';
import { Server } from './server.js';
import { Stage } from './stage.js';
import { Store } from './store.js';
import { count, make, setTexts, text } from './words.js';

const FILTER_KEYS = ['category', 'sentence'];
const AHEAD = 4; // neighbours that are made ready in the direction of travel
const BEHIND = 2;

const $ = (id) => document.getElementById(id);

class Page {
  constructor(element, start, server, address) {
    this.element = element;
    this.start = start;
    this.server = server;
    this.cache = new Cache(server);
    this.viewer = $('viewer');
    this.order = new Int32Array();
    this.position = 0;
    this.direction = 1;
    this.hidden = false;
    const runs = start.runs.map((run) => run.name);
    const layers = LAYERS.map((layer) => layer.key);
    const sorts = start.sorts.map((sort) => sort.key);
    this.store = new Store({
      example: '',
      run: runs.includes(address.run) ? address.run : (runs[0] ?? ''),
      layer: layers.includes(address.layer) ? address.layer : runs.length ? 'agreement' : 'truth',
      sort: sorts.includes(address.sort) ? address.sort : runs.length ? 'worst' : 'id',
      category: address.category ?? '',
      sentence: address.sentence ?? '',
      opacity: Number(localStorage.getItem('inspector.opacity') ?? 0.6),
    });
    this.stage = new Stage($('canvas'), () => this.paint());
    this.controls();
    this.store.listen((state, changed) => this.changed(state, changed));
    new ResizeObserver(() => {
      this.stage.fit();
      this.paint();
    }).observe($('canvas'));
  }

  get state() {
    return this.store.state;
  }

  get runIndex() {
    return this.start.runs.findIndex((run) => run.name === this.state.run);
  }

  query() {
    const { run, sort, category, sentence } = this.state;
    return { run, sort, category, sentence };
  }

  // ---- what follows from a change ----

  changed(state, changed) {
    if (changed.has('run')) {
      this.viewer.dataset.run = state.run;
      showRun(this.start, state.run);
      $('run').value = state.run;
    }
    if (changed.has('layer')) {
      this.viewer.dataset.layer = state.layer;
      this.showLayer();
    }
    if (changed.has('opacity')) localStorage.setItem('inspector.opacity', state.opacity);
    if (['run', 'sort', ...FILTER_KEYS].some((key) => changed.has(key))) {
      const keep = changed.has('run') && changed.size === 1 ? this.order[this.position] : null;
      this.reorder(keep);
    }
    if (changed.has('layer') || changed.has('opacity')) this.paint();
    writeAddress(state);
  }

  /** Fetch the order anew and show its first example, or the one to keep if it is in there. */
  async reorder(keep = null) {
    const mine = (this.ordering = (this.ordering ?? 0) + 1);
    $('sort').querySelector('select').value = this.state.sort;
    let order;
    try {
      order = await this.server.order(this.query());
    } catch (error) {
      if (mine === this.ordering) this.fail(error);
      return;
    }
    if (mine !== this.ordering) return;
    this.order = order;
    if (!order.length) {
      await this.showEmpty(mine);
      return;
    }
    const kept = keep === null ? -1 : order.indexOf(keep);
    await this.show(Math.max(kept, 0));
  }

  async showEmpty(mine) {
    const said = await this.server.describe(this.query());
    if (mine !== this.ordering) return;
    this.position = 0;
    this.showing = null;
    this.turn = (this.turn ?? 0) + 1;
    this.viewer.dataset.example = '';
    $('position').textContent = '0 / 0';
    showNothing(text('empty', { filters: said }));
    $('clear').hidden = false;
    this.stage.current = null;
    this.stage.clear();
    this.store.set({ example: '' });
    requestAnimationFrame(() => (this.viewer.dataset.painted = ''));
  }

  /** Show the example at a position of the order: in this very frame if it is ready. */
  async show(position) {
    if (!this.order.length) return;
    const last = this.order.length - 1;
    const next = Math.min(Math.max(position, 0), last);
    this.direction = next < this.position ? -1 : 1;
    this.position = next;
    $('position').textContent = `${count(next + 1)} / ${count(last + 1)}`;
    const place = this.order[next];
    this.viewer.dataset.example = this.ids[place];
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const ready = this.cache.peek(place);
    if (ready) {
      this.present(ready, turn);
    } else {
      try {
        const loaded = await this.cache.get(place);
        if (turn !== this.turn) return; // the newest key press wins
        this.present(loaded, turn);
      } catch (error) {
        if (turn === this.turn) this.fail(error);
        return;
      }
    }
    this.prefetch();
  }

  present(ready, turn) {
    const { item } = ready;
    this.showing = ready;
    this.describe(ready);
    this.paint();
    this.afterFrame(() => {
      if (turn === this.turn) this.viewer.dataset.painted = item.id;
    });
    clearTimeout(this.settling); // the address may follow when the key is released
    this.settling = setTimeout(() => this.store.set({ example: item.id }), 120);
  }

  describe(ready) {
    const { item } = ready;
    const run = item.runs[this.runIndex];
    const mode = this.start.failures.find((failure) => failure.key === run?.failure);
    showExample(this.start, ready, this.runIndex, mode);
    const faults = [];
    if (ready.pictureFault) {
      faults.push(text(`picture.${ready.pictureFault}`, { file: item.fileName || item.imageId }));
    }
    if (!item.hasTruth) faults.push(text('truth.broken'));
    showMessage(faults.join(' '));
    $('clear').hidden = true;
    $('canvas').setAttribute('aria-label', text('canvas', {
      sentence: item.sentence,
      failure: mode ? mode.label : text('legend.truth'),
      iou: run ? $('iou').textContent : '–',
    }));
  }

  paint() {
    if (!this.showing) return;
    const { layer, opacity } = this.state;
    this.stage.draw(this.showing, { run: this.runIndex, layer, opacity, hidden: this.hidden });
  }

  afterFrame(callback) {
    requestAnimationFrame(callback);
  }

  prefetch() {
    const wanted = [];
    for (let step = 1; step <= AHEAD; step++) wanted.push(this.position + step * this.direction);
    for (let step = 1; step <= BEHIND; step++) wanted.push(this.position - step * this.direction);
    const places = wanted.filter((at) => at >= 0 && at < this.order.length);
    this.cache.request(places.map((at) => this.order[at]));
  }

  fail(error) {
    showMessage(
      error.status === 410 || error.name === 'TypeError'
        ? text(error.status === 410 ? 'error.reload' : 'error.server')
        : text('error.other', { message: error.message }),
    );
  }

  // ---- controls ----

  step(by) {
    this.show(this.position + by);
  }

  cycleRun() {
    const { runs } = this.start;
    if (runs.length > 1) this.store.set({ run: runs[(this.runIndex + 1) % runs.length].name });
  }

  hide(hidden) {
    if (this.hidden === hidden) return;
    this.hidden = hidden;
    $('hide').setAttribute('aria-pressed', String(hidden));
    this.paint();
  }

  setOpacity(value) {
    const opacity = Math.min(1, Math.max(0, Math.round(value * 20) / 20));
    $('opacity').value = opacity;
    this.store.set({ opacity });
  }

  showLayer() {
    for (const button of $('layers').querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.layer === this.state.layer));
    }
    const layer = LAYERS.find((entry) => entry.key === this.state.layer);
    $('legend').replaceChildren(
      ...layer.legend.map(([role, key, kind]) =>
        make('li', {}, make('span', { class: `mark ${kind}`, 'data-role': role }), text(key))),
    );
  }

  controls() {
    const { start } = this;
    for (const run of start.runs) $('run').append(make('option', { value: run.name }, run.name));
    $('run-box').hidden = !start.runs.length;
    $('run').addEventListener('change', () => this.store.set({ run: $('run').value }));

    for (const layer of LAYERS) {
      const button = make('button', {
        type: 'button', 'data-layer': layer.key, title: text(`layer.${layer.key}.title`),
      }, make('kbd', { 'aria-hidden': 'true' }, layer.digit), text(`layer.${layer.key}`));
      button.addEventListener('click', () => this.store.set({ layer: layer.key }));
      $('layers').append(button);
    }
    $('previous').addEventListener('click', () => this.step(-1));
    $('next').addEventListener('click', () => this.step(1));
    $('reset').addEventListener('click', () => this.resetZoom());
    $('hide').addEventListener('click', () => this.hide(!this.hidden));
    $('opacity').value = this.state.opacity;
    $('opacity').addEventListener('input', () => this.setOpacity(Number($('opacity').value)));
    $('clear').addEventListener('click', () => this.clearFilters());

    const sort = $('sort').querySelector('select');
    for (const entry of start.sorts) {
      if (entry.needsRun && !start.runs.length) continue;
      sort.append(make('option', { value: entry.key }, text(`sort.${entry.key}`)));
    }
    sort.addEventListener('change', () => this.store.set({ sort: sort.value }));
    const category = $('filter-category').querySelector('select');
    category.append(make('option', { value: '' }, text('category.all')));
    for (const [name, number] of start.categories) {
      category.append(make('option', { value: name }, `${name} (${count(number)})`));
    }
    category.addEventListener('change', () => this.store.set({ category: category.value }));
    const sentence = $('filter-sentence').querySelector('input');
    sentence.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.store.set({ sentence: sentence.value.trim() }), 120);
    });
    this.showFilters();
    this.keys();
  }

  keys() {
    const table = {
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      j: () => this.step(1),
      k: () => this.step(-1),
      Home: () => this.show(0),
      End: () => this.show(this.order.length - 1),
      m: () => this.cycleRun(),
      r: () => this.resetZoom(),
      ' ': () => this.hide(true),
      '[': () => this.setOpacity(this.state.opacity - 0.1),
      ']': () => this.setOpacity(this.state.opacity + 0.1),
      '/': () => $('filter-sentence').querySelector('input').focus(),
    };
    for (const layer of LAYERS) table[layer.digit] = () => this.store.set({ layer: layer.key });
    listenToKeys(this.element, table, { ' ': () => this.hide(false) });
  }

  resetZoom() {
    this.stage.reset();
    this.paint();
  }

  showFilters() {
    $('filter-category').querySelector('select').value = this.state.category;
    $('filter-sentence').querySelector('input').value = this.state.sentence;
  }

  clearFilters() {
    this.store.set(Object.fromEntries(FILTER_KEYS.map((key) => [key, ''])));
    this.showFilters();
  }

  // ---- the beginning ----

  async open(example) {
    const { state, start } = this;
    this.viewer.dataset.run = state.run;
    this.viewer.dataset.layer = state.layer;
    $('run').value = state.run;
    showRun(start, state.run);
    this.showLayer();
    $('demo').hidden = !start.isDemo;
    $('no-run').hidden = start.runs.length > 0;
    this.ids = await this.server.ids();
    const place = example ? this.ids.indexOf(example) : -1;
    await this.reorder(place < 0 ? null : place);
    writeAddress(this.state);
    if (start.problems) showProblems(start, await this.server.problems());
  }
}

/** Start the page inside the element that Gradio mounted. */
export async function start(element, props) {
  setTexts(props.texts);
  const server = new Server();
  const address = readAddress();
  const began = await server.start();
  const page = new Page(element, began, server, address);
  await page.open(address.example);
}
