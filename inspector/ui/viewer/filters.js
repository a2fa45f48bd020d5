// The filters beside the picture, made from the server's table of them: controls, counts, chips.

import { Histogram } from './histogram.js';
import { count, fixed, make, said, text } from './words.js';

const $ = (id) => document.getElementById(id);
const TYPING_MS = 120;
const MATCHES = ['w', 'r', 'c', 'n']; // whole word, regular expression, letter case, not

/** Read "0.2..0.5" as [0.2, 0.5]; an open end is null. "0.2..<0.5", without 0.5 itself, ends
 * in true. */
export function readRange(value) {
  if (!value?.includes('..')) return null; // what cannot be read is said by the server
  const [low, high] = value.split('..');
  const read = (part) => (part === '' ? null : Number(part));
  return high.startsWith('<') ? [read(low), Number(high.slice(1)), true] : [read(low), read(high)];
}

export function writeRange(range) {
  if (!range) return '';
  const [low, high, isBelow] = range;
  return `${low ?? ''}..${isBelow ? '<' : ''}${high ?? ''}`;
}

export class Filters {
  /** `set(changes)` changes the page's state; `state()` gives it. */
  constructor(start, { set, state }) {
    Object.assign(this, { start, set, state });
    this.controls = new Map();
    for (const filter of start.filters) {
      const control = this.make(filter);
      if (control) this.controls.set(filter.key, control);
    }
  }

  get keys() {
    return [...this.start.filters.map((filter) => filter.key), 'match'];
  }

  make(filter) {
    if (filter.key === 'sentence') return this.sentence();
    if (filter.kind === 'link') return null; // set by analyses; its chip takes it away
    const box = filter.key === 'category'
      ? $('filter-category')
      : make('div', { id: `filter-${filter.key}`, class: 'field' });
    if (filter.key !== 'category') {
      $(filter.more ? 'more-filters' : 'main-filters').append(box);
    }
    const makers = {
      choice: () => this.choice(filter, box),
      choices: () => this.choices(filter, box),
      range: () => this.range(filter, box),
      text: () => this.text(filter, box),
    };
    return makers[filter.kind]();
  }

  label(filter) {
    return text(`filter.${filter.key}`);
  }

  /** One of several values: a menu with live counts. */
  choice(filter, box) {
    const id = `choose-${filter.key}`;
    let select = box.querySelector('select');
    if (!select) {
      select = make('select', { id });
      box.append(make('label', { for: id }, this.label(filter)), select);
    }
    select.addEventListener('change', () => this.set({ [filter.key]: select.value }));
    return {
      show: (value, values) => {
        if (values) {
          const there = new Map(values.map(([name, number]) => [name, number]));
          if (value && !there.has(value)) there.set(value, 0);
          select.replaceChildren(
            make('option', { value: '' }, text(`${filter.key}.all`)),
            ...[...there].map(([name, number]) =>
              make('option', { value: name }, `${this.name(filter, name)} (${count(number)})`)),
          );
        }
        select.value = value;
      },
    };
  }

  name(filter, value) {
    if (['verdict', 'noted'].includes(filter.key)) return text(`${filter.key}.${value}`);
    if (filter.key !== 'failure') return value;
    const mode = this.start.failures.find((failure) => failure.key === value);
    return mode ? mode.label : value;
  }

  /** Any of several values: buttons with live counts, pressed ones are joined by OR. */
  choices(filter, box) {
    const list = make('div', { class: 'choices', role: 'group', 'aria-label': this.label(filter) });
    box.append(make('span', { class: 'label' }, this.label(filter)), list);
    // All have their place from the first moment; how many there are comes with the counts.
    const blank = filter.key === 'failure' ? this.start.failures.map(({ key }) => [key, null]) : [];
    return {
      show: (value, given) => {
        const values = given ?? (list.children.length ? null : blank);
        if (!values) {
          for (const button of list.children) {
            const pressed = value.split(',').includes(button.dataset.value);
            button.setAttribute('aria-pressed', String(pressed));
          }
          return;
        }
        const chosen = value ? value.split(',') : [];
        list.replaceChildren(...values.map(([name, number]) => {
          const mode = this.start.failures.find((failure) => failure.key === name);
          const button = make('button', {
            type: 'button', 'aria-pressed': String(chosen.includes(name)),
            'data-value': name, 'data-count': number, title: mode?.description,
          },
          mode ? make('span', { class: 'icon', 'aria-hidden': 'true' }, mode.icon) : null,
          make('span', { class: 'name' }, this.name(filter, name)),
          make('span', { class: 'count' }, number === null ? '' : count(number)));
          button.addEventListener('click', () => {
            const now = this.state()[filter.key].split(',').filter(Boolean);
            const next = now.includes(name)
              ? now.filter((other) => other !== name) : [...now, name];
            this.set({ [filter.key]: next.join(',') });
          });
          return button;
        }));
      },
    };
  }

  range(filter, box) {
    box.append(make('span', { class: 'label' }, this.label(filter)));
    const histogram = new Histogram(box, {
      label: this.label(filter),
      step: filter.step,
      edges: [],
      format: (value) => (filter.step < 1 ? fixed(value, 2) : count(Math.round(value))),
      chosen: (range) => this.set({ [filter.key]: writeRange(this.clip(range, filter)) }),
      read: readRange,
    });
    return {
      show: (value, facet) => {
        if (facet) histogram.show(facet, readRange(value));
        else histogram.setRange(readRange(value));
      },
    };
  }

  clip(range, filter) {
    if (!range) return null;
    const tidy = (value) =>
      value === null ? null : filter.step < 1 ? Math.round(value * 1000) / 1000 : Math.round(value);
    return [tidy(range[0]), tidy(range[1]), range[2]];
  }

  text(filter, box) {
    const id = `text-${filter.key}`;
    const input = make('input', { id, type: 'search', autocomplete: 'off', spellcheck: 'false' });
    box.append(make('label', { for: id }, this.label(filter)), input);
    this.whenTyped(input, () => this.set({ [filter.key]: input.value.trim() }));
    return {
      show: (value) => {
        if (this.force || document.activeElement !== input) input.value = value;
      },
    };
  }

  sentence() {
    const input = $('sentence-words');
    this.whenTyped(input, () => this.set({ sentence: input.value.trim() }));
    const buttons = MATCHES.map((letter) => {
      const button = make('button', {
        type: 'button', title: text(`match.${letter}`), 'aria-label': text(`match.${letter}`),
        'aria-pressed': 'false', 'data-match': letter,
      }, text(`match.${letter}.short`));
      button.addEventListener('click', () => {
        const now = this.state().match;
        const next = MATCHES.filter((l) => (l === letter) !== now.includes(l));
        this.set({ match: next.join('') });
      });
      return button;
    });
    $('sentence-match').append(...buttons);
    return {
      show: (value) => {
        if (this.force || document.activeElement !== input) input.value = value;
        const { match } = this.state();
        for (const button of buttons) {
          button.setAttribute('aria-pressed', String(match.includes(button.dataset.match)));
        }
      },
    };
  }

  whenTyped(input, act) {
    let timer = 0;
    const now = () => {
      if (!timer) return;
      clearTimeout(timer);
      timer = 0;
      act();
    };
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(now, TYPING_MS);
    });
    input.addEventListener('blur', now); // a field that is left shows what is set
  }

  /** Show the state in all controls; `facets` are the live counts, if they are there. */
  show(facets = {}, { force = false } = {}) {
    this.force = force; // also over what stands in a field with the cursor in it
    const state = this.state();
    for (const [key, control] of this.controls) control.show(state[key], facets[key]);
  }

  /** The active filters as chips that can be taken away, and as one sentence. */
  showChips(phrases) {
    const chips = phrases.map(([key, phrase]) => {
      const chip = make('button', {
        type: 'button', class: 'chip', 'data-filter': key,
        title: text('chip.remove', { phrase: said(phrase) }),
      }, make('span', {}, said(phrase)), make('span', { 'aria-hidden': 'true' }, '×'));
      chip.addEventListener('click', () => this.set(
        key === 'sentence' ? { sentence: '', match: '' } : { [key]: '' },
      ));
      return chip;
    });
    if (chips.length) {
      const clear = make('button', { type: 'button', class: 'chip plain' }, text('chips.clear'));
      clear.addEventListener('click', () => this.clear());
      chips.push(clear);
    }
    $('chips').replaceChildren(...chips);
    $('chips').hidden = !chips.length;
  }

  clear() {
    this.set(Object.fromEntries(this.keys.map((key) => [key, ''])));
    this.show();
  }
}
