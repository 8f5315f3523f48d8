// QR codes of addresses: byte mode, error correction level L, versions 1 to 10 (ISO/IEC 18004).

// For each version: data codewords of a block and the number of such blocks, and of blocks with one more; codewords of correction.
const VERSIONS = [
  [19, 1, 0, 7], [34, 1, 0, 10], [55, 1, 0, 15], [80, 1, 0, 20], [108, 1, 0, 26],
  [68, 2, 0, 18], [78, 2, 0, 20], [97, 2, 0, 24], [116, 2, 0, 30], [68, 2, 2, 18],
];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const LEVEL_L = 1;
const MASKS = [
  (x, y) => (x + y) % 2 === 0, (_, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The product of two elements of GF(256). */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** The codewords of error correction of a block (Reed-Solomon). */
function correction(data, count) {
  let generator = [1];
  let root = 1;
  for (let place = 0; place < count; place += 1) {
    generator = [...generator, 0].map((term, index) => term ^ (index ? times(generator[index - 1], root) : 0));
    root = times(root, 2);
  }
  const rest = [...data, ...Array(count).fill(0)];
  data.forEach((_, place) => {
    const factor = rest[place];
    generator.forEach((term, index) => { rest[place + index] ^= times(term, factor); });
  });
  return rest.slice(data.length);
}

/** The remainder of a code of format or version, appended to its bits. */
function withRemainder(value, length, polynomial) {
  const top = 31 - Math.clz32(polynomial);
  let rest = value << top;
  for (let bit = length - 1; bit >= 0; bit -= 1) if ((rest >> (bit + top)) & 1) rest ^= polynomial << bit;
  return (value << top) | rest;
}

/** All codewords in the order in which they are placed. */
function codewords(text, version) {
  const [size, short, long, check] = VERSIONS[version - 1];
  const bytes = [...new TextEncoder().encode(text)];
  const room = size * short + (size + 1) * long;
  const head = `0100${bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0")}`;
  let bits = `${head}${bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("")}`;
  bits += "0".repeat(Math.min(4, 8 * room - bits.length));
  bits += "0".repeat(-bits.length & 7);
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  const sizes = [...Array(short).fill(size), ...Array(long).fill(size + 1)];
  const blocks = sizes.map((each) => data.splice(0, each));
  const interleaved = (lists) => lists.at(-1).flatMap((_, place) => lists.map((list) => list[place])).filter((word) => word !== undefined);
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => correction(block, check)))];
}

/** A grid with the fixed patterns; null where data goes. */
function patterns(version, mask) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, dark) => { if (x >= 0 && y >= 0 && x < size && y < size) grid[y][x] = dark; };
  const square = (x, y, radius, light) => {
    for (let dy = -radius; dy <= radius; dy += 1) for (let dx = -radius; dx <= radius; dx += 1) set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let place = 0; place < size; place += 1) { set(6, place, place % 2 === 0); set(place, 6, place % 2 === 0); }
  const marks = ALIGNMENT[version - 1];
  marks.forEach((x) => marks.forEach((y) => { if (!(x === 6 && y === 6) && !(x === 6 && y === size - 7) && !(x === size - 7 && y === 6)) square(x, y, 2, [1]); }));
  [[3, 3], [size - 4, 3], [3, size - 4]].forEach(([x, y]) => square(x, y, 4, [2, 4]));
  const format = withRemainder((LEVEL_L << 3) | mask, 5, 0x537) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = Boolean((format >> bit) & 1);
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : -1;
    if (near >= 0) set(8, near, dark); else set(bit === 8 ? 7 : 14 - bit, 8, dark);
    if (bit < 8) set(size - 1 - bit, 8, dark); else set(8, size - 15 + bit, dark);
  }
  set(8, size - 8, true);
  if (version >= 7) {
    const code = withRemainder(version, 6, 0x1f25);
    for (let bit = 0; bit < 18; bit += 1) {
      const [a, b] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
      set(a, b, Boolean((code >> bit) & 1));
      set(b, a, Boolean((code >> bit) & 1));
    }
  }
  return grid;
}

/** Put the codewords into the free places, from the right in columns of two, up and down. */
function place(grid, words, mask) {
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y][x] !== null) continue;
        grid[y][x] = Boolean(((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) !== MASKS[mask](x, y);
        bit += 1;
      }
    }
  }
  return grid;
}

/** How hard a grid is to read: long runs and blocks of one colour, and what looks like a corner. */
function penalty(grid) {
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]))].map((line) => line.map((dark) => (dark ? "1" : "0")).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  const corners = lines.reduce((sum, line) => sum + [...line.matchAll(/(?=00001011101|10111010000)/g)].length, 0);
  const blocks = grid.slice(1).reduce((sum, row, y) => sum + row.slice(1).filter((dark, x) => dark === row[x] && dark === grid[y][x] && dark === grid[y][x + 1]).length, 0);
  const dark = grid.flat().filter(Boolean).length / grid.length ** 2;
  return runs + 3 * blocks + 40 * corners + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** A text as a grid of dark and light places; null where it is too long. @param {string} text @returns {boolean[][] | null} */
export function qrCode(text) {
  const bits = 8 * new TextEncoder().encode(text).length;
  const version = 1 + VERSIONS.findIndex(([size, short, long], index) => 4 + (index < 9 ? 8 : 16) + bits <= 8 * (size * short + (size + 1) * long));
  if (!version) return null;
  const words = codewords(text, version);
  const grids = MASKS.map((_, mask) => place(patterns(version, mask), words, mask));
  return grids.reduce((best, grid) => (penalty(grid) < penalty(best) ? grid : best));
}
