// Presenting: the selection full screen, one example after the other, nothing but what is to be seen.

const $ = (id) => document.getElementById(id);

export class Present {
  constructor(page) {
    this.page = page;
    this.frame = document.querySelector('.inspector');
    document.addEventListener('fullscreenchange', () => {
      if (!document.fullscreenElement) this.leave();
    });
  }

  get isOn() {
    return this.frame.hasAttribute('data-presenting');
  }

  async begin() {
    if (this.isOn) {
      this.leave();
      return;
    }
    this.page.store.set({ view: '' });
    this.frame.setAttribute('data-presenting', '');
    this.show();
    try {
      await document.documentElement.requestFullscreen();
    } catch {
      // without the browser's leave the page presents in its window
    }
  }

  /** Leave the presentation; whether it was on. */
  leave() {
    if (!this.isOn) return false;
    this.frame.removeAttribute('data-presenting');
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.show();
    return true;
  }

  /** What stands below the picture: the failure mode, the note, how far it is. */
  show() {
    const { page } = this;
    $('presented').hidden = !this.isOn;
    if (!this.isOn || !page.showing) return;
    const { item } = page.showing;
    const mode = page.start.failures.find(
      ({ key }) => key === item.runs[page.runIndex]?.failure,
    );
    $('presented-mode').textContent = mode?.label ?? '';
    $('presented-run').textContent = page.start.runs.length > 1 ? page.state.run : '';
    $('presented-note').textContent = page.findings.of(item.index).note;
    $('presented-position').textContent = $('position').textContent;
  }
}
