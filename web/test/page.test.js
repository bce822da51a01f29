/**
 * Pages of the real binary in a real browser.
 *
 * Would catch: scripts that fail, plots that are blank, tables that do not sort, a state that a link does not keep, text of
 * others that is executed, and a page that is nothing without scripts. Times are printed, never held against anything.
 */
"use strict";

const { test, before, after } = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { OUT, home, etalon, start, open, drawn, inked, record } = require("./browser.js");

const HOSTILE = [
  "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"' onmouseover='alert(3)", "\u202Egnp.exe <b>", "<!--<script>", "${alert(4)}",
];

/** Cases whose samples are of different numbers of calls. */
const SUITE = `
local measure = require("measure")
measure.options({ warmup = 0.02 })
measure.describe("one"):run(function() measure.sink(1) end)
measure.describe("two"):run(function()
    local t = {}
    for i = 1, 50 do t[i] = i end
    measure.sink(t)
end)
`;

let browser;

before(async () => {
  const named = ["fast", "slow"].flatMap((name, at) => ["-n", name, ["true", "sleep 0.002"][at]]);
  etalon("cmd", "-r", "30", ...named, "--html", "page.html");
  etalon("cmd", "-r", "6", ...Array.from({ length: 9 }, (_, at) => `true ${at}`), "--html", "nine.html");
  etalon("cmd", "-w", "5", "-r", "30", ...named, "--html", "warm.html");
  fs.writeFileSync(path.join(home, "suite.lua"), SUITE);
  etalon("run", "suite.lua", "-r", "3", "--html", "suite.html");
  for (const side of ["old", "new"]) etalon("cmd", "-r", "6", ...named, "-o", `${side}.jsonl`);
  etalon("compare", "old.jsonl", "new.jsonl", "--html", "compared.html");
  etalon("cmd", "-r", "4", ...HOSTILE.flatMap((name) => ["-n", name, "true"]), "--html", "hostile.html");
  browser = await start();
});
after(() => browser?.close());

test("a page loads without a complaint, and its plots are drawn", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await drawn(page);
  for (const plot of [".time", ".share", ".pair"]) assert.ok((await inked(page, plot)) > 300, `${plot} is blank`);
  assert.deepEqual(complaints, []);
  await close();
});

test("numbers in the page are those of the record", async () => {
  const { page, close } = await open(browser, "page.html");
  await drawn(page);
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.saving >> text="${name}"`)]);
    return fs.readFileSync(await download.path(), "utf8");
  };
  const csv = (await saved("CSV")).trimEnd().split("\r\n");
  const lines = (await saved("JSON Lines")).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(csv.length, 61);
  assert.equal(lines.length, 60);
  const store = path.join(home, "store/runs");
  const record = fs.readdirSync(store).filter((name) => name.endsWith(".jsonl")).map((name) => fs.readFileSync(path.join(store, name), "utf8")).find((text) => text.includes("\"fast\""));
  const ns = [...record.matchAll(/"wall":(\d+)/g)].map((found) => Number(found[1])).sort((a, b) => a - b);
  const wall = lines.map((line) => Math.round(line["wall [s]"] * 1e9)).sort((a, b) => a - b);
  assert.deepEqual(wall, ns);
  assert.deepEqual([...new Set(lines.map((line) => line.benchmark))].sort(), ["fast", "slow"]);
  await close();
});

test("a table is sorted at a click, filtered by a text, and a link keeps both", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  const table = page.locator("table").first();
  const names = () => table.locator("tbody tr:visible th").allTextContents();
  const before = await names();
  await table.locator("thead button").first().click();
  assert.deepEqual(await names(), ["fast", "slow"]);
  await table.locator("thead button").first().click();
  assert.deepEqual(await names(), ["slow", "fast"]);
  assert.equal(await table.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
  const fragment = await page.evaluate(() => location.hash);
  assert.match(fragment, /sort0=0/);
  const other = await open(browser, "page.html", { fragment });
  const again = other.page;
  assert.deepEqual(await again.locator("table").first().locator("tbody tr:visible th").allTextContents(), ["slow", "fast"]);
  await table.locator("thead button").first().click();
  assert.deepEqual(await names(), before);
  assert.deepEqual(complaints, []);
  await Promise.all([close(), other.close()]);
});

test("what is dragged over in one plot is selected in all, and a link keeps it", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await drawn(page);
  await page.locator(".time").scrollIntoViewIfNeeded();
  const box = await page.locator(".time .u-over").boundingBox();
  await page.mouse.move(box.x + 2, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 2, { steps: 5 });
  await page.mouse.up();
  await drawn(page, 2);
  const said = () => page.locator(".chosen p").textContent();
  const [, count] = /^(\d+) of 60 observations/.exec(await said());
  assert.ok(Number(count) >= 25 && Number(count) <= 35, `${count} of 60`);
  for (const plot of [".time", ".pair"]) {
    const [all, selected] = [await inked(page, `${plot} .faint`), await inked(page, `${plot} .dots:not(.faint)`)];
    assert.ok(selected > 100 && selected < all, `${plot}: ${selected} of ${all}`);
  }
  const fragment = await page.evaluate(() => location.hash);
  const other = await open(browser, "page.html", { fragment });
  const again = other.page;
  await drawn(again);
  assert.equal(await again.locator(".chosen p").textContent(), await said());
  await page.click("text=Clear the selection");
  await drawn(page, 3);
  assert.equal(await page.locator(".chosen p").count(), 0);
  assert.equal(await page.locator(".faint").count(), 0);
  assert.deepEqual(complaints, []);
  await Promise.all([close(), other.close()]);
});

test("a warm-up is shaded over time and stands in no figure", async () => {
  const { page, complaints, close } = await open(browser, "warm.html");
  await drawn(page);
  assert.match(await page.locator("#look").textContent(), /Shaded: the warm-up/);
  assert.match(await page.locator(".saving").textContent(), /^60 observations/);
  assert.ok((await page.locator("figure rect.warm").count()) > 0);
  const shaded = () => page.evaluate(() => {
    const canvas = document.querySelector(".time canvas:not(.dots)");
    const over = document.querySelector(".time .u-over");
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    const [x, y] = [over.offsetLeft + over.clientWidth * 0.1, over.offsetTop + over.clientHeight * 0.52];
    return canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data[3];
  });
  assert.ok((await shaded()) > 20);
  await page.locator("[name=metric]").selectOption({ label: "Max RSS" });
  await drawn(page, 2);
  assert.equal(await page.locator("#look .remark:visible").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("an observation is said under the pointer, and from the keyboard", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await drawn(page);
  const said = page.locator(".observation");
  await page.focus(".time");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => /execution 1, block 1: Wall clock/i.test(document.querySelector(".observation").textContent));
  assert.match(await said.textContent(), /^(fast|slow) /);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction(() => /^3 of 60/.test(document.querySelector(".chosen p")?.textContent ?? ""));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^2 of 60/.test(document.querySelector(".chosen p")?.textContent ?? ""));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".chosen p"));
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.locator(".time").scrollIntoViewIfNeeded();
  const mark = await page.locator(".time .here").boundingBox();
  await page.mouse.move(5, 5);
  await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2);
  await page.waitForFunction(() => /block/.test(document.querySelector(".observation").textContent));
  assert.deepEqual(complaints, []);
  await close();
});

test("choices are in the link: metric, distribution, benchmarks", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await drawn(page);
  await page.locator("[name=metric]").selectOption({ label: "Max RSS" });
  await page.locator("[name=shape]").selectOption("density");
  await page.getByLabel("slow").uncheck();
  await page.waitForFunction(() => /hidden=1/.test(location.hash));
  const fragment = await page.evaluate(() => location.hash);
  const other = await open(browser, "page.html", { fragment });
  const again = other.page;
  await drawn(again);
  assert.equal(await again.locator("[name=metric]").evaluate((it) => it.selectedOptions[0].textContent), "Max RSS");
  assert.equal(await again.locator("[name=shape]").inputValue(), "density");
  assert.equal(await again.getByLabel("slow").isChecked(), false);
  for (const nonsense of ["#metric=99&x=a&selected=m7,1;q,2,3&hidden=z&sort0=77,up&log=2", "#%E0%A4%A"]) {
    const odd = await open(browser, "page.html", { fragment: nonsense });
    await drawn(odd.page);
    assert.deepEqual(odd.complaints, []);
    await odd.close();
  }
  assert.deepEqual(complaints, []);
  await Promise.all([close(), other.close()]);
});

test("a benchmark stands out while its name is pointed at, or has the focus", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await drawn(page);
  const name = page.locator(".benchmarks label", { hasText: "slow" });
  const isFaint = () => page.locator(".time .faint, .pair .faint").count();
  const lines = () => page.evaluate(() => document.querySelector(".share canvas").toDataURL());
  const before = await lines();
  await name.hover();
  assert.equal(await isFaint(), 2);
  const [all, some] = [await inked(page, ".time .faint"), await inked(page, ".time .dots:not(.faint)")];
  assert.ok(some > 50 && some < all, `${some} of ${all}`);
  // One layer over the other, both over the axes.
  const places = await page.locator(".time canvas.dots, .time .u-over").evaluateAll((all) => all.map((it) => JSON.stringify(it.getBoundingClientRect())));
  assert.equal(new Set(places).size, 1, places.join());
  await page.waitForFunction((before) => document.querySelector(".share canvas").toDataURL() !== before, before);
  await page.mouse.move(1, 1);
  assert.equal(await isFaint(), 0);
  await name.locator("input").focus();
  assert.equal(await isFaint(), 2);
  assert.equal(await page.evaluate(() => location.hash), "");
  assert.deepEqual(complaints, []);
  await close();
});

test("warm-ups of other benchmarks are faint, too, while a name is pointed at", async () => {
  const { page, complaints, close } = await open(browser, "warm.html");
  await drawn(page);
  const warm = () => page.evaluate(() => document.querySelector(".time canvas:not(.dots)").toDataURL());
  const before = await warm();
  await page.locator(".benchmarks label", { hasText: "slow" }).hover();
  await page.waitForFunction((before) => document.querySelector(".time canvas:not(.dots)").toDataURL() !== before, before);
  await page.mouse.move(1, 1);
  await page.waitForFunction((before) => document.querySelector(".time canvas:not(.dots)").toDataURL() === before, before);
  assert.deepEqual(complaints, []);
  await close();
});

test("a density of what is never below 0 does not fall towards 0", async () => {
  const { page, close } = await open(browser, "page.html");
  const [first, most] = await page.evaluate(() => {
    const values = Float64Array.from({ length: 2000 }, (_, at) => -Math.log((at + 0.5) / 2000));
    const extent = { log: false, lo: 0, hi: 8 };
    const curve = density(values, gridOf(extent), extent);
    return [curve[0], Math.max(...curve)];
  });
  assert.ok(first > 0.97 * most, `${first} of ${most}`);
  await close();
});

test("colours of blocks are explained where they are chosen", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await drawn(page);
  assert.equal(await page.locator(".blocks").count(), 0);
  await page.locator("[name=colour]").selectOption("block");
  await drawn(page, 2);
  assert.equal(await page.locator(".blocks").textContent(), "Block 130");
  assert.match(await page.locator(".blocks .ramp").evaluate((it) => getComputedStyle(it).backgroundImage), /gradient.*rgb/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the number of calls of a reading can stand along an axis, and is saved once", async () => {
  const { page, complaints, close } = await open(browser, "suite.html");
  await drawn(page);
  await page.locator("[name=x]").selectOption({ label: "Calls" });
  await drawn(page, 2);
  assert.ok((await inked(page, ".pair")) > 300, "blank");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('.saving >> text="CSV"')]);
  const heads = fs.readFileSync(await download.path(), "utf8").split("\r\n")[0].split(",");
  assert.equal(heads.filter((it) => /^(calls|iterations)$/i.test(it)).length, 1, heads.join());
  assert.deepEqual(complaints, []);
  await close();
});

test("what is read once in a block stands beside its samples", async () => {
  const { page, complaints, close } = await open(browser, "suite.html");
  await drawn(page);
  await page.locator("[name=x]").selectOption({ label: "Allocated per call" });
  await drawn(page, 2);
  assert.equal(await page.locator("#look .remark:visible").filter({ hasText: "both" }).count(), 0);
  assert.ok((await inked(page, ".pair")) > 300, "blank");
  await page.focus(".time");
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => /turn \d.*Wall clock.*Allocated per call/i.test(document.querySelector(".observation").textContent));
  for (const name of ["one", "two"]) await page.getByLabel(name, { exact: true }).uncheck();
  await page.waitForFunction(() => [...document.querySelectorAll("#look .remark")].some((it) => it.textContent === "No benchmark is chosen." && !it.hidden));
  assert.deepEqual(complaints, []);
  await close();
});

test("a column is read once, however many ask for it", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await page.addInitScript(() => {
    const [plain, read] = [window.atob, new Map()];
    window.atob = (text) => (read.set(text, (read.get(text) ?? 0) + 1), plain(text));
    Object.assign(window, { read });
  });
  await page.reload();
  await drawn(page);
  await page.locator("[name=metric]").selectOption({ index: 1 });
  await drawn(page, 2);
  // Two columns may have the same numbers.
  const columns = await page.locator("[id^=column-]").allTextContents();
  const read = await page.evaluate(() => [...window.read]);
  assert.ok(read.length > 2, `${read.length}`);
  for (const [text, times] of read) assert.ok(times <= columns.filter((it) => it === text).length, `${times} times: ${text}`);
  assert.deepEqual(complaints, []);
  await close();
});

test("of more benchmarks than colours the others have dashed lines", async () => {
  const { page, complaints, close } = await open(browser, "nine.html");
  await drawn(page);
  const swatches = await page.locator(".benchmarks .swatch").evaluateAll((all) => all.map((it) => /gradient/.test(getComputedStyle(it).backgroundImage)));
  assert.deepEqual(swatches, [...new Array(8).fill(false), true]);
  assert.deepEqual(complaints, []);
  await close();
});

test("changes in percent and factors are sorted as what they are", async () => {
  const { page, close } = await open(browser, "page.html");
  const order = await page.evaluate(() => {
    const rows = ["(+54 % … +454 %)", "(2.47 … 10.37)", "(-48 % … -16 %)", "(1.29 … 1.56)"].map((text) => element("tr", {}, element("th", {}, "x"), element("td", {}, text)));
    return inOrder(/** @type {any} */ (rows), 1, 1).map((row) => row.cells[1].textContent);
  });
  assert.deepEqual(order, ["(-48 % … -16 %)", "(1.29 … 1.56)", "(+54 % … +454 %)", "(2.47 … 10.37)"]);
  const times = await page.evaluate(() => {
    const rows = ["303.8 ms", "51.8 ms ± 0.8 %", "403.4 ms", "1.2 s ± 5 %"].map((text) => element("tr", {}, element("th", {}, "x"), element("td", {}, text)));
    return inOrder(/** @type {any} */ (rows), 1, 1).map((row) => row.cells[1].textContent);
  });
  assert.deepEqual(times, ["51.8 ms ± 0.8 %", "303.8 ms", "403.4 ms", "1.2 s ± 5 %"]);
  await close();
});

test("quantiles have no interval where readings of a block have that in common", async () => {
  for (const [name, has] of [["suite.html", false], ["page.html", true]]) {
    const { page, close } = await open(browser, name);
    const caption = await page.locator("figcaption", { hasText: "at each tenth of the readings" }).first().textContent();
    assert.equal(/with intervals that hold together at/.test(caption), has, `${name}: ${caption}`);
    await close();
  }
});

test("factors sort by what they come to, and intervals by their lower end", async () => {
  const { page, close } = await open(browser, "suite.html");
  const order = await page.evaluate(() => {
    const row = (text) => { const tr = document.createElement("tr"); tr.append(document.createElement("th"), Object.assign(document.createElement("td"), { textContent: text })); return tr; };
    const sorted = (texts) => inOrder(texts.map(row), 1, 1).map((it) => it.cells[1].textContent);
    return [
      sorted(["1.081 × slower", "2.35 × faster", "baseline", "6.25 × slower", "1.10 × faster"]),
      sorted(["95 % (10.05 … 13.9) µs", "95 % (1.50 … 1.84) µs", "95 % (625 … 922) ns"]),
    ];
  });
  assert.deepEqual(order[0], ["2.35 × faster", "1.10 × faster", "baseline", "1.081 × slower", "6.25 × slower"]);
  assert.deepEqual(order[1], ["95 % (625 … 922) ns", "95 % (1.50 … 1.84) µs", "95 % (10.05 … 13.9) µs"]);
  await close();
});

test("on paper, plots stand below one another and none is wider than it", async () => {
  const { page, complaints, close } = await open(browser, "page.html", { viewport: { width: 1400, height: 900 } });
  await drawn(page);
  const boxes = () => page.evaluate(() => [".time", ".share", ".pair"].map((plot) => {
    const { top, bottom, width } = document.querySelector(`${plot} .uplot`).getBoundingClientRect();
    return { top, bottom, width };
  }));
  const [onScreen] = await boxes();
  assert.ok(onScreen.width > 640, `${onScreen.width}`);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const [time, share, pair] = await boxes();
  for (const { width } of [time, share, pair]) assert.ok(width <= 640, `${width}`);
  assert.ok(time.bottom <= share.top && share.bottom <= pair.top, JSON.stringify([time, share, pair]));
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal((await boxes())[0].width, onScreen.width);
  assert.deepEqual(complaints, []);
  await close();
});

test("every column of a table says what it is", async () => {
  for (const name of ["page.html", "suite.html", "warm.html", "compared.html"]) {
    const { page, close } = await open(browser, name);
    const bare = await page.locator("table:not(.facts) thead").evaluateAll((heads) => heads.flatMap((head) =>
      [...head.rows[0].cells].slice(1).filter((cell) => !cell.textContent?.trim()).map(() => head.closest("table")?.textContent)));
    assert.deepEqual(bare, []);
    await close();
  }
});

test("hostile names stay text", async () => {
  const { page, complaints, close } = await open(browser, "hostile.html");
  await drawn(page);
  await page.focus(".time");
  for (let at = 0; at < 12; at++) await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll(".chosen tbody tr").length > 3);
  for (const heading of await page.locator("thead button").all()) await heading.click();
  const shown = await page.locator("main").textContent();
  assert.ok(shown.includes("<img src=x onerror=alert(1)>") && shown.includes("</script><script>alert(2)</script>"));
  assert.equal(await page.locator("img, iframe, object, [onerror], [onmouseover], main b").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("a picture is saved as an SVG that needs no style sheet, and as a PNG twice as large, in the colours of the page", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, complaints, close } = await open(browser, "page.html", { colorScheme });
    const pictures = page.locator(".figures figure");
    assert.equal(await page.locator(".files").count(), await pictures.count());
    const first = pictures.first();
    const saved = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), first.getByRole("button", { name }).click()]);
      const kept = path.join(OUT, `${colorScheme}-${download.suggestedFilename()}`);
      await download.saveAs(kept);
      return { name: download.suggestedFilename(), kept };
    };
    const svg = await saved(/^SVG: /);
    const png = await saved(/^PNG: /);
    assert.deepEqual([svg.name, png.name], ["01-ratios.svg", "01-ratios.png"]);
    const text = fs.readFileSync(svg.kept, "utf8");
    assert.doesNotMatch(text, /<style|class=|var\(|style=/);
    for (const part of [/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/, /<title>/, /<desc>/, /fill="rgb\(/, /font-family="/]) assert.match(text, part);
    const caption = (await first.locator("figcaption").textContent()).split(" ").slice(0, 3).join(" ");
    assert.ok(text.includes(`>${caption}`), caption);
    const seen = await page.evaluate(async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (it) => it.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const rows = (from, to) => {
        let inked = 0;
        for (let at = 4 * from * bitmap.width; at < 4 * to * bitmap.width; at += 4) if (Math.abs(data[at] - data[0]) > 60) inked++;
        return inked;
      };
      return { width: bitmap.width, corner: [...data.slice(0, 4)], caption: rows(24, 60), below: rows(80, bitmap.height) };
    }, fs.readFileSync(png.kept).toString("base64"));
    assert.equal(seen.width, 2 * 424);
    assert.deepEqual(seen.corner, colorScheme === "light" ? [255, 255, 255, 255] : [22, 25, 29, 255]);
    assert.ok(seen.caption > 500 && seen.below > 500, JSON.stringify(seen));
    // Every picture is drawn, whatever is in it.
    for (const other of await pictures.all()) {
      const [download] = await Promise.all([page.waitForEvent("download"), other.getByRole("button", { name: /^PNG: / }).click()]);
      assert.ok(fs.statSync(await download.path()).size > 5_000, download.suggestedFilename());
    }
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a browser that draws no PNG says so", async () => {
  const { page, complaints, close } = await open(browser, "page.html");
  await page.evaluate(() => { HTMLCanvasElement.prototype.toBlob = (done) => done(null); });
  const first = page.locator(".figures figure").first();
  await first.getByRole("button", { name: /^PNG: / }).click();
  await first.getByText("This browser draws no PNG of it.").waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("without scripts, a page has its tables and still pictures", async () => {
  const { page, complaints, close } = await open(browser, "page.html", { javaScriptEnabled: false });
  assert.ok((await page.locator("table").count()) > 1);
  assert.ok((await page.locator("main svg").count()) >= 2);
  assert.equal(await page.locator(".controls, canvas, button").count(), 0);
  assert.match(await page.locator("#look").textContent(), /Scripts are off/);
  assert.deepEqual(complaints, []);
  await close();
});

test("100,000 observations are all there, and can be selected", async (t) => {
  record("many.jsonl", 50_000);
  etalon("report", "many.jsonl", "--html", "many.html");
  const { page, complaints, close } = await open(browser, "many.html");
  await drawn(page);
  t.diagnostic(`drawn ${Math.round(await page.evaluate(() => performance.now()))} ms after opening`);
  assert.match(await page.locator(".saving").textContent(), /^100,000 observations/);
  assert.ok((await inked(page, ".time")) > 5_000);
  const taken = await page.evaluate(async () => {
    const start = performance.now();
    location.hash = "selected=order,1001,3000";
    while (document.querySelector("#look").dataset.drawn !== "2") await new Promise((done) => setTimeout(done));
    return performance.now() - start;
  });
  t.diagnostic(`selected within ${Math.round(taken)} ms`);
  assert.match(await page.locator(".chosen p").textContent(), /^2,000 of 100,000/);
  assert.deepEqual(complaints, []);
  await close();
});

test("more are thinned, which the page says, and no outlier is lost", async () => {
  record("more.jsonl", 90_000);
  etalon("report", "more.jsonl", "--html", "more.html");
  assert.ok(fs.statSync(path.join(home, "more.html")).size < 5e6);
  const { page, complaints, close } = await open(browser, "more.html");
  await drawn(page);
  const said = await page.locator("#look").textContent();
  const [, count] = /Drawn by scripts are ([\d,]+) of 180,000 observations: one in 3 of each benchmark.*all are in more\./s.exec(said);
  assert.ok(Number(count.replace(",", "")) <= 100_000, count);
  await page.evaluate(() => { location.hash = "selected=m0,0.02,1"; });
  await drawn(page, 2);
  await page.focus(".time");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('.saving >> text="CSV"')]);
  const rows = fs.readFileSync(await download.path(), "utf8").trimEnd().split("\r\n");
  assert.equal(`${(rows.length - 1).toLocaleString("en")}`, count);
  const wall = rows[0].split(",").indexOf("wall [s]");
  assert.equal(rows.slice(1).filter((row) => Number(row.split(",")[wall]) > 0.02).length, 1);
  assert.deepEqual(complaints, []);
  await close();
});

test("at three widths, light and dark, nothing is wider than the page", async () => {
  for (const width of [360, 800, 1400]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, complaints, close } = await open(browser, "page.html", { viewport: { width, height: 900 }, colorScheme });
      await drawn(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} at ${width}`);
      for (const plot of [".time", ".share", ".pair"]) assert.ok((await inked(page, plot)) > 300, `${plot} is blank at ${width}, ${colorScheme}`);
      await page.screenshot({ path: path.join(OUT, `page-${width}-${colorScheme}.png`), fullPage: true });
      assert.deepEqual(complaints, []);
      await close();
    }
  }
});
