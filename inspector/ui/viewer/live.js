// The live model: another sentence on the picture on show, or on a photograph that is dropped here.

import { fraction, said, text } from './words.js';

const ASK_AGAIN_MS = 300;
const $ = (id) => document.getElementById(id);

export class Live {
  constructor(page) {
    this.page = page;
    this.model = page.start.live;
    $('live').hidden = !this.model;
    if (!this.model) return;
    $('live-label').textContent = text('live.label', { model: this.model.name });
    $('live').addEventListener('click', () => this.open());
    $('live-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask($('live-sentence').value.trim());
    });
    $('live-cancel').addEventListener('click', () => this.cancel());
    $('live-close').addEventListener('click', () => this.close());
    $('live-file').addEventListener('change', () => this.drop($('live-file').files[0]));
    const stage = document.querySelector('.stage');
    stage.addEventListener('dragover', (event) => event.preventDefault());
    stage.addEventListener('drop', (event) => {
      event.preventDefault();
      this.drop(event.dataTransfer.files[0]);
    });
  }

  open() {
    if (!this.model) return;
    this.page.store.set({ view: '' });
    $('live-box').hidden = false;
    $('live').setAttribute('aria-pressed', 'true');
    if (!$('live-sentence').value) {
      $('live-sentence').value = this.page.showing?.item.sentence ?? '';
    }
    $('live-sentence').focus();
    $('live-sentence').select();
  }

  /** Ask the model; the newest question wins, the page stays usable. */
  async ask(sentence) {
    const { page } = this;
    if (!sentence || (!this.photograph && !page.showing)) return;
    await this.cancel();
    const mine = (this.asking = {});
    const on = this.photograph ? { picture: this.photograph.picture } : {
      place: page.showing.item.index, run: page.state.run,
    };
    const shown = this.photograph ? this.photograph.ready : page.showing;
    this.say(text('live.waiting', { ahead: 0 }));
    $('live-cancel').hidden = false;
    try {
      const { ticket } = await page.server.askModel({
        ...on, sentence, client: page.findings.client,
      });
      if (mine !== this.asking) { // stopped, or another question came, before there was a ticket
        page.server.cancelModel(ticket).catch(() => {});
        return;
      }
      mine.ticket = ticket;
      for (;;) {
        const answer = await page.server.modelState(ticket);
        if (mine !== this.asking) return;
        if (answer.state === 'done') {
          this.show(shown, sentence, answer);
          return;
        }
        if (answer.state === 'failed') {
          this.say(said(answer.why), 'failed');
          return;
        }
        this.say(answer.state === 'waiting' ? text('live.waiting', { ahead: answer.ahead })
          : text('live.running', { seconds: Math.round(answer.seconds) }), answer.state);
        await new Promise((rest) => setTimeout(rest, ASK_AGAIN_MS));
        if (mine !== this.asking) return;
      }
    } catch (error) {
      if (mine === this.asking) this.say(error.message, 'failed');
    } finally {
      if (mine === this.asking) {
        this.asking = null;
        $('live-cancel').hidden = true;
      }
    }
  }

  async cancel() {
    const { asking } = this;
    this.asking = null;
    $('live-cancel').hidden = true;
    if (asking?.ticket) await this.page.server.cancelModel(asking.ticket).catch(() => {});
    if (asking) this.say('');
  }

  /** Draw the answer as a further run over the picture it was asked on. */
  show(shown, sentence, answer) {
    this.result = { shown, mask: answer.mask, sentence };
    const parts = [];
    if (answer.saysNoTarget) parts.push(text('live.no-target'));
    if (answer.truth && answer.truth.iou !== null) {
      parts.push(text('live.iou', { iou: fraction(answer.truth.iou) }));
    }
    if (answer.stored && answer.stored.iou !== null) {
      parts.push(text('live.stored', { iou: fraction(answer.stored.iou) }));
    }
    parts.push(text('live.done', { seconds: answer.seconds.toFixed(1) }));
    this.say(parts.join(' · '), 'done');
    $('live-close').hidden = false;
    this.page.looking.showLive(shown, answer.mask);
  }

  /** Ask on a photograph of one's own from now on. */
  async drop(file) {
    if (!file) return;
    this.open();
    $('live-file').value = '';
    try {
      const { picture, size } = await this.page.server.givePicture(file);
      const bitmap = await this.page.server.givenPicture(picture);
      this.photograph = { picture, ready: this.page.cache.loose(bitmap, size) };
      this.page.looking.showLive(this.photograph.ready, null);
      this.say(text('live.dropped', { width: size[1], height: size[0] }));
      $('live-close').hidden = false;
      $('live-sentence').focus();
      $('live-sentence').select();
    } catch (error) {
      this.say(error.message, 'failed');
    }
  }

  say(words, state = '') {
    const line = $('live-state');
    const counts = state === 'running' && line.dataset.state === state; // seconds: not aloud
    line.setAttribute('aria-live', counts ? 'off' : 'polite');
    line.textContent = words;
    line.dataset.state = state;
  }

  /** Back to what is stored; whether there was anything to leave. */
  close() {
    if (!this.model || $('live-box').hidden) return false;
    this.cancel();
    this.photograph = this.result = null;
    $('live-box').hidden = $('live-close').hidden = true;
    $('live').setAttribute('aria-pressed', 'false');
    $('live-sentence').value = '';
    this.say('');
    this.page.looking.showLive(null, null);
    return true;
  }

  /** Another example came on show: the question and the answer on the last one go. */
  turned() {
    if (this.asking) this.cancel();
    if (!this.result && !this.photograph) return;
    this.photograph = this.result = null;
    $('live-close').hidden = true;
    this.say('');
    this.page.looking.showLive(null, null);
  }
}
