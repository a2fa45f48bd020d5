// What people found: verdicts, tags and notes, kept on the server and shared by all who look.

import { local, session } from './storage.js';

const POLL_MS = 2000; // how long another person's finding may take to be seen
const RETRY_MS = 1500;
const KEPT = 'inspector.who';

export const VERDICTS = ['model_wrong', 'label_wrong', 'ambiguous'];

/** A name for this tab: undo takes back what was done here, not what others did. */
function tabName() {
  let name = session.getItem('inspector.tab');
  if (!name) {
    name = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
      byte.toString(16).padStart(2, '0')).join('');
    session.setItem('inspector.tab', name);
  }
  return name;
}

const BLANK = { verdicts: {}, tags: [], note: '', noteRevision: 0, who: '', when: '' };

export class Findings {
  /** `changed(places)` is called when findings of examples have come or gone. */
  constructor(server, { changed }) {
    Object.assign(this, { server, notify: changed });
    this.client = tabName();
    this.revision = 0;
    this.examples = new Map(); // place -> finding
    this.canWrite = false;
    this.why = ''; // why nothing can be written, as the server says
    this.away = ''; // why it is not known yet what was found
    this.state = 'saved'; // of the last change: saved, saving, waiting, refused
    this.writing = Promise.resolve(); // changes go one after the other
    this.unsaved = 0;
    window.addEventListener('beforeunload', (event) => {
      if (this.unsaved) event.preventDefault(); // ask before a change is lost
    });
  }

  get who() {
    return local.getItem(KEPT) ?? this.user ?? '';
  }

  set who(name) {
    local.setItem(KEPT, name.trim().slice(0, 60));
  }

  of(place) {
    return this.examples.get(place) ?? BLANK;
  }

  /** Tags that were given, the most used first. */
  get tags() {
    const numbers = new Map();
    for (const { tags } of this.examples.values()) {
      for (const tag of tags) numbers.set(tag, (numbers.get(tag) ?? 0) + 1);
    }
    return [...numbers].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([tag]) => tag);
  }

  async begin() {
    await this.pull().catch((error) => { // the page is of use without them, and asks again
      this.away = error.message;
    });
    const again = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(async () => {
        if (!document.hidden) await this.pull().catch(() => {}); // said when something is written
        again();
      }, POLL_MS);
    };
    again();
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.pull().catch(() => {});
    });
  }

  /** Fetch what has changed since the last time. */
  async pull() {
    const answer = await this.server.findings(this.revision);
    if (answer.revision < this.revision) { // another store stands behind the page now
      this.revision = 0;
      this.examples.clear();
      await this.pull();
      return;
    }
    const { revision, canWrite, why, place, user } = answer;
    const begun = this.where !== undefined;
    Object.assign(this, { revision, canWrite, why, where: place, user, away: '' });
    const places = Object.keys(answer.examples).map(Number);
    for (const at of places) this.take(at, answer.examples[at]);
    if (places.length || !begun) this.notify(places);
  }

  take(place, finding) {
    if (finding) this.examples.set(place, finding);
    else this.examples.delete(place);
  }

  /** Change one thing of an example; resolves when the server has written it down. */
  set(place, run, field, value, seen) {
    return this.write(() => this.server.find({
      place, run, field, value, who: this.who, client: this.client, ...(seen ? { seen } : {}),
    }), place);
  }

  undo() {
    return this.write(() => this.server.undo('undo', this.client));
  }

  redo() {
    return this.write(() => this.server.undo('redo', this.client));
  }

  write(send, place) {
    this.unsaved++;
    this.show('saving');
    const mine = this.writing.then(() => this.insist(send, place));
    this.writing = mine.catch(() => {});
    return mine.finally(() => this.unsaved--);
  }

  /** Send until the server answers; only its refusal ends the trying. */
  async insist(send, place) {
    for (;;) {
      try {
        const answer = await send();
        const at = answer.place ?? place;
        if (at !== null && at !== undefined && answer.finding !== undefined) {
          this.take(at, answer.finding);
          this.notify([at]);
        }
        this.show('saved');
        return answer;
      } catch (error) {
        if (error.status) {
          this.show('refused', error.message);
          throw error;
        }
        this.show('waiting');
        await new Promise((rest) => setTimeout(rest, RETRY_MS));
      }
    }
  }

  show(state, words = '') {
    this.state = state;
    this.said = words;
    this.notify([]);
  }
}
