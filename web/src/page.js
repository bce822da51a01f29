/** Everything begins here, once the page is read. */

(() => {
  const state = new State();
  // A table without titles is a list of facts, which has its order.
  const isSorted = (/** @type {HTMLTableElement} */ table) => table.tHead?.textContent?.trim() && table.tBodies[0]?.rows.length > 1;
  const histories = Histories.ofPage();
  const series = document.getElementById("series");
  const followed = histories && series ? new HistoryPage(series, histories, state) : null;
  const tables = /** @type {HTMLTableElement[]} */ ([...document.querySelectorAll("main table")]);
  const sorted = tables.filter(isSorted).map((table, at) => new Sorted(table, at, state));
  const figures = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".figures figure")]);
  figures.forEach((figure, at) => new Picture(figure, at));
  const data = Data.ofPage();
  const place = document.getElementById("look");
  const section = data && place ? new Section(place, data, state) : null;
  state.listeners.push(() => {
    sorted.forEach((table) => table.show());
    section?.draw();
    void followed?.draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    section?.draw();
    void followed?.draw();
  });
  section?.draw();
  void followed?.draw();
})();
