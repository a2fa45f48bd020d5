// The words and numbers around the picture.

import { count, fraction, make, text } from './words.js';

const $ = (id) => document.getElementById(id);

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
  $('rules').textContent = $('rules').title = run ? start.rules : '';
  const list = $('metrics');
  list.replaceChildren();
  if (run) {
    for (const metric of start.metrics) {
      const value = run.metrics[metric.key];
      if (value === null) continue;
      list.append(
        make('div', { title: metric.description, 'data-metric': metric.key },
          make('dt', {}, metric.label), make('dd', {}, fraction(value))),
      );
    }
  }
  $('coverage').textContent = run ? run.coverageText : text('coverage.no-run');
  $('coverage').title = $('coverage').textContent;
}

/** The list of problems, opened from the coverage line. */
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
        problem.where ? `${problem.where}: ${problem.message}` : problem.message)),
  );
}

/** What stands above, beside and under the picture of one example. */
export function showExample(start, ready, runIndex, failureMode) {
  const { item } = ready;
  $('sentence').textContent = item.sentence;
  showScore(item, item.runs[runIndex]);
  showWhy(start, item, item.runs[runIndex], failureMode);
  showFacts(item, item.runs[runIndex]);
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

function showScore(item, run) {
  const badge = $('iou-badge');
  if (!run) {
    $('iou').textContent = '–';
    badge.dataset.level = 'none';
    return;
  }
  const scored = run.status === 'scored';
  $('iou').textContent = scored ? fraction(run.iou) : text(`status.${run.status}`);
  badge.dataset.level = !scored || run.iou === null ? 'none'
    : run.iou < 0.5 ? 'low' : run.iou < 0.8 ? 'middle' : 'high';
}

function showWhy(start, item, run, failureMode) {
  const box = $('why');
  box.replaceChildren();
  if (!run) {
    box.append(make('p', { class: 'quiet' }, text('why.no-run')));
    return;
  }
  if (!failureMode) {
    box.append(make('p', { class: 'quiet' }, text('why.no-truth')));
    return;
  }
  box.append(
    make('p', { class: 'mode', id: 'failure', 'data-failure': failureMode.key },
      make('span', { class: 'icon', 'aria-hidden': 'true' }, failureMode.icon),
      make('strong', {}, failureMode.label)),
    make('p', { class: 'quiet' }, explanation(item, run, failureMode)),
  );
  if (run.reason) box.append(make('p', { class: 'reason' }, run.reason));
  const other = item.others.find((candidate) => candidate.row === run.other);
  if (other) {
    box.append(make('p', {}, text('why.other', {
      category: other.category, iou: fraction(run.otherIou),
    })));
  }
  if (!item.othersKnown && run.status === 'scored' && item.hasTruth) {
    box.append(make('p', { class: 'quiet' }, text('why.others-unknown', {
      known: count(item.others.length + 1),
    })));
  }
}

function explanation(item, run, failureMode) {
  if (failureMode.key === 'background' && !item.othersKnown) return text('why.off-target');
  return failureMode.description;
}

function showFacts(item, run) {
  const rows = [];
  const add = (label, value) => {
    if (value !== '' && value !== null && value !== undefined) {
      rows.push(make('div', {}, make('dt', {}, text(label)), make('dd', {}, value)));
    }
  };
  const pixels = (value) => text('pixels', { count: count(value) });
  if (run?.status === 'scored' && item.hasTruth) {
    add('fact.intersection', pixels(run.intersection));
    add('fact.union', pixels(run.union));
    add('fact.precision', share(run.intersection, run.predictionArea));
    add('fact.recall', share(run.intersection, item.targetArea));
    add('fact.prediction-area', run.saysNoTarget ? text('no-target') : pixels(run.predictionArea));
  }
  add('fact.target-area', item.hasTruth && item.target !== null ? pixels(item.targetArea)
    : text(item.target === null ? 'no-target' : 'no-truth'));
  add('fact.category', item.category);
  add('fact.split', item.split);
  add('fact.example', item.id);
  if (item.sentId !== item.id) add('fact.sent', item.sentId);
  add('fact.ref', item.refId);
  add('fact.sample', item.sampleId);
  add('fact.ann', item.annId);
  add('fact.image', item.imageId);
  add('fact.file', item.fileName);
  add('fact.size', text('size', { width: item.size[1], height: item.size[0] }));
  $('facts').replaceChildren(...rows);
}

function share(part, whole) {
  return whole > 0 ? fraction(part / whole) : '–';
}
