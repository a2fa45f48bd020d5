// What the page shows, as one small object, and who wants to know when it changes.

export class Store {
  constructor(initial) {
    this.state = { ...initial };
    this.listeners = [];
  }

  /** Call a listener after every change with (state, set of changed keys). */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** Change some keys; listeners run once, only if something differs. */
  set(changes) {
    const changed = new Set(
      Object.keys(changes).filter((key) => !Object.is(this.state[key], changes[key])),
    );
    if (!changed.size) return;
    Object.assign(this.state, changes);
    for (const listener of this.listeners) listener(this.state, changed);
  }
}
