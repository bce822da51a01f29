/**
 * How long a page of many observations takes to answer its reader: `ETALON=... node test/interactions.js [OBSERVATIONS...]`,
 * by default 100,000 and 1,000,000.
 *
 * Owns what is measured: each interaction a dozen times in a page of two commands, from the event to the frame that shows
 * what it did in every plot. Prints medians and the longest; holds nothing against anything.
 */
"use strict";

const { etalon, start, open, drawn, record } = require("./browser.js");

const TIMES = 12;

/** What a reader does, `n` from 0; each changes what is drawn. */
const INTERACTIONS = {
  "a selection in time": (n) => `selected=order,${1001 + 997 * n},${3000 + 2003 * n}`,
  "a selection of half": (n) => `selected=order,1,${40_000 + 1000 * n}`,
  "a selection by value": (n) => `selected=m0,${0.0005 + 0.000005 * n},0.0006`,
  "a selection, and none": (n) => (n % 2 ? "" : `selected=order,1001,${3000 + n}`),
  "a benchmark hidden, and shown": (n) => (n % 2 ? "" : "hidden=1"),
  "another metric": (n) => `metric=${(n + 1) % 3}`,
  "a density, and none": (n) => (n % 2 ? "" : "shape=density"),
};

/** Milliseconds from a new fragment to the frame behind which everything is drawn. */
const taken = (page, fragment) => page.evaluate(async (fragment) => {
  const look = document.querySelector("#look");
  const next = Number(look.dataset.drawn) + 1;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const start = performance.now();
  location.hash = fragment;
  while (Number(look.dataset.drawn) < next) await new Promise((done) => setTimeout(done));
  const drawn = performance.now() - start;
  await new Promise((done) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); }));
  return [drawn, performance.now() - start];
}, fragment);

/** @param {number[]} times */
const said = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return `median ${Math.round((sorted[TIMES / 2 - 1] + sorted[TIMES / 2]) / 2)} ms, longest ${Math.round(sorted[TIMES - 1])} ms`;
};

(async () => {
  const sizes = process.argv.slice(2).map(Number);
  const browser = await start();
  for (const size of sizes.length > 0 ? sizes : [100_000, 1_000_000]) {
    record(`${size}.jsonl`, size / 2);
    etalon("report", `${size}.jsonl`, "--html", `${size}.html`);
    const { page, complaints, close } = await open(browser, `${size}.html`);
    await drawn(page);
    console.log(`${size.toLocaleString("en")} observations: drawn ${Math.round(await page.evaluate(() => performance.now()))} ms after opening`);
    const firsts = [];
    for (let n = 0; n < TIMES; n++) {
      const other = await open(browser, `${size}.html`);
      await drawn(other.page);
      await other.page.waitForTimeout(500);
      firsts.push(await taken(other.page, INTERACTIONS["a selection in time"](n)));
      await other.close();
    }
    console.log(`  the first selection after opening: ${said(firsts.map(([, shown]) => shown))} (drawn: ${said(firsts.map(([alone]) => alone))})`);
    for (const [name, of] of Object.entries(INTERACTIONS)) {
      const [alone, framed] = [[], []];
      for (let n = 0; n < TIMES; n++) {
        const [all, shown] = await taken(page, of(n));
        alone.push(all);
        framed.push(shown);
      }
      if (await page.evaluate(() => location.hash)) await taken(page, "");
      console.log(`  ${name}: ${said(framed)} (drawn: ${said(alone)})`);
    }
    if (complaints.length > 0) console.log(complaints);
    await close();
  }
  await browser.close();
})();
