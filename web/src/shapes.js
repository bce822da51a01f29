/** How values are distributed, along a grid. Pure: numbers in, numbers out. */

/** @param {Extent} extent @returns {number[]} */
function gridOf({ log, lo, hi }) {
  const share = (/** @type {number} */ at) => at / (STEPS - 1);
  const [a, b] = log ? [Math.log(lo), Math.log(hi)] : [lo, hi];
  return Array.from({ length: STEPS }, (_, at) => (log ? Math.exp(a + (b - a) * share(at)) : a + (b - a) * share(at)));
}

/** @param {Float64Array} sorted ascending @returns {number} */
function median(sorted) {
  if (sorted.length === 0) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The share of values at or below each place of a grid. @param {Float64Array} sorted @param {number[]} grid @returns {number[]} */
function cumulative(sorted, grid) {
  let below = 0;
  return grid.map((x) => {
    while (below < sorted.length && sorted[below] <= x) below++;
    return below / sorted.length;
  });
}

/**
 * A density, relative to its largest: values counted on the grid, smoothed with a Gaussian whose width is Silverman's
 * (0.9 times the lesser of standard deviation and quartile range over 1.34, times n^-0.2).
 * @param {Float64Array} sorted @param {number[]} grid @param {Extent} extent @returns {number[]}
 */
function density(sorted, grid, { log, lo, hi }) {
  const of = (/** @type {number} */ value) => (log ? Math.log(value) : value);
  const [from, to] = [of(lo), of(hi)];
  const places = sorted.map((value) => ((of(value) - from) / (to - from)) * (grid.length - 1));
  const n = places.length;
  const mean = places.reduce((sum, it) => sum + it, 0) / n;
  const deviation = Math.sqrt(places.reduce((sum, it) => sum + (it - mean) ** 2, 0) / Math.max(1, n - 1));
  const range = (places[Math.floor(0.75 * (n - 1))] - places[Math.floor(0.25 * (n - 1))]) / 1.34;
  const width = Math.max(1, 0.9 * Math.min(deviation, range || deviation) * n ** -0.2);
  const counts = new Float64Array(grid.length);
  for (const place of places) counts[Math.min(grid.length - 1, Math.max(0, Math.round(place)))] += 1;
  const reach = Math.ceil(width * 4);
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-0.5 * ((at - reach) / width) ** 2));
  const smooth = grid.map((_, at) => kernel.reduce((sum, weight, k) => sum + weight * (counts[at + k - reach] ?? 0), 0));
  const area = smooth.reduce((sum, it) => sum + it, 0);
  return smooth.map((it) => (it / area) * grid.length);
}

/**
 * The values of each of some groups, ascending; those that are absent are left out, and those that are not marked.
 * @param {Float64Array} values @param {Float64Array} group @param {number} groups @param {(Uint8Array | null)[]} marked
 * @returns {Float64Array[]}
 */
function sortedBy(values, group, groups, [first, second]) {
  const counts = new Uint32Array(groups);
  const kept = new Uint32Array(values.length);
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    if (Number.isNaN(values[at]) || first?.[at] === 0 || second?.[at] === 0) continue;
    kept[count++] = at;
    counts[group[at]]++;
  }
  const sorted = Array.from(counts, (count) => new Float64Array(count));
  counts.fill(0);
  for (let at = 0; at < count; at++) {
    const of = group[kept[at]];
    sorted[of][counts[of]++] = values[kept[at]];
  }
  return sorted.map((those) => those.sort());
}

/** 1 where there is none, 0 where there is. @param {Float64Array} flags @returns {Uint8Array} */
function inverted(flags) {
  return Uint8Array.from(flags, (flag) => 1 - flag);
}

/** Numbers from 1, of places from 0 where those are known. @param {Float64Array | null} places @param {number} count */
function counted(places, count) {
  const numbers = new Float64Array(count);
  for (let at = 0; at < count; at++) numbers[at] = 1 + (places ? places[at] : at);
  return numbers;
}
