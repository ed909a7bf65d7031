// Where the reader is: `#view?key=value&...`. Everything that can be chosen
// stands there, so that a page can be sent to others as it looks.

function here() {
  const hash = location.hash.slice(1);
  const cut = hash.indexOf("?");
  const view = cut < 0 ? hash : hash.slice(0, cut);
  return { view: view || "summary", chosen: new URLSearchParams(cut < 0 ? "" : hash.slice(cut + 1)) };
}

function address(view, chosen) {
  const query = chosen.toString();
  return query ? `#${view}?${query}` : `#${view}`;
}

// The address of a case, which keeps what the list was filtered by.
function caseAddress(id, chosen) {
  const all = new URLSearchParams(chosen);
  all.delete("id");
  all.set("id", id);
  return address("case", all);
}

function listAddress(chosen) {
  const all = new URLSearchParams(chosen);
  all.delete("id");
  return address("cases", all);
}

// Takes the place of the present address: typing must not fill the history.
function become(to) {
  history.replaceState(null, "", to);
}

const toCase = (id) => h("a", { class: "id", href: caseAddress(id, new URLSearchParams()) }, id);
const toClause = (id) => {
  const view = id.includes("-GAP-") ? "gaps" : "clauses";
  return h("a", { class: "clause", href: address(view, new URLSearchParams({ q: id })) }, id);
};
