// Where the page begins: Gradio has mounted the element, the server is asked what it has.

import { forgetRules, readRules } from './address.js';
import { Page } from './page.js';
import { Server } from './server.js';
import { setTexts } from './words.js';

/** Start the page inside the element that Gradio mounted. */
export async function start(element, props) {
  setTexts(props.texts);
  const server = new Server();
  let began;
  try {
    began = await server.start(readRules());
  } catch (error) { // rules that do not exist: say so, and begin under those of the command
    began = await server.start({});
    began.fault = error.message;
    forgetRules();
  }
  const page = new Page(element, began, server);
  await page.open();
}
