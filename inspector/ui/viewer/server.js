// Everything that is fetched: one place knows the addresses.

import { said, text } from './words.js';

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

  /** A piece of an order that is not fetched whole: {total, rows}. */
  window(query, offset, limit) {
    return this.json(this.address('window', {
      ...query, offset: `${offset}`, limit: `${limit}`,
    }));
  }

  scatter(query) {
    return this.json(this.address('scatter', query));
  }

  /** An analysis: {result} with its blocks, or {progress}. */
  panel(name, query) {
    return this.json(this.address(`panels/${name}`, query));
  }

  // ---- what people keep ----

  findings(since) {
    return this.json(this.address('findings', { since }));
  }

  find(change) {
    return this.send('findings', change);
  }

  undo(which, client) {
    return this.send(`findings/${which}`, { client });
  }

  takeIn(file) {
    const isTable = file.name.toLowerCase().endsWith('.csv');
    return this.send('findings/import', file, isTable ? 'text/csv' : 'application/x-ndjson');
  }

  /** What was found in a run, as blocks of words and tables. */
  found(run) {
    return this.json(this.address('findings/panel', { run }));
  }

  queues() {
    return this.json(this.address('queues'));
  }

  drawQueue(asked) {
    return this.send('queues', asked);
  }

  queue(id) {
    return this.json(this.address(`queues/${id}`));
  }

  views() {
    return this.json(this.address('views'));
  }

  keepView(name, query) {
    return this.send('views', { name, query });
  }

  deleteView(name) {
    return this.send('views', { name }, 'application/json', 'DELETE');
  }

  // ---- what is made of it ----

  askReport(asked) {
    return this.send('report', asked);
  }

  reportState(token) {
    return this.json(this.address(`report/${token}`));
  }

  // ---- a program that points ----

  pointer(since) {
    const url = new URL('data/pointer', root);
    url.searchParams.set('since', since);
    return this.json(url);
  }

  showsNow(query, revision) {
    return this.fetch(new URL('data/pointer', root), {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, revision }),
    });
  }

  // ---- the live model ----

  askModel(question) {
    return this.send('live', question);
  }

  modelState(ticket) {
    return this.json(this.address(`live/${ticket}`));
  }

  cancelModel(ticket) {
    return this.fetch(this.address(`live/${ticket}`), { method: 'DELETE' });
  }

  givePicture(file) {
    return this.send('live/picture', file, 'application/octet-stream');
  }

  givenPicture(token) {
    return this.bitmap(this.address(`live/picture/${token}`));
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

  /** Send JSON, or a file as it is. */
  async send(path, content, kind = 'application/json', method = 'POST') {
    const answer = await this.fetch(this.address(path), {
      method, headers: { 'content-type': kind },
      body: kind === 'application/json' ? JSON.stringify(content) : content,
    });
    return answer.json();
  }

  async json(url) {
    return (await this.fetch(url)).json();
  }

  async fetch(url, options) {
    let answer;
    try {
      answer = await fetch(url, options);
    } catch (error) {
      throw Object.assign(new Error(text('error.server')), { isGone: true, cause: error });
    }
    if (answer.ok) return answer;
    let words = `${answer.status}`;
    let body = {};
    try {
      body = await answer.json();
      words = said(body.error ?? body.detail ?? words);
    } catch {
      // an answer without words: its number has to do
    }
    throw Object.assign(new Error(words), { status: answer.status, body });
  }
}
