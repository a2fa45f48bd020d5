// All sentences of the target: the same picture, each sentence's mask and IoU, one below the other.

import { Pen } from './pen.js';
import { layerOf } from './layers.js';
import { fraction, make, text } from './words.js';

const WIDTH = 72;
const HEIGHT = 54;

export class Strip {
  constructor(element, { choose, veils }) {
    Object.assign(this, { element, choose, veils });
    this.key = '';
  }

  /** Show the sentences at once; their pictures follow when `load(place)` has them ready. */
  show(item, runIndex, load) {
    const { siblings } = item;
    this.element.hidden = siblings.length < 2;
    const key = siblings.map((sibling) => sibling.place).join(',') + `/${runIndex}`;
    if (key !== this.key) {
      this.key = key;
      this.build(siblings, runIndex, load);
    }
    for (const button of this.element.querySelectorAll('button')) {
      const current = Number(button.dataset.place) === item.index;
      if (current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  build(siblings, runIndex, load) {
    const { key } = this;
    this.element.querySelector('div').replaceChildren(...siblings.map((sibling) => {
      const run = sibling.runs[runIndex];
      const value = !run ? '' : run.status === 'scored'
        ? fraction(run.iou) : text(`status.${run.status}`);
      const canvas = make('canvas', { 'aria-hidden': 'true' });
      const veiled = this.veils(sibling);
      const button = make('button', { type: 'button', 'data-place': sibling.place,
        title: veiled ? null : sibling.sentence }, canvas,
      make('span', { class: veiled ? 'words veiled-words' : 'words' }, sibling.sentence), make('span', { class: 'value' }, value));
      button.addEventListener('click', () => this.choose(sibling.place));
      load(sibling.place).then((ready) => {
        if (this.key === key) thumbnail(canvas, ready, runIndex, WIDTH, HEIGHT);
      }, () => {});
      return button;
    }));
  }
}

/** Draw an example small, its masks as in the agreement layer. */
export function thumbnail(canvas, ready, runIndex, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d');
  const scale = Math.min(canvas.width / ready.width, canvas.height / ready.height);
  context.setTransform(
    scale, 0, 0, scale,
    (canvas.width - ready.width * scale) / 2, (canvas.height - ready.height * scale) / 2,
  );
  if (ready.bitmap) {
    context.imageSmoothingQuality = 'medium';
    context.drawImage(ready.bitmap, 0, 0, ready.width, ready.height);
  } else {
    context.fillStyle = getComputedStyle(canvas).getPropertyValue('--no-picture');
    context.fillRect(0, 0, ready.width, ready.height);
  }
  const pen = new Pen(context, ready.masks(runIndex), { unit: ratio / scale, opacity: 0.65 });
  layerOf('agreement').draw({
    fill: (role) => pen.fill(role),
    line: (role) => pen.line(role, 1),
  });
}
