// Which cases are shown, and in which order.

const HAS_WORDS = {
  readings: "a reading that mattered",
  holes: "a known hole",
  unseen: "freedom never seen",
  deviates: "readings that deviate from the documents",
  renamed: "a name that differs from its content",
};
const WORST_FIRST = ["violation", "permitted", "hangs", "undefined", "rejected", "single", "agree"];
const SINGLE = ["instruction", "suite", "has", "file", "failure_group", "pair", "outcome", "order"];

let texts;
// What a search looks through, case by case: made once, when somebody searches.
const searched = () =>
  (texts ??= list.map((row) =>
    [row.id, row.file, ...row.clauses, ...row.failure_groups].join("\n").toLowerCase(),
  ));

// A test of one word of a search: `dtype=half` asks a parameter of the call,
// any other word the name, the file, clauses and failure groups.
function wordTest(word) {
  const cut = word.indexOf("=");
  const of = (row) => Object.keys(row.call).find((key) => key.replaceAll(" ", "-") === word.slice(0, cut));
  if (cut > 0 && list.some(of)) {
    const wanted = word.slice(cut + 1);
    return (row) => row.call[of(row)]?.toLowerCase().startsWith(wanted);
  }
  return (_, n) => searched()[n].includes(word);
}

function pairTest(pair, outcome) {
  return (row) =>
    Object.entries(row.pairs).some(
      ([which, came]) => (!pair || which === pair) && (!outcome || came === outcome),
    );
}

function tests(chosen) {
  const all = chosen.get("q")?.toLowerCase().split(/\s+/).filter(Boolean).map(wordTest) ?? [];
  const verdicts = chosen.getAll("verdict");
  if (verdicts.length) all.push((row) => verdicts.includes(row.verdict));
  for (const name of ["instruction", "suite", "file"]) {
    const wanted = chosen.get(name);
    if (wanted) all.push((row) => row[name] === wanted);
  }
  if (chosen.get("pair") || chosen.get("outcome"))
    all.push(pairTest(chosen.get("pair"), chosen.get("outcome")));
  const group = chosen.get("failure_group");
  if (group) all.push((row) => row.failure_groups.includes(group));
  const has = chosen.get("has");
  if (has) all.push((row) => row.has.includes(has));
  return all;
}

let last = { key: null, found: [] };
// The numbers of the cases that pass, in order.
function found(chosen) {
  const key = listAddress(chosen);
  if (last.key === key) return last.found;
  const all = tests(chosen);
  let passing = [...list.keys()].filter((n) => all.every((test) => test(list[n], n)));
  if (chosen.get("order") !== "record") {
    passing = WORST_FIRST.flatMap((verdict) => passing.filter((n) => list[n].verdict === verdict));
  }
  last = { key, found: passing };
  return last.found;
}

// What the form holds, as an address has it.
function fromForm(form) {
  const chosen = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value) chosen.append(name, value);
  }
  return chosen;
}

function toForm(form, chosen) {
  const q = chosen.get("q") ?? "";
  // The caret stays where it is while somebody types.
  if (form.q.value.trim() !== q.trim()) form.q.value = q;
  const verdicts = chosen.getAll("verdict");
  for (const box of form.querySelectorAll("[name=verdict]")) box.checked = verdicts.includes(box.value);
  for (const name of SINGLE) {
    const wanted = chosen.get(name) ?? "";
    const select = form.elements[name];
    if (![...select.options].some((o) => o.value === wanted))
      select.append(h("option", { value: wanted }, wanted));
    select.value = wanted;
  }
  const more = SINGLE.filter((name) => chosen.get(name)).length;
  byId("more-count").textContent = more ? `(${more} set)` : "";
}

// Choices that only the data knows.
function fillForm(form) {
  const fill = (name, values, text = String) => {
    form.elements[name].append(...values.map((value) => h("option", { value }, text(value))));
  };
  const all = (of) => [...new Set(list.flatMap(of))].filter((value) => value !== null).toSorted();
  for (const name of ["instruction", "suite", "file"]) fill(name, all((row) => row[name]));
  fill("pair", all((row) => Object.keys(row.pairs)));
  fill("outcome", ["agree", "permitted", "violation", "rejected", "no-result"], words);
  fill("failure_group", all((row) => row.failure_groups));
  fill("has", Object.keys(HAS_WORDS), (name) => HAS_WORDS[name]);
}
