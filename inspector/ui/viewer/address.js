// The address bar names the view: what is set stands in it, and opening it restores the view.

/** Keys of the state that stand in the address, in this order. */
const KEYS = ['example', 'run', 'layer', 'sort', 'category', 'sentence'];

export function readAddress() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(KEYS.filter((key) => query.get(key)).map((k) => [k, query.get(k)]));
}

export function writeAddress(state) {
  const url = new URL(location.href);
  for (const key of KEYS) {
    if (state[key]) url.searchParams.set(key, state[key]);
    else url.searchParams.delete(key);
  }
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}
