// The page: its state, and what follows from a change of it.

import { Address } from './address.js';
import { Care } from './care.js';
import { Controls } from './controls.js';
import { Doing } from './doing.js';
import { closeDialogs } from './dialogs.js';
import { Filters } from './filters.js';
import { FindingCard } from './finding_card.js';
import { Findings } from './findings.js';
import { showHint } from './hint.js';
import { Live } from './live.js';
import { Looking } from './looking.js';
import { COMPARISONS, LAYERS, OF_TWO_RUNS } from './layers.js';
import {
  announce, faultOf, showMessage, showNothing, showProblems, showRun, showToast,
} from './panel.js';
import { Pointer } from './pointer.js';
import { Present } from './present.js';
import { Review } from './review.js';
import { SavedViews } from './saved_views.js';
import { Share } from './share.js';
import { Store } from './store.js';
import { Strip } from './strip.js';
import { Views } from './views.js';
import { wait, waitNoMore } from './waiting.js';
import { said, text } from './words.js';

const STEPS = ['view', 'run', 'sort', 'reverse', 'compare']; // undone by the back button
const $ = (id) => document.getElementById(id);

export class Page extends Doing {
  constructor(element, start, server) {
    super(server);
    Object.assign(this, { element, start });
    this.viewer = $('viewer');
    this.viewer.page = this; // for benchmarks and the console
    this.hidden = false;
    this.ordering = 0;
    const filterKeys = [...start.filters.map((filter) => filter.key), 'match'];
    this.address = new Address(filterKeys);
    this.filterKeys = filterKeys;
    this.store = new Store({ ...this.blank(), ...this.valid(this.address.read()),
      ...Looking.remembered() });
    this.filters = new Filters(start, {
      set: (changes) => this.store.set(changes), state: () => this.state,
    });
    this.looking = new Looking(this);
    this.care = new Care();
    this.strip = new Strip($('strip'), {
      choose: (place) => this.showPlace(place), veils: (row) => this.care.veils(row),
    });
    this.views = new Views(this);
    this.findings = new Findings(server, { changed: (places) => this.found(places) });
    this.card = new FindingCard(this);
    this.review = new Review(this);
    this.saved = new SavedViews(this);
    this.share = new Share(this);
    this.presenting = new Present(this);
    this.live = new Live(this);
    this.controls = new Controls(this);
    this.store.listen((state, changed) => this.changed(state, changed));
    window.addEventListener('popstate', () => this.restore());
  }

  get state() {
    return this.store.state;
  }

  get runIndex() {
    return this.start.runs.findIndex((run) => run.name === this.state.run);
  }

  /** The state when nothing is set. */
  blank() {
    const runs = this.start.runs.map((run) => run.name);
    return {
      view: '', example: '', run: runs[0] ?? '', layer: runs.length ? 'agreement' : 'truth',
      compare: '', against: runs[1] ?? '', sort: runs.length ? 'worst' : 'id', reverse: '',
      rows: '',
      ...Object.fromEntries(this.filterKeys.map((key) => [key, ''])),
    };
  }

  /** What of an address exists here; the rest is left out. */
  valid(address) {
    const runs = this.start.runs.map((run) => run.name);
    const known = {
      run: runs, against: runs, layer: LAYERS.map((layer) => layer.key),
      sort: this.start.sorts.map((sort) => sort.key), compare: COMPARISONS,
      view: ['', 'gallery', 'table', 'scatter', 'findings',
        ...this.start.panels.map((panel) => panel.key)],
      rows: runs.length > 1 ? ['all'] : [],
    };
    const there = ([key, value]) => !known[key] || known[key].includes(value);
    this.unknown = Object.entries(address).filter((entry) => !there(entry));
    return Object.fromEntries(Object.entries(address).filter(there));
  }

  query() {
    const { run, sort, reverse } = this.state;
    const filters = Object.fromEntries(this.filterKeys.map((key) => [key, this.state[key]]));
    // Answers may be kept for good: the revision of the findings makes another address of them.
    return { run, sort, reverse, ...filters, found: String(this.findings.revision) };
  }

  /** What an analysis is asked for. */
  panelQuery() {
    const { run, against } = this.state;
    return { run, against: against === run ? '' : against, published: this.published ?? '' };
  }

  /** Look for the settings under which a published number would come out. */
  findPublished(number) {
    if (!number) return;
    this.published = number;
    closeDialogs();
    if (this.state.view === 'numbers') this.views.show();
    else this.store.set({ view: 'numbers' });
  }

  /** Show what a row of an analysis stands for. */
  choose({ example, ...select }) {
    const blank = Object.fromEntries(this.filterKeys.map((key) => [key, '']));
    this.wanted = example ? this.ids.indexOf(example) : null;
    this.store.set({ ...blank, view: '', ...select });
    this.filters.show();
    if (example && this.wanted !== null) this.showPlace(this.wanted); // nothing else has changed
  }

  // ---- what follows from a change ----

  changed(state, changed) {
    const filtered = this.filterKeys.some((key) => changed.has(key));
    if (changed.has('run')) {
      this.viewer.dataset.run = state.run;
      showRun(this.start, state.run);
    }
    if (changed.has('layer')) this.viewer.dataset.layer = state.layer;
    this.controls.show(changed);
    if (filtered) this.filters.show();
    if (filtered || ['run', 'sort', 'reverse'].some((key) => changed.has(key))) {
      const keep = !filtered && !changed.has('sort') && !changed.has('reverse');
      this.reorder(keep ? this.order[this.position] : null);
    } else if (['view', 'against', 'rows'].some((key) => changed.has(key))) this.views.show();
    this.looking.changed(state, changed);
    if (!this.restoring) {
      this.writeAddress(filtered || STEPS.some((key) => changed.has(key)));
    }
  }

  /** Write what is set; the other run stands there only where it is looked at. */
  writeAddress(step) {
    const { state } = this;
    const against = OF_TWO_RUNS.includes(state.compare) || state.view !== '';
    this.address.write({ ...state, against: against ? state.against : '' }, step);
    this.pointer?.tell();
  }

  /** Go to a kept view. */
  goTo(query) {
    const url = new URL(location.href);
    url.search = new URLSearchParams(query).toString();
    history.pushState(null, '', url);
    this.restore();
  }

  /** Findings have come or gone: show those of the example on show, and what counts them. */
  found(places) {
    this.card.show();
    this.review.show();
    if (!places.length) return;
    this.presenting.show();
    if (this.state.view === 'findings') this.views.show();
    clearTimeout(this.counting);
    this.counting = setTimeout(() => this.follow(this.ordering, this.query()), 300);
  }

  /** Go back to what the address says, as the browser's back button asks. */
  restore() {
    const address = this.valid(this.address.read());
    this.restoring = true;
    this.store.set({ ...this.blank(), ...address });
    this.filters.show({}, { force: true });
    this.restoring = false;
    const place = this.ids.indexOf(address.example ?? '');
    if (place >= 0) this.reorder(place);
  }

  /** Fetch the order anew and show its first example, or the one to keep if it is in there. */
  reorder(keep = null) {
    this.review.queue = null;
    this.review.show();
    this.ordered = this.fetchOrder(keep);
    return this.ordered;
  }

  async fetchOrder(keep) {
    const mine = ++this.ordering;
    const query = this.query();
    wait();
    let order;
    try {
      order = await this.server.order(query);
    } catch (error) {
      if (mine !== this.ordering) return;
      this.refusal = faultOf(error);
      this.fail(error);
      // The way out of a link that fits nothing.
      if (error.status === 400 && !this.order.length) $('clear').hidden = false;
      return;
    }
    if (mine !== this.ordering) return;
    this.refusal = '';
    this.order = order;
    if (order.length) {
      const kept = order.indexOf(this.wanted ?? keep ?? -1);
      this.wanted = null;
      await this.show(Math.max(kept, 0), false);
    } else {
      this.showEmpty();
    }
    if (mine !== this.ordering) return;
    this.views.show();
    await this.follow(mine, query);
    if (mine === this.ordering) this.prefetch(); // last: the counts are waited for, this is not
  }

  /** What may come a moment after the picture: counts, chips, the way out of an empty result. */
  async follow(mine, query) {
    try {
      const [counts, described] = await Promise.all([
        this.server.counts(query),
        this.server.describe({ ...query, empty: this.order.length ? '' : '1' }),
      ]);
      if (mine !== this.ordering) return;
      this.filters.show(counts.facets);
      this.filters.showChips(described.phrases);
      if (!this.order.length) {
        const hint = described.suggestion
          ? text('empty.suggestion', { words: described.suggestion }) : text('empty.hint');
        showMessage(`${text('empty', { filters: said(described.sentence) })} ${hint}`);
        $('nothing').querySelector('p').textContent = $('message').textContent;
        $('suggest').hidden = !described.suggestion;
        $('suggest').textContent = text('empty.use', { words: described.suggestion });
        $('suggest').onclick = () => {
          this.store.set({ sentence: described.suggestion });
          $('sentence-words').value = described.suggestion;
        };
      }
    } catch (error) {
      if (mine === this.ordering) this.fail(error);
    }
  }

  showEmpty() {
    this.position = 0;
    this.turn++;
    this.viewer.dataset.example = '';
    waitNoMore();
    $('position').textContent = '0 / 0';
    showNothing(text('empty.short'));
    announce(''); // the message itself is said
    $('clear').hidden = false;
    this.strip.element.hidden = true;
    this.looking.clear();
    this.live.turned();
    this.store.set({ example: '' });
    requestAnimationFrame(() => (this.viewer.dataset.painted = ''));
  }

  fail(error) {
    waitNoMore();
    showMessage(faultOf(error));
    if (this.state.view) showToast(faultOf(error)); // the message lies below the picture
  }

  // ---- the beginning ----

  async open() {
    const { state, start } = this;
    this.viewer.dataset.run = state.run;
    this.viewer.dataset.layer = state.layer;
    showRun(start, state.run);
    showHint(start);
    $('no-run').hidden = start.runs.length > 0;
    $('reload').hidden = !start.canReload;
    [this.ids] = await Promise.all([this.server.ids(), this.findings.begin()]);
    this.filters.show();
    const asked = state.example; // what is on show takes its place soon
    const place = asked ? this.ids.indexOf(asked) : -1;
    await this.reorder(place < 0 ? null : place);
    if (place >= 0 && this.order.length && !this.order.includes(place)) {
      await this.showPlace(place);
      showToast(text('address.left-out', { example: asked }));
    }
    this.writeAddress(false);
    if (asked && place < 0) this.unknown.push(['example', asked]);
    if (start.fault) showToast(start.fault);
    else if (this.unknown.length) {
      const [key, value] = this.unknown[0];
      showToast(text('address.unknown', { key, value: value.slice(0, 60) }));
    }
    this.pointer = new Pointer(this);
    try {
      if (start.problems) showProblems(start, await this.server.problems());
      this.cache.imageOf = await this.server.images();
    } catch (error) {
      this.fail(error); // the page is there without them
    }
  }
}
