/** Everything begins here, once the page is read. */

(() => {
  const state = new State();
  const tables = [...document.querySelectorAll("main table")].filter((table) => table instanceof HTMLTableElement && table.tHead && table.tBodies[0]?.rows.length > 1);
  const sorted = tables.map((table, at) => new Sorted(/** @type {HTMLTableElement} */ (table), at, state));
  const data = Data.ofPage();
  const place = document.getElementById("look");
  const section = data && place ? new Section(place, data, state) : null;
  state.listeners.push(() => {
    sorted.forEach((table) => table.show());
    section?.draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => section?.draw());
  section?.draw();
})();
