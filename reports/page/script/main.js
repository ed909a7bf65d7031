// Which view is shown, and what keys do.

const VIEWS = ["summary", "cases", "case", "clauses", "gaps", "holes"];
const title = document.title;

async function route() {
  const { view: asked, chosen } = here();
  const view = VIEWS.includes(asked) ? asked : "summary";
  for (const name of VIEWS) byId(name).classList.toggle("on", name === view);
  for (const link of byId("views").children) {
    const of = link.getAttribute("href").slice(1);
    if (of === view || (of === "cases" && view === "case")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (view !== "case") document.title = title;
  if (view === "cases" || view === "case") await withList();
  if (view === "cases") {
    toForm(byId("filters"), chosen);
    if (SINGLE.some((name) => chosen.get(name))) byId("more").open = true;
    showList(chosen, lastCase);
    lastCase = undefined;
  } else if (view === "case") {
    await showCase(chosen);
  } else if (view === "clauses" || view === "gaps") {
    await loadList();
    await showEntries(view, chosen);
  }
}

async function withList() {
  if (list) return;
  await loadList();
  fillForm(byId("filters"));
  makeList();
}

// A fault of the page must not look like an empty run.
function failed(error) {
  byId("main").prepend(
    h(
      "p",
      { class: "failed", role: "alert" },
      icon("violation"),
      ` This page could not read what it holds: ${error?.message ?? error}`,
    ),
  );
  throw error;
}

const go = () => route().catch(failed);
addEventListener("hashchange", go);

let waiting;
// Filters as they change; a search waits until the typing rests.
function filtersChanged(event) {
  clearTimeout(waiting);
  waiting = setTimeout(
    () => {
      const chosen = fromForm(byId("filters"));
      become(listAddress(chosen));
      toForm(byId("filters"), chosen);
      showList(chosen);
    },
    event.target.type === "search" ? 80 : 0,
  );
}

byId("filters").addEventListener("input", filtersChanged);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("clear").addEventListener("click", () => {
  location.hash = "#cases";
  byId("q").focus();
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});

// The search of the view that is shown.
function focusSearch() {
  const own = document.querySelector(".view.on input[type=search]");
  if (own) return own.select();
  location.hash = "#cases";
  addEventListener("hashchange", () => setTimeout(() => byId("q").select(), 50), { once: true });
  return undefined;
}

function escape() {
  const { view } = here();
  if (view === "case") byId("case-page").querySelector("[data-step=back]")?.click();
  else if (document.activeElement?.matches?.("input, select"))
    view === "cases" && shown.length ? goTo(at) : document.activeElement.blur();
}

const inList = () => here().view === "cases" && shown.length > 0;
const step = (key) => byId("case-page").querySelector(`a[data-step="${key}"]`)?.click();
const onRow = () => document.activeElement?.closest?.("#list tr[data-at]");

function move(by) {
  if (here().view === "case") return step(by > 0 ? "j" : "k");
  if (inList()) goTo(onRow() ? at + by : at);
  return undefined;
}

const KEYS = {
  "/": focusSearch,
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => onRow() && move(1),
  ArrowUp: () => onRow() && move(-1),
  PageDown: () => onRow() && goTo(at + 20),
  PageUp: () => onRow() && goTo(at - 20),
  Home: () => onRow() && goTo(0),
  End: () => onRow() && goTo(shown.length - 1),
  Enter: () =>
    inList() && !onRow() && document.activeElement === document.body && (location.hash = rowAddress(at)),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "Escape") return escape();
  const typing = event.target.matches?.("input:not([type=checkbox], [type=radio]), select, textarea");
  if (typing) {
    // From the search straight into what it found.
    if (event.target.id === "q" && (event.key === "ArrowDown" || event.key === "Enter")) {
      event.preventDefault();
      goTo(event.key === "Enter" ? at : 0);
    }
    return undefined;
  }
  const ofRow =
    event.key.startsWith("Arrow") ||
    event.key.startsWith("Page") ||
    event.key === "Home" ||
    event.key === "End";
  if (!KEYS[event.key] || (ofRow && !onRow())) return undefined;
  if (event.key !== "Enter") event.preventDefault();
  return KEYS[event.key]();
});

go();
