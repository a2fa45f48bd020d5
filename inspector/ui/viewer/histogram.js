// A histogram that is brushed: drag over bars to choose a range; two fields do the same by keyboard.

import { RangeFields } from './range_fields.js';
import { count, make } from './words.js';

const HEIGHT = 44;

export class Histogram {
  /**
   * @param element where it is put
   * @param options {label, step (1 of whole numbers), edges, format, read, chosen}
   *   `read` makes a range of "low..high"; `chosen` is called with one when the person has chosen
   */
  constructor(element, options) {
    Object.assign(this, options);
    this.canvas = make('canvas', { height: HEIGHT, 'aria-hidden': 'true' });
    this.fields = new RangeFields(options);
    element.append(this.canvas, this.fields.element);
    this.listen();
    this.range = null;
    this.bins = null;
  }

  /** Show `bins`, their `edges` (one more) and the upper `ends` of ranges that end with each. */
  show({ bins, edges, ends }, range) {
    Object.assign(this, { bins, edges, ends });
    this.setRange(range);
  }

  setRange(range) {
    this.range = range;
    this.fields.show(range);
    this.draw();
  }

  draw() {
    const { canvas, bins } = this;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, canvas.clientWidth * ratio);
    canvas.height = HEIGHT * ratio;
    if (!bins) return;
    const context = canvas.getContext('2d');
    const style = getComputedStyle(canvas);
    const most = Math.max(1, ...bins);
    const width = canvas.width / bins.length;
    bins.forEach((value, at) => {
      const height = value ? Math.max(2 * ratio, (value / most) * (canvas.height - 2 * ratio)) : 0;
      context.fillStyle = this.covers(at)
        ? style.getPropertyValue('--ink') : style.getPropertyValue('--bar');
      context.fillRect(at * width + ratio / 2, canvas.height - height, width - ratio, height);
    });
    canvas.title = bins.map((value, at) => `${this.name(at)}: ${count(value)}`).join('\n');
  }

  /** Whole numbers from 3 to 5 stand between the edges 3 and 6. */
  name(bin) {
    const [low, high] = [this.edges[bin], this.edges[bin + 1] - (this.step === 1 ? 1 : 0)];
    return low === high ? this.format(low) : `${this.format(low)}–${this.format(high)}`;
  }

  covers(bin) {
    if (!this.range) return false;
    const low = this.range[0] ?? -Infinity;
    const high = this.range[1] ?? Infinity;
    const begins = this.edges[bin];
    return this.edges[bin + 1] > low && (this.step === 1 ? begins <= high : begins < high);
  }

  listen() {
    const { canvas } = this;
    let from = null;
    const bin = (event) => {
      const at = Math.floor((event.offsetX / canvas.clientWidth) * (this.bins?.length ?? 1));
      return Math.min((this.bins?.length ?? 1) - 1, Math.max(0, at));
    };
    const preview = (event) => {
      const [first, last] = [from, bin(event)].sort((a, b) => a - b);
      this.setRange(this.read(`${this.edges[first]}..${this.ends[last]}`));
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (!this.bins) return;
      from = bin(event);
      canvas.setPointerCapture(event.pointerId);
      preview(event);
    });
    canvas.addEventListener('pointermove', (event) => from !== null && preview(event));
    canvas.addEventListener('pointerup', () => {
      if (from === null) return;
      from = null;
      this.chosen(this.range);
    });
  }
}
