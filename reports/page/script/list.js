// The list of cases. Only the rows in sight are in the document.

const AROUND = 8;
let shown = [];
let shownFor = new URLSearchParams();
let at = 0;
let frame;

function makeList() {
  // Small screens lay rows out otherwise: roles keep it a table for all readers.
  const columns = h(
    "tr",
    { role: "row" },
    ["Verdict", "Case", "Instruction", "Targets", "Place"].map((n) =>
      h("th", { scope: "col", role: "columnheader" }, n),
    ),
  );
  const space = () => h("tr", { class: "space", "aria-hidden": "true" }, h("td", { colspan: "5" }));
  frame = {
    table: h("table", { class: "rows", role: "table", "aria-label": "Cases" }),
    body: h("tbody", { role: "rowgroup" }),
    before: space(),
    after: space(),
    rows: [],
  };
  frame.body.append(frame.before, frame.after);
  frame.table.append(h("thead", { role: "rowgroup" }, columns), frame.body);
  const box = byId("list");
  box.append(frame.table);
  box.addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
  new ResizeObserver(drawRows).observe(box);
  frame.body.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-at]");
    if (row && !event.target.closest("a") && !String(getSelection()))
      location.hash = rowAddress(Number(row.dataset.at));
  });
  frame.body.addEventListener("focusin", (event) => {
    const row = event.target.closest("tr[data-at]");
    if (row) mark(Number(row.dataset.at));
  });
}

const rowAddress = (place) => caseAddress(list[shown[place]].id, shownFor);

function rowOf(place) {
  const row = list[shown[place]];
  return h(
    "tr",
    { role: "row", "data-at": place, "aria-rowindex": place + 2, class: place === at ? "at" : null },
    h("td", { role: "cell" }, badge(row.verdict)),
    h(
      "th",
      { scope: "row", role: "rowheader" },
      h("a", { class: "id", href: rowAddress(place), tabindex: place === at ? "0" : "-1" }, row.id),
    ),
    h("td", { role: "cell" }, row.instruction),
    h("td", { role: "cell", class: "did" }, row.did),
    h("td", { role: "cell", class: "place" }, `${row.file}:${row.line}`),
  );
}

function drawRows() {
  const box = byId("list");
  if (!frame || !box.clientHeight) return;
  const height = parseFloat(getComputedStyle(box).getPropertyValue("--row"));
  const first = Math.max(0, Math.floor(box.scrollTop / height) - AROUND);
  const end = Math.min(shown.length, first + Math.ceil(box.clientHeight / height) + 2 * AROUND);
  const held = document.activeElement?.closest?.("#list tr[data-at]")?.dataset.at;
  const rows = [];
  for (let place = first; place < end; place++) rows.push(rowOf(place));
  frame.before.firstChild.style.height = `${first * height}px`;
  frame.after.firstChild.style.height = `${(shown.length - end) * height}px`;
  // The new rows first: were the box ever too low for its place, it would scroll.
  frame.before.after(...rows);
  frame.rows.forEach((row) => row.remove());
  frame.rows = rows;
  if (held !== undefined) rowAt(Number(held))?.querySelector("a").focus({ preventScroll: true });
}

const rowAt = (place) => frame.body.querySelector(`tr[data-at="${place}"]`);

// Notes the row that is chosen.
function mark(place) {
  if (place === at) return;
  for (const [old, now] of [
    [at, false],
    [place, true],
  ]) {
    const row = rowAt(old);
    row?.classList.toggle("at", now);
    row?.querySelector("a").setAttribute("tabindex", now ? "0" : "-1");
  }
  at = place;
}

// Moves to a row, into sight where it is not.
function goTo(place) {
  if (!shown.length) return;
  place = Math.min(Math.max(place, 0), shown.length - 1);
  const box = byId("list");
  const height = parseFloat(getComputedStyle(box).getPropertyValue("--row"));
  const top = place * height;
  const space = box.clientHeight - frame.table.tHead.offsetHeight - height;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top > box.scrollTop + space) box.scrollTop = top - space;
  mark(place);
  drawRows();
  rowAt(place)?.querySelector("a").focus({ preventScroll: true });
}

// Shows the cases that pass; stays at the case that was chosen, if it passes:
// at the one that somebody comes back from, also with the focus.
function showList(chosen, from) {
  const chosenCase = from ?? shown[at];
  shown = found(chosen);
  shownFor = chosen;
  at = Math.max(0, shown.indexOf(chosenCase));
  frame.table.setAttribute("aria-rowcount", shown.length + 1);
  byId("found").textContent =
    shown.length === list.length
      ? `${counted(list.length, "case")}`
      : `${number(shown.length)} of ${counted(list.length, "case")}`;
  if (at === 0) byId("list").scrollTop = 0;
  drawRows();
  if (from !== undefined && shown[at] === from) goTo(at);
}
