// Sentences that may hurt stay veiled until they are asked for, one by one or all.

import { local } from './storage.js';

const KEPT = 'inspector.veil';

export class Care {
  constructor() {
    this.shown = new Set(); // places that were asked for
  }

  /** Whether sensitive sentences are veiled at all; remembered on this machine. */
  get isOn() {
    return local.getItem(KEPT) !== 'off';
  }

  set isOn(on) {
    local.setItem(KEPT, on ? 'on' : 'off');
  }

  /** Whether an example is to be veiled: a second ground truth dropped it, or its words may hurt. */
  veils(item) {
    if (this.shown.has(item.index ?? item.place)) return false;
    return Boolean(item.removed) || (this.isOn && Boolean(item.sensitive));
  }

  unveil(place) {
    this.shown.add(place);
  }
}
