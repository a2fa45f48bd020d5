// What keys and buttons do.

import { closeDialogs, openDialog } from './dialogs.js';
import { copyPicture, copyText, savePicture } from './export.js';
import { COMPARISONS, OF_TWO_RUNS } from './layers.js';
import { Paging } from './paging.js';
import { showToast } from './panel.js';
import { said, text } from './words.js';

const $ = (id) => document.getElementById(id);

/** The page's actions; the page itself adds its state and what follows from a change of it. */
export class Doing extends Paging {
  cycleRun() {
    const { runs } = this.start;
    if (runs.length > 1) this.store.set({ run: runs[(this.runIndex + 1) % runs.length].name });
  }

  cycleCompare() {
    const usable = COMPARISONS.filter(
      (key) => !OF_TWO_RUNS.includes(key) || this.start.runs.length > 1,
    );
    const at = usable.indexOf(this.state.compare);
    this.store.set({ compare: usable[(at + 1) % usable.length] });
  }

  setView(view) {
    this.store.set({ view: this.state.view === view ? '' : view });
  }

  toggle(name) {
    this.store.set({ [name]: !this.state[name] });
  }

  hide(hidden) {
    if (this.hidden === hidden) return;
    this.hidden = hidden;
    $('hide').setAttribute('aria-pressed', String(hidden));
    this.looking.paint();
  }

  /** Hide while a key is held; what a click has hidden stays so when the key is let go. */
  hold(isDown) {
    if (isDown ? this.hidden : !this.holding) return;
    this.holding = isDown;
    this.hide(isDown);
  }

  blink() {
    this.looking.blink();
  }

  setOpacity(value) {
    this.store.set({ opacity: Math.min(1, Math.max(0, Math.round(value * 20) / 20)) });
  }

  zoomToObject() {
    this.looking.zoomToObject();
  }

  resetZoom() {
    this.looking.move((stage) => stage.reset());
  }

  actualPixels() {
    this.looking.move((stage) => stage.actualPixels());
  }

  zoomBy(factor) {
    this.looking.move((stage) => stage.zoomBy(factor));
  }

  pan(x, y) {
    this.looking.move((stage) => stage.pan(x, y));
  }

  focusSearch() {
    $('sentence-words').focus();
    $('sentence-words').select();
  }

  async savePicture() {
    showToast(await savePicture($('canvas'), `${this.showing?.item.id}-${this.state.layer}`));
  }

  async copyPicture() {
    showToast(await copyPicture($('canvas')));
  }

  async copyLink() {
    this.store.set({ example: this.showing?.item.id ?? '' });
    this.writeAddress(false);
    showToast(await copyText(location.href, text('copied.link')));
  }

  async copyId(value) {
    showToast(await copyText(value, text('copied.id', { value })));
  }

  /** Read the files again and begin anew with what they hold now. */
  async reload() {
    if (!this.start.canReload) return;
    showToast(text('reload.now'));
    try {
      await this.server.reload();
      location.reload(); // the address holds the whole view
    } catch (error) {
      this.fail(error);
    }
  }

  /** Go to a field of the findings, to write into it. */
  write(id) {
    if (this.state.view || !this.findings.canWrite) return;
    $(id).focus();
    $(id).scrollIntoView({ block: 'nearest' });
  }

  /** Take the last finding back, or do it again, and show the example that it was about. */
  async takeBack(which) {
    if (!this.findings.canWrite) return;
    await this.card.flush();
    try {
      const { place, said: done } = await this.findings[which]();
      showToast(said(done));
      if (Number.isInteger(place) && place !== this.showing?.item.index) this.showPlace(place);
    } catch (error) {
      showToast(error.message);
    }
  }

  openDialog(id) {
    openDialog(id);
  }

  /** Leave one thing after the other: a dialog, blinking, a view, the zoom. */
  escape() {
    if (closeDialogs() || this.presenting.leave() || this.looking.stopBlink()) return;
    if (this.live.close() || this.review.stop()) return;
    if (this.state.view) this.store.set({ view: '' });
    else this.resetZoom();
  }
}
