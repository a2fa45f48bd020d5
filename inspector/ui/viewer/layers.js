// What can be laid over a picture. One entry adds a layer: its key, its digit, what it draws.
// One colour logic everywhere: blue is ground truth, orange is prediction, white is agreement.

/** Legend marks of a layer: [colour role, text key, how it is drawn]. */
const BOTH_FILLED = [
  ['agreement', 'legend.both', 'area'],
  ['prediction', 'legend.prediction-only', 'area'],
  ['truth', 'legend.truth-only', 'area'],
];
const BOTH_LINES = [
  ['truth', 'legend.truth', 'line'],
  ['prediction', 'legend.prediction', 'line'],
];
const BOTH_AREAS = [
  ['truth', 'legend.truth', 'area'],
  ['prediction', 'legend.prediction', 'area'],
];

export const LAYERS = [
  {
    key: 'agreement',
    digit: '1',
    legend: BOTH_FILLED,
    draw(pen) {
      pen.fill('agreement');
      pen.line('truth', 2);
      pen.line('prediction', 2);
    },
  },
  {
    key: 'contours',
    digit: '2',
    legend: BOTH_LINES,
    draw(pen) {
      pen.line('truth', 2.5);
      pen.line('prediction', 2.5);
    },
  },
  {
    key: 'fill',
    digit: '3',
    legend: BOTH_AREAS,
    draw(pen) {
      pen.fill('truth');
      pen.fill('prediction');
      pen.line('truth', 1.5);
      pen.line('prediction', 1.5);
    },
  },
  {
    key: 'truth',
    digit: '4',
    legend: BOTH_AREAS.slice(0, 1),
    draw(pen) {
      pen.fill('truth');
      pen.line('truth', 2);
    },
  },
  {
    key: 'prediction',
    digit: '5',
    legend: BOTH_AREAS.slice(1),
    draw(pen) {
      pen.fill('prediction');
      pen.line('prediction', 2);
    },
  },
  { key: 'picture', digit: '6', legend: [], draw() {} },
];

export function layerOf(key) {
  return LAYERS.find((layer) => layer.key === key) ?? LAYERS[0];
}

/** Ways to set two views of one example against each other, in the order in which P walks. */
export const COMPARISONS = ['', 'swipe', 'sides', 'runs', 'over'];

/** Those that need another run. */
export const OF_TWO_RUNS = ['runs', 'over'];
