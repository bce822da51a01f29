/**
 * Tables of the page: sorted by a column at a click on its heading, filtered by a text.
 *
 * Owns the order of rows, and which are seen. Refuses to change a cell. The state has `sort3=1,up` for the second
 * column of the fourth table, and `filter3`.
 */

/** Tables with so many rows have a filter. */
const FILTERED_FROM = 8;

class Sorted {
  /** @param {HTMLTableElement} table @param {number} number @param {State} state */
  constructor(table, number, state) {
    this.table = table;
    this.state = state;
    this.keys = { sort: `sort${number}`, filter: `filter${number}` };
    this.body = table.tBodies[0];
    this.rows = [...this.body.rows];
    this.headings = [...(table.tHead?.rows[0]?.cells ?? [])];
    for (const [at, heading] of this.headings.entries()) {
      const press = button(heading.textContent ?? "", () => this.press(at));
      if (!press.textContent) press.setAttribute("aria-label", at === 0 ? "Name" : `Column ${at + 1}`);
      heading.replaceChildren(press);
    }
    if (this.rows.length >= FILTERED_FROM) {
      this.search = element("input", { type: "search", "aria-label": "Rows that contain", placeholder: "Filter rows" });
      this.search.addEventListener("input", () => {
        state.set(this.keys.filter, this.search?.value || null);
        this.show();
      });
      table.parentElement?.before(element("p", { class: "filter" }, this.search, this.left = element("span", { role: "status" })));
    }
    this.show();
  }

  /** Least first, then greatest first, then as it was. @param {number} at */
  press(at) {
    const [column, way] = this.sort;
    const next = column !== at ? `${at},up` : way === "up" ? `${at},down` : null;
    this.state.set(this.keys.sort, next);
    this.show();
  }

  /** @returns {[number, string]} */
  get sort() {
    const [column, way] = (this.state.get(this.keys.sort) ?? "").split(",");
    const at = /^\d+$/.test(column) ? Number(column) : -1;
    return at < this.headings.length && (way === "up" || way === "down") ? [at, way] : [-1, ""];
  }

  /** Shows what the state says. */
  show() {
    const [column, way] = this.sort;
    const filter = this.state.get(this.keys.filter) ?? "";
    this.headings.forEach((heading, at) => {
      if (at === column) heading.setAttribute("aria-sort", way === "up" ? "ascending" : "descending");
      else heading.removeAttribute("aria-sort");
    });
    this.body.append(...(column < 0 ? this.rows : inOrder(this.rows, column, way === "up" ? 1 : -1)));
    const wanted = filter.toLowerCase();
    let seen = 0;
    for (const row of this.rows) {
      row.hidden = !(row.textContent ?? "").toLowerCase().includes(wanted);
      if (!row.hidden) seen++;
    }
    if (this.search && this.left) {
      if (this.search.value !== filter) this.search.value = filter;
      this.left.textContent = filter ? `${seen} of ${this.rows.length} rows` : "";
    }
  }
}

/** Whether a row is about the others, below which it stays. @param {HTMLTableRowElement} row @returns {boolean} */
function isMean(row) {
  return (row.cells[0]?.textContent ?? "").startsWith("geometric mean");
}

/** What a verdict's factor comes to, so that faster stands before slower; absent in other cells. @param {string} text @returns {number | null} */
function ratioIn(text) {
  if (/^(baseline|reference|same)$/.test(text)) return 1;
  const found = /^([\d,.]+)\s*×\s*(\S+)$/.exec(text.replace(/\u00a0/g, " ").trim());
  if (!found) return null;
  const factor = Number(found[1].replace(/,/g, ""));
  return ["faster", "less", "fewer", "lower", "smaller"].includes(found[2]) ? 1 / factor : factor;
}

/**
 * Rows by a column: by its numbers where cells have any, rows without one last; otherwise by its text.
 * @param {HTMLTableRowElement[]} rows @param {number} column @param {number} way @returns {HTMLTableRowElement[]}
 */
function inOrder(rows, column, way) {
  const keyed = rows.map((row) => {
    const text = row.cells[column]?.textContent ?? "";
    return { row, text, number: ratioIn(text) ?? numberIn(text) };
  });
  // Of changes in percent beside factors, both are factors.
  const isPercent = (/** @type {string} */ text) => /^(\(\s*)?[+\-−][\d,.]+\s*%/.test(text.trim());
  if (keyed.some(({ text }) => isPercent(text)) && keyed.some(({ text, number }) => number !== null && !isPercent(text))) {
    for (const it of keyed) if (it.number !== null && isPercent(it.text)) it.number = 1 + it.number / 100;
  }
  const isText = column === 0 ? keyed.some(({ number }) => number === null) : keyed.every(({ number }) => number === null);
  const collator = new Intl.Collator("en", { numeric: true });
  keyed.sort((a, b) => {
    if (isMean(a.row) !== isMean(b.row)) return Number(isMean(a.row)) - Number(isMean(b.row));
    if (isText) return way * collator.compare(a.text, b.text);
    if (a.number === null || b.number === null) return Number(a.number === null) - Number(b.number === null);
    return way * (a.number - b.number);
  });
  return keyed.map(({ row }) => row);
}
