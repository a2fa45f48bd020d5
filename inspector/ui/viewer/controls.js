// Buttons, menus and keys: they change the state, and show it.

import { actionsOf, keyTable } from './actions.js';
import { applyColours } from './colours.js';
import { fillHelp, fillRules, listenToDialogs } from './dialogs.js';
import { switchRules } from './address.js';
import { listenToKeys, singleKeys } from './keys.js';
import { COMPARISONS, LAYERS, OF_TWO_RUNS } from './layers.js';
import { keepLanguage, make, text } from './words.js';

const VIEWS = ['', 'gallery', 'table', 'scatter'];
const SWITCHES = {
  'keep-zoom': 'keepZoom', others: 'others', stray: 'stray', boxes: 'boxes', second: 'dotted',
};
const $ = (id) => document.getElementById(id);

export class Controls {
  constructor(page) {
    this.page = page;
    const { start, store } = page;
    this.menu($('run'), start.runs.map((run) => [run.name, run.name]), 'run');
    $('run-box').hidden = !start.runs.length;
    $('second').hidden = !start.hasSecond;
    this.menu($('sort-order'), start.sorts
      .filter((sort) => !sort.needsRun || start.runs.length)
      .map((sort) => [sort.key, text(`sort.${sort.key}`)]), 'sort');
    $('reverse').addEventListener('click', () =>
      store.set({ reverse: page.state.reverse ? '' : '1' }));
    this.buttons($('layers'), LAYERS.map((layer) => layer.key), 'layer', (key, button) => {
      const { digit } = LAYERS.find((layer) => layer.key === key);
      button.prepend(make('kbd', { 'aria-hidden': 'true' }, digit));
    });
    const comparisons = COMPARISONS.filter(
      (key) => !OF_TWO_RUNS.includes(key) || start.runs.length > 1,
    );
    this.buttons($('compare'), start.runs.length ? comparisons : [], 'compare');
    this.menu($('against'), start.runs.map((run) => [run.name, run.name]), 'against');
    this.buttons($('views'), [...VIEWS, ...start.panels.map((panel) => panel.key), 'findings'],
      'view');
    $('opacity').addEventListener('input', () => page.setOpacity(Number($('opacity').value)));
    $('clear').addEventListener('click', () => page.filters.clear());
    $('nothing').querySelector('button').addEventListener('click', () => page.filters.clear());
    $('facts').addEventListener('click', (event) => {
      const value = event.target.closest('[data-copy]')?.dataset.copy;
      if (value !== undefined) page.copyId(value);
    });
    const actions = actionsOf(page);
    for (const action of actions) {
      if (action.button) $(action.button).addEventListener('click', action.run);
    }
    fillHelp(actions);
    fillRules(start, switchRules);
    $('choose-rules').hidden = $('review').hidden = !start.runs.length;
    $('language').replaceChildren(...start.languages.map((language) =>
      make('option', { value: language, lang: language }, text(`language.${language}`))));
    $('language').value = start.language;
    $('language').addEventListener('change', () => {
      keepLanguage($('language').value);
      location.reload();
    });
    $('log-out').hidden = !start.viewer?.isLoggedIn;
    $('care').setAttribute('aria-pressed', String(page.care.isOn));
    $('care').addEventListener('click', () => {
      page.care.isOn = !page.care.isOn;
      page.care.shown.clear();
      $('care').setAttribute('aria-pressed', String(page.care.isOn));
      if (page.showing) page.describe(page.showing);
      page.views.show();
    });
    $('single-keys').setAttribute('aria-pressed', String(singleKeys.isOn));
    $('single-keys').addEventListener('click', () => {
      singleKeys.isOn = !singleKeys.isOn;
      $('single-keys').setAttribute('aria-pressed', String(singleKeys.isOn));
    });
    $('skip').addEventListener('click', () => $('viewer').focus());
    $('find').hidden = !start.runs.length;
    $('find').addEventListener('submit', (event) => {
      event.preventDefault();
      page.findPublished($('published').value.trim());
    });
    listenToDialogs({
      coloursChanged: () => {
        page.looking.paint();
        page.views.show();
      },
    });
    applyColours();
    listenToKeys(
      page.element,
      { ...keyTable(actions), ' ': () => page.hold(true) },
      { ' ': () => page.hold(false) },
    );
    this.show(new Set(Object.keys(page.state)));
    page.looking.showLegend();
  }

  menu(select, entries, key) {
    select.replaceChildren(
      ...entries.map(([value, label]) => make('option', { value }, label)),
    );
    select.addEventListener('change', () => this.page.store.set({ [key]: select.value }));
  }

  /** Buttons of which one is pressed; each has its text and title in the table of texts. */
  buttons(group, keys, state, dress = () => {}) {
    for (const key of keys) {
      const name = `${state}.${key || 'none'}`;
      const button = make('button', {
        type: 'button', [`data-${state}`]: key, title: text(`${name}.title`),
      }, text(name));
      dress(key, button);
      button.addEventListener('click', () => this.page.store.set({ [state]: key }));
      group.append(button);
    }
    group.hidden = keys.length < 2;
  }

  /** Show the state in the controls whose keys have changed. */
  show(changed) {
    const { state, start } = this.page;
    for (const key of ['layer', 'compare', 'view']) {
      if (!changed.has(key)) continue;
      const group = $({ layer: 'layers', compare: 'compare', view: 'views' }[key]);
      for (const button of group.querySelectorAll('button')) {
        button.setAttribute('aria-pressed', String(button.dataset[key] === state[key]));
      }
    }
    $('run').value = state.run;
    $('sort-order').value = state.sort;
    $('against').value = state.against;
    $('against').hidden = !(OF_TWO_RUNS.includes(state.compare) || state.view === 'scatter')
      || start.runs.length < 2;
    $('opacity').value = state.opacity;
    $('reverse').setAttribute('aria-pressed', String(Boolean(state.reverse)));
    for (const [id, key] of Object.entries(SWITCHES)) {
      $(id).setAttribute('aria-pressed', String(state[key]));
    }
  }
}
