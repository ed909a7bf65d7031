// Elements made of text. Nothing on this page makes markup of a string.

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const thousands = new Intl.NumberFormat("en-US");
const number = (n) => thousands.format(n);
const counted = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
const words = (name) => name.replaceAll("-", " ");

// An element: `class`, other attributes, `on` for listeners; children are
// nodes, text, lists of these, or nothing.
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false));
  return element;
}

// One of the shapes that the page begins with.
function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

const badge = (name, text = words(name)) => h("span", { class: `badge s-${name}` }, icon(name), text);

const value = (v) => [h("span", { class: "value" }, v.value), " ", h("span", { class: "bits" }, v.bits)];

// A list with something between its items.
const joined = (items, between) => items.flatMap((item, n) => (n ? [between, item] : [item]));

let titles = 0;
// A part of a page under a heading.
function part(title, ...children) {
  const id = `part-${titles++}`;
  return h("section", { class: "part", "aria-labelledby": id }, h("h2", { id }, title), ...children);
}

// What is wider than the page scrolls by itself.
const scroll = (label, child) =>
  h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, child);

const head = (...names) =>
  h(
    "thead",
    null,
    h(
      "tr",
      null,
      names.map((n) => h("th", { scope: "col" }, n)),
    ),
  );

const note = (...children) => h("p", { class: "note" }, ...children);

// Said by a screen reader, and by nothing else.
function say(text) {
  byId("say").textContent = text;
}
