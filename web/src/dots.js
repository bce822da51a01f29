/**
 * Many dots at once: painted into an image, pixel by pixel, because a browser takes a hundred times as long for 100,000
 * shapes.
 *
 * Owns colours, too: those of the light and of the dark page, and the ramp for what has an order.
 */

const LIGHT = ["#1f5fbf", "#c4521a", "#17795a", "#8a4fb0", "#96650a", "#b3356d", "#2f7686", "#666b70"];
const DARK = ["#7db0f5", "#f0965e", "#5cc79d", "#c39bea", "#dfb04c", "#ee86b2", "#77c2d3", "#b0b6bc"];
/** Ends and middle of the ramp, light and dark. */
const RAMP = { light: ["#3b3b98", "#1f8a8a", "#c98a00"], dark: ["#8f8ff5", "#4fc7c0", "#f2c14e"] };

/** @returns {boolean} */
function isDark() {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The colour of one of several. @param {number} at @returns {string} */
function colourOf(at) {
  const all = isDark() ? DARK : LIGHT;
  return all[at % all.length];
}

/** @param {string} colour `#rrggbb` @returns {[number, number, number]} */
function channels(colour) {
  const whole = parseInt(colour.slice(1), 16);
  return [whole >> 16, (whole >> 8) & 255, whole & 255];
}

/** The colour of a share from 0 to 1. @param {number} share @returns {[number, number, number]} */
function ramp(share) {
  const all = (isDark() ? RAMP.dark : RAMP.light).map(channels);
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

/** An image of dots. */
class Dots {
  /** @param {number} width @param {number} height in pixels of the device */
  constructor(width, height) {
    this.image = new ImageData(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
    this.whole = new Uint32Array(this.image.data.buffer);
  }

  /**
   * Adds a square over all that is there already, which takes a tenth of the time.
   * @param {number} x @param {number} y @param {number} size
   * @param {Uint8Array} colours three for each dot @param {number} which @param {number} alpha
   */
  put(x, y, size, colours, which, alpha) {
    const { width, height } = this.image;
    const [left, top, c] = [(x - size / 2 + 0.5) | 0, (y - size / 2 + 0.5) | 0, which * 3];
    if (left < 0 || top < 0 || left + size > width || top + size > height) return;
    const colour = ((alpha * 255) << 24) | (colours[c + 2] << 16) | (colours[c + 1] << 8) | colours[c];
    for (let row = 0, from = top * width + left; row < size; row++, from += width) {
      for (let to = from; to < from + size; to++) this.whole[to] = colour;
    }
  }

  /**
   * Adds a dot; where there is one already, both are seen.
   * @param {number} x @param {number} y @param {Int8Array} pixels
   * @param {Uint8Array} colours three for each dot @param {number} which @param {number} alpha
   */
  add(x, y, pixels, colours, which, alpha) {
    const { width, height, data } = this.image;
    const [left, top, c] = [Math.round(x), Math.round(y), which * 3];
    for (let at = 0; at < pixels.length; at += 2) {
      const px = left + pixels[at];
      const py = top + pixels[at + 1];
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const to = (py * width + px) * 4;
      const under = (data[to + 3] / 255) * (1 - alpha);
      const over = alpha + under;
      const [mine, theirs] = [alpha / over, under / over];
      data[to] = colours[c] * mine + data[to] * theirs;
      data[to + 1] = colours[c + 1] * mine + data[to + 1] * theirs;
      data[to + 2] = colours[c + 2] * mine + data[to + 2] * theirs;
      data[to + 3] = over * 255;
    }
  }

  /** @param {CanvasRenderingContext2D} to @param {number} left @param {number} top */
  paint(to, left, top) {
    const canvas = new OffscreenCanvas(this.image.width, this.image.height);
    canvas.getContext("2d")?.putImageData(this.image, 0, 0);
    to.drawImage(canvas, left, top);
  }
}
