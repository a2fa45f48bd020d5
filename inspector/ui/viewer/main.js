// Where the page begins: Gradio has mounted the element, the server is asked what it has.

import { forgetRules, readRules } from './address.js';
import { Page } from './page.js';
import { Server } from './server.js';
import { wait, waitNoMore } from './waiting.js';
import { chooseLanguage, fillIn, said, setWords } from './words.js';

const server = new Server();
const languages = document.querySelector('meta[name="languages"]').content.split(' ');
const language = chooseLanguage(languages);
// Asked at once, while Gradio is still beginning; what fails is said once there is a page.
const words = fetch(new URL(`words.${language}.json`, import.meta.url)).then((a) => a.json());
const asked = server.start(readRules()).catch(async (error) => {
  const began = await server.start({}); // rules that do not exist: say so, and begin without
  began.fault = error.message;
  forgetRules();
  return began;
});
asked.catch(() => {});
words.catch(() => {});

/** Start the page inside the element that Gradio has mounted. */
export async function start(element) {
  setWords(await words, language);
  const frame = document.querySelector('.inspector');
  fillIn(frame);
  frame.removeAttribute('data-waiting');
  wait();
  const began = await asked.finally(waitNoMore);
  const page = new Page(element, { ...translated(began), language, languages }, server);
  await page.open();
}

/** What the server says of modes, metrics and runs, in the visitor's language. */
function translated(start) {
  const named = (entries) => entries.map((entry) => ({
    ...entry, label: said(entry.label), description: said(entry.description),
  }));
  return {
    ...start, rules: said(start.rules), failures: named(start.failures),
    metrics: named(start.metrics),
    runs: start.runs.map((run) => ({
      ...run, coverageText: said(run.coverageText), gap: said(run.gap),
    })),
  };
}
