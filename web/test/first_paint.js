/**
 * How long the page of a history takes to its first paint, beside `JSON.parse` of the same numbers: prints both.
 *
 * `cd web && npm ci && [ETALON=PROGRAM] node test/first_paint.js [SERIES] [COMMITS]`
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { home, etalon, start, open } = require("./browser.js");
const { imported } = require("./series.js");

const [series = 1000, commits = 1000] = process.argv.slice(2).map(Number);
const ROUNDS = 9;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

(async () => {
  imported(series, commits);
  const began = performance.now();
  etalon("history", "--html", "history.html");
  const took = ((performance.now() - began) / 1000).toFixed(1);
  const size = (fs.statSync(path.join(home, "history.html")).size / 1e6).toFixed(1);
  const browser = await start();
  const rounds = { paint: [], drawn: [], parse: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const { page, close } = await open(browser, "history.html");
    await page.waitForFunction(() => document.querySelector("#series")?.dataset.drawn, null, { timeout: 120_000 });
    rounds.drawn.push(await page.evaluate(() => performance.now()));
    rounds.paint.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    rounds.parse.push(await page.evaluate(async () => {
      const histories = Histories.ofPage();
      const all = [];
      for (const [at, head] of histories.head.series.entries()) {
        const points = await histories.points(at);
        all.push({ ...head, ...Object.fromEntries(Object.entries(points).map(([key, values]) => [key, [...values]])) });
      }
      const text = JSON.stringify({ versions: histories.head.versions, series: all });
      const began = performance.now();
      JSON.parse(text);
      return performance.now() - began;
    }));
    await close();
  }
  await browser.close();
  const [paint, drawn, parse] = [rounds.paint, rounds.drawn, rounds.parse].map(median);
  console.log(`${series} series of ${commits} points: page ${size} MB, made in ${took} s; first paint ${paint.toFixed(0)} ms, `
    + `points drawn ${drawn.toFixed(0)} ms, JSON.parse ${parse.toFixed(0)} ms; ratio ${(paint / parse).toFixed(2)}`);
})();
