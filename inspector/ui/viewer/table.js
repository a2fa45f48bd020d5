// The selected examples as a table, a page at a time, in the order and with the filters in force.

import { count, fraction, make, text } from './words.js';

const PAGE = 50;

/** Columns: [key of a row, text of the head, sort key, how it is written]. */
const COLUMNS = [
  ['id', 'column.id', 'id'],
  ['sentence', 'column.sentence', 'sentence'],
  ['category', 'column.category', 'category'],
  ['iou', 'column.iou', 'worst', (row) => (row.status === 'scored' || !row.status
    ? fraction(row.iou) : text(`status.${row.status}`))],
  ['failureLabel', 'column.failure', 'failure'],
  ['targetArea', 'column.target-area', 'area', (row) => count(row.targetArea)],
  ['predictionArea', 'column.prediction-area', 'prediction', (row) =>
    (row.predictionArea < 0 ? '–' : count(row.predictionArea))],
  ['same', 'column.same', 'same', (row) => count(row.same)],
  ['words', 'column.words', 'words', (row) => count(row.words)],
  ['imageId', 'column.image', 'image'],
  ['refId', 'column.ref', 'ref'],
];
const NUMBERS = new Set(['iou', 'targetArea', 'predictionArea', 'same', 'words']);

export class Table {
  constructor(element, { server, open, sortBy, descending }) {
    Object.assign(this, { element, server, open, sortBy, descending });
    this.head = make('tr');
    this.body = make('tbody');
    const table = make('table', {}, make('thead', {}, this.head), this.body);
    this.said = make('span', { class: 'quiet' });
    this.back = make('button', { type: 'button', 'aria-label': text('table.previous') }, '←');
    this.forth = make('button', { type: 'button', 'aria-label': text('table.next') }, '→');
    this.back.addEventListener('click', () => this.turn(-1));
    this.forth.addEventListener('click', () => this.turn(1));
    element.append(
      make('div', { class: 'scroll', tabindex: '0' }, table),
      make('div', { class: 'bar' }, this.back, this.said, this.forth),
    );
  }

  show(order, run, sort, reverse, position) {
    Object.assign(this, { order, run, sort, reverse, position });
    this.page = Math.floor(position / PAGE);
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  async draw() {
    const pages = Math.max(1, Math.ceil(this.order.length / PAGE));
    this.page = Math.min(pages - 1, Math.max(0, this.page));
    const from = this.page * PAGE;
    const places = [...this.order.subarray(from, from + PAGE)];
    const mine = (this.drawing = (this.drawing ?? 0) + 1);
    const rows = places.length ? await this.server.rows(places, this.run, false) : [];
    if (mine !== this.drawing) return;
    this.drawHead();
    this.body.replaceChildren(...rows.map((row, at) => this.row(row, from + at)));
    this.said.textContent = text('table.rows', {
      from: count(places.length ? from + 1 : 0), to: count(from + places.length),
      all: count(this.order.length),
    });
    this.back.disabled = this.page === 0;
    this.forth.disabled = this.page >= pages - 1;
  }

  drawHead() {
    this.head.replaceChildren(...COLUMNS.map(([key, label, sort]) => {
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
    const cells = COLUMNS.map(([key, , , write]) => {
      const words = write ? write(row) : row[key];
      const cell = make('td', { class: NUMBERS.has(key) ? 'number' : null });
      if (key === 'id') {
        const link = make('button', { type: 'button', class: 'link' }, words);
        link.addEventListener('click', () => this.open(position));
        cell.append(link);
      } else cell.textContent = words;
      return cell;
    });
    const line = make('tr', {
      'data-example': row.id, 'aria-current': position === this.position ? 'true' : null,
    }, ...cells);
    line.addEventListener('click', () => this.open(position));
    return line;
  }
}
