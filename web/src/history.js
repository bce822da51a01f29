/**
 * The page of a history: a small picture in each line of a series, and the points of the one that is chosen.
 *
 * Owns what is drawn of a point, a step, an anchor. Points are unpacked when they come into view: a page has a million.
 */

/**
 * @typedef {{ from: number, to: number, at: number | null, is_worse: boolean, said: string }} Change
 * @typedef {{ title: string, unit: string | null, count: number, columns: Layout[], facts: string[], changes: Change[] }} SeriesHead
 * @typedef {{ versions: { commit: string, time: number }[], series: SeriesHead[] }} HistoryHead
 * @typedef {{ value: Float64Array, lo: Float64Array, hi: Float64Array, n: Float64Array, runs: Float64Array,
 *   version: Float64Array, anchor: Float64Array, facts: Float64Array, factor: Float64Array }} Points
 */

/** Digits of a commit that are shown. */
const COMMIT = 10;
/** Width and height of a small picture. */
const SMALL = [160, 24];

/** A moment's day. @param {number} seconds @returns {string} */
const dayOf = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** All series of the page. */
class Histories {
  /** @param {HistoryHead} head */
  constructor(head) {
    this.head = head;
    /** @type {Map<number, Promise<Points>>} */
    this.known = new Map();
  }

  /** Those of this page; absent where it has none. @returns {Histories | null} */
  static ofPage() {
    const head = document.getElementById("history");
    return head ? new Histories(JSON.parse(head.textContent ?? "")) : null;
  }

  /** @param {number} at @returns {Promise<Points>} */
  points(at) {
    const known = this.known.get(at) ?? this.unpacked(at);
    this.known.set(at, known);
    return known;
  }

  /** @param {number} at @returns {Promise<Points>} */
  async unpacked(at) {
    const texts = (document.getElementById(`points-${at}`)?.textContent ?? "").split(" ");
    const { columns, count } = this.head.series[at];
    const all = await Promise.all(columns.map(async (layout, place) => numbersOf(await inflated(texts[place]), layout, count)));
    const [value, lo, hi, n, runs, version, anchor, facts, factor] = all;
    return { value, lo, hi, n, runs, version, anchor, facts, factor };
  }
}

/** The points of one series on axes: intervals, steps, anchors. */
class SeriesPlot extends Plot {
  /**
   * @param {HTMLElement} mount @param {Histories} histories @param {number} at @param {Points} points
   * @param {(point: number) => void} pointed
   */
  constructor(mount, histories, at, points, pointed) {
    const { title, unit, count, changes } = histories.head.series[at];
    super(mount, `Points of ${title}; arrow keys go from one to the next`);
    const scaled = (/** @type {Float64Array} */ values) => values.map((value, point) => value * points.factor[point]);
    const [value, lo, hi] = [points.value, points.lo, points.hi].map(scaled);
    const all = new Uint32Array(count).map((_, point) => point);
    const ends = [value, lo, hi].map((values) => rangeOf(values, all)).flat().filter((end) => !Number.isNaN(end));
    const ys = extentOf(ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [NaN, NaN], false);
    const xs = { log: false, lo: -0.5, hi: Math.max(count, 1) - 0.5 };
    const days = (/** @type {number} */ point) => (Number.isInteger(point) && point < count ? dayOf(histories.head.versions[points.version[point]].time) : "");
    const x = { ...axisOf("", "", xs, false), incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000], values: (/** @type {uPlot} */ _, /** @type {number[]} */ splits) => splits.map(days), space: 90 };
    this.chosen = count - 1;
    this.make({
      axes: [x, axisOf(unit === null ? "ratio" : "value", unit ?? "", ys, true)],
      series: [{}, { stroke: styled("--s0"), width: 0, paths: () => null, points: { show: true, size: 4, fill: styled("--s0"), width: 0 } }],
      cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false }, y: false },
      hooks: {
        drawAxes: [(/** @type {uPlot} */ u) => drawnChanges(u, changes, points.anchor)],
        draw: [(/** @type {uPlot} */ u) => drawnIntervals(u, lo, hi)],
        setCursor: [(/** @type {uPlot} */ u) => { if (typeof u.cursor.idx === "number") { this.chosen = u.cursor.idx; pointed(this.chosen); } }],
      },
    }, xs, ys, [[...all], [...value]]);
    mount.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || !this.plot) return;
      event.preventDefault();
      this.chosen = Math.min(count - 1, Math.max(0, this.chosen + step));
      this.plot.setCursor({ left: this.plot.valToPos(this.chosen, "x"), top: 0 });
      pointed(this.chosen);
    });
  }
}

/** Steps with where they may be, drifts, and where the anchor changes. @param {uPlot} u @param {Change[]} changes @param {Float64Array} anchor */
function drawnChanges(u, changes, anchor) {
  const { ctx, bbox } = u;
  const x = (/** @type {number} */ place) => Math.round(u.valToPos(place, "x", true));
  ctx.save();
  for (const { from, to, at, is_worse } of changes) {
    const [left, right] = at === null ? [x(from), x(to)] : [x(from - 1), x(to)];
    ctx.fillStyle = styled("--band");
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
    if (at === null) continue;
    ctx.fillStyle = styled(is_worse ? "--s6" : "--s2");
    ctx.fillRect(x(at - 0.5), bbox.top, 2, bbox.height);
  }
  ctx.strokeStyle = styled("--quiet");
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  for (let point = 1; point < anchor.length; point++) {
    if (Object.is(anchor[point], anchor[point - 1])) continue;
    ctx.moveTo(x(point - 0.5), bbox.top);
    ctx.lineTo(x(point - 0.5), bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}

/** @param {uPlot} u @param {Float64Array} lo @param {Float64Array} hi */
function drawnIntervals(u, lo, hi) {
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = styled("--s0");
  ctx.globalAlpha = 0.5;
  ctx.beginPath();
  for (let point = 0; point < lo.length; point++) {
    if (Number.isNaN(lo[point])) continue;
    const x = u.valToPos(point, "x", true);
    ctx.moveTo(x, u.valToPos(lo[point], "y", true));
    ctx.lineTo(x, u.valToPos(hi[point], "y", true));
  }
  ctx.stroke();
  ctx.restore();
}

/** The lines of the table, and the series that is chosen. */
class HistoryPage {
  /** @param {HTMLElement} place @param {Histories} histories @param {State} state */
  constructor(place, histories, state) {
    this.place = place;
    this.histories = histories;
    this.state = state;
    this.drawn = 0;
    const table = document.querySelector("main table");
    // As the page has them, before anybody sorts.
    const rows = table instanceof HTMLTableElement ? [...table.tBodies[0].rows].slice(0, histories.head.series.length) : [];
    const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        void this.small(/** @type {HTMLElement} */ (target));
      }
    });
    rows.forEach((row, at) => {
      const cell = row.cells[1];
      const text = cell.textContent ?? "";
      const picture = element("canvas", { class: "small", width: String(SMALL[0]), height: String(SMALL[1]), "data-series": String(at), role: "img", "aria-label": "Its points" });
      cell.replaceChildren(button(text, () => this.choose(at)), picture);
      seen.observe(picture);
    });
  }

  /** Draws the points of a line. @param {HTMLElement} canvas */
  async small(canvas) {
    const at = Number(canvas.dataset.series);
    const { value, factor } = await this.histories.points(at);
    const ctx = /** @type {HTMLCanvasElement} */ (canvas).getContext("2d");
    if (!ctx) return;
    const scaled = value.map((it, point) => it * factor[point]);
    const [lo, hi] = rangeOf(scaled, new Uint32Array(scaled.length).map((_, point) => point));
    const [width, height] = SMALL;
    const x = (/** @type {number} */ point) => (point / Math.max(1, scaled.length - 1)) * (width - 2);
    for (const change of this.histories.head.series[at].changes) {
      if (change.at === null) continue;
      ctx.fillStyle = styled(change.is_worse ? "--s6" : "--s2");
      ctx.fillRect(x(change.at), 0, 1.5, height);
    }
    ctx.fillStyle = styled("--s0");
    scaled.forEach((it, point) => ctx.fillRect(x(point), (height - 2) * (hi > lo ? (hi - it) / (hi - lo) : 0.5), 1.5, 1.5));
    canvas.dataset.drawn = "yes";
  }

  /** @param {number} at */
  choose(at) {
    this.state.set("series", at === 0 ? null : String(at));
    void this.draw().then(() => this.place.scrollIntoView({ block: "nearest" }));
  }

  /** Draws the series that the state says, at first the worst. */
  async draw() {
    const { series, versions } = this.histories.head;
    const wanted = Number(this.state.get("series") ?? 0);
    const at = Number.isInteger(wanted) && wanted >= 0 && wanted < series.length ? wanted : 0;
    if (series.length === 0) return;
    const points = await this.histories.points(at);
    const { title, unit, facts, changes } = series[at];
    const mount = element("div", { class: "plot time" });
    const said = element("p", { class: "observation", role: "status" });
    const list = element("ul", {}, ...changes.map((change) => element("li", {}, change.said)));
    this.place.replaceChildren(element("h2", {}, title), mount, said, list);
    const pointed = (/** @type {number} */ point) => {
      const { commit, time } = versions[points.version[point]];
      const base = unit ?? "";
      const parts = [`${dayOf(time)}, ${shown(points.value[point], base)}`];
      if (!Number.isNaN(points.lo[point])) parts.push(`${shown(points.lo[point], base)} to ${shown(points.hi[point], base)}`);
      parts.push(`n ${points.n[point]}`, `runs ${points.runs[point]}`);
      if (!Number.isNaN(points.anchor[point])) parts.push(`anchor ${versions[points.anchor[point]].commit.slice(0, COMMIT)}`);
      const fact = points.facts[point];
      if (!Number.isNaN(fact) && (point === 0 || fact !== points.facts[point - 1])) parts.push(facts[fact]);
      said.replaceChildren(element("strong", {}, commit), ` ${parts.join(", ")}`);
    };
    new SeriesPlot(mount, this.histories, at, points, pointed);
    pointed(points.value.length - 1);
    this.place.dataset.drawn = String(++this.drawn);
  }
}
