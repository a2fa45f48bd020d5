// The list of keys, and the choice of colours.

import { colour, resetColours, setColours } from './colours.js';
import { make, text } from './words.js';

const $ = (id) => document.getElementById(id);

/** Fill the help with the actions that have keys, in the order of their table. */
export function fillHelp(actions) {
  $('help-keys').replaceChildren(
    ...actions.filter((action) => action.shown).map((action) =>
      make('div', {},
        make('dt', {}, ...action.shown.flatMap((key, at) =>
          [at ? ' ' : null, make('kbd', {}, key)])),
        make('dd', {}, text(`action.${action.key}`)))),
  );
}

export function openDialog(id) {
  const dialog = $(id);
  if (!dialog.open) dialog.showModal();
}

/** Do what the server may refuse; a dialog's line for faults, `id`, then says why. */
export async function orSay(id, act) {
  $(id).hidden = true;
  try {
    await act();
  } catch (error) {
    if (!error.status && !error.isGone) throw error; // a fault of the page's own
    $(id).textContent = error.message;
    $(id).hidden = false;
  }
}

/** Close every dialog; whether one was open. */
export function closeDialogs() {
  const open = [...document.querySelectorAll('.inspector dialog[open]')];
  open.forEach((dialog) => dialog.close());
  return open.length > 0;
}

export function listenToDialogs({ coloursChanged }) {
  for (const dialog of document.querySelectorAll('.inspector dialog')) {
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close(); // a click beside it
    });
    for (const button of dialog.querySelectorAll('[data-close]')) {
      button.addEventListener('click', () => dialog.close());
    }
  }
  const inputs = [...document.querySelectorAll('#colours input[type=color]')];
  const show = () => inputs.forEach((input) => (input.value = colour(input.name)));
  for (const input of inputs) {
    input.addEventListener('input', () => {
      setColours({ [input.name]: input.value });
      coloursChanged();
    });
  }
  $('colours-reset').addEventListener('click', () => {
    resetColours();
    show();
    coloursChanged();
  });
  show();
}

/** Menus of the rules in force; a choice begins the page anew under it. */
export function fillRules(start, choose) {
  const box = $('rules-choices');
  const fields = Object.entries(start.choices).map(([key, values]) => {
    const id = `rule-${key}`;
    const select = make('select', { id }, ...values.map((value) =>
      make('option', { value }, text(`rule.${key}.${value}`))));
    select.value = start.protocol[key];
    select.addEventListener('change', () => choose({ [key]: select.value }));
    return make('div', { class: 'field' }, make('label', { for: id }, text(`rule.${key}`)), select);
  });
  const threshold = make('input', {
    id: 'rule-threshold', type: 'number', min: '0.05', max: '1', step: '0.05',
    value: start.threshold,
  });
  threshold.addEventListener('change', () => choose({ threshold: threshold.value }));
  fields.push(make('div', { class: 'field' },
    make('label', { for: 'rule-threshold' }, text('rule.threshold')), threshold));
  box.replaceChildren(...fields);
}
