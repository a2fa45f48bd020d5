// Everything that leaves the page: a picture, rows, masks, a contact sheet, findings, the report.

import { colour } from './colours.js';
import { OF_TWO_RUNS } from './layers.js';
import { showToast } from './panel.js';
import { count, make, said, text } from './words.js';

const ASK_AGAIN_MS = 400;
const $ = (id) => document.getElementById(id);

export class Share {
  constructor(page) {
    this.page = page;
    $('share').addEventListener('click', () => this.open());
    $('report-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.report();
    });
    this.reportCount = Number($('report-count').value); // as wished; fewer if fewer are selected
    $('report-count').addEventListener('change', () => {
      this.reportCount = Number($('report-count').value);
    });
    $('import').addEventListener('change', () => this.takeIn($('import').files[0]));
    for (const id of ['share-scale', 'share-caption', 'share-runs', 'share-what']) {
      $(id).addEventListener('change', () => this.link());
    }
  }

  open() {
    const { page } = this;
    const { limits } = page.start;
    $('report-title').maxLength = limits.reportTitle;
    const most = Math.min(page.order.length, limits.reportExamples);
    $('report-count').max = most;
    $('report-count').value = Math.min(this.reportCount, most);
    $('share-selected').textContent = text('share.selected', { count: count(page.order.length) });
    $('share-sheet-note').textContent = text('share.sheet.note', {
      count: count(Math.min(page.order.length, limits.sheet)),
    });
    $('share-fault').hidden = true;
    $('import-box').hidden = !page.findings.canWrite;
    this.link();
    page.openDialog('share-dialog');
  }

  /** Write the addresses of what would be saved now into the links. */
  link() {
    const { page } = this;
    const { server, state } = page;
    const selection = page.query();
    const here = page.showing?.item.index;
    const figure = {
      layer: state.layer, run: state.run, opacity: String(state.opacity),
      against: OF_TWO_RUNS.includes(state.compare) ? state.against : '',
      others: state.others ? '1' : '', second: state.dotted && page.start.hasSecond ? '1' : '',
      boxes: state.boxes ? '1' : '',
      scale: $('share-scale').value, caption: $('share-caption').checked ? '1' : '',
      ...Object.fromEntries(['truth', 'prediction', 'agreement'].map((role) =>
        [role, colour(role).replace('#', '')])),
    };
    const isEmpty = !page.order.length;
    const runs = $('share-runs').value;
    const what = $('share-what').value;
    const links = { // null: there is nothing to save
      'figure-png': here === undefined ? null : [`figures/${here}.png`, figure],
      'figure-svg': here === undefined ? null : [`figures/${here}.svg`, figure],
      'rows-csv': ['export/rows.csv', { ...selection, runs }],
      'rows-jsonl': ['export/rows.jsonl', { ...selection, runs }],
      'rows-parquet': ['export/rows.parquet', { ...selection, runs }],
      'masks-coco': ['export/masks.coco.json', { ...selection, what }],
      'masks-jsonl': ['export/masks.jsonl', { ...selection, what }],
      'sheet-png': isEmpty ? null : ['sheet.png', { ...selection, layer: state.layer }],
      'sheet-svg': isEmpty ? null : ['sheet.svg', { ...selection, layer: state.layer }],
      'findings-jsonl': ['findings.jsonl', {}],
      'findings-csv': ['findings.csv', {}],
    };
    for (const [id, saved] of Object.entries(links)) {
      if (saved) {
        $(id).href = server.address(...saved);
        $(id).removeAttribute('aria-disabled');
      } else {
        $(id).removeAttribute('href');
        $(id).setAttribute('aria-disabled', 'true');
      }
    }
  }

  async takeIn(file) {
    if (!file) return;
    $('import').value = '';
    try {
      const answer = await this.page.server.takeIn(file);
      await this.page.findings.pull();
      showToast([
        text('share.imported', answer),
        answer.older && text('share.imported.older', answer),
        answer.elsewhere && text('share.imported.elsewhere', answer),
        answer.unknown && text('share.imported.unknown', answer),
      ].filter(Boolean).join(' · '));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ask for the report, wait for it, and offer it. */
  async report() {
    const { server } = this.page;
    const box = $('report-state');
    const button = $('report-form').querySelector('button');
    button.disabled = true;
    $('share-fault').hidden = true;
    try {
      const { token } = await server.askReport({
        title: $('report-title').value.trim(),
        worst: Number($('report-count').value),
        selection: this.page.query(),
        run: this.page.state.run,
        layer: this.page.state.layer,
      });
      let answer = {};
      while (!answer.result) {
        box.replaceChildren(make('p', { class: 'quiet' }, text('share.report.working')),
          make('progress', {
            max: 1, value: answer.progress ?? 0, 'aria-label': text('share.report.working'),
          }));
        await new Promise((rest) => setTimeout(rest, ASK_AGAIN_MS));
        answer = await server.reportState(token);
      }
      const link = make('a', {
        href: server.address(`report/${token}.html`), download: answer.result.name,
      }, text('share.report.save', { name: answer.result.name }));
      const notes = answer.result.notes.map((note) => make('p', { class: 'quiet' }, said(note)));
      box.replaceChildren(link, ...notes);
      link.click();
    } catch (error) {
      box.replaceChildren();
      this.fail(error);
    } finally {
      button.disabled = false;
    }
  }

  fail(error) {
    $('share-fault').textContent = error.message;
    $('share-fault').hidden = false;
  }
}
