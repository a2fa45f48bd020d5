// Everything that is fetched: one place knows the addresses.

const root = new URL(
  location.pathname.endsWith('/') ? location.pathname : `${location.pathname}/`,
  location.origin,
);

export class Server {
  constructor() {
    this.version = '';
  }

  /** Names, counts, metrics and menus: everything that the page needs once. */
  async start(rules) {
    const url = new URL('data/start', root);
    for (const [key, value] of Object.entries(rules)) if (value) url.searchParams.set(key, value);
    const start = await this.json(url);
    this.version = start.version;
    return start;
  }

  /** Read the files again; what is new or has grown is there after the page begins anew. */
  reload() {
    return this.fetch(new URL('data/reload', root), { method: 'POST' });
  }

  problems() {
    return this.json(new URL('data/problems', root));
  }

  /** Places of the selected examples in their order. */
  order(query) {
    return this.numbers('order', query);
  }

  /** How many examples each value of each filter would leave. */
  counts(query) {
    return this.json(this.address('counts', query));
  }

  /** The selection in English: {sentence, phrases, suggestion}. */
  describe(query) {
    return this.json(this.address('describe', query));
  }

  /** The ids of all examples by their place in the data set. */
  ids() {
    return this.json(this.address('ids'));
  }

  /** The number of each example's referent, the same for all its sentences. */
  referents() {
    return this.numbers('referents');
  }

  /** The row of each example's picture. */
  images() {
    return this.numbers('images');
  }

  async numbers(path, query = {}) {
    const answer = await this.fetch(this.address(path, query));
    return new Int32Array(await answer.arrayBuffer());
  }

  examples(places) {
    return this.json(this.address(`examples/${places.join(',')}`));
  }

  /** What tables and tiles show of examples; with masks where they are drawn. */
  rows(places, run, masks) {
    return this.json(this.address(`rows/${places.join(',')}`, { run, masks: masks ? '1' : '' }));
  }

  scatter(query) {
    return this.json(this.address('scatter', query));
  }

  /** An analysis: {result} with its blocks, or {progress}. */
  panel(name, query) {
    return this.json(this.address(`panels/${name}`, query));
  }

  async picture(row) {
    return this.bitmap(this.address(`pictures/${row}`));
  }

  async thumbnail(row) {
    return this.bitmap(this.address(`thumbnails/${row}`));
  }

  /** Masks are in the frame of the stored pixels, so a turned photograph is not turned here. */
  async bitmap(url) {
    const answer = await this.fetch(url);
    return createImageBitmap(await answer.blob(), { imageOrientation: 'none' });
  }

  address(path, query = {}) {
    const url = new URL(`data/${this.version}/${path}`, root);
    for (const [key, value] of Object.entries(query)) if (value) url.searchParams.set(key, value);
    return url;
  }

  async json(url) {
    return (await this.fetch(url)).json();
  }

  async fetch(url, options) {
    const answer = await fetch(url, options);
    if (answer.ok) return answer;
    let said = `${answer.status}`;
    try {
      const body = await answer.json();
      said = body.error ?? body.detail ?? said;
    } catch {
      // an answer without words: its number has to do
    }
    throw Object.assign(new Error(said), { status: answer.status });
  }
}
