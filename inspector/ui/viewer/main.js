// Where the page begins: Gradio has mounted the element, the server is asked what it has.

import { Page } from './page.js';
import { Server } from './server.js';
import { setTexts } from './words.js';

/** Start the page inside the element that Gradio mounted. */
export async function start(element, props) {
  setTexts(props.texts);
  const server = new Server();
  const page = new Page(element, await server.start(), server);
  await page.open();
}
