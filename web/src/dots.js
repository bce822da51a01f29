/**
 * Many dots at once: painted into an image, pixel by pixel, because a browser takes a hundred times as long for 100,000
 * shapes.
 *
 * Owns colours, too: those of the style sheet, and the ramp for what has an order.
 */

/** Colours that tell apart: `--s0` and so on of the style sheet, which still pictures have, too. */
const SEVERAL = 8;
/** Those that were read, by their names, of the light and of the dark page. @type {Map<string, string>} */
const READ = new Map();
/** Ends and middle of the ramp, light and dark. */
const RAMP = { light: ["#3b3b98", "#1f8a8a", "#c98a00"], dark: ["#8f8ff5", "#4fc7c0", "#f2c14e"] };

/** @returns {boolean} */
function isDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** What the style sheet has for a name. @param {string} name @returns {string} */
function styled(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colour of one of several, `#rrggbb`. @param {number} at @returns {string} */
function colourOf(at) {
  const name = `--s${at % SEVERAL}`;
  const key = `${name} ${isDark()}`;
  const colour = READ.get(key) ?? styled(name);
  READ.set(key, colour);
  return colour;
}

/** A colour as pixels have it, without its alpha. @param {[number, number, number]} channels @returns {number} */
function pixelOf([red, green, blue]) {
  return (blue << 16) | (green << 8) | red;
}

/** @param {string} colour `#rrggbb` @returns {[number, number, number]} */
function channels(colour) {
  const whole = parseInt(colour.slice(1), 16);
  return [whole >> 16, (whole >> 8) & 255, whole & 255];
}

/** Ends and middle of the ramp of the page as it is. @returns {string[]} */
function rampEnds() {
  return isDark() ? RAMP.dark : RAMP.light;
}

/** The colour of a share from 0 to 1. @param {number} share @returns {[number, number, number]} */
function ramp(share) {
  const all = rampEnds().map(channels);
  const [a, b] = share < 0.5 ? [all[0], all[1]] : [all[1], all[2]];
  const part = share < 0.5 ? share * 2 : share * 2 - 1;
  const mixed = a.map((from, at) => Math.round(from + (b[at] - from) * part));
  return [mixed[0], mixed[1], mixed[2]];
}

/** Places of a dot's pixels beside its middle, across and down in turn. @param {number} size @returns {Int8Array} */
function stamp(size) {
  const pixels = [];
  const half = (size - 1) / 2;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (size < 4 || Math.hypot(x - half, y - half) <= size / 2) pixels.push(Math.round(x - half), Math.round(y - half));
    }
  }
  return Int8Array.from(pixels);
}

/**
 * How dots are drawn: the colour of each observation, pixels across, whether they are so many that each covers what is
 * below it, which takes a tenth of the time.
 * @typedef {{ colours: Uint32Array, size: number, isMany: boolean, alpha: number }} Look
 * @typedef {{ left: Float32Array, top: Float32Array, ratio: number }} Standing
 */

/** No observation. */
const NONE = new Uint32Array(0);

/** Whether some, ascending, have one among them. @param {Uint32Array} which @param {number} one @returns {boolean} */
function has(which, one) {
  let [from, to] = [0, which.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (which[middle] < one) from = middle + 1;
    else to = middle;
  }
  return which[from] === one;
}

/** A canvas of dots, which is painted again only where something has changed. */
class Layer {
  constructor() {
    this.canvas = element("canvas", { class: "dots", "aria-hidden": "true" });
    this.image = new ImageData(1, 1);
    this.whole = new Uint32Array(this.image.data.buffer);
    // Asked of the image for every dot, they take longer than the dot.
    this.width = this.height = 1;
    this.painted = /** @type {unknown[]} */ ([]);
  }

  /**
   * Some observations over a canvas so many pixels of the device wide and high.
   * @param {number} width @param {number} height @param {Uint32Array} which @param {Standing} places @param {Look} look
   */
  show(width, height, which, places, look) {
    const { left, top, ratio } = places;
    const { colours, size, alpha, isMany } = look;
    const painted = [width, height, which, left, colours, size, alpha, isMany];
    if (painted.every((it, at) => it === this.painted[at])) return;
    this.painted = painted;
    this.size(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
    const pixels = stamp(size);
    for (let n = 0; n < which.length; n++) {
      const at = which[n];
      const [x, y] = [left[at] * ratio, top[at] * ratio];
      if (x !== x) continue;
      if (isMany) this.put(x, y, size, colours[at], alpha);
      else this.add(x, y, pixels, colours[at], alpha);
    }
    this.canvas.getContext("2d")?.putImageData(this.image, 0, 0);
  }

  /** Makes it empty. @param {number} width @param {number} height */
  size(width, height) {
    if (this.width === width && this.height === height) {
      this.whole.fill(0);
      return;
    }
    this.width = this.canvas.width = width;
    this.height = this.canvas.height = height;
    this.image = new ImageData(width, height);
    this.whole = new Uint32Array(this.image.data.buffer);
  }

  /**
   * Adds a square over all that is there already.
   * @param {number} x @param {number} y @param {number} size @param {number} colour @param {number} alpha
   */
  put(x, y, size, colour, alpha) {
    const { width, height, whole } = this;
    const [left, top] = [(x - size / 2 + 0.5) | 0, (y - size / 2 + 0.5) | 0];
    if (left < 0 || top < 0 || left + size > width || top + size > height) return;
    const opaque = ((alpha * 255) << 24) | colour;
    for (let row = 0, from = top * width + left; row < size; row++, from += width) {
      for (let to = from; to < from + size; to++) whole[to] = opaque;
    }
  }

  /**
   * Adds a dot; where there is one already, both are seen.
   * @param {number} x @param {number} y @param {Int8Array} pixels @param {number} colour @param {number} alpha
   */
  add(x, y, pixels, colour, alpha) {
    const { width, height } = this;
    const { data } = this.image;
    const [left, top] = [Math.round(x), Math.round(y)];
    for (let at = 0; at < pixels.length; at += 2) {
      const px = left + pixels[at];
      const py = top + pixels[at + 1];
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const to = (py * width + px) * 4;
      const under = (data[to + 3] / 255) * (1 - alpha);
      const over = alpha + under;
      const [mine, theirs] = [alpha / over, under / over];
      data[to] = (colour & 255) * mine + data[to] * theirs;
      data[to + 1] = ((colour >> 8) & 255) * mine + data[to + 1] * theirs;
      data[to + 2] = (colour >> 16) * mine + data[to + 2] * theirs;
      data[to + 3] = over * 255;
    }
  }
}
