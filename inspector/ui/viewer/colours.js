// The three colours that carry meaning: changeable, remembered, used by canvas and page alike.

import { local } from './storage.js';

const DEFAULTS = { truth: '#0072b2', prediction: '#d55e00', agreement: '#ffffff' };
const KEPT = 'inspector.colours';

let current = { ...DEFAULTS, ...stored() };
let revision = 0;

function stored() {
  try {
    const kept = JSON.parse(local.getItem(KEPT) ?? '{}');
    return Object.fromEntries(
      Object.entries(kept).filter(([k, v]) => k in DEFAULTS && /^#[0-9a-f]{6}$/i.test(v)),
    );
  } catch {
    return {};
  }
}

export function colour(role) {
  return current[role];
}

/** Red, green, blue from 0 to 255. */
export function channels(role) {
  const value = parseInt(current[role].slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Changes with every change of a colour, so that what was drawn in the old one is told apart. */
export function colourRevision() {
  return revision;
}

export function setColours(changes) {
  current = { ...current, ...changes };
  revision++;
  local.setItem(KEPT, JSON.stringify(current));
  applyColours();
}

export function resetColours() {
  setColours(DEFAULTS);
}

/** Hand the colours to the style sheet. */
export function applyColours() {
  const { style } = document.querySelector('.inspector');
  for (const [role, value] of Object.entries(current)) style.setProperty(`--${role}`, value);
}
