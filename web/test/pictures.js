/** Pages as pictures, at three widths, light and dark, each beside its page: `node pictures.js PAGE...`. */
"use strict";

const path = require("node:path");
const { start, drawn } = require("./browser.js");

(async () => {
  const browser = await start();
  for (const file of process.argv.slice(2)) {
    for (const width of [360, 800, 1400]) {
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        page.on("console", (message) => console.log(`${file}: ${message.text()}`));
        await page.goto(`file://${path.resolve(file)}`);
        if (await page.locator("#look").count()) await drawn(page);
        await page.screenshot({ path: file.replace(/\.html$/, `-${width}-${colorScheme}.png`), fullPage: true });
        await context.close();
      }
    }
  }
  await browser.close();
})();
