// Two fields for the ends of a range: by keyboard what dragging over a drawing is by mouse.

import { make, text } from './words.js';

export class RangeFields {
  /** `chosen([low, high] or null)` is called with what was typed; an open end is null, and true
   * follows an upper end that is left out. */
  constructor({ label, step, chosen }) {
    this.chosen = chosen;
    [this.from, this.to] = ['from', 'to'].map((name) => make('input', {
      type: 'number', step, placeholder: text(`range.${name}.short`),
    }));
    this.name(label);
    this.element = make('div', { class: 'range' },
      this.from, make('span', { class: 'quiet', 'aria-hidden': 'true' }, '–'), this.to);
    this.element.addEventListener('change', () => this.typed());
  }

  name(label) {
    this.from.setAttribute('aria-label', text('range.from', { label }));
    this.to.setAttribute('aria-label', text('range.to', { label }));
  }

  show(range) {
    this.range = range;
    [this.from, this.to].forEach((input, at) => {
      if (document.activeElement !== input) input.value = range?.[at] ?? ''; // nor what is typed
    });
  }

  typed() {
    const read = (input) => (input.value.trim() === '' ? null : Number(input.value));
    const range = [read(this.from), read(this.to)];
    if (this.range?.[2] && range[1] === this.range[1]) range.push(true); // left as it was
    this.chosen(range[0] === null && range[1] === null ? null : range);
  }
}
