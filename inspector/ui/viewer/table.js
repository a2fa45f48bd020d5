// The selected examples as a table, a page at a time, in the order and with the filters in force.

import { count, fraction, make, said, text } from './words.js';

const PAGE = 50;

/** Columns: [key of a row, text of the head, sort key, how it is written of a row, in a table]. */
const COLUMNS = [
  ['id', 'column.id', 'id'],
  ['sentence', 'column.sentence', 'sentence'],
  ['category', 'column.category', 'category'],
  ['iou', 'column.iou', 'worst', (row) => (row.status === 'scored' || !row.status
    ? fraction(row.iou) : text(`status.${row.status}`))],
  ['failureLabel', 'column.failure', 'failure', (row) => said(row.failureLabel)],
  ['targetArea', 'column.target-area', 'area', (row) => count(row.targetArea)],
  ['predictionArea', 'column.prediction-area', 'prediction', (row) =>
    (row.predictionArea < 0 ? '–' : count(row.predictionArea))],
  ['same', 'column.same', 'same', (row, { othersKnown }) =>
    (othersKnown ? count(row.same) : '–')],
  ['words', 'column.words', 'words', (row) => count(row.words)],
  ['imageId', 'column.image', 'image'],
  ['refId', 'column.ref', 'ref'],
];
const RUN = ['run', 'column.run'];
const NUMBERS = new Set(['iou', 'targetArea', 'predictionArea', 'same', 'words']);

export class Table {
  constructor(element, {
    server, open, openRow, sortBy, descending, veils, othersKnown, all, setAll,
  }) {
    Object.assign(this, {
      element, server, open, openRow, sortBy, descending, veils, othersKnown, all,
    });
    this.head = make('tr');
    this.body = make('tbody');
    const table = make('table', {}, make('thead', {}, this.head), this.body);
    this.said = make('span', { class: 'quiet' });
    this.back = make('button', { type: 'button', 'aria-label': text('table.previous') }, '←');
    this.forth = make('button', { type: 'button', 'aria-label': text('table.next') }, '→');
    this.back.addEventListener('click', () => this.turn(-1));
    this.forth.addEventListener('click', () => this.turn(1));
    this.every = make('input', { type: 'checkbox' });
    this.every.addEventListener('change', () => setAll(this.every.checked));
    const label = make('label', { class: 'inline', title: text('table.all-runs.title') }, this.every,
      ` ${text('table.all-runs')}`);
    label.hidden = !all;
    element.append(
      make('div', { class: 'scroll', tabindex: '0' }, table),
      make('div', { class: 'bar' }, this.back, this.said, this.forth, label),
    );
  }

  /** Show a selection; `query` instead of an order means the rows of all runs, in windows. */
  show(order, run, sort, reverse, position, query = null) {
    Object.assign(this, { order, run, sort, reverse, position, query });
    this.every.checked = query !== null;
    this.page = query ? 0 : Math.floor(position / PAGE);
    this.draw();
  }

  /** Fetch {total, rows} of a page: of an order that is here, or of one that stays there. */
  async fetch(from) {
    if (this.query) return this.server.window(this.query, from, PAGE);
    const places = [...this.order.subarray(from, from + PAGE)];
    const rows = places.length ? await this.server.rows(places, this.run, false) : [];
    return { total: this.order.length, rows };
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  async draw() {
    const from = this.page * PAGE;
    const mine = (this.drawing = (this.drawing ?? 0) + 1);
    let found;
    try {
      found = await this.fetch(from);
    } catch (error) { // a filter or an order that is of one run alone
      found = { total: 0, rows: [], fault: error.message };
    }
    if (mine !== this.drawing) return;
    const { total, rows } = found;
    const pages = Math.max(1, Math.ceil(total / PAGE));
    this.drawHead();
    this.body.replaceChildren(...rows.map((row, at) => this.row(row, from + at)));
    this.said.textContent = found.fault ?? text('table.rows', {
      from: count(rows.length ? from + 1 : 0), to: count(from + rows.length),
      all: count(total),
    });
    this.back.disabled = this.page === 0;
    this.forth.disabled = this.page >= pages - 1;
  }

  columns() {
    return this.query ? [COLUMNS[0], RUN, ...COLUMNS.slice(1)] : COLUMNS;
  }

  drawHead() {
    this.head.replaceChildren(...this.columns().map(([key, label, sort]) => {
      if (!sort) return make('th', { scope: 'col', class: 'plain' }, text(label));
      const sorted = this.sort === sort || (sort === 'worst' && this.sort === 'best');
      const down = this.descending(this.sort) !== Boolean(this.reverse);
      const button = make('button', { type: 'button', 'data-sort': sort }, text(label),
        sorted ? make('span', { 'aria-hidden': 'true' }, down ? ' ↓' : ' ↑') : null);
      button.addEventListener('click', () => this.sortBy(sort, sorted));
      return make('th', {
        scope: 'col', class: NUMBERS.has(key) ? 'number' : null,
        'aria-sort': sorted ? (down ? 'descending' : 'ascending') : null,
      }, button);
    }));
  }

  row(row, position) {
    const open = () => (this.query ? this.openRow(row) : this.open(position));
    const cells = this.columns().map(([key, , , write]) => {
      const words = write ? write(row, this) : row[key];
      const kind = NUMBERS.has(key) ? 'number' : key === 'sentence' ? key : null;
      const cell = make('td', { class: kind });
      if (key === 'id') {
        const link = make('button', { type: 'button', class: 'link' }, words);
        link.addEventListener('click', (event) => {
          event.stopPropagation(); // the row would open it once more
          open();
        });
        cell.append(link);
      } else if (key === 'sentence' && this.veils(row)) {
        cell.append(make('span', { class: 'veiled-words' }, words));
      } else cell.textContent = words;
      return cell;
    });
    const isShown = !this.query && position === this.position;
    const line = make('tr', {
      'data-example': row.id, 'aria-current': isShown ? 'true' : null,
    }, ...cells);
    line.addEventListener('click', open);
    return line;
  }
}
