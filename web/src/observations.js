/**
 * The section that shows every observation: over time, distributed, one metric beside another.
 *
 * Owns what is shown and selected, in all plots together, and what is said of it. Selections are ranges of columns, kept
 * in the state; a selection made in one plot is seen in the others.
 */

/** Steps along the axis of a distribution. */
const STEPS = 400;
/** Benchmarks that are told apart in words and in the table of a selection. */
const TOLD = 12;

/**
 * Observations by their numbers, ascending: those of the benchmarks that are shown, those among them that stand in
 * distributions, and those of all benchmarks that do.
 * @typedef {{ all: Uint32Array, regular: Uint32Array, everywhere: Uint32Array }} Shown
 */

const HINT = "Point at an observation, or step through them with the arrow keys, to see what was read; drag over some to select them in all plots.";

class Section {
  /** @param {HTMLElement} place @param {Data} data @param {State} state */
  constructor(place, data, state) {
    this.data = data;
    this.state = state;
    this.place = place;
    this.count = data.head.count;
    this.metrics = data.quantities.map((_, at) => String(at));
    /** Values of metrics by benchmark: of all, and of the last selection. @type {Map<Float64Array, Float64Array[]>} */
    this.known = new Map();
    this.ofSelection = /** @type {Map<Float64Array, Float64Array[]>} */ (new Map());
    /** Lines of distributions, and what they are of. @type {Map<string, number[]>} */
    this.shapes = new Map();
    /** Medians of all, which are asked for with every selection. @type {Map<Float64Array, number>} */
    this.medians = new Map();
    /** What is shown, and what the reader hid then. @type {[string, Shown] | undefined} */
    this.filtered = undefined;
    /** What the reader's choices looked like when they were drawn. */
    this.controlled = "";
    /** Colours, and what they are of. @type {[string, Uint32Array]} */
    this.painted = ["", NONE];
    /** Benchmarks that have observations. @type {Set<number>} */
    this.measured = /** @type {any} */ (undefined);
    /** Where each is in time, from 1. @type {Float64Array | undefined} */
    this.order = undefined;
    /** The same as places along the axis. @type {Float64Array | undefined} */
    this.along = undefined;
    /** Warm-ups, and what they follow from. @type {[string, Warm | null]} */
    this.warmed = ["", null];
    /** Where blocks begin. @type {Float64Array | undefined} */
    this.starts = undefined;
    this.hovered = /** @type {number | null} */ (null);
    this.anchor = /** @type {number | null} */ (null);
    this.names = data.head.benchmarks.map(({ name, source }) => (source ? `${name} (${source})` : name));
    this.controls = element("div", { class: "controls" });
    this.legend = element("p", { class: "remark", hidden: "" }, "Shaded: the warm-up, which no figure rests on and no other plot shows; readings beyond the scale are at its edge.");
    this.apart = element("p", { class: "remark", hidden: "" }, "");
    this.said = element("p", { class: "observation", role: "status" }, HINT);
    this.chosen = element("div", { class: "chosen" });
    const plot = (/** @type {string} */ kind) => element("div", { class: `plot ${kind}` });
    this.mounts = { time: plot("time"), share: plot("share"), pair: plot("pair") };
    const keys = "Arrow keys step through observations, with Shift they select, Enter selects a block, Escape clears.";
    const clouds = { hovered: this.hover.bind(this) };
    this.time = new Cloud(this.mounts.time, `Every observation over time. ${keys}`, {
      ...clouds, dragged: ([x0, x1, y0, y1]) => this.select([["order", ...this.orders(x0, x1)], [`m${this.metric}`, y0, y1]]),
    });
    this.pair = new Cloud(this.mounts.pair, `One metric beside another. ${keys}`, {
      ...clouds, dragged: ([x0, x1, y0, y1]) => this.select([[`m${this.across}`, x0, x1], [`m${this.up}`, y0, y1]]),
    });
    this.share = new Lines(this.mounts.share, "Distribution of each benchmark.", {
      hovered: (x, at) => this.tellShares(x, at),
      dragged: (lo, hi) => this.select([[`m${this.metric}`, lo, hi]]),
    });
    for (const mount of [this.mounts.time, this.mounts.pair]) mount.addEventListener("keydown", (event) => this.key(event));
    const below = element("div", { class: "beside" }, this.mounts.share, element("div", {}, this.apart, this.mounts.pair));
    place.append(this.controls, this.mounts.time, this.legend, this.said, below, this.chosen, this.saving());
  }

  get metric() {
    return Number(this.state.oneOf("metric", [String(this.data.head.first), ...this.metrics]));
  }

  /** CPU time at first, where it is there: of short executions it is sound where user and system time are not. */
  get across() {
    const others = this.metrics.filter((at) => Number(at) !== this.metric);
    const other = others.find((at) => this.data.quantities[Number(at)].name === "cpu") ?? others[0] ?? "0";
    return Number(this.state.oneOf("x", [other, ...this.metrics]));
  }

  get up() {
    return Number(this.state.oneOf("y", [String(this.metric), ...this.metrics]));
  }

  /** What colours say: of few benchmarks which it is, of many from several sources which source. @returns {string} */
  get colour() {
    const { benchmarks } = this.data.head;
    const several = new Set(benchmarks.map(({ source }) => source)).size > 1;
    const usual = several && benchmarks.length > 8 ? ["source", "benchmark"] : ["benchmark", ...(several ? ["source"] : [])];
    return this.state.oneOf("colour", [...usual, ...(this.block ? ["block"] : [])]);
  }

  /** The number of a benchmark's colour. @param {number} at @returns {number} */
  tint(at) {
    const { benchmarks } = this.data.head;
    if (this.colour !== "source") return at;
    return [...new Set(benchmarks.map(({ source }) => source))].indexOf(benchmarks[at].source);
  }

  /** Whether a benchmark has a colour that an earlier one has, too. @param {number} at */
  isSecond(at) {
    return this.tint(at) >= SEVERAL;
  }

  /** Whether a benchmark is shown. @returns {Set<number>} */
  get hidden() {
    return new Set((this.state.get("hidden") ?? "").split(",").filter((it) => it !== "").map(Number));
  }

  /** Changes the state and draws it. @param {string} key @param {string | null} value */
  choose(key, value) {
    this.state.set(key, value);
    this.draw();
  }

  /** @param {[string, number, number][]} ranges */
  select(ranges) {
    this.state.ranges = new Map(ranges.map(([key, lo, hi]) => [key, [Math.min(lo, hi), Math.max(lo, hi)]]));
    this.draw();
  }

  clear() {
    this.anchor = null;
    this.choose("selected", null);
  }

  /** Draws what the state says. */
  async draw() {
    const { data } = this;
    const [value, across, up] = await Promise.all([data.metric(this.metric), data.beside(this.across), data.beside(this.up)]);
    const [benchmark, block, order, extreme] = await Promise.all(
      /** @type {const} */ (["benchmark", "block", "order", "extreme"]).map((name) => data.place(name)));
    this.order ??= counted(order, this.count);
    this.benchmark = benchmark ?? new Float64Array(this.count);
    this.measured ??= new Set(this.benchmark);
    this.block = block;
    this.extreme = extreme;
    this.value = value;
    const shown = this.showing();
    const selected = await this.selection(shown.all);
    this.shown = shown;
    this.selected = selected && { all: selected, regular: this.regular(selected) };
    this.ofSelection.clear();
    const ofValue = rangeOf(value, shown.all);
    // An execution that failed has some metrics only, and no place between two axes.
    const both = paired(across, up, shown.regular);
    this.apart.hidden = both.length > 0;
    if (!this.apart.hidden) this.apart.textContent = shown.all.length > 0 ? "No reading has both of these metrics." : "No benchmark is chosen.";
    this.mounts.pair.hidden = both.length === 0;
    const [ofAcross, ofUp] = [across, up].map((values) => rangeOf(values, both));
    const log = this.isLog(ofValue);
    this.log = log;
    const colours = this.colours();
    const axis = (/** @type {number} */ metric, /** @type {Float64Array} */ values) => {
      const { title, unit } = data.quantities[metric];
      return { values, title, base: unit };
    };
    const y = axis(this.metric, value);
    const ys = extentOf(ofValue, log);
    const warm = await this.warmups();
    this.legend.hidden = !warm;
    this.along = warm?.along ?? this.order;
    const xs = warm ? warm.extent : /** @type {[number, number]} */ ([this.order[0], this.order[this.count - 1]]);
    this.time.show({
      shown: shown.all, selected, colours, warm, y, ys, xs: extentOf(xs, false), bands: warm ? warm.bands : this.bands(),
      x: { values: this.along, title: warm ? warm.title : "executions in the order of time", base: "", least: 1 },
    });
    this.drawShares(y, ys);
    this.pair.show({
      // What is there for being the least or the greatest stands in no distribution, and in no cloud of two metrics.
      shown: shown.regular, selected: this.selected && this.selected.regular, colours, x: axis(this.across, across), y: axis(this.up, up),
      xs: extentOf(ofAcross, this.isLog(ofAcross)), ys: extentOf(ofUp, this.isLog(ofUp)), bands: null, warm: null,
    });
    drawControls(this);
    drawChosen(this);
    this.highlight(this.hovered);
    setTimeout(() => this.prepare(value));
    this.place.dataset.drawn = String(Number(this.place.dataset.drawn ?? "0") + 1);
  }

  /** Makes ready, while nobody waits, what a reader asks for first: medians for a selection, other metrics. @param {Float64Array} value */
  async prepare(value) {
    this.byBenchmark(value, null).forEach((values) => this.medianOf(values));
    for (const at of this.metrics) {
      await this.data.metric(Number(at));
      await new Promise((done) => setTimeout(done));
    }
  }

  /** Warm-ups beside what is shown. @returns {Promise<Warm | null>} */
  async warmups() {
    const kind = JSON.stringify([this.metric, this.state.get("hidden"), this.colour, isDark()]);
    if (this.warmed[0] !== kind) this.warmed = [kind, await warmOf(this)];
    return this.warmed[1];
  }

  /** The executions between two places along the axis of time. @param {number} from @param {number} to @returns {[number, number]} */
  orders(from, to) {
    const { along, order } = this;
    if (!along || !order || along === order) return [from, to];
    const first = along.findIndex((it) => it >= from);
    const behind = along.findIndex((it) => it > to);
    // Between two that are next to each other there is none.
    const [lo, hi] = [first < 0 ? this.count : first, (behind < 0 ? this.count : behind) - 1];
    return lo <= hi ? [order[lo], order[hi]] : [0, 0];
  }

  /** Logarithms where asked for, and by themselves where values are far apart. @param {[number, number]} range */
  isLog([lo, hi]) {
    const asked = this.state.get("log");
    return asked !== null ? asked === "1" : lo > 0 && hi / lo > 30;
  }

  /** Which observations are shown. @returns {Shown} */
  showing() {
    const hidden = this.state.get("hidden") ?? "";
    if (this.filtered?.[0] === hidden) return this.filtered[1];
    const everywhere = this.filtered?.[1].everywhere ?? this.regular(Uint32Array.from({ length: this.count }, (_, at) => at));
    const isShown = Uint8Array.from(this.names, (_, at) => (this.hidden.has(at) ? 0 : 1));
    const [all, benchmark] = [new Uint32Array(this.count), this.benchmark ?? []];
    let count = 0;
    for (let at = 0; at < this.count; at++) if (isShown[benchmark[at]] === 1) all[count++] = at;
    const some = all.subarray(0, count);
    const shown = { all: some, regular: this.regular(some), everywhere };
    this.filtered = [hidden, shown];
    return shown;
  }

  /** Those of some that stand in distributions. @param {Uint32Array} which @returns {Uint32Array} */
  regular(which) {
    const { extreme } = this;
    return extreme ? which.filter((at) => extreme[at] !== 1) : which;
  }

  /** Which of some observations are selected; `null` without a selection. @param {Uint32Array} which @returns {Promise<Uint32Array | null>} */
  async selection(which) {
    const ranges = [...this.state.ranges].filter(([key]) => key === "order" || this.metrics.includes(key.slice(1)));
    if (ranges.length === 0) return null;
    let left = which;
    for (const [key, [lo, hi]] of ranges) {
      const values = key === "order" ? this.order : await this.data.beside(Number(key.slice(1)));
      if (values) left = within(values, lo, hi, left);
    }
    return left;
  }

  /** The colour of each observation. @returns {Uint32Array} */
  colours() {
    const [colours, benchmark, block] = [new Uint32Array(this.count), this.benchmark ?? [], this.block];
    const byBlock = this.colour === "block" ? block : null;
    const kind = `${this.colour} ${isDark()}`;
    if (this.painted[0] === kind) return this.painted[1];
    const last = byBlock ? Math.max(1, this.lastBlock()) : 1;
    const known = new Map();
    for (let at = 0; at < this.count; at++) {
      const key = byBlock ? byBlock[at] : benchmark[at];
      let colour = known.get(key);
      if (colour === undefined) {
        colour = pixelOf(byBlock ? ramp((key || 0) / last) : channels(colourOf(this.tint(key))));
        known.set(key, colour);
      }
      colours[at] = colour;
    }
    this.painted = [kind, colours];
    return colours;
  }

  /** The last block, from 0. @returns {number} */
  lastBlock() {
    return this.block?.reduce((most, it) => (it > most ? it : most), 0) ?? 0;
  }

  /** Where blocks begin in time. @returns {Float64Array | null} */
  bands() {
    const { block, order } = this;
    if (this.starts) return this.starts;
    if (!block || !order || this.data.head.places.extreme !== undefined) return null;
    const starts = [];
    for (let at = 0; at < this.count; at++) if (at === 0 || block[at] !== block[at - 1]) starts.push(order[at] - 0.5);
    return (this.starts = Float64Array.from([...starts, this.count + 0.5]));
  }

  /**
   * The values of each benchmark, those that stand in no distribution left out: of all, or of the selection.
   * @param {Float64Array} values @param {Uint32Array | null} selected @returns {Float64Array[]}
   */
  byBenchmark(values, selected) {
    const known = selected ? this.ofSelection : this.known;
    const parts = known.get(values) ?? parted(values, this.benchmark ?? values, this.names.length, selected ?? this.showing().everywhere);
    known.set(values, parts);
    return parts;
  }

  /** The median of all values of a benchmark. @param {Float64Array} values @returns {number} */
  medianOf(values) {
    const known = this.medians.get(values) ?? median(values);
    this.medians.set(values, known);
    return known;
  }

  /** @param {Axis} axis @param {Extent} extent */
  drawShares(axis, extent) {
    const isDensity = this.state.get("shape") === "density";
    const grid = gridOf(extent);
    const lines = [];
    /** @type {{ at: number, name: string, values: number[] }[]} */
    this.shares = [];
    const shape = (/** @type {Float64Array} */ values) => (isDensity ? density : cumulative)(values, grid, extent);
    const kept = (/** @type {Float64Array} */ values, /** @type {number} */ at) => {
      const key = JSON.stringify([axis.title, isDensity, extent, at]);
      const line = this.shapes.get(key) ?? shape(values);
      this.shapes.set(key, line);
      return line;
    };
    const selected = this.selected?.regular ?? null;
    const [all, some] = [this.byBenchmark(axis.values, null), selected ? this.byBenchmark(axis.values, selected) : null];
    const hidden = this.hidden;
    for (const [at, those] of all.entries()) {
      if (those.length === 0 || hidden.has(at)) continue;
      const values = kept(those, at);
      this.shares.push({ at, name: this.names[at], values });
      lines.push({ colour: colourOf(this.tint(at)), isSecond: this.isSecond(at), all: values, some: some && some[at].length > 0 ? shape(some[at]) : null });
    }
    const of = isDensity ? "density" : "share at or below";
    this.share.show({ title: axis.title, base: axis.base, of }, extent, lines, grid, selected !== null);
  }

  /** @param {number | null} x @param {number | null} at */
  tellShares(x, at) {
    if (x === null || at === null || !this.shares || this.state.get("shape") === "density") return;
    const { unit } = this.data.quantities[this.metric];
    const shares = this.shares.slice(0, TOLD).map(({ name, values }) => `${name} ${digits(values[at] * 100, 3)} %`);
    this.said.textContent = `At or below ${shown(x, unit)}: ${shares.join(" · ")}`;
  }

  /** @param {number | null} at @param {Cloud | null} [from] */
  hover(at, from = null) {
    // Where the pointer is in no plot, what was last said stays.
    if (at === null && from !== null && this.mounts.time.matches(":focus")) return;
    this.hovered = at;
    this.highlight(at);
    if (at !== null) this.tell(at);
  }

  /** Makes a benchmark stand out in all plots, as long as a reader points at its name; null for none. @param {number | null} at */
  emphasise(at) {
    const of = (/** @type {Uint32Array | undefined} */ shown) => (at === null ? null : (shown ?? NONE).filter((it) => this.benchmark?.[it] === at));
    this.time.emphasise(at, of(this.shown?.all));
    this.pair.emphasise(at, of(this.shown?.regular));
    const line = (this.shares ?? []).findIndex((it) => it.at === at);
    this.share.emphasise(line < 0 ? null : line);
  }

  /** @param {number | null} at */
  highlight(at) {
    this.time.highlight(at);
    this.pair.highlight(at);
  }

  /** Says all that is known of an observation. @param {number} at */
  async tell(at) {
    const { head } = this.data;
    const place = async (/** @type {"block" | "turn" | "iterations" | "outcome"} */ name) => (await this.data.place(name))?.[at] ?? NaN;
    const [block, turn, iterations, outcome] = await Promise.all(/** @type {const} */ (["block", "turn", "iterations", "outcome"]).map(place));
    const values = await Promise.all(head.metrics.map((_, metric) => this.data.beside(metric)));
    if (this.hovered !== at) return;
    const facts = [`execution ${(this.order ?? [])[at]}`];
    // Where blocks have turns, each benchmark has a process of its own in each block.
    if (!Number.isNaN(block)) facts.push(Number.isNaN(turn) ? `block ${block + 1}` : `block and process ${block + 1}, turn ${turn + 1}`);
    if (!Number.isNaN(iterations)) facts.push(`${iterations.toLocaleString("en")} calls`);
    if (outcome > 0) facts.push(head.outcomes[outcome]);
    const read = head.metrics.flatMap(({ title, unit }, metric) => (Number.isNaN(values[metric][at]) ? [] : [`${title} ${shown(values[metric][at], unit)}`]));
    const name = this.names[(this.benchmark ?? [])[at]];
    this.said.replaceChildren(element("strong", {}, name), ` ${facts.join(", ")}: ${read.join(" · ")}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -100, PageDown: 100 }[event.key];
    const { order, block, hovered } = this;
    if (event.key === "Escape") this.clear();
    else if (event.key === "Enter" && block && order && hovered !== null) {
      let [from, to] = [hovered, hovered];
      while (from > 0 && block[from - 1] === block[hovered]) from--;
      while (to + 1 < this.count && block[to + 1] === block[hovered]) to++;
      this.select([["order", order[from], order[to]]]);
    } else if (step !== undefined) this.step(step, event.shiftKey);
    else return;
    event.preventDefault();
  }

  /** To the next observation that is shown. @param {number} by @param {boolean} selects */
  step(by, selects) {
    const from = this.hovered ?? -1;
    let at = Math.min(this.count - 1, Math.max(0, from + by));
    const shown = this.shown?.all ?? NONE;
    while (!has(shown, at) && at + Math.sign(by) >= 0 && at + Math.sign(by) < this.count) at += Math.sign(by);
    if (!has(shown, at)) return;
    this.hover(at);
    if (!selects) this.anchor = at;
    else if (this.order) {
      this.anchor ??= from < 0 ? at : from;
      this.select([["order", this.order[this.anchor], this.order[at]]]);
    }
  }

  saving() {
    const save = (/** @type {"csv" | "jsonl"} */ kind) => () => saved(this.data, kind);
    return element("p", { class: "saving" }, `${this.count.toLocaleString("en")} observations, as `, button("CSV", save("csv")), " ", button("JSON Lines", save("jsonl")));
  }
}
