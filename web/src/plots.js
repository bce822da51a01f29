/**
 * Plots on the axes of uPlot: a cloud of observations, and lines of distributions.
 *
 * Owns how a plot is drawn, hovered, dragged over and stepped through with the keyboard. What is drawn, and what a
 * selection means, is its caller's.
 */

/**
 * @typedef {{ values: Float64Array, title: string, base: string, least?: number }} Axis
 * @typedef {{ log: boolean, lo: number, hi: number }} Extent
 */

const HEIGHT = 300;
/** Width of a plot on paper, of which A4 and Letter have more between usual margins. */
const PAPER = 640;
/** Pixels from the pointer within which an observation is meant. */
const NEAR = 24;

/**
 * The least and the greatest of some; NaN without one.
 * @param {Float64Array} values @param {Uint32Array} which @returns {[number, number]}
 */
function rangeOf(values, which) {
  let lo = Infinity;
  let hi = -Infinity;
  for (let n = 0; n < which.length; n++) {
    const value = values[which[n]];
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo <= hi ? [lo, hi] : [NaN, NaN];
}

/** The same with some room. @param {[number, number]} range @param {boolean} wantsLog @returns {Extent} */
function extentOf([lo, hi], wantsLog) {
  if (Number.isNaN(lo)) return { log: false, lo: 0, hi: 1 };
  if (wantsLog && lo > 0) return { log: true, lo: lo / 1.1, hi: hi * 1.1 };
  const room = hi > lo ? (hi - lo) * 0.04 : Math.abs(hi) * 0.1 || 1;
  // What is never below 0 is not drawn there.
  return { log: false, lo: lo >= 0 ? Math.max(0, lo - room) : lo - room, hi: hi + room };
}

/** Steps of axes: one, two and five of any power of ten. */
const ROUND = Array.from({ length: 31 }, (_, at) => [1, 2, 5].map((it) => it * 10 ** (at - 15))).flat();
/** Labels of a logarithmic axis from which on it has powers of ten alone, and below which even steps say more. */
const MANY = 6;
const FEW = 3;

/** Round places along logarithms, in a unit. @param {number} lo @param {number} hi @param {number} factor @returns {number[]} */
function decadesOf(lo, hi, factor) {
  const [first, last] = [Math.floor(Math.log10(lo / factor)), Math.floor(Math.log10(hi / factor))];
  const of = (/** @type {number[]} */ steps) => {
    const all = Array.from({ length: last - first + 1 }, (_, at) => steps.map((step) => step * 10 ** (first + at) * factor)).flat();
    return all.filter((it) => it >= lo && it <= hi);
  };
  const all = of([1, 2, 5]);
  if (all.length >= FEW) return all.length <= MANY ? all : of([1]);
  const step = (ROUND.find((it) => it >= (hi - lo) / factor / MANY) ?? 1) * factor;
  const from = Math.ceil(lo / step - 1e-9);
  return Array.from({ length: MANY }, (_, at) => (from + at) * step).filter((it) => it <= hi);
}

/**
 * An axis of uPlot in the unit that fits, its labels round in that.
 * @param {string} title @param {string} base @param {Extent} extent @param {boolean} isSide @param {number} [least] from which on whole numbers are labelled
 * @returns {uPlot.Axis}
 */
function axisOf(title, base, extent, isSide, least = -Infinity) {
  const unit = unitFor(base, Math.max(Math.abs(extent.lo), Math.abs(extent.hi)));
  const label = unit.symbol ? `${title} [${unit.symbol}]` : title;
  /** @type {(u: uPlot, splits: (number | null)[]) => string[]} */
  const values = (_, splits) => {
    const there = splits.filter((split) => split !== null);
    const step = there.length > 1 ? Math.abs(there[1] - there[0]) / unit.factor : 1;
    const decimals = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
    const exact = Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6 ? decimals : decimals + 1;
    return splits.map((split) => {
      if (split === null || split < least) return "";
      if (least > -Infinity) return Number.isInteger(split) ? split.toLocaleString("en") : "";
      const value = split / unit.factor;
      if (extent.log || Math.abs(value) >= 1e9) return digits(value, 3);
      return value.toLocaleString("en", { minimumFractionDigits: exact, maximumFractionDigits: exact });
    });
  };
  const line = { stroke: styled("--line"), width: 1 };
  /** @type {uPlot.Axis} */
  const places = extent.log
    ? { splits: (_, __, lo, hi) => decadesOf(lo, hi, unit.factor), filter: (_, splits) => splits }
    : { incrs: ROUND.map((step) => step * unit.factor) };
  return {
    ...places,
    label, values, stroke: styled("--quiet"), grid: line, ticks: { ...line, size: 4 }, labelSize: 20, labelGap: 0, gap: 4,
    font: "11px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    ...(isSide ? { size: (_, shown) => 18 + 6.5 * Math.max(2, ...(shown ?? []).map((text) => text.length)) } : { size: 26, space: 60 }),
  };
}

/** What both kinds of plots are: a place in the page with uPlot in it, as wide as the page has room. */
class Plot {
  /** @param {HTMLElement} mount @param {string} label */
  constructor(mount, label) {
    this.mount = mount;
    mount.tabIndex = 0;
    mount.setAttribute("role", "application");
    mount.setAttribute("aria-label", label);
    /** @type {uPlot | null} */
    this.plot = null;
    // A plot is not laid out anew for paper, and what is wider than that is cut off.
    let isPrinted = false;
    const fit = () => this.fit(isPrinted ? PAPER : mount.clientWidth);
    new ResizeObserver(fit).observe(mount);
    for (const event of ["beforeprint", "afterprint"]) {
      addEventListener(event, () => {
        isPrinted = event === "beforeprint";
        fit();
      });
    }
  }

  /** @param {number} width */
  fit(width) {
    if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
  }

  /** @param {Partial<uPlot.Options>} options @param {Extent} x @param {Extent} y @param {uPlot.AlignedData} data */
  make(options, x, y, data) {
    /** @type {(extent: Extent) => uPlot.Scale} */
    const scale = ({ log, lo, hi }) => ({ time: false, auto: false, distr: log ? 3 : 1, range: () => [lo, hi] });
    this.plot?.destroy();
    this.plot = new uPlot({
      width: this.mount.clientWidth || 600, height: HEIGHT, legend: { show: false }, scales: { x: scale(x), y: scale(y) },
      series: [{}, { paths: () => null, points: { show: false } }],
      ...options,
    }, data, this.mount);
  }
}

/**
 * What a cloud shows: which observations, and which of them are selected (all of them without a selection).
 * @typedef {{ x: Axis, y: Axis, xs: Extent, ys: Extent, shown: Uint32Array, selected: Uint32Array | null,
 *   colours: Uint32Array, bands: Float64Array | null, warm: Warm | null }} Clouded
 */

/**
 * A cloud of observations: those that are shown in a layer over the axes, those that are selected in another over that. A
 * selection draws its own layer alone, and the one below it gets faint.
 */
class Cloud extends Plot {
  /**
   * @param {HTMLElement} mount @param {string} label
   * @param {{ hovered: (at: number | null, from: Cloud) => void, dragged: (box: [number, number, number, number]) => void }} tell
   */
  constructor(mount, label, tell) {
    super(mount, label);
    this.tell = tell;
    this.mark = element("div", { class: "here", hidden: "" });
    this.shown = new Layer();
    this.selected = new Layer();
    /** @type {Clouded | null} */
    this.view = null;
    /** What is marked. @type {number | null} */
    this.marked = null;
    /** What stands out as long as a reader points at its name. @type {Uint32Array | null} */
    this.emphasis = null;
    /** The benchmark it is. @type {number | null} */
    this.emphasised = null;
    /** Places of the observations in pixels of the page, NaN without one; and what they follow from. */
    this.left = new Float32Array(0);
    this.top = new Float32Array(0);
    this.geometry = /** @type {unknown[]} */ ([]);
    this.axes = "";
  }

  /** @param {Clouded} view */
  show(view) {
    const before = this.view;
    this.view = view;
    this.emphasis = this.emphasised = null;
    // Another selection or another colour needs no other axes.
    const { x, y, xs, ys } = view;
    const axes = JSON.stringify([x.title, y.title, xs, ys, isDark()]);
    if (this.plot && this.axes === axes) return before?.warm === view.warm ? this.draw(this.plot) : this.plot.redraw(false, false);
    this.axes = axes;
    this.make({
      axes: [axisOf(x.title, x.base, xs, false, x.least), axisOf(y.title, y.base, ys, true)],
      cursor: { points: { show: false }, drag: { x: true, y: true, setScale: false, uni: 12 } },
      hooks: {
        drawClear: [(u) => this.drawBands(u), (u) => { if (this.view?.warm) drawWarm(u, this.view.warm, this.emphasised); }],
        draw: [(u) => this.draw(u)],
        setCursor: [(u) => this.point(u)],
        setSelect: [(u) => this.drag(u)],
      },
    }, xs, ys, [[xs.lo, xs.hi], [null, null]]);
    this.plot?.over.append(this.shown.canvas, this.selected.canvas, this.mark);
  }

  /** Every other block. @param {uPlot} u */
  drawBands(u) {
    const bands = this.view?.bands;
    if (!bands || bands.length * 4 > u.bbox.width) return;
    u.ctx.fillStyle = styled("--band");
    for (let at = 0; at + 1 < bands.length; at += 2) {
      const from = Math.max(u.bbox.left, u.valToPos(bands[at], "x", true));
      const to = Math.min(u.bbox.left + u.bbox.width, u.valToPos(bands[at + 1], "x", true));
      if (to > from) u.ctx.fillRect(from, u.bbox.top, to - from, u.bbox.height);
    }
  }

  /** @param {uPlot} u */
  draw(u) {
    if (!this.view) return;
    const { shown, colours } = this.view;
    const selected = this.emphasis ?? this.view.selected;
    const { width, height } = u.bbox;
    const ratio = devicePixelRatio;
    this.place(width, height, ratio);
    const isMany = shown.length > 20000;
    const size = Math.max(1, Math.round(ratio * (isMany ? 1.5 : shown.length > 2000 ? 3 : 5)));
    const places = { left: this.left, top: this.top, ratio };
    const look = { colours, size, isMany };
    this.shown.show(width, height, shown, places, { ...look, alpha: isMany ? 1 : 0.75 });
    this.selected.show(width, height, selected ?? NONE, places, { ...look, alpha: 1 });
    this.shown.canvas.classList.toggle("faint", selected !== null);
    this.highlight(this.marked);
  }

  /** Finds where observations stand, unless that is known. @param {number} width @param {number} height @param {number} ratio */
  place(width, height, ratio) {
    if (!this.view) return;
    const { x, y, xs, ys } = this.view;
    const geometry = [x.values, y.values, xs.log, xs.lo, xs.hi, ys.log, ys.lo, ys.hi, width, height, ratio];
    if (geometry.every((it, at) => it === this.geometry[at])) return;
    this.geometry = geometry;
    const count = x.values.length;
    this.left = new Float32Array(count);
    this.top = new Float32Array(count);
    const [px, py] = [placed(xs, width / ratio), placed(ys, height / ratio)];
    for (let at = 0; at < count; at++) {
      const [across, up] = [px(x.values[at]), py(y.values[at])];
      const isThere = !Number.isNaN(across + up);
      this.left[at] = isThere ? across : NaN;
      this.top[at] = height / ratio - up;
    }
  }

  /** The observation at the pointer. @param {uPlot} u */
  point(u) {
    const { left = -10, top = -10 } = u.cursor;
    if (left < 0 || top < 0) return this.tell.hovered(null, this);
    let [best, found] = [NEAR * NEAR, -1];
    const shown = this.view?.shown ?? NONE;
    for (let n = 0; n < shown.length; n++) {
      const at = shown[n];
      const distance = (this.left[at] - left) ** 2 + (this.top[at] - top) ** 2;
      if (distance < best) [best, found] = [distance, at];
    }
    this.tell.hovered(found < 0 ? null : found, this);
  }

  /** @param {uPlot} u */
  drag(u) {
    const { left, top, width, height } = u.select;
    if (width < 3 && height < 3) return;
    const x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    const y = [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.tell.dragged([x[0], x[1], y[0], y[1]]);
  }

  /** Makes a benchmark stand out from the others; null for what the view says. @param {number | null} one @param {Uint32Array | null} some its observations */
  emphasise(one, some) {
    this.emphasised = one;
    this.emphasis = some;
    // Warm-ups are below the axes' lines, which are drawn with them.
    if (this.view?.warm) this.plot?.redraw(false, false);
    else if (this.plot) this.draw(this.plot);
  }

  /** Marks an observation. @param {number | null} at */
  highlight(at) {
    this.marked = at;
    const isThere = at !== null && has(this.view?.shown ?? NONE, at) && !Number.isNaN(this.left[at] ?? NaN);
    this.mark.hidden = !isThere;
    if (isThere) this.mark.style.transform = `translate(${this.left[at]}px, ${this.top[at]}px)`;
  }
}

/** Where a value stands along so many pixels. @param {Extent} extent @param {number} pixels @returns {(value: number) => number} */
function placed({ log, lo, hi }, pixels) {
  if (!log) return (value) => ((value - lo) / (hi - lo)) * pixels;
  const [from, to] = [Math.log(lo), Math.log(hi)];
  return (value) => (value > 0 ? ((Math.log(value) - from) / (to - from)) * pixels : NaN);
}

/** How values are distributed: all of a benchmark, and those of a selection. Benchmarks behind the last colour have a dashed line. @typedef {{ colour: string, isSecond: boolean, all: number[], some: number[] | null }} Line */

/** Lines over one axis: how values are distributed. */
class Lines extends Plot {
  /**
   * @param {HTMLElement} mount @param {string} label
   * @param {{ hovered: (x: number | null, at: number | null) => void, dragged: (lo: number, hi: number) => void }} tell
   */
  constructor(mount, label, tell) {
    super(mount, label);
    this.tell = tell;
    this.axes = "";
    this.isSelected = false;
  }

  /**
   * @param {{ title: string, base: string, of: string }} axis @param {Extent} extent
   * @param {Line[]} lines @param {number[]} grid @param {boolean} isSelected
   */
  show(axis, extent, lines, grid, isSelected) {
    let top = 0;
    for (const { all, some } of lines) for (const values of [all, some ?? []]) for (const it of values) if (it > top) top = it;
    const ys = { log: false, lo: 0, hi: top > 0 ? top * 1.04 : 1 };
    this.isSelected = isSelected;
    const none = new Array(grid.length).fill(null);
    const data = /** @type {uPlot.AlignedData} */ ([grid, ...lines.flatMap(({ all, some }) => [all, some ?? none])]);
    // Another selection is other lines on the same axes.
    const axes = JSON.stringify([axis, extent, ys, lines.map(({ colour, isSecond }) => [colour, isSecond]), isDark()]);
    if (this.plot && this.axes === axes) {
      this.plot.series.forEach((series, at) => { if (at % 2 === 1) series.width = this.widthOfAll(); });
      return this.plot.setData(data, false), this.plot.redraw(true, false);
    }
    this.axes = axes;
    /** @type {(line: Line) => uPlot.Series[]} */
    const both = ({ colour, isSecond }) => {
      const dash = isSecond ? [5, 3] : undefined;
      return [
        { stroke: () => (this.isSelected ? `${colour}59` : colour), width: this.widthOfAll(), dash, points: { show: false } },
        { stroke: colour, width: 1.75, dash, points: { show: false } },
      ];
    };
    this.make({
      axes: [axisOf(axis.title, axis.base, extent, false), axisOf(axis.of, "", ys, true)],
      cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false } },
      focus: { alpha: 0.15 },
      series: [{}, ...lines.flatMap(both)],
      hooks: {
        setCursor: [(u) => {
          const { left = -10, idx } = u.cursor;
          this.tell.hovered(left < 0 ? null : u.posToVal(left, "x"), idx ?? null);
        }],
        setSelect: [(u) => {
          const { left, width } = u.select;
          if (width < 3) return;
          const ends = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          this.tell.dragged(ends[0], ends[1]);
        }],
      },
    }, extent, ys, data);
  }

  /** Makes a line stand out from the others; null for none. @param {number | null} at */
  emphasise(at) {
    this.plot?.setSeries(at === null ? /** @type {any} */ (null) : 1 + 2 * at, { focus: true });
  }

  widthOfAll() {
    return this.isSelected ? 1 : 1.75;
  }
}
