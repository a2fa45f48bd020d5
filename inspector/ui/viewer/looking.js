// How the example is looked at: which views, what is laid over, blinking, zoom.

import { layerOf } from './layers.js';
import { Stage } from './stage.js';
import { listenToPointer } from './gestures.js';
import { fraction, make, text } from './words.js';
import { local } from './storage.js';

const BLINK_MS = 500;
const KEPT = 'inspector.looking';
const SWITCHES = { keepZoom: false, others: false, stray: false, boxes: false, dotted: true };

const $ = (id) => document.getElementById(id);

export class Looking {
  /** Opacity and switches as they were left last time. */
  static remembered() {
    let kept = {};
    try {
      kept = JSON.parse(local.getItem(KEPT) ?? '{}');
    } catch {
      kept = {};
    }
    const opacity = Number(kept.opacity);
    return {
      opacity: opacity >= 0 && opacity <= 1 && kept.opacity !== undefined ? opacity : 0.6,
      ...Object.fromEntries(
        Object.entries(SWITCHES).map(([name, off]) => [name, Boolean(kept[name] ?? off)]),
      ),
    };
  }

  constructor(page) {
    this.page = page;
    this.stage = new Stage($('canvas'));
    this.blinking = null;
    listenToPointer(this.stage, {
      isSwipe: () => page.state.compare === 'swipe', moved: () => this.schedule(),
    });
    new ResizeObserver(() => {
      this.stage.fit();
      this.paint();
    }).observe($('canvas'));
    const dark = new MutationObserver(() => {
      this.stage.restyle();
      this.paint();
    });
    dark.observe(document.body, { attributeFilter: ['class'] });
  }

  changed(state, changed) {
    const kept = ['opacity', ...Object.keys(SWITCHES)];
    if (kept.some((name) => changed.has(name))) {
      local.setItem(KEPT, JSON.stringify(
        Object.fromEntries(kept.map((name) => [name, state[name]])),
      ));
    }
    if (changed.has('layer')) this.stopBlink();
    if (['layer', 'compare', 'against', 'run', 'dotted'].some((name) => changed.has(name))) {
      this.showLegend();
    }
    if (['layer', 'compare', 'against', ...kept].some((name) => changed.has(name))) this.paint();
  }

  present(ready) {
    if (!this.page.state.keepZoom && this.stage.current !== ready) this.stage.reset();
    if (Boolean(ready.ignored) !== this.hatched) {
      this.hatched = Boolean(ready.ignored);
      this.showLegend();
    }
    this.paint();
  }

  /** Make what drawing an example will need, so that the key press only draws. */
  warm(ready) {
    for (const { run, layer } of this.views()) {
      const masks = ready.masks(run);
      layerOf(layer).draw({ fill: (role) => masks.area(role), line: (role) => masks.outline(role) });
    }
  }

  /** Show what the live model said of a picture, over what is stored; null goes back to that. */
  showLive(shown, mask) {
    this.live = shown && {
      ready: mask === null ? shown.withMask(null, -1) : shown.withMask(mask, this.page.runIndex),
    };
    this.stopBlink();
    this.stage.current = null;
    this.paint();
    this.showLegend();
  }

  clear() {
    this.page.showing = null;
    this.stage.current = null;
    this.stage.clear();
    $('pane-names').replaceChildren();
  }

  /** The views that are set against each other: [{run, layer, name}]. */
  views() {
    const { state, runIndex, start } = this.page;
    if (this.live) {
      const stored = Boolean(this.live.ready.item.runs[1]);
      const name = text('live.name', { model: start.live.name });
      return [{
        run: 0, layer: state.layer, name: stored ? `${name}  ┄ ${state.run}` : name,
        over: stored ? 1 : undefined,
      }];
    }
    const truth = { run: runIndex, layer: 'truth', name: text('legend.truth') };
    const prediction = {
      run: runIndex, layer: 'prediction', name: state.run || text('legend.prediction'),
    };
    if (this.blinking) return [this.blinking.truth ? truth : prediction];
    if (state.compare === 'swipe' || state.compare === 'sides') return [truth, prediction];
    if (state.compare === 'runs') {
      const against = start.runs.findIndex((run) => run.name === state.against);
      return [
        { run: runIndex, layer: state.layer, name: this.named(runIndex) },
        { run: against, layer: state.layer, name: this.named(against) },
      ];
    }
    if (state.compare === 'over') {
      const against = start.runs.findIndex((run) => run.name === state.against);
      const name = `${this.named(runIndex)}  ┄ ${this.named(against)}`;
      return [{ run: runIndex, layer: state.layer, name, over: against }];
    }
    return [{ run: runIndex, layer: state.layer, name: '' }];
  }

  /** A run's name with what it reached on the example on show. */
  named(index) {
    const run = this.page.showing?.item.runs[index];
    const { name } = this.page.start.runs[index];
    if (!run) return name;
    return `${name} · ${run.status === 'scored' ? fraction(run.iou) : text(`status.${run.status}`)}`;
  }

  paint() {
    const { page } = this;
    const showing = this.live?.ready ?? page.showing;
    if (!showing) {
      this.stage.clear();
      return;
    }
    const views = this.views();
    const { opacity, others, stray, boxes, dotted, compare } = page.state;
    const swipe = compare === 'swipe' && !this.blinking;
    this.stage.draw(showing, views, {
      swipe, opacity, others, stray, boxes, hidden: page.hidden,
      second: dotted && !this.live && !page.start.runs[page.runIndex]?.isTruth,
    });
    this.showNames(views, swipe);
  }

  /** Paint once in the next frame, however often the pointer moves before it. */
  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  showNames(views, swipe) {
    const names = views.map((view) => view.name).join('|') + swipe;
    if (names === this.names) return;
    this.names = names;
    $('pane-names').replaceChildren(
      ...views.map((view, at) => make('span', {
        style: `left: ${swipe && at ? 'auto' : `${(100 * at) / (swipe ? 1 : views.length)}%`};`
          + (swipe && at ? 'right: 0;' : ''),
        hidden: !view.name,
      }, view.name)),
    );
  }

  /** Marks of the layers that are on the screen now. */
  showLegend() {
    const layers = this.views().map((view) => layerOf(view.layer));
    const marks = new Map(layers.flatMap((layer) => layer.legend).map((mark) => [mark[1], mark]));
    const { start, runIndex, state } = this.page;
    const named = (role, key) => (role === 'prediction' && start.runs[runIndex]?.isTruth
      ? text('legend.truth-b') : text(key));
    $('legend').replaceChildren(
      ...[...marks.values()].map(([role, key, kind]) =>
        make('li', {}, make('span', { class: `mark ${kind}`, 'data-role': role }), named(role, key))),
      ...(start.hasSecond && state.dotted && !start.runs[runIndex]?.isTruth
        ? [make('li', {}, make('span', { class: 'mark dotted' }), text('legend.truth-b'))] : []),
      ...(this.page.showing?.ignored
        ? [make('li', {}, make('span', { class: 'mark area', 'data-role': 'ignored' }),
          text('legend.ignored'))] : []),
    );
  }

  /** Show truth and prediction in turn; where motion is unwelcome, one step a press. */
  blink() {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.blinking && !still) {
      this.stopBlink();
      return;
    }
    const flip = () => {
      this.blinking = { ...this.blinking, truth: !this.blinking?.truth };
      $('viewer').dataset.blink = this.blinking.truth ? 'truth' : 'prediction';
      this.paint();
      this.showLegend();
    };
    flip();
    if (!still) this.blinking.timer = setInterval(flip, BLINK_MS);
    $('blink').setAttribute('aria-pressed', 'true');
  }

  /** Stop blinking; whether it was. */
  stopBlink() {
    if (!this.blinking) return false;
    clearInterval(this.blinking.timer);
    this.blinking = null;
    delete $('viewer').dataset.blink;
    $('blink').setAttribute('aria-pressed', 'false');
    this.showLegend();
    this.paint();
    return true;
  }

  zoomToObject() {
    const { page, stage } = this;
    if (!page.showing) return;
    const masks = page.showing.masks(page.runIndex);
    const boxes = ['truth', 'prediction'].map((role) => masks.box(role)).filter(Boolean);
    if (!boxes.length) return;
    const x = Math.min(...boxes.map((box) => box.x));
    const y = Math.min(...boxes.map((box) => box.y));
    stage.zoomTo({
      x, y,
      width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
      height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
    });
    this.paint();
  }

  move(act) {
    act(this.stage);
    this.paint();
  }
}
