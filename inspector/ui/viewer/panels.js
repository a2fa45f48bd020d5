// Analyses: blocks of words and tables that the server describes, drawn without knowing them.

import { announce } from './panel.js';
import { count, fixed, make, said, text } from './words.js';

const ASK_AGAIN_MS = 400;

const or = (write) => (value) => (value === null || value === undefined ? '–' : write(value));
const hundred = (value, options) => fixed(100 * value, 1, options);
const ends = (low, high) => `[${hundred(low)}, ${hundred(high)}]`;

/** How the kinds of columns are written. */
const WRITTEN = {
  text: (value) => said(String(value ?? '')),
  data: (value) => String(value ?? ''),
  count: or(count),
  number: or((value) => fixed(value, 2)),
  percent: or((value) => hundred(value)),
  points: or((value) => hundred(value, { plus: true })),
  p: or((value) => (value < 0.001 ? '< 0.001' : fixed(value, 3))),
  estimate: (value) => (!value || value[0] === null ? '–' : value[1] === null
    ? hundred(value[0]) : `${hundred(value[0])} ${ends(value[1], value[2])}`),
  interval: (value) => (value ? ends(...value) : ''),
};

/** Units that stand in the heads of columns, since other numbers of the page are fractions. */
const UNITS = { percent: 'unit.percent', estimate: 'unit.percent', points: 'unit.points' };

/** Whether a row stands for no example at all, so that there is nothing to go to. */
const leadsNowhere = (row) => row.count === 0 || row.n === 0
  || (row.count === null && row.share === 0);

const isWords = (kind) => kind === 'text' || kind === 'data';
const LONG = 40; // letters, from which words keep a width, so that no row becomes a tower

/** Whether words need a width; a line of Chinese may break after every sign. */
const isLong = (words) => words.replace(/[\u2e80-\uffef]/g, '······').length > LONG;

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
        if (mine === this.asking) this.fail(error);
        return;
      }
      if (mine !== this.asking) return;
      if (answer.result) {
        this.shown = key;
        this.draw(answer.result);
        announce(text('panel.ready'));
        return;
      }
      announce(text('panel.working'));
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
      if (mine === this.asking) this.fail(error);
    }
  }

  fail(error) {
    announce(error.message);
    this.element.replaceChildren(make('p', { class: 'reason' }, error.message));
  }

  draw(blocks) {
    this.element.replaceChildren(this.note, ...blocks.map((block) =>
      make('section', {},
        block.title ? make('h2', {}, said(block.title)) : null,
        block.kind !== 'table' ? make('p', {}, said(block.text))
          : block.rows.length ? this.table(block) : block.note ? null
            : make('p', { class: 'quiet' }, text('panel.none')),
        block.note ? make('p', { class: 'quiet' }, said(block.note)) : null)));
  }

  table({ title, columns, rows }) {
    const head = make('tr', {}, ...columns.map((column) => {
      const label = said(column.label);
      if (!label) return make('td'); // a head without words is none
      const unit = UNITS[column.kind];
      return make('th', {
        scope: 'col', class: isWords(column.kind) ? null : 'number', title: said(column.hint),
      }, unit ? text(unit, { label }) : label);
    }));
    const body = make('tbody', {}, ...rows.map((row) => this.row(row, columns)));
    return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': said(title) },
      make('table', {}, make('thead', {}, head), body));
  }

  row(row, columns) {
    const cells = columns.map(({ key, kind }, at) => {
      const words = WRITTEN[kind](row[key]);
      const cell = make('td', {
        class: !isWords(kind) ? 'number' : isLong(words) ? 'prose' : null,
      });
      if (at === 0 && row.select && !leadsNowhere(row)) {
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
