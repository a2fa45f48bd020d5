// What the server says in English, in the visitor's language: whole sentences, or patterns of them.
//
// In a pattern {name} is anything and stays as it is (a run's name, words of the data), {#name} is a
// number, and {*name} is said in turn; where that has no other words the pattern does not fit.
// Several sayings in one line are cut where the server joins them, if all of them are known.

const PLACE = /\{([#*]?\w+)\}/;
const NUMBER = '[-+−]?[\\d.,]*\\d(?:e[-+]?\\d+)?|–';
const JOINTS = ['\n', '. ', '; ', ' AND ', ', ', ' · ']; // the table says what stands in their place
const MOST_KEPT = 5000;

export class Sayings {
  /** `entries` are the server's words -> the same in the other language. */
  constructor(entries = {}) {
    const pairs = Object.entries(entries);
    this.exact = new Map(pairs.filter(([from]) => !PLACE.test(from)));
    this.patterns = pairs.filter(([from]) => PLACE.test(from))
      .map(([from, to]) => asPattern(from, to))
      .sort((one, other) => other.length - one.length); // the one that says most goes first
    this.kept = new Map();
  }

  /** The words in the other language; as they are where it has none. */
  say(words) {
    return words && this.exact.size ? this.translate(words) ?? words : words;
  }

  /** The same, or null where the language has no words for it. */
  translate(words) {
    if (!/\p{L}/u.test(words)) return words; // numbers and signs are the same in every language
    if (this.exact.has(words)) return this.exact.get(words);
    if (this.kept.has(words)) return this.kept.get(words);
    const found = this.joined(words) ?? this.fitted(words) ?? this.ended(words);
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(words, found);
    return found;
  }

  joined(words) {
    for (const joint of JOINTS) {
      const head = joint === '. ' ? 1 : 0; // a full stop belongs to the sentence before it
      for (let at = words.indexOf(joint); at > 0; at = words.indexOf(joint, at + 1)) {
        const first = this.translate(words.slice(0, at + head));
        const rest = first === null ? null : this.translate(words.slice(at + joint.length));
        if (rest !== null) return first + this.exact.get(joint) + rest;
      }
    }
    return null;
  }

  fitted(words) {
    for (const { literal, pattern, to } of this.patterns) {
      const found = words.includes(literal) ? pattern.exec(words) : null;
      const filled = found ? this.filled(to, found.groups) : null;
      if (filled !== null) return filled;
    }
    return null;
  }

  filled(to, places) {
    const values = {};
    for (const [name, words] of Object.entries(places)) {
      const isSaid = name.startsWith('said_');
      const value = isSaid ? this.translate(words) : words;
      if (value === null) return null;
      values[isSaid ? name.slice(5) : name] = value;
    }
    return to.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }

  /** What is known without its full stop. */
  ended(words) {
    const found = words.endsWith('.') ? this.translate(words.slice(0, -1)) : null;
    return found === null ? null : found + this.exact.get('.');
  }
}

function asPattern(from, to) {
  const parts = from.split(new RegExp(PLACE, 'g'));
  const literals = parts.filter((part, at) => at % 2 === 0);
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (part.startsWith('#')) return `(?<${part.slice(1)}>${NUMBER})`;
    return part.startsWith('*') ? `(?<said_${part.slice(1)}>.+?)` : `(?<${part}>.*?)`;
  }).join('');
  return {
    literal: literals.reduce((a, b) => (b.length > a.length ? b : a)),
    length: literals.join('').length,
    pattern: new RegExp(`^${source}$`, 's'), to,
  };
}
