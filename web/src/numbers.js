/**
 * Numbers as a reader sees them, and back from cells of tables.
 *
 * Owns the choice of a unit, which is that of the report crate: the largest in which a value is at least 1. Refuses
 * rounding of what is downloaded.
 */

/** @type {Record<string, [string, number][]>} */
const LADDERS = {
  s: [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]],
  B: [["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["B", 1]],
  count: [["", 1]],
};

/**
 * The unit for values up to a size.
 * @param {string} base @param {number} size @returns {{ symbol: string, factor: number }}
 */
function unitFor(base, size) {
  const ladder = LADDERS[base] ?? [[base, 1]];
  const fitting = ladder.find(([, factor]) => size >= factor * 0.999995) ?? ladder[ladder.length - 1];
  return { symbol: fitting[0], factor: fitting[1] };
}

/** A number with at most so many significant digits. @param {number} value @param {number} digits @returns {string} */
function digits(value, digits = 4) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-9) return value.toExponential(Math.max(0, digits - 1));
  return value.toLocaleString("en", { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))) });
}

/** A value with its unit. @param {number} value @param {string} base @returns {string} */
function shown(value, base) {
  if (Number.isNaN(value)) return "none";
  const unit = unitFor(base, Math.abs(value));
  return `${digits(value / unit.factor)} ${unit.symbol}`.trimEnd();
}

/** What cells are written in, as factors to a base unit. @type {Record<string, number>} */
const FACTORS = {
  ns: 1e-9, µs: 1e-6, us: 1e-6, ms: 1e-3, s: 1, sec: 1, min: 60, h: 3600,
  B: 1, kB: 1e3, KB: 1e3, KiB: 1024, MB: 1e6, MiB: 1048576, GB: 1e9, GiB: 1073741824, k: 1e3, M: 1e6, G: 1e9,
};

/** Of an interval behind its level its lower end, with the unit of both: `95 % (1.53 … 1.84) µs`. @param {string} text @returns {string} */
function withUnit(text) {
  const found = /^(?:[\d.]+ % )?\((\S+) … \S+\)\s*(\S*)$/.exec(text);
  return found ? `${found[1]} ${found[2]}` : text;
}

/** The first number of a cell in base units; absent without one. @param {string} text @returns {number | null} */
function numberIn(text) {
  const plain = withUnit(text.replace(/[\u00a0\u202f\u2009]/g, " ").replace(/\u2212/g, "-").trim());
  const found = /^[~<>≤≥±×(]*\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)\s*([a-zA-Zµ%]*)/.exec(plain);
  if (!found) return null;
  return Number(found[1].replace(/,/g, "")) * (FACTORS[found[2]] ?? 1);
}
