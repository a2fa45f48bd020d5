// COCO's compressed run lengths, decoded in the browser. The server has checked them.

/** Decode compressed counts into run lengths, background first, column by column. */
export function decodeCounts(text) {
  const runs = [];
  let at = 0;
  while (at < text.length) {
    let value = 0;
    let shift = 0;
    let code;
    do {
      code = text.charCodeAt(at++) - 48;
      value |= (code & 31) << shift;
      shift += 5;
    } while (code & 32);
    if (code & 16 && shift < 32) value |= -1 << shift;
    if (runs.length > 2) value += runs[runs.length - 2];
    runs.push(value);
  }
  return runs;
}

/** Fill a row-major array of height x width with 1 where the mask is. */
export function rasterise(text, height, width) {
  const pixels = new Uint8Array(height * width);
  let place = 0;
  let inside = false;
  for (const run of decodeCounts(text)) {
    if (inside) {
      let y = place % height;
      let x = (place - y) / height;
      for (let left = run; left > 0; left--) {
        pixels[y * width + x] = 1;
        if (++y === height) {
          y = 0;
          x++;
        }
      }
    }
    place += run;
    inside = !inside;
  }
  return pixels;
}

/** The smallest box around a mask as {x, y, width, height}, or null where it is empty. */
export function boxOf(pixels, height, width) {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const first = pixels.indexOf(1, row);
    if (first < 0 || first >= row + width) continue;
    const last = pixels.lastIndexOf(1, row + width - 1);
    left = Math.min(left, first - row);
    right = Math.max(right, last - row);
    top = Math.min(top, y);
    bottom = y;
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The outline of a mask along pixel edges, each straight piece as one line. */
export function outline(pixels, height, width) {
  const path = new Path2D();
  for (let y = 0; y <= height; y++) {
    const above = (y - 1) * width;
    const below = y * width;
    let from = -1;
    for (let x = 0; x <= width; x++) {
      const edge =
        x < width && (y > 0 ? pixels[above + x] : 0) !== (y < height ? pixels[below + x] : 0);
      if (edge && from < 0) from = x;
      if (!edge && from >= 0) {
        path.moveTo(from, y);
        path.lineTo(x, y);
        from = -1;
      }
    }
  }
  for (let x = 0; x <= width; x++) {
    let from = -1;
    for (let y = 0; y <= height; y++) {
      const place = y * width + x;
      const edge =
        y < height && (x > 0 ? pixels[place - 1] : 0) !== (x < width ? pixels[place] : 0);
      if (edge && from < 0) from = y;
      if (!edge && from >= 0) {
        path.moveTo(x, from);
        path.lineTo(x, y);
        from = -1;
      }
    }
  }
  return path;
}
