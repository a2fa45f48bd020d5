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

/** The outline of a mask along pixel edges, as closed loops, so that dashes run along them. */
export function outline(pixels, height, width) {
  const edges = edgesOf(pixels, height, width);
  const { east, west, north, south } = edges;
  const path = new Path2D();
  const place = (at) => [at % (width + 1), Math.floor(at / (width + 1))];
  for (const begin of east.keys()) { // every loop has a piece that goes east
    path.moveTo(...place(begin));
    let [at, way] = [begin, east];
    do {
      const next = way.get(at);
      if (at !== begin || way !== east) way.delete(at); // the first stays until the loop is closed
      at = next;
      path.lineTo(...place(at));
      // Where two pieces touch at a corner, the turn to the right keeps them apart.
      if (way === east) way = south.has(at) ? south : north;
      else if (way === west) way = north.has(at) ? north : south;
      else if (way === south) way = west.has(at) ? west : east;
      else way = east.has(at) ? east : west;
    } while (at !== begin || way !== east);
    east.delete(begin);
    path.closePath();
  }
  return path;
}

/** Straight pieces of the outline with the mask on their right: corner of begin -> of end. */
function edgesOf(pixels, height, width) {
  const edges = { east: new Map(), west: new Map(), north: new Map(), south: new Map() };
  const corner = (x, y) => y * (width + 1) + x;
  for (let y = 0; y <= height; y++) {
    let [kind, from] = [0, 0]; // 1: the mask is below, -1: above
    for (let x = 0; x <= width; x++) {
      const at = y * width + x;
      const now = x < width
        ? (y < height ? pixels[at] : 0) - (y > 0 ? pixels[at - width] : 0) : 0;
      if (now === kind) continue;
      if (kind > 0) edges.east.set(corner(from, y), corner(x, y));
      else if (kind < 0) edges.west.set(corner(x, y), corner(from, y));
      [kind, from] = [now, x];
    }
  }
  for (let x = 0; x <= width; x++) {
    let [kind, from] = [0, 0]; // 1: the mask is on the right, -1: on the left
    for (let y = 0; y <= height; y++) {
      const at = y * width + x;
      const now = y < height
        ? (x < width ? pixels[at] : 0) - (x > 0 ? pixels[at - 1] : 0) : 0;
      if (now === kind) continue;
      if (kind > 0) edges.north.set(corner(x, y), corner(x, from));
      else if (kind < 0) edges.south.set(corner(x, from), corner(x, y));
      [kind, from] = [now, y];
    }
  }
  return edges;
}
