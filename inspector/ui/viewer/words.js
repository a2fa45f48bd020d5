// Words and numbers as the page writes them.

let texts = {};

export function setTexts(table) {
  texts = table;
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
  return value === null || value === undefined ? '–' : value.toFixed(3);
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
