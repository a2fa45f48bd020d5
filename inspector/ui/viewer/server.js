// Everything that is fetched: one place knows the addresses.

const root = new URL(
  location.pathname.endsWith('/') ? location.pathname : `${location.pathname}/`,
  location.origin,
);

export class Server {
  constructor() {
    this.version = '';
  }

  async start() {
    const start = await this.json(new URL('data/start', root));
    this.version = start.version;
    return start;
  }

  problems() {
    return this.json(new URL('data/problems', root));
  }

  async order(query) {
    const answer = await this.fetch(this.address('order', query));
    return new Int32Array(await answer.arrayBuffer());
  }

  async describe(query) {
    return (await this.json(this.address('describe', query))).sentence;
  }

  /** The ids of all examples by their place in the data set. */
  ids() {
    return this.json(this.address('ids'));
  }

  examples(places) {
    return this.json(this.address(`examples/${places.join(',')}`));
  }

  async picture(row) {
    const answer = await this.fetch(this.address(`pictures/${row}`));
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

  async fetch(url) {
    const answer = await fetch(url);
    if (!answer.ok) {
      let text = '';
      try {
        const body = await answer.json();
        text = body.error ?? body.detail ?? '';
      } catch {
        text = '';
      }
      throw Object.assign(new Error(text || `${answer.status}`), { status: answer.status });
    }
    return answer;
  }
}
