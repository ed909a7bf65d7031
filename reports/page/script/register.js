// Clauses and gaps: what they say, and what shows it. That nothing covers
// one is no fault of a run of a few cases, so that it has no sign of a violation.

// What is said of each status, and its sign.
const CLAUSE_STATUS = {
  "not-covered": ["not covered", "no-result"],
  "under-reading": ["covered under a reading", "permitted"],
  "not-coverable": ["not coverable", "rejected"],
  covered: ["covered", "agree"],
  "other-targets": ["left to other targets", "no-result"],
};
const GAP_STATUS = {
  "not-distinguished": ["not distinguished", "no-result"],
  run: ["distinguished, by running", "agree"],
  stated: ["distinguished, as stated", "permitted"],
  "shows-in-no-case": ["shows in no case", "rejected"],
  "other-targets": ["left to other targets", "no-result"],
};

const made = {};

// A page over all entries of a kind, with a search and a choice of status.
function makeEntries(view, all, statuses, inside) {
  const q = h("input", {
    type: "search",
    name: "q",
    id: `${view}-q`,
    autocomplete: "off",
    spellcheck: "false",
  });
  const status = h(
    "select",
    { name: "status" },
    h("option", { value: "" }, "any"),
    Object.entries(statuses).map(([s, [said]]) => {
      const count = all.filter((entry) => entry.status === s).length;
      return h("option", { value: s }, `${said} (${count})`);
    }),
  );
  const count = h("output", { "aria-live": "polite" });
  const items = all.map((entry) => {
    const [said, sign] = statuses[entry.status];
    const body = h("div", { class: "inside" });
    const item = h(
      "details",
      { class: "entry" },
      h(
        "summary",
        null,
        h("span", { class: "clause" }, entry.id),
        " ",
        badge(sign, said),
        " ",
        h("span", { class: "says" }, entry.says),
        h("span", { class: "n" }, shownBy(entry)),
      ),
      body,
    );
    item.addEventListener("toggle", () => {
      if (item.open && !body.firstChild) body.append(...inside(entry));
    });
    const text = [entry.id, entry.says, entry.source, entry.kind].join("\n").toLowerCase();
    return { item, entry, text };
  });
  const form = h(
    "form",
    {
      class: "filters",
      role: "search",
      on: {
        submit: (event) => event.preventDefault(),
        input: () => {
          const chosen = fromForm(form);
          become(address(view, chosen));
          show(chosen);
        },
      },
    },
    h("p", { class: "find" }, h("label", { for: `${view}-q` }, "Search"), q),
    h("label", null, "Status", status),
    h("p", { class: "found" }, count),
  );
  const none = note("Nothing passes these filters.");
  byId(`${view}-page`).append(
    form,
    h(
      "div",
      { class: "entries" },
      items.map(({ item }) => item),
    ),
    none,
  );

  function show(chosen) {
    const wanted = (chosen.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    if (q.value.trim().toLowerCase() !== wanted.join(" ")) q.value = chosen.get("q") ?? "";
    status.value = chosen.get("status") ?? "";
    let passing = 0;
    for (const { item, entry, text } of items) {
      const passes =
        wanted.every((word) => text.includes(word)) && (!status.value || entry.status === status.value);
      item.hidden = !passes;
      passing += passes;
      // A link to one entry opens it.
      if (wanted.length === 1 && entry.id.toLowerCase() === wanted[0]) item.open = true;
    }
    none.hidden = passing > 0;
    count.textContent = `${number(passing)} of ${number(items.length)}`;
  }
  return show;
}

// How many cases and tests cover it.
function shownBy({ cases, failing: failed, tests = [] }) {
  const all = cases.length + tests.length;
  const failing = failed.length ? `, ${failed.length} fail` : "";
  return all || failing ? `${counted(all, "case")}${failing}` : "";
}

function covering({ cases, failing, tests = [], reason }) {
  const names = (cases) =>
    joined(
      cases.slice(0, 40).map(toCase),
      " ",
    );
  const more = (cases) => (cases.length > 40 ? ` and ${number(cases.length - 40)} more` : null);
  return [
    cases.length > 0 && [
      h("dt", null, "covered by"),
      h("dd", null, names(cases), more(cases)),
    ],
    failing.length > 0 && [
      h("dt", null, badge("violation", "fails in")),
      h("dd", null, names(failing), more(failing)),
    ],
    tests.length > 0 && [
      h("dt", null, "tests"),
      h(
        "dd",
        null,
        tests.map((test) => h("p", null, `${test.name} `, h("span", { class: "note" }, test.place))),
      ),
    ],
    reason && [h("dt", null, "why none"), h("dd", null, reason)],
  ];
}

function insideClause(entry) {
  return [
    h("p", { class: "full" }, entry.says),
    h(
      "dl",
      { class: "texts" },
      h("dt", null, "speaks of"),
      h("dd", null, `${entry.targets.join(", ")} · ${entry.kind}`),
      h("dt", null, "stands in"),
      h("dd", null, entry.source),
      entry.experiment && [h("dt", null, "to see"), h("dd", null, entry.experiment)],
      covering(entry),
      entry.missing.length > 0 && [h("dt", null, "nothing on"), h("dd", null, entry.missing.join(", "))],
      h("dt", null, "cited in"),
      h(
        "dd",
        null,
        h("a", { href: listAddress(new URLSearchParams({ q: entry.id })) }, counted(entry.cited, "case")),
      ),
    ),
  ];
}

function insideGap(entry) {
  const reading = (r) =>
    h(
      "li",
      { class: r.letter === entry.in_use ? "in-use" : null },
      h("b", null, r.letter),
      r.letter === entry.in_use ? " (in use) " : " ",
      r.says,
      r.choice ? [" ", h("code", null, `--reading ${r.choice.join("=")}`)] : null,
    );
  return [
    h("p", { class: "full" }, entry.says),
    h("ul", { class: "readings" }, entry.gap.readings.map(reading)),
    h(
      "dl",
      { class: "texts" },
      entry.gap.how && [h("dt", null, "in detail"), h("dd", null, entry.gap.how)],
      h("dt", null, "speaks of"),
      h("dd", null, entry.targets.join(", ")),
      h("dt", null, "stands in"),
      h("dd", null, entry.source),
      entry.experiment && [h("dt", null, "to see"), h("dd", null, entry.experiment)],
      covering(entry),
    ),
  ];
}

async function showEntries(view, chosen) {
  const [clauses, gaps] = await loadRegister();
  made[view] ??=
    view === "clauses"
      ? makeEntries(view, clauses, CLAUSE_STATUS, insideClause)
      : makeEntries(view, gaps, GAP_STATUS, insideGap);
  made[view](chosen);
}
