// The other ways to see the selection: gallery, table, scatter. Each shows what is selected now.

import { Gallery } from './gallery.js';
import { writeRange } from './filters.js';
import { Panels } from './panels.js';
import { Scatter } from './scatter.js';
import { Table } from './table.js';

const $ = (id) => document.getElementById(id);

export class Views {
  constructor(page) {
    this.page = page;
    this.made = {};
    this.panels = new Panels($('panel'), {
      server: page.server,
      choose: (select) => page.choose(select),
    });
    this.makers = {
      gallery: (element) => new Gallery(element, {
        server: page.server, open: (position) => this.inspect(position),
      }),
      table: (element) => new Table(element, {
        server: page.server,
        open: (position) => this.inspect(position),
        sortBy: (sort, again) => this.sortBy(sort, again),
        descending: (key) => page.start.sorts.find((sort) => sort.key === key).descending,
      }),
      scatter: (element) => new Scatter(element, {
        server: page.server,
        open: (place) => {
          page.showPlace(place);
          page.store.set({ view: '' });
        },
        choose: ({ area, iou, other, otherIou }) => page.store.set({
          iou: writeRange(iou),
          ...(other ? { other_iou: `${other}:${writeRange(otherIou)}` } : {
            area: writeRange(area),
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
    const isEmpty = !this.page.order.length && Object.keys(this.makers).includes(state.view);
    $('nothing').hidden = !isEmpty;
    const isPanel = this.page.start.panels.some((panel) => panel.key === state.view);
    $('panel').hidden = !isPanel;
    if (isPanel) {
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
    if (view === 'table') shown.show(order, state.run, state.sort, state.reverse, position);
    if (view === 'scatter') {
      shown.show({ ...page.query(), iou: '', area: '', other_iou: '' });
    }
  }

  /** The example on show has changed while a view is open. */
  mark() {
    if (this.page.state.view === 'gallery') this.refresh('gallery');
  }
}
