/**
 * The pictures of the page as files: an SVG as it is seen here, and a PNG that the browser draws of that.
 *
 * Owns what a picture needs away from the page: its colours, its letters and its caption. Refuses a style sheet in the file,
 * because programs that draw SVG read few of them.
 */

/** Properties that the page's style sheet sets, all of which are handed down to the elements within. */
const HANDED_DOWN = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
  "font-family", "font-size", "text-anchor"];
/** As in the files of `--svg`: around a picture, from line to line of its caption, and letters of such a line. */
const [MARGIN, LINE, LETTERS] = [12, 15, 64];
/** Pixels of a PNG for a unit of the picture. Because: many screens have two for one of the page's. */
const PIXELS = 2;

/** @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * A copy that needs no style sheet: attributes say what its style is, where it differs from that of the element around.
 * @param {Element} element @param {CSSStyleDeclaration} [around] @returns {Element}
 */
function unstyled(element, around) {
  const copy = /** @type {Element} */ (element.cloneNode(false));
  const style = getComputedStyle(element);
  copy.removeAttribute("class");
  for (const name of HANDED_DOWN) {
    const value = style.getPropertyValue(name);
    if (value !== around?.getPropertyValue(name)) copy.setAttribute(name, value);
  }
  for (const child of element.childNodes) copy.append(child instanceof Element ? unstyled(child, style) : child.cloneNode());
  return copy;
}

/** @param {string} text @returns {string[]} */
function broken(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= LETTERS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter((line) => line);
}

/** A picture of the page. */
class Picture {
  /** @param {HTMLElement} figure @param {number} at its place among the pictures of the page, from 0 */
  constructor(figure, at) {
    this.caption = /** @type {HTMLElement} */ (figure.querySelector("figcaption"));
    this.drawn = /** @type {SVGSVGElement} */ (figure.querySelector("svg"));
    this.name = `${String(at + 1).padStart(2, "0")}-${figure.dataset.name}`;
    const lines = broken(this.caption.textContent ?? "");
    const { width, height } = this.drawn.viewBox.baseVal;
    this.lines = lines;
    this.head = lines.length * LINE + 8;
    this.width = width + 2 * MARGIN;
    this.height = this.head + height + 2 * MARGIN;
    this.said = element("span", { role: "status" });
    figure.append(element("p", { class: "files" }, this.button("SVG", () => this.svg()), " ", this.button("PNG", () => this.png()), " ", this.said));
  }

  /** @param {"SVG" | "PNG"} kind @param {() => Promise<Blob>} file */
  button(kind, file) {
    const name = `${this.name}.${kind.toLowerCase()}`;
    const say = (/** @type {string} */ text) => this.said.replaceChildren(text);
    const made = button(kind, () => file().then((blob) => { download(blob, name); say(""); }, () => say(`This browser draws no ${kind} of it.`)));
    made.setAttribute("aria-label", `${kind}: ${this.caption.textContent}`);
    return made;
  }

  /** The text of a file in the colours that the page has now. @param {number} scale pixels for a unit */
  text(scale) {
    const { width, height } = this.drawn.viewBox.baseVal;
    const within = unstyled(this.drawn);
    for (const [name, value] of Object.entries({ x: 0, y: this.head, width, height })) within.setAttribute(name, String(value));
    const page = getComputedStyle(document.body).backgroundColor;
    const { color, fontFamily } = getComputedStyle(this.caption);
    const lines = this.lines.map((line, at) => shape("text", { x: 0, y: (at + 1) * LINE }, line));
    const alone = shape("svg", { width: this.width * scale, height: this.height * scale, viewBox: `${-MARGIN} ${-MARGIN} ${this.width} ${this.height}` },
      shape("title", {}, this.caption.textContent ?? ""),
      shape("rect", { x: -MARGIN, y: -MARGIN, width: this.width, height: this.height, fill: page }),
      shape("g", { fill: color, "font-family": fontFamily, "font-size": 11 }, ...lines),
      within);
    return new XMLSerializer().serializeToString(alone);
  }

  /** @param {number} [scale] @returns {Promise<Blob>} */
  async svg(scale = 1) {
    return new Blob([this.text(scale)], { type: "image/svg+xml" });
  }

  /** @returns {Promise<Blob>} */
  async png() {
    const image = new Image();
    image.src = URL.createObjectURL(await this.svg(PIXELS));
    try {
      await image.decode();
    } finally {
      URL.revokeObjectURL(image.src);
    }
    const canvas = element("canvas", { width: String(Math.ceil(this.width * PIXELS)), height: String(Math.ceil(this.height * PIXELS)) });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no PNG")))));
  }
}
