// Analyses: blocks of words and tables that the server describes, drawn without knowing them.

import { count, make, said, text } from './words.js';

const ASK_AGAIN_MS = 400;

const WRITTEN = {
  text: (value) => said(String(value ?? '')),
  data: (value) => String(value ?? ''),
  count: (value) => (value === null || value === undefined ? '–' : count(value)),
  number: (value) => (value === null || value === undefined ? '–' : value.toFixed(2)),
  percent: (value) => (value === null || value === undefined ? '–' : (100 * value).toFixed(1)),
  points: (value) => (value === null || value === undefined ? '–'
    : `${value >= 0 ? '+' : '−'}${Math.abs(100 * value).toFixed(1)}`),
  p: (value) => (value === null || value === undefined ? '–'
    : value < 0.001 ? '< 0.001' : value.toFixed(3)),
  estimate: (value) => (!value || value[0] === null ? '–' : value[1] === null
    ? (100 * value[0]).toFixed(1)
    : `${(100 * value[0]).toFixed(1)} [${(100 * value[1]).toFixed(1)}, ${(100 * value[2]).toFixed(1)}]`),
  interval: (value) => (value ? `[${(100 * value[0]).toFixed(1)}, ${(100 * value[1]).toFixed(1)}]`
    : ''),
};

const isWords = (kind) => kind === 'text' || kind === 'data';

export class Panels {
  /** `choose(select)` changes the page's state to what a row stands for. */
  constructor(element, { server, choose, isVeiling }) {
    Object.assign(this, { element, server, choose, isVeiling });
  }

  /** Show one analysis for a selection; asks again until it is ready. */
  async show(name, query, filtered) {
    this.element.classList.toggle('filtered', filtered);
    this.note ??= make('p', { class: 'all-examples' }, text('panel.all'));
    const mine = (this.asking = (this.asking ?? 0) + 1);
    const key = JSON.stringify([name, query]);
    if (key === this.shown) return;
    this.element.replaceChildren(make('p', { class: 'quiet' }, text('panel.begins')));
    for (;;) {
      let answer;
      try {
        answer = await this.server.panel(name, query);
      } catch (error) {
        if (mine === this.asking) {
          this.element.replaceChildren(make('p', { class: 'reason' }, error.message));
        }
        return;
      }
      if (mine !== this.asking) return;
      if (answer.result) {
        this.shown = key;
        this.draw(answer.result);
        return;
      }
      this.element.replaceChildren(
        make('p', { class: 'quiet' }, text('panel.working')),
        make('progress', { max: 1, value: answer.progress, 'aria-label': text('panel.working') }),
      );
      await new Promise((rest) => setTimeout(rest, ASK_AGAIN_MS));
    }
  }

  /** Show what was found in a run; it changes as people write, so nothing of it is kept. */
  async showFindings(run) {
    this.element.classList.remove('filtered');
    const mine = (this.asking = (this.asking ?? 0) + 1);
    this.note ??= make('p', { class: 'all-examples' }, text('panel.all'));
    this.shown = null;
    try {
      const { result } = await this.server.found(run);
      if (mine === this.asking) this.draw(result);
    } catch (error) {
      if (mine === this.asking) {
        this.element.replaceChildren(make('p', { class: 'reason' }, error.message));
      }
    }
  }

  draw(blocks) {
    this.element.replaceChildren(this.note, ...blocks.map((block) =>
      make('section', {},
        block.title ? make('h2', {}, said(block.title)) : null,
        block.kind === 'table' ? this.table(block) : make('p', {}, said(block.text)),
        block.note ? make('p', { class: 'quiet' }, said(block.note)) : null)));
  }

  table({ title, columns, rows }) {
    const head = make('tr', {}, ...columns.map((column) =>
      make('th', {
        scope: 'col', class: isWords(column.kind) ? null : 'number', title: said(column.hint),
      }, said(column.label))));
    const body = make('tbody', {}, ...rows.map((row) => this.row(row, columns)));
    return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': said(title) },
      make('table', {}, make('thead', {}, head), body));
  }

  row(row, columns) {
    const cells = columns.map(({ key, kind }, at) => {
      const words = WRITTEN[kind](row[key]);
      const cell = make('td', { class: isWords(kind) ? null : 'number' });
      if (at === 0 && row.select) {
        const veiled = row.veiled?.includes(key) && this.isVeiling();
        const link = make('button', {
          type: 'button', class: veiled ? 'link veiled-words' : 'link',
        }, words);
        link.addEventListener('click', () => this.choose(row.select));
        cell.append(link);
      } else if (row.veiled?.includes(key) && this.isVeiling()) {
        cell.append(make('span', { class: 'veiled-words' }, words));
      } else cell.textContent = words;
      return cell;
    });
    return make('tr', { class: row.quiet ? 'quiet' : null }, ...cells);
  }
}
