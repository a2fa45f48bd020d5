// The picture as seen: to the clipboard, or as a PNG file.

import { text } from './words.js';

/** Draw the canvas as it is into a PNG. */
function asPng(canvas) {
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('PNG'))), 'image/png');
  });
}

export async function savePicture(canvas, name) {
  const url = URL.createObjectURL(await asPng(canvas));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replace(/[^\w.-]+/g, '_')}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  return text('saved.picture', { name: link.download });
}

export async function copyPicture(canvas) {
  if (!navigator.clipboard?.write) return text('clipboard.closed');
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(canvas) })]);
    return text('copied.picture');
  } catch {
    return text('clipboard.closed');
  }
}

export async function copyText(words, said) {
  try {
    await navigator.clipboard.writeText(words);
    return said;
  } catch {
    return text('clipboard.closed');
  }
}
