// Words and numbers as the page writes them.

import { Sayings } from './said.js';
import { local } from './storage.js';

const KEPT = 'inspector.language';
const TAGS = { zh: 'zh-Hans' }; // by which browsers choose the shapes of the signs

let texts = {};
let sayings = new Sayings(); // what the server says -> the same in the visitor's language

/** The visitor's language among those that there are: as chosen, else as the browser says. */
export function chooseLanguage(languages) {
  const asked = [local.getItem(KEPT), ...navigator.languages];
  const short = asked.filter(Boolean).map((language) => language.toLowerCase().split('-')[0]);
  return short.find((language) => languages.includes(language)) ?? 'en';
}

export function keepLanguage(language) {
  local.setItem(KEPT, language);
}

/** Take the words of a language: its texts by key, and the server's English sentences. */
export function setWords(words, language) {
  texts = words.texts;
  sayings = new Sayings(words.said);
  document.documentElement.lang = TAGS[language] ?? language;
  document.title = text('title');
}

/** What the server said, in the visitor's language; as it is where there is no other. */
export function said(words) {
  return sayings.say(words);
}

/** Fill the [[keys]] of the template in. */
export function fillIn(root) {
  const filled = (words) => words.replace(/\[\[([\w.-]+)\]\]/g, (whole, key) => text(key));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.includes('[[')) node.data = filled(node.data);
      continue;
    }
    for (const { name, value } of [...(node.attributes ?? [])]) {
      if (value.includes('[[')) node.setAttribute(name, filled(value));
    }
  }
}

/** A text of the table with its {places} filled in. */
export function text(key, values = {}) {
  const template = texts[key] ?? key;
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function count(number) {
  return number.toLocaleString('en-US');
}

export function fraction(value) {
  return value === null || value === undefined ? '–' : fixed(value, 3);
}

/** A number with so many decimals: a true minus sign, and none before a zero. */
export function fixed(value, digits, { plus = false } = {}) {
  const size = Math.abs(value).toFixed(digits);
  if (Number(size) === 0) return size;
  return `${value < 0 ? '−' : plus ? '+' : ''}${size}`;
}

/** Make an element with text and attributes; text is never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
