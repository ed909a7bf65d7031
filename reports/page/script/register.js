// Clauses and gaps: what they say, and what shows it. That nothing covers
// one is no fault of a run of a few cases, so that it has no sign of a violation.

const CLAUSE_STATUS = ["not covered", "covered under a reading", "not coverable", "covered"];
const GAP_STATUS = ["not distinguished", "distinguished, by running", "distinguished, as stated", "shows in no case"];
const SIGN = {
  covered: "agree",
  "covered under a reading": "permitted",
  "not coverable": "rejected",
  "not covered": "no-result",
  "distinguished, by running": "agree",
  "distinguished, as stated": "permitted",
  "shows in no case": "rejected",
  "not distinguished": "no-result",
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
    statuses.map((s) => {
      const count = all.filter((entry) => entry.common.status === s).length;
      return h("option", { value: s }, `${s} (${count})`);
    }),
  );
  const count = h("output", { "aria-live": "polite" });
  const items = all.map((entry) => {
    const { common } = entry;
    const body = h("div", { class: "inside" });
    const item = h(
      "details",
      { class: "entry" },
      h(
        "summary",
        null,
        h("span", { class: "clause" }, common.id),
        " ",
        badge(SIGN[common.status], common.status),
        " ",
        h("span", { class: "says" }, common.says),
        h("span", { class: "n" }, shownBy(entry)),
      ),
      body,
    );
    item.addEventListener("toggle", () => {
      if (item.open && !body.firstChild) body.append(...inside(entry));
    });
    const text = [common.id, common.says, common.source, entry.kind ?? ""].join("\n").toLowerCase();
    return { item, common, text };
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
    for (const { item, common, text } of items) {
      const passes =
        wanted.every((word) => text.includes(word)) && (!status.value || common.status === status.value);
      item.hidden = !passes;
      passing += passes;
      // A link to one entry opens it.
      if (wanted.length === 1 && common.id.toLowerCase() === wanted[0]) item.open = true;
    }
    none.hidden = passing > 0;
    count.textContent = `${number(passing)} of ${number(items.length)}`;
  }
  return show;
}

// How many cases and tests cover it.
function shownBy({ common, tests = [] }) {
  const all = common.cases.length + tests.length;
  const failing = common.failing.length ? `, ${common.failing.length} fail` : "";
  return all || failing ? `${counted(all, "case")}${failing}` : "";
}

function covering({ common, tests = [] }) {
  const names = (cases) =>
    joined(
      cases.slice(0, 40).map(toCase),
      " ",
    );
  const more = (cases) => (cases.length > 40 ? ` and ${number(cases.length - 40)} more` : null);
  return [
    common.cases.length > 0 && [
      h("dt", null, "covered by"),
      h("dd", null, names(common.cases), more(common.cases)),
    ],
    common.failing.length > 0 && [
      h("dt", null, badge("violation", "fails in")),
      h("dd", null, names(common.failing), more(common.failing)),
    ],
    tests.length > 0 && [
      h("dt", null, "tests"),
      h(
        "dd",
        null,
        tests.map((test) => h("p", null, `${test.name} `, h("span", { class: "note" }, test.place))),
      ),
    ],
    common.reason && [h("dt", null, "why none"), h("dd", null, common.reason)],
  ];
}

function insideClause(entry) {
  const { common } = entry;
  return [
    h("p", { class: "full" }, common.says),
    h(
      "dl",
      { class: "texts" },
      h("dt", null, "speaks of"),
      h("dd", null, `${common.targets.join(", ")} · ${entry.kind}`),
      h("dt", null, "stands in"),
      h("dd", null, common.source),
      common.experiment && [h("dt", null, "to see"), h("dd", null, common.experiment)],
      covering(entry),
      entry.missing.length > 0 && [h("dt", null, "nothing on"), h("dd", null, entry.missing.join(", "))],
      h("dt", null, "cited in"),
      h(
        "dd",
        null,
        h("a", { href: listAddress(new URLSearchParams({ q: common.id })) }, counted(entry.cited, "case")),
      ),
    ),
  ];
}

function insideGap(entry) {
  const { common } = entry;
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
    h("p", { class: "full" }, common.says),
    h("ul", { class: "readings" }, entry.readings.map(reading)),
    h(
      "dl",
      { class: "texts" },
      entry.how && [h("dt", null, "in detail"), h("dd", null, entry.how)],
      h("dt", null, "speaks of"),
      h("dd", null, common.targets.join(", ")),
      h("dt", null, "stands in"),
      h("dd", null, common.source),
      common.experiment && [h("dt", null, "to see"), h("dd", null, common.experiment)],
      covering(entry),
    ),
  ];
}

async function showEntries(view, chosen) {
  const register = await loadRegister();
  made[view] ??=
    view === "clauses"
      ? makeEntries(view, register.clauses, CLAUSE_STATUS, insideClause)
      : makeEntries(view, register.gaps, GAP_STATUS, insideGap);
  made[view](chosen);
}
