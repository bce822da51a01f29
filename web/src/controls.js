/**
 * What a reader chooses above the plots, and what is said of a selection below them.
 *
 * Owns their elements, which are made anew each time; the choice itself is the section's, and its state's.
 */

/** @param {Section} section */
function drawControls(section) {
  const { head } = section.data;
  // A selection changes nothing here.
  const state = JSON.stringify([[...section.state.values].filter(([key]) => key !== "selected" && !key.startsWith("sort")), section.log, isDark()]);
  if (section.controlled === state) return;
  section.controlled = state;
  const metrics = /** @type {[string, string][]} */ (section.data.quantities.map(({ title }, at) => [String(at), title]));
  const focused = section.controls.contains(document.activeElement)
    ? [...section.controls.querySelectorAll("select, input, button")].indexOf(/** @type {Element} */ (document.activeElement)) : -1;
  const hidden = section.hidden;
  const hide = (/** @type {Set<number>} */ which) => section.choose("hidden", which.size > 0 ? [...which].sort((a, b) => a - b).join(",") : null);
  const benchmark = (/** @type {string} */ name, /** @type {number} */ at) => {
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    const colour = colourOf(section.tint(at));
    const background = section.isSecond(at) ? `repeating-linear-gradient(90deg, ${colour} 0 3px, transparent 3px 5px)` : colour;
    if (section.colour !== "block") swatch.style.background = background;
    const box = checkbox([swatch, name], !hidden.has(at), (checked) => {
      const next = new Set(hidden);
      if (checked) next.delete(at);
      else next.add(at);
      hide(next);
    });
    // Eight colours do not tell twenty benchmarks apart.
    for (const begins of ["pointerenter", "focusin"]) box.addEventListener(begins, () => section.emphasise(hidden.has(at) ? null : at));
    for (const ends of ["pointerleave", "focusout"]) box.addEventListener(ends, () => section.emphasise(null));
    return box;
  };
  // Of what was not measured there is nothing to show or hide.
  const measured = section.names.flatMap((name, at) => (section.measured.has(at) ? [benchmark(name, at)] : []));
  const all = element("div", { class: "benchmarks", role: "group", "aria-label": "Benchmarks" }, ...measured);
  if (measured.length > 8) {
    all.prepend(button("all", () => hide(new Set())), button("none", () => hide(new Set(section.names.keys()))));
  }
  const several = new Set(head.benchmarks.map(({ source }) => source)).size > 1;
  /** @type {[string, string][]} */
  const colours = [["benchmark", "by benchmark"]];
  if (several) colours.push(["source", "by source"]);
  if (section.block) colours.push(["block", "by block"]);
  const pick = [
    choice(["metric", "Metric"], metrics, String(section.metric), (value) => section.choose("metric", value)),
    choice(["shape", "Distribution"], [["shares", "cumulative"], ["density", "density"]], section.state.oneOf("shape", ["shares", "density"]),
      (value) => section.choose("shape", value === "shares" ? null : value)),
    ...(colours.length > 1 ? [choice(["colour", "Colour"], colours, section.colour, (value) => section.choose("colour", value))] : []),
    choice(["x", "Across"], metrics, String(section.across), (value) => section.choose("x", value)),
    choice(["y", "Up"], metrics, String(section.up), (value) => section.choose("y", value)),
    checkbox(["logarithmic"], section.log === true, (checked) => section.choose("log", checked ? "1" : "0")),
  ];
  const key = section.colour === "block" && section.lastBlock() > 0 ? [blockColours(section)] : [];
  section.controls.replaceChildren(element("div", { class: "picks" }, ...pick), ...key, all);
  if (focused >= 0) /** @type {HTMLElement} */ (section.controls.querySelectorAll("select, input, button")[focused])?.focus();
}

/** Which colour is which block. @param {Section} section @returns {HTMLElement} */
function blockColours(section) {
  const bar = element("span", { class: "ramp", "aria-hidden": "true" });
  bar.style.background = `linear-gradient(to right, ${rampEnds().join(", ")})`;
  return element("p", { class: "blocks" }, "Block 1", bar, (section.lastBlock() + 1).toLocaleString("en"));
}

/** What is selected, beside all there is. @param {Section} section */
function drawChosen(section) {
  const { selected, value } = section;
  section.chosen.replaceChildren();
  if (!selected || !value) return;
  const hidden = section.hidden;
  const [those, some] = [section.byBenchmark(value, null), section.byBenchmark(value, selected.regular)];
  const groups = section.names.map((name, at) => ({ name, all: those[at], some: some[at] })).filter((_, at) => !hidden.has(at));
  const count = groups.reduce((sum, it) => sum + it.some.length, 0);
  const all = groups.reduce((sum, it) => sum + it.all.length, 0);
  const { title, unit } = section.data.quantities[section.metric];
  const rows = groups.filter((it) => it.some.length > 0);
  const row = (/** @type {{ name: string, all: Float64Array, some: Float64Array }} */ { name, all, some }) => element("tr", {},
    element("th", { scope: "row" }, name),
    ...[String(some.length), String(all.length), shown(median(some), unit), shown(section.medianOf(all), unit)].map((text) => element("td", { class: "number" }, text)));
  const heads = ["", "selected", "of", `median of ${title.toLowerCase()}`, "of all"];
  const table = element("table", {},
    element("thead", {}, element("tr", {}, ...heads.map((text, at) => element("th", at > 0 ? { scope: "col", class: "number" } : { scope: "col" }, text)))),
    element("tbody", {}, ...rows.slice(0, TOLD).map(row)));
  const more = rows.length > TOLD ? ` The first ${TOLD} benchmarks:` : "";
  section.chosen.append(
    element("p", { role: "status" }, `${count.toLocaleString("en")} of ${all.toLocaleString("en")} observations are selected.${more} `, button("Clear the selection", () => section.clear())),
    element("div", { class: "scrolls" }, table));
}
