// Keys: quiet while a person types in a field, and not swallowed by a checkbox or a slider.

import { local } from './storage.js';

const KEPT = 'inspector.keys';

/** Whether keys of one sign act: who speaks to the computer, or slips, can turn them off. */
export const singleKeys = {
  get isOn() {
    return local.getItem(KEPT) !== 'off';
  },
  set isOn(on) {
    local.setItem(KEPT, on ? 'on' : 'off');
  },
};

const TYPING =
  'textarea, select, [contenteditable=""], [contenteditable="true"], ' +
  'input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=button])';

const SCROLLED = ':is(#sentence, #why, .scroll)[tabindex]'; // what is read by scrolling it
const SCROLLING = /^(Arrow\w+|Home|End|Page\w+| )$/;

/**
 * Call the action of a key: `table` maps names of keys to functions of the event. A name may begin
 * with `Shift+` or `Ctrl+`.
 */
export function listenToKeys(element, table, released = {}) {
  const press = (event) => {
    if (!element.isConnected) {
      document.removeEventListener('keydown', press);
      document.removeEventListener('keyup', release);
      return;
    }
    if (event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.(TYPING)) {
      if (event.key !== 'Escape') return;
      event.target.blur();
      if (event.target.type !== 'search') return;
      event.preventDefault(); // the browser would empty the field, and what it stands for would stay
      event.target.closest('dialog')?.close();
      return;
    }
    if (event.target.closest?.('dialog') && event.key !== 'Escape') return;
    const isButton = event.target.closest?.('button, summary, [role=button]');
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    if (event.target.matches?.('[type=range]') && event.key.startsWith('Arrow')) return;
    if (event.target.matches?.(SCROLLED) && SCROLLING.test(event.key)) return;
    if (event.key.length === 1 && !event.ctrlKey && !singleKeys.isOn) return;
    const action = table[nameOf(event)] ?? (event.ctrlKey ? null : table[event.key]);
    if (!action) return;
    event.preventDefault();
    action(event);
  };
  const release = (event) => released[event.key]?.(event);
  document.addEventListener('keydown', press);
  document.addEventListener('keyup', release);
  window.addEventListener('blur', () => Object.values(released).forEach((act) => act()));
}

function nameOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return `${event.ctrlKey ? 'Ctrl+' : ''}${event.shiftKey ? 'Shift+' : ''}${key}`;
}
