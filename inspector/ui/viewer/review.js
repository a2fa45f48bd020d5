// The review queue: a drawn sample of failures, judged with one key each.

import { moment } from './finding_card.js';
import { closeDialogs, orSay } from './dialogs.js';
import { showToast } from './panel.js';
import { make, text } from './words.js';

const $ = (id) => document.getElementById(id);

export class Review {
  constructor(page) {
    this.page = page;
    this.queue = null; // {id, run, places, size}
    $('review').addEventListener('click', () => this.choose());
    $('review-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.draw();
    });
    $('review-stop').addEventListener('click', () => this.stop());
    $('review-result').addEventListener('click', () => {
      this.stop();
      page.store.set({ view: 'findings' });
    });
  }

  /** Offer a new sample, and those that were begun. */
  async choose() {
    const { page } = this;
    $('review-about').textContent = text('review.about', { run: page.state.run });
    $('review-earlier').hidden = true;
    page.openDialog('review-dialog');
    await orSay('review-fault', async () => this.list((await page.server.queues()).queues));
  }

  list(queues) {
    $('review-earlier').hidden = !queues.length;
    $('review-list').replaceChildren(...queues.map((queue) => {
      const words = text('review.resume', { ...queue, when: moment(queue.when) });
      const closed = this.closed(queue);
      if (closed) return make('li', {}, words, make('p', { class: 'quiet' }, closed));
      const button = make('button', { type: 'button', class: 'link' }, words);
      button.addEventListener('click', () => orSay('review-fault', () => this.open(queue.id)));
      return make('li', {}, button);
    }));
  }

  /** Why a queue cannot be gone on with; empty if it can. */
  closed({ run, runChanged }) {
    if (!this.page.start.runs.some(({ name }) => name === run)) return text('review.gone', { run });
    return runChanged ? text('review.changed', { run }) : '';
  }

  async draw() {
    const { page } = this;
    await orSay('review-fault', async () => {
      const { id } = await page.server.drawQueue({
        run: page.state.run, size: Number($('review-size').value), how: $('review-how').value,
      });
      await this.open(id);
    });
  }

  /** Go through the queue: its examples are the order, whatever the filters say. */
  async open(id) {
    const { page } = this;
    const queue = await page.server.queue(id);
    if (this.closed(queue)) { // verdicts on other predictions than were drawn would not count
      await this.choose();
      return;
    }
    closeDialogs();
    document.activeElement?.blur(); // keys are for the examples now
    page.store.set({ view: '', run: queue.run });
    await page.ordered; // the run's own order may still be on its way, and ends a review
    this.queue = queue;
    page.order = Int32Array.from(queue.places);
    page.views.show();
    this.show();
    await page.show(this.next(-1) ?? 0);
  }

  /** Whether a place has a verdict on the prediction that is on show. */
  isJudged(place) {
    const own = this.page.findings.of(place).verdicts[this.queue.run];
    return Boolean(own && !own.stale);
  }

  /** Position of the next example without a verdict, round the end; null if there is none. */
  next(from) {
    const { places } = this.queue;
    for (let step = 1; step <= places.length; step++) {
      const at = (from + step + places.length) % places.length;
      if (!this.isJudged(places[at])) return at;
    }
    return null;
  }

  judged(place) {
    if (!this.queue) return;
    this.show();
    const at = this.queue.places.indexOf(place);
    if (at < 0 || this.page.showing?.item.index !== place) return;
    const next = this.next(at);
    if (next === null) showToast(text('review.done'));
    else this.page.show(next);
  }

  show() {
    $('review-bar').hidden = !this.queue;
    this.page.viewer.toggleAttribute('data-reviewing', Boolean(this.queue)); // filters are not used
    if (!this.queue) return;
    const { places } = this.queue;
    const done = places.filter((place) => this.isJudged(place)).length;
    $('review-progress').max = places.length;
    $('review-progress').value = done;
    $('review-count').textContent = text('review.progress', { done, size: places.length });
  }

  stop() {
    if (!this.queue) return false;
    this.queue = null;
    this.show();
    this.page.reorder(this.page.showing?.item.index ?? null);
    return true;
  }
}
