// Everything that can be done by key or button, once: help, keys and buttons come from this table.

import { LAYERS } from './layers.js';

/**
 * Actions in the order of the help. `keys` are names for keys.js, `shown` is how the help writes
 * them, `button` the id of a button that does the same, `run` what happens.
 */
export function actionsOf(page) {
  return [
    { key: 'next', keys: ['ArrowRight', 'j'], shown: ['→', 'J'], button: 'next',
      run: () => page.step(1) },
    { key: 'previous', keys: ['ArrowLeft', 'k'], shown: ['←', 'K'], button: 'previous',
      run: () => page.step(-1) },
    { key: 'next-target', keys: ['Shift+ArrowRight'], shown: ['Shift →'],
      run: () => page.stepTarget(1) },
    { key: 'previous-target', keys: ['Shift+ArrowLeft'], shown: ['Shift ←'],
      run: () => page.stepTarget(-1) },
    { key: 'next-sentence', keys: ['ArrowDown'], shown: ['↓'], run: () => page.stepSentence(1) },
    { key: 'previous-sentence', keys: ['ArrowUp'], shown: ['↑'],
      run: () => page.stepSentence(-1) },
    { key: 'first', keys: ['Home'], shown: ['Home'], run: () => page.show(0) },
    { key: 'last', keys: ['End'], shown: ['End'], run: () => page.show(page.order.length - 1) },
    ...LAYERS.map((layer) => ({
      key: `layer-${layer.key}`, keys: [layer.digit], shown: [layer.digit],
      run: () => page.store.set({ layer: layer.key }),
    })),
    { key: 'hide', shown: ['Space'], button: 'hide', run: () => page.hide(!page.hidden) },
    { key: 'blink', keys: ['b'], shown: ['B'], button: 'blink', run: () => page.blink() },
    { key: 'compare', keys: ['p'], shown: ['P'], run: () => page.cycleCompare() },
    { key: 'fainter', keys: ['['], shown: ['['],
      run: () => page.setOpacity(page.state.opacity - 0.1) },
    { key: 'stronger', keys: [']'], shown: [']'],
      run: () => page.setOpacity(page.state.opacity + 0.1) },
    { key: 'object', keys: ['z'], shown: ['Z'], button: 'object', run: () => page.zoomToObject() },
    { key: 'reset', keys: ['r'], shown: ['R'], button: 'reset', run: () => page.resetZoom() },
    { key: 'actual', keys: ['0'], shown: ['0'], button: 'actual', run: () => page.actualPixels() },
    { key: 'closer', keys: ['+', '='], shown: ['+'], run: () => page.zoomBy(1.25) },
    { key: 'farther', keys: ['-'], shown: ['−'], run: () => page.zoomBy(0.8) },
    ...Object.entries({ Right: [-40, 0], Left: [40, 0], Down: [0, -40], Up: [0, 40] }).map(
      ([side, [x, y]]) => ({
        key: `pan-${side.toLowerCase()}`, keys: [`Ctrl+Arrow${side}`], run: () => page.pan(x, y),
        shown: side === 'Right' ? ['Ctrl ← ↑ → ↓'] : null,
      }),
    ),
    { key: 'keep-zoom', keys: ['f'], shown: ['F'], button: 'keep-zoom',
      run: () => page.toggle('keepZoom') },
    { key: 'others', keys: ['o'], shown: ['O'], button: 'others',
      run: () => page.toggle('others') },
    { key: 'stray', keys: ['i'], shown: ['I'], button: 'stray', run: () => page.toggle('stray') },
    { key: 'boxes', keys: ['x'], shown: ['X'], button: 'boxes', run: () => page.toggle('boxes') },
    { key: 'second', keys: ['g'], shown: ['G'], button: 'second',
      run: () => page.toggle('dotted') },
    { key: 'unveil', keys: ['v'], shown: ['V'], button: 'unveil', run: () => page.unveil() },
    { key: 'run', keys: ['m'], shown: ['M'], run: () => page.cycleRun() },
    { key: 'gallery', keys: ['c'], shown: ['C'], run: () => page.setView('gallery') },
    { key: 'table', keys: ['d'], shown: ['D'], run: () => page.setView('table') },
    { key: 'scatter', keys: ['e'], shown: ['E'], run: () => page.setView('scatter') },
    { key: 'search', keys: ['/'], shown: ['/'], run: () => page.focusSearch() },
    { key: 'save', keys: ['s'], shown: ['S'], button: 'save', run: () => page.savePicture() },
    { key: 'copy', keys: ['Shift+y'], shown: ['Shift Y'], button: 'copy',
      run: () => page.copyPicture() },
    { key: 'link', keys: ['y'], shown: ['Y'], button: 'link', run: () => page.copyLink() },
    { key: 'reload', keys: ['Shift+r'], shown: ['Shift R'], button: 'reload',
      run: () => page.reload() },
    { key: 'model_wrong', keys: ['w'], shown: ['W'], run: () => page.card.judge('model_wrong') },
    { key: 'label_wrong', keys: ['l'], shown: ['L'], run: () => page.card.judge('label_wrong') },
    { key: 'ambiguous', keys: ['a'], shown: ['A'], run: () => page.card.judge('ambiguous') },
    { key: 'tag', keys: ['t'], shown: ['T'], run: () => page.write('tag-new') },
    { key: 'note', keys: ['n'], shown: ['N'], run: () => page.write('note') },
    { key: 'undo', keys: ['u', 'Ctrl+z'], shown: ['U'], button: 'undo',
      run: () => page.takeBack('undo') },
    { key: 'redo', keys: ['Shift+u', 'Ctrl+Shift+z'], shown: ['Shift U'], button: 'redo',
      run: () => page.takeBack('redo') },
    { key: 'present', keys: ['Shift+p'], shown: ['Shift P'], button: 'present',
      run: () => page.presenting.begin() },
    ...(page.start.live ? [{ key: 'live', keys: ['q'], shown: ['Q'],
      run: () => page.live.open() }] : []),
    { key: 'rules', button: 'choose-rules', run: () => page.openDialog('rules-dialog') },
    { key: 'colours', button: 'choose-colours', run: () => page.openDialog('colours') },
    { key: 'help', keys: ['?'], shown: ['?'], button: 'show-help',
      run: () => page.openDialog('help') },
    { key: 'close', keys: ['Escape'], shown: ['Esc'], run: () => page.escape() },
  ];
}

/** Names of keys -> functions, for keys.js. */
export function keyTable(actions) {
  return Object.fromEntries(
    actions.flatMap((action) => (action.keys ?? []).map((key) => [key, action.run])),
  );
}
