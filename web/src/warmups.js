/**
 * Warm-ups, over time: before all observations, or at the beginning of each block, which is a process.
 *
 * Owns where they stand beside the observations. They are in no selection, no distribution and no file.
 */

/** The share of a block that is its warm-up's, as in still pictures (core's `plots::warmups`). */
const WARM = 0.3;
/** Of more blocks, stretches are too narrow to be told apart. */
const BLOCKS = 120;

/**
 * What is drawn of them, and where the observations stand beside them: places along the axis of time, ascending.
 * @typedef {{ along: Float64Array, extent: [number, number], title: string, bands: Float64Array | null, spans: [number, number][],
 *   x: Float64Array, y: Float64Array, of: Float64Array, colours: string[] }} Warm
 */

/**
 * Those of benchmarks that are shown; `null` where there are none of the metric that is looked at.
 * @param {Section} section @returns {Promise<Warm | null>}
 */
async function warmOf(section) {
  const { data, order, block, count } = section;
  const { warmups } = data.head;
  if (!warmups || !order || warmups.metric !== section.metric) return null;
  const [benchmark, of, value] = await Promise.all([warmups.benchmark, warmups.block, warmups.value].map((at) => data.column(at, warmups.count)));
  const along = warmups.when === "first" ? order : block && besideWarmups(block);
  if (!along) return null;
  const places = new Float64Array(warmups.count);
  /** @type {[number, number][]} */
  const spans = [];
  for (let from = 0, to = 0; from < warmups.count; from = to) {
    while (to < warmups.count && of[to] === of[from]) to++;
    for (let at = from; at < to; at++) {
      const within = (at - from + 0.5) / (to - from);
      places[at] = warmups.when === "first" ? at + 1 - warmups.count : of[at] + 1 + WARM * within;
    }
    if (warmups.when === "blocks") spans.push([of[from] + 1, of[from] + 1 + WARM]);
  }
  const hidden = section.hidden;
  const which = [...places.keys()].filter((at) => !hidden.has(benchmark[at]));
  const drawn = { x: Float64Array.from(which, (at) => places[at]), y: Float64Array.from(which, (at) => value[at]), of: Float64Array.from(which, (at) => benchmark[at]), colours: which.map((at) => colourOf(section.tint(benchmark[at]))) };
  if (warmups.when === "first") {
    const before = 0.5 - warmups.count;
    return { ...drawn, along, extent: [before, order[count - 1]], title: "executions in the order of time", bands: section.bands(), spans: [[before, 0.5]] };
  }
  const last = Math.floor(along[count - 1]) + 1;
  const bands = Float64Array.from({ length: last }, (_, at) => at + 1);
  return { ...drawn, along, extent: [1, last], title: "block, within it in the order of time", bands, spans };
}

/** Places of observations in their blocks, behind the warm-up; `null` without a block, and of many blocks. @param {Float64Array} block */
function besideWarmups(block) {
  const along = new Float64Array(block.length);
  let blocks = 0;
  for (let from = 0, to = 0; from < block.length; from = to) {
    if (Number.isNaN(block[from]) || block[from] < (block[from - 1] ?? 0) || ++blocks > BLOCKS) return null;
    while (to < block.length && block[to] === block[from]) to++;
    for (let at = from; at < to; at++) along[at] = block[at] + 1 + WARM + (1 - WARM) * ((at - from + 0.5) / (to - from));
  }
  return along;
}

/**
 * Shades them and draws their readings, at the edge where they are beyond the scale; those of other benchmarks than the one that
 * is to stand out are faint.
 * @param {uPlot} u @param {Warm} warm @param {number | null} one
 */
function drawWarm(u, warm, one) {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  u.ctx.fillStyle = `${styled("--quiet")}2e`;
  for (const [from, to] of warm.spans) {
    const [x0, x1] = [u.valToPos(from, "x", true), u.valToPos(to, "x", true)];
    u.ctx.fillRect(x0, top, x1 - x0, height);
  }
  const size = Math.max(2, Math.round(devicePixelRatio * 2.5));
  for (let at = 0; at < warm.x.length; at++) {
    const [x, y] = [u.valToPos(warm.x[at], "x", true), u.valToPos(warm.y[at], "y", true)];
    if (Number.isNaN(y)) continue;
    u.ctx.globalAlpha = one === null || warm.of[at] === one ? 0.6 : 0.12;
    u.ctx.fillStyle = warm.colours[at];
    u.ctx.fillRect(x - size / 2, Math.min(top + height - size / 2, Math.max(top + size / 2, y)) - size / 2, size, size);
  }
  u.ctx.restore();
}
