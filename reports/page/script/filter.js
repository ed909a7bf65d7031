// Which cases are shown, and in which order.

const HAS = { readings: 1, holes: 2, unseen: 4, deviates: 8, renamed: 16 };
const HAS_WORDS = {
  readings: "a reading that mattered",
  holes: "a known hole",
  unseen: "freedom never seen",
  deviates: "readings that deviate from the documents",
  renamed: "a name that differs from its content",
};
const WORST_FIRST = ["violation", "permitted", "hangs", "undefined", "rejected", "single", "agree"];
const SINGLE = ["instruction", "suite", "has", "file", "failure_group", "pair", "outcome", "order"];

let lowered;
// Ids in lower case: made once, when somebody searches.
const lowerIds = () => (lowered ??= list.id.map((id) => id.toLowerCase()));

// For every set of words in a column of sets: does one of its words pass?
const setsWith = (column, words, passes) => {
  const hit = words.map(passes);
  return list[column].values.map((set) => set.some((word) => hit[word]));
};

// A test of one word of a search: `dtype=half` asks a parameter of the call,
// any other word the name, the file, clauses and failure groups.
function wordTest(word) {
  const cut = word.indexOf("=");
  const name =
    cut > 0 && Object.keys(list.call).find((key) => key.replaceAll(" ", "-") === word.slice(0, cut));
  if (name) {
    const column = list.call[name];
    const wanted = word.slice(cut + 1);
    const hit = column.values.map((value) => value !== null && value.toLowerCase().startsWith(wanted));
    return (n) => hit[column.of[n]];
  }
  const ids = lowerIds();
  const has = (text) => text.toLowerCase().includes(word);
  const files = list.file.values.map(has);
  const clauses = setsWith("clauses", list.clause, has);
  const failureGroups = setsWith("failure_groups", list.failure_group, has);
  return (n) =>
    ids[n].includes(word) ||
    files[list.file.of[n]] ||
    clauses[list.clauses.of[n]] ||
    failureGroups[list.failure_groups.of[n]];
}

// A test that a word of a column is one of these.
function oneOf(column, wanted) {
  const hit = list[column].values.map((value) => wanted.includes(value));
  return (n) => hit[list[column].of[n]];
}

function pairTest(pair, outcome) {
  const hit = list.outcomes.values.map((pairs) =>
    pairs.some(([which, came]) => (!pair || list.pairName[which] === pair) && (!outcome || came === outcome)),
  );
  return (n) => hit[list.outcomes.of[n]];
}

function tests(chosen) {
  const all = chosen.get("q")?.toLowerCase().split(/\s+/).filter(Boolean).map(wordTest) ?? [];
  const verdicts = chosen.getAll("verdict");
  if (verdicts.length) all.push(oneOf("verdict", verdicts));
  for (const column of ["instruction", "suite", "file"]) {
    if (chosen.get(column)) all.push(oneOf(column, [chosen.get(column)]));
  }
  if (chosen.get("pair") || chosen.get("outcome"))
    all.push(pairTest(chosen.get("pair"), chosen.get("outcome")));
  const failureGroup = chosen.get("failure_group");
  if (failureGroup) {
    const hit = setsWith("failure_groups", list.failure_group, (other) => other === failureGroup);
    all.push((n) => hit[list.failure_groups.of[n]]);
  }
  const bit = HAS[chosen.get("has")];
  if (bit) all.push((n) => list.has[n] & bit);
  return all;
}

let last = { key: null, found: [] };
// The numbers of the cases that pass, in order.
function found(chosen) {
  const key = listAddress(chosen);
  if (last.key === key) return last.found;
  const all = tests(chosen);
  const passing = [];
  for (let n = 0; n < list.size; n++) {
    if (all.every((test) => test(n))) passing.push(n);
  }
  if (chosen.get("order") !== "record") {
    const rank = list.verdict.values.map((verdict) => WORST_FIRST.indexOf(verdict));
    const piles = WORST_FIRST.map(() => []);
    for (const n of passing) piles[rank[list.verdict.of[n]]].push(n);
    last = { key, found: piles.flat() };
  } else {
    last = { key, found: passing };
  }
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
  const sorted = (column) => list[column].values.filter((value) => value !== null).toSorted();
  for (const column of ["instruction", "suite", "file"]) fill(column, sorted(column));
  fill("pair", list.pairName.toSorted());
  fill("outcome", ["agree", "permitted", "violation", "rejected", "no-result"], words);
  fill("failure_group", list.failure_group.toSorted());
  fill("has", Object.keys(HAS), (name) => HAS_WORDS[name]);
}
