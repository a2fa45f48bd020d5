// The other ways to see the selection: gallery, table, scatter. Each shows what is selected now.

import { Gallery } from './gallery.js';
import { readRange, writeRange } from './filters.js';
import { Panels } from './panels.js';
import { Scatter } from './scatter.js';
import { Table } from './table.js';

const ALL_RUNS = '*'; // in place of the name of a run
const $ = (id) => document.getElementById(id);

export class Views {
  constructor(page) {
    this.page = page;
    this.made = {};
    this.panels = new Panels($('panel'), {
      server: page.server,
      choose: (select) => page.choose(select),
      isVeiling: () => page.care.isOn,
    });
    this.makers = {
      gallery: (element) => new Gallery(element, {
        server: page.server, open: (position) => this.inspect(position),
        fail: (error) => page.fail(error),
        veils: (row) => page.care.veils(row), othersKnown: page.start.othersKnown,
      }),
      table: (element) => new Table(element, {
        server: page.server,
        veils: (row) => page.care.veils(row), othersKnown: page.start.othersKnown,
        open: (position) => this.inspect(position),
        sortBy: (sort, again) => this.sortBy(sort, again),
        openRow: (row) => this.inspectRow(row),
        all: page.start.runs.length > 1,
        setAll: (on) => page.store.set({ rows: on ? 'all' : '' }),
        descending: (key) => page.start.sorts.find((sort) => sort.key === key).descending,
      }),
      scatter: (element) => new Scatter(element, {
        server: page.server,
        open: (place) => {
          page.showPlace(place);
          page.store.set({ view: '' });
        },
        choose: ({ area, iou, other, otherIou }) => page.store.set({
          ...(iou === undefined ? {} : { iou: writeRange(iou) }),
          ...(area === undefined ? {} : { area: writeRange(area) }),
          ...(otherIou === undefined ? {} : {
            other_iou: otherIou ? `${other}:${writeRange(otherIou)}` : '',
          }),
        }),
        runs: page.start.runs.length > 1 ? page.start.runs.map((run) => run.name) : [],
      }),
    };
  }

  inspect(position) {
    this.page.show(position);
    this.page.store.set({ view: '' });
  }

  /** Show an example with the run whose row was chosen. */
  inspectRow({ run, place }) {
    const { page } = this;
    if (run === page.state.run) page.showPlace(place);
    else page.wanted = place;
    page.store.set({ run, view: '' });
  }

  /** Sort by a column; by the same again, the other way round. */
  sortBy(sort, again) {
    const { state, store } = this.page;
    if (!again) store.set({ sort, reverse: '' });
    else store.set({ sort: state.sort, reverse: state.reverse ? '' : '1' });
  }

  show() {
    const { state } = this.page;
    $('inspect').hidden = state.view !== '';
    $('facts-side').hidden = state.view !== '';
    $('viewer').dataset.view = state.view || 'inspect';
    for (const key of Object.keys(this.makers)) $(key).hidden = state.view !== key;
    const isOfAll = state.view === 'table' && state.rows === 'all';
    const isEmpty = !this.page.order.length && Object.keys(this.makers).includes(state.view)
      && !isOfAll;
    $('nothing').hidden = !isEmpty;
    const isFindings = state.view === 'findings';
    const isPanel = isFindings || this.page.start.panels.some((panel) => panel.key === state.view);
    $('panel').hidden = !isPanel;
    if (isFindings) this.panels.showFindings(state.run);
    else if (isPanel) {
      const filtered = this.page.filterKeys.some((key) => state[key]);
      this.panels.show(state.view, this.page.panelQuery(), filtered);
    }
    if (state.view === '' || isPanel) return; // the canvas notices by itself that it is there again
    this.made[state.view] ??= this.makers[state.view]($(state.view));
    this.refresh(state.view);
  }

  refresh(view) {
    const { page } = this;
    const { order, position, state } = page;
    const shown = this.made[view];
    if (view === 'gallery') shown.show(order, state.run, state.sort, position);
    if (view === 'table') {
      const all = state.rows === 'all' ? { ...page.query(), run: ALL_RUNS } : null;
      shown.show(order, state.run, state.sort, state.reverse, position, all);
    }
    if (view === 'scatter') {
      const { other_iou: across = '' } = state;
      const at = across.lastIndexOf(':');
      shown.show({ ...page.query(), iou: '', area: '', other_iou: '' }, {
        iou: readRange(state.iou), area: readRange(state.area),
        other: across.slice(0, Math.max(at, 0)), otherIou: readRange(across.slice(at + 1)),
      });
    }
  }

  /** The example on show has changed while a view is open. */
  mark() {
    if (this.page.state.view === 'gallery') this.refresh('gallery');
  }
}
