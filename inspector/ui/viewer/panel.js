// The words and numbers around the picture.

import { count, fixed, fraction, make, said, text } from './words.js';

const $ = (id) => document.getElementById(id);

const kept = new Set(); // facts that were told once: they keep their place, so that nothing jumps
const WIDE = 24; // characters, from which a fact has a line of its own
const LONG = 80; // characters, from which a sentence is set smaller to be seen whole
const HEADLINE = /^(mIoU|oIoU|P@0\.[579]|[NT]-acc|grounding|box_.*)$/; // the rest: Numbers

/** The header: data set, runs and their metrics, coverage, rules. Drawn when the run changes. */
export function showRun(start, runName) {
  const { dataset } = start;
  const splitBy = dataset.split_by ? ` (${dataset.split_by})` : '';
  $('dataset-name').textContent = `${dataset.name}${splitBy}`;
  $('dataset-counts').textContent = text('dataset.counts', {
    split: dataset.split,
    images: count(dataset.images),
    referents: count(dataset.referents),
    examples: count(dataset.examples),
  });
  const run = start.runs.find((candidate) => candidate.name === runName);
  kept.clear();
  $('rules').textContent = $('rules').title = run ? start.rules : '';
  const list = $('metrics');
  list.replaceChildren();
  if (run) {
    for (const metric of start.metrics) {
      const value = run.metrics[metric.key];
      if (value === null || value === undefined || !HEADLINE.test(metric.key)) continue;
      list.append(
        make('div', { title: metric.description, 'data-metric': metric.key },
          make('dt', {}, metric.label), make('dd', {}, fraction(value))),
      );
    }
  }
  const words = run ? run.coverageText : text('coverage.no-run');
  $('coverage').textContent = run?.gap ? `⚠ ${words}` : words;
  $('coverage').title = run?.gap ? `${words}. ${run.gap}` : words;
  $('coverage').toggleAttribute('data-gap', Boolean(run?.gap));
}

/** The list of problems. */
export function showProblems(start, problems) {
  const box = $('problems');
  box.hidden = start.problemCount === 0;
  box.querySelector('summary').textContent = text(
    start.problemCount === 1 ? 'problems.one' : 'problems.many',
    { count: count(start.problemCount) },
  );
  box.dataset.severity = start.errorCount ? 'error' : 'warning';
  box.querySelector('ul').replaceChildren(
    ...problems.map((problem) =>
      make('li', { 'data-severity': problem.severity },
        make('strong', {}, text(`severity.${problem.severity}`)), ' ',
        problem.where ? `${said(problem.where)}: ${inWords(problem)}` : inWords(problem))),
  );
}

/** What is wrong; where a language has no words for the occurrence, the kind of it comes first. */
function inWords({ code, message }) {
  const words = said(message);
  const kind = said(code);
  return words !== message || kind === code ? words : `${kind} ${words}`;
}

/** What stands above and beside the picture of one example. */
export function showExample(start, item, runIndex, words) {
  const run = item.runs[runIndex];
  showSentence(item.sentence, words);
  showScore(run);
  showWhy(item, run, start.failures.find((failure) => failure.key === run?.failure));
  showFacts(item, run);
}

/** The sentence, with the words that the filter looks for marked. */
function showSentence(sentence, words) {
  $('sentence').dataset.length = sentence.length > LONG ? 'long' : '';
  const place = words ? sentence.toLowerCase().indexOf(words.toLowerCase()) : -1;
  if (place < 0) {
    $('sentence').textContent = sentence;
    return;
  }
  const end = place + words.length;
  $('sentence').replaceChildren(
    sentence.slice(0, place), make('mark', {}, sentence.slice(place, end)), sentence.slice(end),
  );
}

export function showNothing(message) {
  $('sentence').textContent = '';
  $('iou').textContent = '–';
  $('iou-badge').dataset.level = 'none';
  $('why').replaceChildren();
  $('facts').replaceChildren();
  showMessage(message);
}

export function showMessage(message) {
  $('message').textContent = message;
  $('message').hidden = !message;
}

/** What went wrong, in the words of the page. */
export function faultOf(error) {
  if (error.status === 410) return text('error.reload');
  if (error.isGone) return error.message;
  return text('error.other', { message: error.message });
}

/** Tell a screen reader what has changed, without a word on the screen. */
export function announce(words) {
  if ($('said').textContent !== words) $('said').textContent = words;
}

/** Let the keyboard scroll what does not fit its place. */
export function makeReachable(id) {
  const element = $(id);
  if (element.scrollHeight > element.clientHeight + 1) element.tabIndex = 0;
  else element.removeAttribute('tabindex');
}

/** Say something for a moment: that a picture was saved, a link copied. */
export function showToast(message) {
  const toast = $('toast');
  toast.textContent = message;
  toast.hidden = false;
  clearTimeout(showToast.timer);
  showToast.timer = setTimeout(() => (toast.hidden = true), 2500);
}

function showScore(run) {
  const badge = $('iou-badge');
  badge.querySelector('span').textContent = text(run?.evidence === 'box' ? 'box-iou' : 'iou');
  if (!run) {
    $('iou').textContent = '–';
    badge.dataset.level = 'none';
    return;
  }
  const scored = run.status === 'scored';
  $('iou').textContent = scored ? fraction(run.iou) : text(`status.${run.status}`);
  badge.dataset.level = levelOf(run);
}

function levelOf(run) {
  if (run.status !== 'scored' || run.iou === null) return 'none';
  if (run.iou < 0.5) return 'low';
  return run.iou < 0.8 ? 'middle' : 'high';
}

function showWhy(item, run, mode) {
  const box = $('why');
  if (!run || !mode) {
    const said = !run ? 'why.no-run' : item.hasTruth ? 'why.not-told' : 'why.no-truth';
    box.replaceChildren(make('p', { class: 'quiet' }, text(said)));
    return;
  }
  const lines = [
    make('p', { class: 'mode', id: 'failure', 'data-failure': mode.key },
      make('span', { class: 'icon', 'aria-hidden': 'true' }, mode.icon),
      make('strong', {}, mode.label)),
    make('p', { class: 'quiet' }, mode.key === 'background' && !item.othersKnown
      ? text('why.off-target') : mode.description),
  ];
  if (run.reason) lines.push(make('p', { class: 'reason' }, said(run.reason)));
  const other = item.others.find((candidate) => candidate.row === run.other);
  if (other) {
    lines.push(make('p', {}, text('why.other', {
      category: other.category, iou: fraction(run.otherIou),
    })));
  }
  if (!item.othersKnown && run.status === 'scored' && item.hasTruth) {
    lines.push(make('p', { class: 'quiet' }, text('why.others-unknown', {
      known: count(item.others.length + 1),
    })));
  }
  box.replaceChildren(...lines);
}

function showFacts(item, run) {
  const rows = [];
  const add = (label, value, copied = false) => {
    if (value === '' || value === null || value === undefined) {
      if (!kept.has(label)) return;
      rows.push(make('div', {}, make('dt', {}, text(label)), make('dd', {}, '–')));
      return;
    }
    kept.add(label);
    const isTall = label === 'fact.box' || value.length > WIDE;
    rows.push(make('div', { class: isTall ? 'tall' : null }, make('dt', {}, text(label)), copied
      ? make('dd', {}, make('button', {
        type: 'button', class: 'link', 'data-copy': value, title: text('copy.id'),
      }, value))
      : make('dd', {}, value)));
  };
  const pixels = (value) => text('pixels', { count: count(value) });
  const isScored = run?.status === 'scored' && item.hasTruth;
  const isCounted = isScored && (run.evidence === 'mask' || run.evidence === 'counts');
  const hasArea = isScored && run.predictionArea >= 0;
  const hasBox = isScored && run.box;
  const precise = isCounted && hasArea;
  add('fact.precision', precise ? share(run.intersection, run.predictionArea) : '');
  add('fact.recall', precise ? share(run.intersection, item.targetArea) : '');
  add('fact.boundary', isCounted && run.boundaryIou !== null ? fraction(run.boundaryIou) : '');
  add('fact.intersection', isCounted ? pixels(run.intersection) : '');
  add('fact.union', isCounted ? pixels(run.union) : '');
  add('fact.prediction-area', !hasArea ? ''
    : run.saysNoTarget ? text('no-target') : pixels(run.predictionArea));
  add('box-iou', hasBox && run.evidence !== 'box' ? fraction(run.boxIou) : '');
  add('fact.box', hasBox ? run.box.map((value) => tenths(value)).join(', ') : '');
  add('fact.target-area', item.target === null ? text('no-target')
    : item.hasTruth ? pixels(item.targetArea) : text('no-truth'));
  add('fact.category', item.category);
  add('fact.same', item.othersKnown ? count(item.same) : text('unknown'));
  add('fact.level', item.level && text(`level.${item.level}`));
  add('fact.split', item.split);
  add('fact.example', item.id, true);
  if (item.sentId !== item.id) add('fact.sent', item.sentId, true);
  add('fact.ref', item.refId, true);
  add('fact.sample', item.sampleId, true);
  add('fact.ann', item.annId, true);
  add('fact.image', item.imageId, true);
  add('fact.file', item.fileName, true);
  add('fact.size', text('size', { width: item.size[1], height: item.size[0] }));
  $('facts').replaceChildren(...rows);
}

const tenths = (value) => fixed(value, Number.isInteger(Math.round(value * 10) / 10) ? 0 : 1);

function share(part, whole) {
  return whole > 0 ? fraction(part / whole) : '–';
}
