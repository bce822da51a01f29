/**
 * The observations as files: CSV (RFC 4180) and JSON Lines, every number as it is in the page.
 *
 * Owns names of columns: benchmark, source, execution, block, turn, iterations, outcome, and each metric with its unit.
 */

/** @param {string} text @returns {string} */
function csvCell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** All columns with their names, as texts or numbers by observation. @param {Data} data */
async function tableOf(data) {
  const { head } = data;
  /** @type {[string, (at: number) => string | number | null][]} */
  const columns = [];
  const benchmark = await data.place("benchmark");
  columns.push(["benchmark", (at) => head.benchmarks[benchmark?.[at] ?? 0].name]);
  if (head.benchmarks.some(({ source }) => source)) columns.push(["source", (at) => head.benchmarks[benchmark?.[at] ?? 0].source]);
  const order = await data.place("order");
  columns.push(["execution", (at) => (order ? order[at] : at) + 1]);
  for (const name of /** @type {const} */ (["block", "turn", "iterations"])) {
    const values = await data.place(name);
    if (values) columns.push([name, (at) => (Number.isNaN(values[at]) ? null : values[at])]);
  }
  const outcome = await data.place("outcome");
  columns.push(["outcome", (at) => head.outcomes[outcome?.[at] ?? 0]]);
  for (const [at, { name, unit }] of head.metrics.entries()) {
    const values = await data.metric(at);
    columns.push([`${name} [${unit}]`, (row) => (Number.isNaN(values[row]) ? null : values[row])]);
  }
  return columns;
}

/** @param {Data} data @param {"csv" | "jsonl"} kind @returns {Promise<Blob>} */
async function fileOf(data, kind) {
  const columns = await tableOf(data);
  const lines = kind === "csv" ? [`${columns.map(([name]) => csvCell(name)).join(",")}\r\n`] : [];
  for (let at = 0; at < data.head.count; at++) {
    if (kind === "csv") lines.push(`${columns.map(([, of]) => csvCell(String(of(at) ?? ""))).join(",")}\r\n`);
    else lines.push(`${JSON.stringify(Object.fromEntries(columns.map(([name, of]) => [name, of(at)]).filter(([, value]) => value !== null)))}\n`);
  }
  return new Blob(lines, { type: kind === "csv" ? "text/csv" : "application/jsonl" });
}

/** Gives the reader a file. @param {Blob} blob @param {string} name */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves all observations of the page. @param {Data} data @param {"csv" | "jsonl"} kind */
async function saved(data, kind) {
  download(await fileOf(data, kind), `observations.${kind}`);
}
