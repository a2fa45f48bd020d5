// What the browser remembers for this page; a frame that may not remember forgets at its end.

function forgetful() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, String(value)),
    removeItem: (key) => kept.delete(key),
  };
}

function usable(name) {
  try {
    window[name].getItem('inspector');
    return window[name];
  } catch { // a page of another origin shows this one in a frame
    return forgetful();
  }
}

/** Kept from visit to visit. */
export const local = usable('localStorage');

/** Kept as long as the tab is open. */
export const session = usable('sessionStorage');
