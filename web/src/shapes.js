/** How values are distributed, along a grid. Pure: numbers in, numbers out. */

/** @param {Extent} extent @returns {number[]} */
function gridOf({ log, lo, hi }) {
  const share = (/** @type {number} */ at) => at / (STEPS - 1);
  const [a, b] = log ? [Math.log(lo), Math.log(hi)] : [lo, hi];
  return Array.from({ length: STEPS }, (_, at) => (log ? Math.exp(a + (b - a) * share(at)) : a + (b - a) * share(at)));
}

/**
 * The value that would stand at a place if all were in ascending order, which they are not put in: linear in the values,
 * whose order changes (Hoare's selection).
 * @param {Float64Array} values @param {number} place @returns {number}
 */
function nth(values, place) {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1];
    let [low, high] = [left, right];
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      [values[low], values[high]] = [values[high], values[low]];
      low++;
      high--;
    }
    if (place <= high) right = high;
    else if (place >= low) left = low;
    else break;
  }
  return values[place];
}

/** @param {Float64Array} values in any order, which is kept @returns {number} */
function median(values) {
  if (values.length === 0) return NaN;
  const copy = values.slice();
  const middle = copy.length >> 1;
  const upper = nth(copy, middle);
  if (copy.length % 2 === 1) return upper;
  // Behind a selection, everything before its place is at most as large.
  return (copy.subarray(0, middle).reduce((most, it) => (it > most ? it : most), -Infinity) + upper) / 2;
}

/** Where a value stands along a grid, in steps from its first place. @param {Extent} extent @returns {(value: number) => number} */
function alongGrid({ log, lo, hi }) {
  const [from, to] = log ? [Math.log(lo), Math.log(hi)] : [lo, hi];
  return (value) => (((log ? Math.log(value) : value) - from) / (to - from)) * (STEPS - 1);
}

/**
 * The share of values at or below each place of a grid.
 * @param {Float64Array} values in any order @param {number[]} grid @param {Extent} extent @returns {number[]}
 */
function cumulative(values, grid, extent) {
  const along = alongGrid(extent);
  const counts = new Float64Array(grid.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    // Rounding may miss the place by one.
    let place = Math.min(grid.length - 1, Math.max(0, Math.ceil(along(value))));
    while (place > 0 && grid[place - 1] >= value) place--;
    while (place < grid.length && grid[place] < value) place++;
    if (place < grid.length) counts[place]++;
  }
  let below = 0;
  return grid.map((_, at) => (below += counts[at]) / values.length);
}

/**
 * A density, relative to its largest: values counted on the grid, smoothed with a Gaussian whose width is Silverman's
 * (0.9 times the lesser of standard deviation and quartile range over 1.34, times n^-0.2). As in still pictures, none is below 0
 * where no value is.
 * @param {Float64Array} values in any order @param {number[]} grid @param {Extent} extent @returns {number[]}
 */
function density(values, grid, extent) {
  const along = alongGrid(extent);
  const n = values.length;
  const counts = new Float64Array(grid.length);
  let [sum, squares] = [0, 0];
  for (let at = 0; at < n; at++) {
    const place = along(values[at]);
    sum += place;
    squares += place * place;
    counts[Math.min(grid.length - 1, Math.max(0, Math.round(place)))] += 1;
  }
  const deviation = Math.sqrt(Math.max(0, squares - (sum * sum) / n) / Math.max(1, n - 1));
  /** The step of the grid at which so many values are reached. */
  const reached = (/** @type {number} */ share) => {
    let [at, left] = [0, share * (n - 1) + 1];
    while (at < counts.length - 1 && (left -= counts[at]) > 0) at++;
    return at;
  };
  const range = (reached(0.75) - reached(0.25)) / 1.34;
  const width = Math.max(1, 0.9 * Math.min(deviation, range || deviation) * n ** -0.2);
  const reach = Math.ceil(width * 4);
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-0.5 * ((at - reach) / width) ** 2));
  // Of values none of which is below 0: what would be there stands where it is mirrored.
  const isMirrored = !extent.log && extent.lo === 0;
  const counted = (/** @type {number} */ at) => (counts[at] ?? 0) + (isMirrored && at <= 0 ? counts[-at] ?? 0 : 0);
  const smooth = grid.map((_, at) => kernel.reduce((sum, weight, k) => sum + weight * counted(at + k - reach), 0));
  const area = smooth.reduce((sum, it) => sum + it, 0);
  return smooth.map((it) => (it / area) * grid.length);
}

/**
 * The values of each of some groups, of some observations; those that are absent are left out.
 * @param {Float64Array} values @param {Float64Array} group @param {number} groups @param {Uint32Array} which
 * @returns {Float64Array[]}
 */
function parted(values, group, groups, which) {
  const counts = new Uint32Array(groups);
  for (let n = 0; n < which.length; n++) {
    const at = which[n];
    if (values[at] === values[at]) counts[group[at]]++;
  }
  const parts = Array.from(counts, (count) => new Float64Array(count));
  counts.fill(0);
  for (let n = 0; n < which.length; n++) {
    const at = which[n];
    const value = values[at];
    if (value === value) parts[group[at]][counts[group[at]]++] = value;
  }
  return parts;
}

/** Those of some whose value is in a range. @param {Float64Array} values @param {number} lo @param {number} hi @param {Uint32Array} which @returns {Uint32Array} */
function within(values, lo, hi, which) {
  const found = new Uint32Array(which.length);
  let count = 0;
  for (let n = 0; n < which.length; n++) {
    const at = which[n];
    if (values[at] >= lo && values[at] <= hi) found[count++] = at;
  }
  return found.subarray(0, count);
}

/** Those of some that are in both. @param {Float64Array} one @param {Float64Array} other @param {Uint32Array} which @returns {Uint32Array} */
function paired(one, other, which) {
  const found = new Uint32Array(which.length);
  let count = 0;
  for (let n = 0; n < which.length; n++) {
    const at = which[n];
    if (one[at] === one[at] && other[at] === other[at]) found[count++] = at;
  }
  return found.subarray(0, count);
}

/** Numbers from 1, of places from 0 where those are known. @param {Float64Array | null} places @param {number} count */
function counted(places, count) {
  const numbers = new Float64Array(count);
  for (let at = 0; at < count; at++) numbers[at] = 1 + (places ? places[at] : at);
  return numbers;
}
