// What takes longer than a moment is shown to be awaited.

const PATIENCE_MS = 400;
let waiting = null;

export function wait() {
  waiting ??= setTimeout(
    () => document.getElementById('viewer').setAttribute('aria-busy', 'true'), PATIENCE_MS,
  );
}

export function waitNoMore() {
  if (waiting === null) return; // nothing of the document is touched on a page turn
  clearTimeout(waiting);
  waiting = null;
  document.getElementById('viewer').removeAttribute('aria-busy');
}
