// Views kept by name: what the address says, under a word.

import { closeDialogs, orSay } from './dialogs.js';
import { showToast } from './panel.js';
import { make, text } from './words.js';

const $ = (id) => document.getElementById(id);

export class SavedViews {
  constructor(page) {
    this.page = page;
    $('saved-views').addEventListener('click', () => this.open());
    $('view-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.keep($('view-name').value.trim());
    });
  }

  async open() {
    this.page.openDialog('views-dialog');
    $('view-none').hidden = true; // not known before the server has answered
    $('view-form').hidden = !this.page.findings.canWrite;
    await orSay('view-fault', async () => this.list((await this.page.server.views()).views));
  }

  list(views) {
    const { canWrite } = this.page.findings;
    $('view-none').hidden = views.length > 0;
    $('view-list').replaceChildren(...views.map(({ name, query }) => {
      const link = make('a', { href: `?${new URLSearchParams(query)}`, class: 'link' }, name);
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own
        event.preventDefault();
        closeDialogs();
        this.page.goTo(query);
      });
      const remove = make('button', {
        type: 'button', 'aria-label': text('saved-views.delete', { name }), title:
          text('saved-views.delete', { name }),
      }, '×');
      remove.addEventListener('click', () => this.remove(name));
      return make('li', { class: 'beside' }, link, canWrite ? remove : null);
    }));
  }

  async keep(name) {
    if (!name) return;
    await orSay('view-fault', async () => {
      const query = Object.fromEntries(new URLSearchParams(location.search));
      this.list((await this.page.server.keepView(name, query)).views);
      $('view-name').value = '';
      showToast(text('saved-views.kept', { name }));
    });
  }

  async remove(name) {
    await orSay('view-fault', async () =>
      this.list((await this.page.server.deleteView(name)).views));
  }
}
