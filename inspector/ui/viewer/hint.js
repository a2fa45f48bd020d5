// What a newcomer is told: one line above the page, until it is sent away for good.

import { copyText } from './export.js';
import { singleKeys } from './keys.js';
import { local } from './storage.js';
import { showToast } from './panel.js';
import { make, text } from './words.js';

const KEPT = 'inspector.hint';
const COMMAND = 'python app.py DATASET --run FILE';
const $ = (id) => document.getElementById(id);

/** Show what to do first; on the demo also what it is, and how to open one's own data. */
export function showHint(start) {
  if (local.getItem(KEPT) === 'off') return;
  const several = start.runs.length > 1;
  const keys = [['→', 'next'], ['1 … 6', 'layer'], ['Space', 'hide'], several && ['M', 'run'],
    ['?', 'help']].filter(Boolean);
  $('hint-story').textContent = text(start.isDemo ? 'hint.demo' : 'hint.own');
  $('hint-keys').replaceChildren(...(singleKeys.isOn ? keys : []).map(([key, what]) =>
    make('li', {}, make('kbd', {}, key), text(`hint.${what}`))));
  $('hint-command').hidden = !start.isDemo;
  $('hint-command').querySelector('code').textContent = COMMAND;
  $('hint-copy').addEventListener('click', async () =>
    showToast(await copyText(COMMAND, text('copied.id', { value: COMMAND }))));
  $('hint-close').addEventListener('click', () => {
    local.setItem(KEPT, 'off');
    $('hint').hidden = true;
    $('viewer').focus({ preventScroll: true }); // the button that had it is gone
  });
  $('hint').hidden = false;
}
