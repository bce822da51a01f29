/**
 * A page in a headless Chromium, with everything that it complains about.
 *
 * Owns how the browser is started. Chromium is Debian's, or what CHROMIUM names; nothing is fetched.
 */
"use strict";

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const ROOT = path.join(__dirname, "../..");
const ETALON = path.resolve(process.env.ETALON ?? path.join(ROOT, "target/debug/etalon"));
const OUT = path.join(ROOT, "target/pages");
const ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

fs.mkdirSync(OUT, { recursive: true });

/** A directory that is gone at the end. */
function scratch() {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "etalon-page-"));
  process.on("exit", () => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

const home = scratch();

/** Executes etalon in a directory of its own. */
function etalon(...args) {
  return execFileSync(ETALON, args, { cwd: home, env: { ...process.env, ETALON_HOME: path.join(home, "store") }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

/** The one browser of a test program; its profile is new and empty. */
const start = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });

/** Opens a file of the scratch directory; `complaints` are console errors, exceptions, policy violations and requests. */
async function open(browser, file, { fragment = "", ...wanted } = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...wanted });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => !/^(file|blob|data):/.test(request.url()) && complaints.push(`request: ${request.url()}`));
  await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  await page.goto(`${pathToFileURL(path.join(home, file))}${fragment}`);
  return { page, complaints, close: () => context.close() };
}

/** Waits until the plots are drawn at least so often. */
const drawn = (page, times = 1) => page.waitForFunction((times) => Number(document.querySelector("#look")?.dataset.drawn ?? 0) >= times, times);

/** A record of two commands in so many blocks, as etalon writes it: its head is that of one that was executed. */
function record(file, blocks) {
  const made = path.join(home, `head-${file}`);
  etalon("cmd", "-r", "2", "-n", "one", "-n", "two", "/bin/true", "/bin/true", "-o", made);
  const head = fs.readFileSync(made, "utf8").split("\n").filter((line) => line && !/"type":"(observation|end)"/.test(line));
  const lines = head.map((line) => line.replace('"runs":2', `"runs":${blocks}`));
  // The same numbers each time.
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let block = 0; block < blocks; block++) {
    for (const benchmark of block % 2 ? [0, 1] : [1, 0]) {
      const far = block === 777 && benchmark === 1 ? 50 : 1;
      const wall = Math.round(far * (400_000 + 20_000 * benchmark + 90_000 * (random() + random() + random())));
      const user = Math.round(wall / 1500 + 20 * random());
      lines.push(`{"type":"observation","benchmark":${benchmark},"block":${block},"values":{"wall":${wall},"user":${user},"sys":${Math.round(9 * random())},"rss":1609728}}`);
    }
  }
  lines.push('{"type":"end","stopped_by":"runs","at":"2026-11-21T04:00:00Z"}', "");
  fs.writeFileSync(path.join(home, file), lines.join("\n"));
}

/** How many pixels of a plot have another colour than the page, in all its layers. */
const inked = (page, plot) => page.evaluate((plot) => {
  let inked = 0;
  const places = [...document.querySelectorAll(plot)];
  for (const canvas of places.flatMap((it) => (it instanceof HTMLCanvasElement ? it : [...it.querySelectorAll("canvas")]))) {
    if (canvas.width === 0 || canvas.height === 0) continue;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 3; at < data.length; at += 4) if (data[at] > 60) inked++;
  }
  return inked;
}, plot);

module.exports = { OUT, home, etalon, start, open, drawn, inked, record };
