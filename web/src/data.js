/**
 * The observations of the page: columns of numbers, as the report crate writes them (html/columns.rs).
 *
 * Owns decompression, once for each column that somebody asks for. Refuses to change a number. All text in it is
 * untrusted: it becomes part of the page as text only (`textContent`).
 */

/**
 * @typedef {{ width: number, divisor?: number, sparse?: boolean }} Layout
 * @typedef {{ name: string, title: string, unit: string, columns: number[] }} Metric
 * @typedef {{ benchmark: number, order?: number, extreme?: number, block?: number, turn?: number,
 *   iterations?: number, outcome?: number }} Places
 * @typedef {{ count: number, of: number, first: number, benchmarks: { name: string, source: string }[],
 *   outcomes: string[], metrics: Metric[], columns: Layout[], places: Places, warmups?: Warmups }} Head
 * @typedef {{ count: number, when: "first" | "blocks", metric: number, benchmark: number, block: number, value: number }} Warmups
 */

/** The bytes of a column: base64 of a zlib stream. @param {string} text @returns {Promise<Uint8Array>} */
async function inflated(text) {
  const plain = atob(text);
  const packed = new Uint8Array(plain.length);
  for (let at = 0; at < plain.length; at++) packed[at] = plain.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Numbers from bytes: the lowest bytes of all, then the next. NaN stands for what is absent, here only.
 * @param {Uint8Array} bytes @param {Layout} layout @param {number} count @returns {Float64Array}
 */
function numbersOf(bytes, layout, count) {
  const { width, divisor = 1, sparse = false } = layout;
  const from = sparse ? count : 0;
  const numbers = new Float64Array(count);
  const raw = new Uint8Array(numbers.buffer);
  for (let at = 0; at < count; at++) {
    if (sparse && bytes[at] === 0) {
      numbers[at] = NaN;
    } else if (width === 8) {
      for (let place = 0; place < 8; place++) raw[at * 8 + place] = bytes[from + place * count + at];
    } else {
      let whole = 0;
      for (let place = width - 1; place >= 0; place--) whole = whole * 256 + bytes[from + place * count + at];
      numbers[at] = whole / divisor;
    }
  }
  return numbers;
}

/** All observations. */
class Data {
  /** @param {Head} head */
  constructor(head) {
    this.head = head;
    /** What can stand along an axis: metrics, and behind them how many calls a reading is of. @type {Metric[]} */
    this.quantities = [...head.metrics];
    const { iterations } = head.places;
    if (iterations !== undefined) this.quantities.push({ name: "iterations", title: "Calls", unit: "", columns: [iterations] });
    /** What was asked for, once for all who ask: numbers are known by their array. @type {Map<string, Promise<Float64Array>>} */
    this.known = new Map();
  }

  /** What was asked for before, or is made now. @param {string} key @param {() => Promise<Float64Array>} made @returns {Promise<Float64Array>} */
  kept(key, made) {
    const known = this.known.get(key) ?? made();
    this.known.set(key, known);
    return known;
  }

  /** Those of this page; absent where it has none. @returns {Data | null} */
  static ofPage() {
    const head = document.getElementById("observations");
    return head ? new Data(JSON.parse(head.textContent ?? "")) : null;
  }

  /** @param {number} at @param {number} [count] of its numbers @returns {Promise<Float64Array>} */
  column(at, count = this.head.count) {
    return this.kept(`c${at}`, async () => {
      const text = document.getElementById(`column-${at}`)?.textContent ?? "";
      return numbersOf(await inflated(text), this.head.columns[at], count);
    });
  }

  /** The values of a quantity, sums added up. @param {number} at @returns {Promise<Float64Array>} */
  metric(at) {
    const { columns, unit } = this.quantities[at];
    return this.kept(`m${at}`, async () => {
      const terms = await Promise.all(columns.map((column) => this.column(column)));
      return terms.length === 1 ? terms[0] : sum(terms, unit);
    });
  }

  /**
   * The values of a quantity; a sample that has none has what was read of it apart (what a call of its turn allocated), or else once in
   * its block (what its process took). @param {number} at @returns {Promise<Float64Array>}
   */
  beside(at) {
    return this.kept(`b${at}`, async () => {
      const [own, sample, benchmark, block, turn] = await Promise.all([this.metric(at), this.metric(this.head.first), this.place("benchmark"), this.place("block"), this.place("turn")]);
      if (!benchmark || !block || !turn) return own;
      const lacks = (/** @type {number} */ value, /** @type {number} */ row) => Number.isNaN(value) && !Number.isNaN(sample[row]);
      if (!own.some(lacks)) return own;
      const turns = turn.reduce((most, it) => (it > most ? it : most), 0) + 2;
      const ofBlock = (/** @type {number} */ row) => (block[row] * this.head.benchmarks.length + benchmark[row]) * turns;
      const ofTurn = (/** @type {number} */ row) => ofBlock(row) + (Number.isNaN(turn[row]) ? 0 : turn[row] + 1);
      /** @type {Map<number, number>} */
      const once = new Map();
      for (let row = 0; row < own.length; row++) if (!Number.isNaN(own[row])) once.set(ofTurn(row), once.has(ofTurn(row)) ? NaN : own[row]);
      const apart = (/** @type {number} */ row) => once.get(ofTurn(row)) ?? once.get(ofBlock(row)) ?? NaN;
      return own.map((value, row) => (lacks(value, row) ? apart(row) : value));
    });
  }

  /** What is known of all, by its name. @param {keyof Places} name @returns {Promise<Float64Array | null>} */
  async place(name) {
    const at = this.head.places[name];
    return at === undefined ? null : this.column(at);
  }
}

/**
 * Sums, rounded once: seconds are nanoseconds, which are whole.
 * @param {Float64Array[]} terms @param {string} unit @returns {Float64Array}
 */
function sum(terms, unit) {
  const scale = unit === "s" ? 1e9 : 1;
  return terms[0].map((_, at) => {
    const whole = terms.reduce((total, term) => total + Math.round(term[at] * scale), 0);
    const plain = terms.reduce((total, term) => total + term[at], 0);
    return Math.abs(whole / scale - plain) <= Math.abs(plain) * 1e-12 ? whole / scale : plain;
  });
}
