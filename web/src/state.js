/**
 * What the reader has chosen, kept in the fragment of the page's address, so that a link shows the same.
 *
 * Owns the fragment: `key=value&…`, what is as at first left out. What it cannot read, or what the data have not, is
 * as at first.
 */

/**
 * A range of each of some columns: an observation is selected if it is in all. Keys are `order` and `m0`, `m1`, ….
 * @typedef {Map<string, [number, number]>} Ranges
 */

class State {
  constructor() {
    /** @type {Map<string, string>} */
    this.values = new Map();
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.read();
    addEventListener("hashchange", () => {
      if (location.hash.slice(1) !== this.written()) {
        this.read();
        this.listeners.forEach((listener) => listener());
      }
    });
  }

  read() {
    this.values = new Map(new URLSearchParams(location.hash.slice(1)));
  }

  /** @returns {string} */
  written() {
    return new URLSearchParams([...this.values]).toString();
  }

  /** @param {string} key @returns {string | null} */
  get(key) {
    return this.values.get(key) ?? null;
  }

  /** One of some; the first if nothing else is there. @param {string} key @param {string[]} known @returns {string} */
  oneOf(key, known) {
    const value = this.get(key);
    return value !== null && known.includes(value) ? value : known[0];
  }

  /** Remembers a value; `null` is as at first. @param {string} key @param {string | null} value */
  set(key, value) {
    if (value === null) this.values.delete(key);
    else this.values.set(key, value);
    const text = this.written();
    // The page stays where it is, and a step back leads out of it.
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }

  /** @returns {Ranges} */
  get ranges() {
    /** @type {Ranges} */
    const ranges = new Map();
    for (const part of (this.get("selected") ?? "").split(";")) {
      const [key, lo, hi] = part.split(",");
      const ends = [Number(lo), Number(hi)];
      if (/^(order|m\d+)$/.test(key) && ends.every(Number.isFinite)) ranges.set(key, [ends[0], ends[1]]);
    }
    return ranges;
  }

  /** @param {Ranges} ranges */
  set ranges(ranges) {
    const parts = [...ranges].map(([key, [lo, hi]]) => [key, lo, hi].join(","));
    this.set("selected", parts.length > 0 ? parts.join(";") : null);
  }
}
