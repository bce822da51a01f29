/**
 * Elements of the page, made without markup: text is text, whatever is in it.
 *
 * Owns how elements are made. Refuses markup and handlers in attributes.
 */

/**
 * An element with attributes and what is in it.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * A choice of one, with its label.
 * @param {[string, string]} called its key, and its label @param {[string, string][]} options value and text @param {string} chosen
 * @param {(value: string) => void} changed @returns {HTMLLabelElement}
 */
function choice([name, label], options, chosen, changed) {
  const select = element("select", { name }, ...options.map(([value, text]) => element("option", { value }, text)));
  select.value = chosen;
  select.addEventListener("change", () => changed(select.value));
  return element("label", {}, `${label} `, select);
}

/**
 * A box to check, with its label.
 * @param {(Node | string)[]} label @param {boolean} checked @param {(checked: boolean) => void} changed
 * @returns {HTMLLabelElement}
 */
function checkbox(label, checked, changed) {
  const box = element("input", { type: "checkbox" });
  box.checked = checked;
  box.addEventListener("change", () => changed(box.checked));
  return element("label", {}, box, ...label);
}

/** @param {string} text @param {() => void} pressed @returns {HTMLButtonElement} */
function button(text, pressed) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", pressed);
  return made;
}
