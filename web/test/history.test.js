/**
 * The page of a history in a real browser.
 *
 * Would catch: a page that complains, a line without its points, a series that a link does not keep, a point whose commit
 * is another one's, names that are executed, and a page that is nothing without scripts.
 */
"use strict";

const { test, before, after } = require("node:test");
const assert = require("node:assert/strict");
const path = require("node:path");
const { OUT, etalon, start, open, inked } = require("./browser.js");
const { imported } = require("./series.js");

const HOSTILE = "</script><img src=x onerror=alert(1)>";
const COMMITS = 100;

let browser;

before(async () => {
  imported(20, COMMITS, (at) => (at === 0 ? "worst" : at === 1 ? HOSTILE : `fine ${at}`));
  etalon("history", "--html", "history.html");
  browser = await start();
});
after(() => browser?.close());

const drawn = (page, times = 1) => page.waitForFunction((times) => Number(document.querySelector("#series")?.dataset.drawn ?? 0) >= times, times);

test("all series are on it, the worst first, each with its points", async () => {
  const { page, complaints, close } = await open(browser, "history.html");
  await drawn(page);
  const names = await page.locator("tbody tr td button").allTextContents();
  assert.equal(names.length, 20);
  assert.deepEqual(new Set(names.slice(0, 2)), new Set(["worst", HOSTILE].map((name) => `${name} [suite=all]`)));
  assert.match(await page.locator("tbody tr").first().textContent(), /suspected.*\+(49|50|51)/s);
  await page.waitForFunction(() => document.querySelector("canvas.small")?.dataset.drawn === "yes");
  assert.ok((await inked(page, "canvas.small")) > 100);
  assert.ok((await inked(page, "#series .plot")) > 300);
  await page.screenshot({ path: path.join(OUT, "history.png") });
  assert.deepEqual(complaints, []);
  await close();
});

test("the commit under the pointer is the point's, by keys as well", async () => {
  const { page, complaints, close } = await open(browser, "history.html");
  await drawn(page);
  const said = () => page.locator("#series .observation strong").textContent();
  assert.equal(parseInt(await said(), 16), COMMITS - 1);
  await page.focus("#series .plot");
  await page.keyboard.press("ArrowLeft");
  assert.equal(parseInt(await said(), 16), COMMITS - 2);
  const box = await page.locator("#series .u-over").boundingBox();
  await page.mouse.move(box.x + (10.5 / COMMITS) * box.width, box.y + box.height / 2);
  assert.equal(parseInt(await said(), 16), 10);
  assert.match(await page.locator("#series .observation").textContent(), /2023-11-24, 100.* ns, n 1, runs 1/);
  assert.deepEqual(complaints, []);
  await close();
});

test("a line chooses its series, and a link keeps it", async () => {
  const { page, complaints, close } = await open(browser, "history.html");
  await drawn(page);
  await page.locator("td button", { hasText: "fine 7" }).click();
  await drawn(page, 2);
  const title = (page) => page.locator("#series h2").textContent();
  assert.match(await title(page), /^fine 7/);
  const fragment = await page.evaluate(() => location.hash);
  const other = await open(browser, "history.html", { fragment });
  await drawn(other.page);
  assert.match(await title(other.page), /^fine 7/);
  assert.deepEqual([...complaints, ...other.complaints], []);
  await Promise.all([close(), other.close()]);
});

test("without scripts it has all lines", async () => {
  const { page, close } = await open(browser, "history.html", { javaScriptEnabled: false });
  assert.equal(await page.locator("tbody tr").count(), 20);
  assert.match(await page.locator("main").textContent(), /Scripts are off/);
  await close();
});

test("at three widths, light and dark, nothing is wider than the page", async () => {
  for (const width of [360, 800, 1400]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, complaints, close } = await open(browser, "history.html", { viewport: { width, height: 900 }, colorScheme });
      await drawn(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} at ${width}`);
      assert.deepEqual(complaints, []);
      await close();
    }
  }
});
