'use strict';
// Presents the examples of this file one after the other; without it the page reads as well.
(() => {
  const root = document.documentElement;
  const page = document.querySelector('.page');
  const presenter = document.getElementById('presenter');
  const stage = presenter.querySelector('.stage');
  const progress = presenter.querySelector('.progress');
  const layerName = presenter.querySelector('.layer-name');
  const examples = [...document.querySelectorAll('article.example')];
  const layers = new Map(layerName.dataset.names.split('|').map((pair) => pair.split('=')));
  const keys = [...layers.keys()];
  const holes = document.createComment('on the stage'); // where the shown example belongs
  let at = -1;
  let before = null; // what had the focus
  let isFull = false;

  function setLayer(key) {
    root.dataset.layer = key;
    layerName.textContent = layers.get(key);
    for (const button of document.querySelectorAll('button[data-layer]')) {
      button.setAttribute('aria-pressed', String(button.dataset.layer === key));
    }
  }

  function putBack() {
    if (at >= 0) holes.replaceWith(examples[at]);
  }

  function show(next) {
    const place = Math.min(Math.max(next, 0), examples.length - 1);
    if (place === at) return;
    putBack();
    at = place;
    examples[at].before(holes);
    stage.append(examples[at]);
    stage.querySelector('.words').scrollTop = 0;
    progress.textContent = `${at + 1} / ${examples.length}`;
  }

  function enter(place) {
    if (!examples.length || at >= 0) return;
    before = document.activeElement;
    page.inert = true;
    presenter.hidden = false;
    root.style.overflow = 'hidden';
    show(place);
    presenter.focus();
    const asked = root.requestFullscreen?.();
    asked?.then(() => { isFull = true; if (at < 0) document.exitFullscreen(); }, () => {});
  }

  function leave() {
    if (at < 0) return;
    const last = examples[at];
    putBack();
    at = -1;
    presenter.hidden = true;
    page.inert = false;
    root.style.overflow = '';
    if (document.fullscreenElement) document.exitFullscreen();
    isFull = false;
    last.scrollIntoView({ block: 'center', behavior: 'instant' });
    (before?.isConnected && before !== document.body ? before : last).focus({ preventScroll: true });
  }

  /** The example nearest to the middle of the window, so that presenting begins where one reads. */
  function nearest() {
    const middle = innerHeight / 2;
    const found = examples.findIndex((one) => {
      const box = one.getBoundingClientRect();
      return box.top < middle && box.bottom > middle;
    });
    return Math.max(found, 0);
  }

  function unveil() {
    const box = examples[at]?.querySelector('.veil');
    if (box) box.checked = !box.checked;
  }

  const presenting = {
    ArrowRight: () => show(at + 1),
    ArrowDown: () => show(at + 1),
    PageDown: () => show(at + 1),
    ' ': () => show(at + 1),
    Enter: () => show(at + 1),
    ArrowLeft: () => show(at - 1),
    ArrowUp: () => show(at - 1),
    PageUp: () => show(at - 1),
    Backspace: () => show(at - 1),
    Home: () => show(0),
    End: () => show(examples.length - 1),
    Escape: leave,
    p: leave,
    n: () => { root.dataset.note = root.dataset.note === 'off' ? 'on' : 'off'; },
    v: unveil,
  };

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onButton = event.target.closest?.('button, summary, a, input');
    if (onButton && (key === ' ' || key === 'Enter')) return; // these press what has the focus
    let action = null;
    if (at >= 0) action = event.shiftKey && key === ' ' ? presenting.ArrowLeft : presenting[key];
    else if (key === 'p') action = () => enter(nearest());
    if (!action && at >= 0 && /^[1-9]$/.test(key) && keys[key - 1]) action = () => setLayer(keys[key - 1]);
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener('fullscreenchange', () => {
    if (isFull && !document.fullscreenElement) leave(); // Esc ends the full screen by itself
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    if (!button) return;
    if (button.dataset.layer) setLayer(button.dataset.layer);
    else if (button.dataset.step) show(at + Number(button.dataset.step));
    else if (button.classList.contains('leave')) leave();
    else if (button.classList.contains('present')) enter(0);
  });

  setLayer(root.dataset.layer);
  if (examples.length) {
    for (const hidden of document.querySelectorAll('.controls, button.present')) hidden.hidden = false;
  } else {
    document.querySelector('.present-help').hidden = true;
  }
})();
