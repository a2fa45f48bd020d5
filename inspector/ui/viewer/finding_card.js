// The findings of the example on show: verdict, tags, note, and whether they are saved.

import { VERDICTS } from './findings.js';
import { make, said, text } from './words.js';

const TYPING_MS = 600;
const $ = (id) => document.getElementById(id);

export class FindingCard {
  constructor(page) {
    this.page = page;
    this.findings = page.findings;
    this.typing = null; // {place, timer}: a note that is being written
    this.unsaved = new Map(); // place -> its note that is on its way or was refused
    this.untagged = new Map(); // place -> {value, why}: a tag that was refused, or is half typed
    $('verdicts').append(...VERDICTS.map((verdict) => {
      const button = make('button', {
        type: 'button', 'data-verdict': verdict, 'aria-pressed': 'false',
        title: text(`verdict.${verdict}.title`),
      }, text(`verdict.${verdict}`));
      button.addEventListener('click', () => this.judge(verdict));
      return button;
    }));
    $('tag-new').addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.tag($('tag-new').value);
    });
    $('tag-new').addEventListener('change', () => this.tag($('tag-new').value));
    $('note').addEventListener('input', () => this.typed());
    $('note').addEventListener('blur', () => this.left());
    $('who').addEventListener('change', () => (this.findings.who = $('who').value));
    window.addEventListener('beforeunload', (event) => {
      if (this.typing || this.unsaved.size || this.untagged.size) event.preventDefault();
    });
  }

  get place() {
    return this.page.showing?.item.index ?? null;
  }

  get run() {
    return this.page.state.run;
  }

  /** Give a verdict, or take it back if it stands already. */
  async judge(verdict) {
    if (this.place === null || !this.findings.canWrite || !this.run) return;
    const { place, run } = this;
    const now = this.findings.of(place).verdicts[run];
    const value = now?.verdict === verdict && !now.stale ? '' : verdict;
    try {
      await this.findings.set(place, run, 'verdict', value);
      if (value) this.page.review.judged(place);
    } catch {
      // said by the line below the note
    }
  }

  /** Give a tag; one that is refused comes back into its field, to be mended or given up. */
  async tag(words) {
    const value = words.trim();
    const { place, run } = this;
    $('tag-new').value = '';
    if (place === null) return;
    this.untagged.delete(place);
    this.show();
    if (!value) return;
    try {
      await this.findings.set(place, run, 'tag', value);
    } catch (error) {
      this.untagged.set(place, { value, why: error.message });
      if (place === this.place && !$('tag-new').value) $('tag-new').value = value;
      this.show();
    }
  }

  typed() {
    if (this.place === null) return;
    if (this.typing && this.typing.place !== this.place) this.flush();
    const { place } = this;
    const seen = this.unsaved.get(place)?.seen ?? this.findings.of(place).noteRevision;
    this.typing ??= { place, run: this.run, seen };
    clearTimeout(this.typing.timer);
    this.typing.value = $('note').value;
    this.typing.timer = setTimeout(() => this.flush(), TYPING_MS);
    this.showState(this.findings.of(place));
  }

  /** Write a note down as its field is left; one that was refused is tried again. */
  left() {
    const refused = this.unsaved.get(this.place);
    if (this.typing) this.flush();
    else if (refused?.why && !refused.theirs) this.save(refused);
  }

  /** Write down what was typed, now. */
  async flush() {
    const { typing } = this;
    if (!typing) return;
    clearTimeout(typing.timer);
    this.typing = null;
    await this.save(typing);
  }

  /** Send a note; it stays with its example until it is saved or given up. */
  async save({ place, run, value, seen }) {
    const note = { place, run, value, seen, why: '', theirs: null };
    this.unsaved.set(place, note);
    try {
      await this.findings.set(place, run, 'note', value, seen);
      if (this.unsaved.get(place) === note) this.unsaved.delete(place);
    } catch (error) {
      Object.assign(note, {
        why: error.message, theirs: error.status === 409 ? error.body : null,
      });
    }
    this.show();
  }

  /** Two people wrote the same note: show both, and let the person here decide. */
  showTheirs(theirs, place) {
    const box = $('note-theirs');
    box.hidden = !theirs;
    if (!theirs || theirs === this.theirsShown) return;
    this.theirsShown = theirs;
    const take = make('button', { type: 'button' }, text('note.take-theirs'));
    const keep = make('button', { type: 'button' }, text('note.keep-mine'));
    take.addEventListener('click', async () => {
      this.unsaved.delete(place);
      box.hidden = true;
      await this.findings.pull().catch(() => {});
      this.show();
    });
    keep.addEventListener('click', () =>
      this.save({ ...this.unsaved.get(place), seen: theirs.noteRevision }));
    box.replaceChildren(
      make('p', {}, text('note.theirs', { who: theirs.who || '?' })),
      make('blockquote', {}, theirs.theirs), make('div', { class: 'beside' }, take, keep),
    );
  }

  /** Show the findings of the example on show. */
  show() {
    const { findings, place } = this;
    if (place !== this.shown) {
      this.flush();
      const half = $('tag-new').value.trim(); // a program, or undo, may turn the page meanwhile
      if (half) this.untagged.set(this.shown, { ...this.untagged.get(this.shown), value: half });
      $('tag-new').value = this.untagged.get(place)?.value ?? '';
    }
    const unsaved = this.unsaved.get(place);
    this.showTheirs(unsaved?.theirs, place);
    const finding = place === null ? null : findings.of(place);
    $('finding').hidden = place === null;
    if (!finding) return;
    const own = finding.verdicts[this.run];
    for (const button of $('verdicts').children) {
      const on = own?.verdict === button.dataset.verdict;
      button.setAttribute('aria-pressed', String(on && !own.stale));
      button.toggleAttribute('data-stale', Boolean(on && own.stale));
      button.disabled = !findings.canWrite;
    }
    $('verdicts').hidden = !this.run;
    const others = Object.entries(finding.verdicts).filter(([run]) => run !== this.run);
    $('verdict-others').hidden = !(others.length || own?.stale);
    $('verdict-others').textContent = [
      ...(own?.stale ? [text('verdict.stale')] : []),
      ...others.map(([run, { verdict }]) =>
        text('verdict.of', { run, verdict: text(`verdict.${verdict}`) })),
    ].join(' · ');
    this.showTags(finding.tags);
    if (!this.typing && (place !== this.shown || document.activeElement !== $('note')
      || $('note').value === this.noteShown)) {
      $('note').value = this.noteShown = unsaved?.value ?? finding.note;
    }
    for (const id of ['tag-new', 'note']) $(id).disabled = !findings.canWrite;
    for (const id of ['undo', 'redo']) $(id).disabled = !findings.canWrite;
    if (document.activeElement !== $('who')) $('who').value = findings.who;
    this.shown = place;
    this.showState(finding);
  }

  showTags(tags) {
    const key = tags.join('\n') + this.findings.canWrite;
    if (key === this.tagsShown) return;
    this.tagsShown = key;
    $('tag-list').replaceChildren(...tags.map((tag) => {
      const chip = make('button', {
        type: 'button', class: 'chip', title: text('tag.remove', { tag }),
        disabled: !this.findings.canWrite,
      }, make('span', {}, tag), make('span', { 'aria-hidden': 'true' }, '×'));
      chip.addEventListener('click', () =>
        this.findings.set(this.place, this.run, 'untag', tag).catch(() => {}));
      return chip;
    }));
    $('tag-names').replaceChildren(
      ...this.findings.tags.slice(0, 100).map((tag) => make('option', { value: tag })),
    );
  }

  showState({ who, when }) {
    const { findings } = this;
    const line = $('finding-state');
    // Said aloud where something was written, not at every turn of a page.
    line.setAttribute('aria-live', this.place === this.stated ? 'polite' : 'off');
    this.stated = this.place;
    // What was refused of this example stays unsaved, whatever is saved of others after it.
    const refused = this.unsaved.get(this.place)?.why || this.untagged.get(this.place)?.why;
    const state = this.typing ? 'saving' : refused ? 'refused' : findings.state;
    line.dataset.state = findings.canWrite ? state : 'closed';
    if (findings.away) line.textContent = text('finding.away', { why: findings.away });
    else if (!findings.canWrite) line.textContent = text('finding.closed', { why: said(findings.why) });
    else if (refused) line.textContent = text('finding.refused', { why: refused });
    else if (state !== 'saved') line.textContent = text(`finding.${state}`, { why: findings.said });
    else if (when) {
      line.textContent = text('finding.saved.by', { who: who || '–', when: moment(when) });
    } else line.textContent = text('finding.nothing');
  }
}

/** A time as people say it: today's hour, else the day. */
export function moment(when) {
  const date = new Date(when);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString();
}
