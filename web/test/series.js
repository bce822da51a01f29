/**
 * A history of so many series and commits, as etalon has imported it.
 *
 * Owns the numbers: a step in the last tenth of the series, the same each time.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { home, etalon } = require("./browser.js");

/** Imports them as a file of github-action-benchmark. @returns the names, those with a step first */
function imported(count, commits, name = (at) => `series ${at}`) {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const names = Array.from({ length: count }, (_, at) => name(at));
  const stepped = Math.max(1, Math.floor(count / 10));
  const entries = Array.from({ length: commits }, (_, at) => ({
    commit: { id: at.toString(16).padStart(40, "0"), timestamp: new Date(1.7e12 + at * 864e5).toISOString(), message: "", url: "" },
    date: 1.7e12 + at * 864e5, tool: "customSmallerIsBetter",
    benches: names.map((name, number) => ({ name, unit: "ns", value: (100 + random()) * (number < stepped && at >= commits / 2 ? 1.5 : 1) })),
  }));
  fs.writeFileSync(path.join(home, "data.js"), `window.BENCHMARK_DATA = ${JSON.stringify({ lastUpdate: 1.7e12, repoUrl: "", entries: { all: entries } })}`);
  etalon("history", "import", "data.js", "--project", "p");
  return names;
}

module.exports = { imported };
