// A page that a program opened goes where the program points, and says what it shows.

const ASK_MS = 700;
const SETTLED_MS = 200;

export class Pointer {
  constructor(page) {
    this.page = page;
    this.revision = 0;
    if (page.start.follows) this.follow();
  }

  async follow() {
    for (;;) {
      try {
        const { revision, query } = await this.page.server.pointer(this.revision);
        this.revision = revision;
        if (query) this.page.goTo(query);
      } catch {
        // the program may be busy, or over; the page stays as it is
      }
      await new Promise((rest) => setTimeout(rest, ASK_MS));
    }
  }

  /** Tell the program what is shown, a moment after it has changed. */
  tell() {
    if (!this.page.start.follows) return;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const query = Object.fromEntries(new URLSearchParams(location.search));
      this.page.server.showsNow(query, this.revision).catch(() => {});
    }, SETTLED_MS);
  }
}
