// The address bar names the view: what is set stands in it, and opening it restores the view.

/** Keys of the state that stand in the address before those of the filters. */
const KEYS = ['view', 'example', 'run', 'layer', 'compare', 'against', 'sort', 'reverse',
  'rows'];

/** Rules of scoring that stand in the address; another choice begins the page anew. */
export const RULES = ['average', 'empty_union', 'missing', 'threshold'];

export function readRules() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(RULES.map((key) => [key, query.get(key) ?? '']));
}

/** Take rules out of the address that are not in force. */
export function forgetRules() {
  const url = new URL(location.href);
  for (const key of RULES) url.searchParams.delete(key);
  history.replaceState(history.state, '', url);
}

/** Go to the same view under other rules; what is as it was opened leaves the address. */
export function switchRules(changes) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(key, value);
    else url.searchParams.delete(key);
  }
  location.assign(url);
}

export class Address {
  constructor(filterKeys) {
    this.keys = [...KEYS, ...filterKeys];
  }

  read() {
    const query = new URLSearchParams(location.search);
    return Object.fromEntries(
      this.keys.filter((key) => query.get(key)).map((key) => [key, query.get(key)]),
    );
  }

  /** Write the state; `step` makes it a step that the browser's back button undoes. */
  write(state, step) {
    const url = new URL(location.href);
    for (const key of this.keys) {
      if (state[key]) url.searchParams.set(key, state[key]);
      else url.searchParams.delete(key);
    }
    if (url.href === location.href) return;
    if (step) history.pushState(null, '', url);
    else history.replaceState(history.state, '', url);
  }
}
