// The page of one case.

let opened = 0;
// The number of the case that was shown last, until the list has taken it up.
let lastCase;

// Shows the case that the address names.
async function showCase(chosen) {
  const id = chosen.get("id") ?? "";
  const ticket = ++opened;
  const n = numberOf(id);
  const box = byId("case-page");
  if (n === undefined) {
    box.replaceChildren(
      h("h1", null, "No such case"),
      note(run.left_out ? "This page has no case " : "This record has no case ", h("code", null, id), "."),
      ...(run.left_out > 0
        ? [note(`The page has no room for ${counted(run.left_out, "case")} of the record.`)]
        : []),
      h("p", null, h("a", { href: listAddress(chosen) }, "All cases")),
    );
    return;
  }
  const [one] = await Promise.all([loadCase(n), loadRegister()]);
  // Somebody may have gone on meanwhile.
  if (ticket !== opened) return;
  lastCase = n;
  document.title = `${one.verdict}: ${one.id} – ptodiff`;
  const parties = inOrder(Object.keys(one.targets));
  const rows = slotRows(one);
  const map = one.detail?.slots && mapPart(one.detail.slots, keyOf(one.call, one.detail.slots.role), rows, parties);
  const inRows = parties.filter((p) => rows.some((row) => row.got[p]));
  box.replaceChildren(
    caseHead(one, n, chosen),
    h(
      "div",
      { class: "split" },
      h(
        "div",
        { class: "primary" },
        map?.part,
        rows.length > 0 && part("Slots that differ", leftOut(one.pairs), slotTable(rows, inRows, map, one.detail?.sources)),
        findingsPart(one, parties),
        flakyPart(one),
        unpromisedPart(one),
        resultsPart(one, parties),
        tracesPart(one),
        yamlPart(one),
      ),
      h(
        "aside",
        { class: "beside", "aria-label": "Call, clauses and readings" },
        callPart(one),
        clausesPart(one),
        readingsPart(one),
        coversPart(one),
      ),
    ),
  );
  scrollTo(0, 0);
  byId("case-title").focus({ preventScroll: true });
}

// The neighbours of a case in the list as it is filtered.
function neighbours(n, chosen) {
  const order = found(chosen);
  const place = order.indexOf(n);
  const to = (other) => (other === undefined ? undefined : caseAddress(list[other].id, chosen));
  return {
    place,
    of: order.length,
    before: place > 0 ? to(order[place - 1]) : undefined,
    after: place < 0 ? undefined : to(order[place + 1]),
  };
}

function caseHead(one, n, chosen) {
  const { place, of, before, after } = neighbours(n, chosen);
  const step = (href, text, key) =>
    href
      ? h("a", { href, "data-step": key }, text, " ", h("kbd", { "aria-hidden": "true" }, key))
      : h("span", { class: "note" }, text);
  const facts = [
    one.instruction,
    `${one.file}:${one.line}`,
    one.suite && `suite of ${one.suite}`,
    !one.id.endsWith(one.name) && `named ${one.name}`,
    one.outlier && `outlier: ${one.outlier}`,
  ];
  return h(
    "header",
    { class: "case-head" },
    h(
      "p",
      { class: "crumbs" },
      h(
        "a",
        { href: listAddress(chosen), "data-step": "back" },
        "Back to the list ",
        h("kbd", { "aria-hidden": "true" }, "Esc"),
      ),
      place >= 0 && h("span", null, `${number(place + 1)} of ${number(of)}`),
      step(before, "previous", "k"),
      step(after, "next", "j"),
    ),
    h(
      "h1",
      { id: "case-title", tabindex: "-1" },
      badge(one.verdict),
      " ",
      h("span", { class: "id" }, one.id),
    ),
    h(
      "p",
      { class: "facts" },
      facts.filter(Boolean).map((fact) => h("span", null, fact)),
    ),
    diagnosisOf(one),
    one.name_differs && note("Its name and its content differ: ", one.name_differs),
    h(
      "p",
      { class: "command" },
      h("code", { id: "command" }, commandOf(one)),
      h("button", { type: "button", class: "copy" }, "Copy command"),
    ),
  );
}

// Whether the clause is the word of the party alone that rejects the call by it.
function isOwnWord({ clause, failure_group, what }) {
  return clause && failure_group.split(" ")[2] === "rejection" && what.startsWith("rejects");
}

// What is wrong, each mistake once: its slots stand in the table, its schedules here.
function findingsPart(one, parties) {
  const all = new Map();
  for (const party of parties) {
    for (const finding of one.targets[party].findings ?? []) {
      const key = [party, finding.what, finding.clause, finding.failure_group].join("\n");
      const kept = all.get(key) ?? { party, finding, slots: new Set(), schedules: new Set() };
      if (finding.slot) kept.slots.add(`${finding.slot.role} ${finding.slot.offset}`);
      if (finding.schedule) kept.schedules.add(finding.schedule);
      all.set(key, kept);
    }
  }
  // A record keeps a few slots of each kind.
  const least = (party) => {
    const found = one.targets[party].findings.filter((finding) => finding.slot);
    const kept = new Set(found.map(({ slot }) => `${slot.role} ${slot.offset}`)).size;
    return one.targets[party].wrong?.slots > kept ? "at least " : "";
  };
  const shown = (schedules) => {
    const lead = schedules.length > 1 ? "schedules" : "schedule";
    return schedules.length > 0 && h("span", { class: "note" }, `, ${lead} ${schedules.join(", ")}`);
  };
  const items = [...all.values()].map(({ party, finding, slots, schedules }) =>
    h(
      "li",
      { class: "finding s-violation" },
      h(
        "p",
        null,
        icon("violation"),
        " ",
        h("b", null, party),
        `: ${finding.what}`,
        slots.size > 1 && ` in ${least(party)}${counted(slots.size, "slot")}`,
        shown([...schedules]),
      ),
      isOwnWord(finding) && note(`${party} names:`),
      finding.clause && clauseText(finding.clause),
      h(
        "p",
        { class: "note" },
        "all of this failure group: ",
        h(
          "a",
          { href: listAddress(new URLSearchParams({ failure_group: finding.failure_group })) },
          finding.failure_group,
        ),
      ),
    ),
  );
  return items.length > 0 && part("What is wrong", h("ul", { class: "findings" }, items));
}

// What may be behind it, in the groups that this case is of.
function diagnosisOf(one) {
  const findings = Object.values(one.targets).flatMap((target) => target.findings ?? []);
  const groups = new Set(findings.map((finding) => finding.failure_group));
  // Each line once, with whether it stands out.
  const lines = new Map([...groups].flatMap((group) => run.diagnoses[group] ?? []));
  const told = ([line, standsOut]) => (standsOut ? h("b", null, line) : line);
  return [...lines].map((line, n) => h("p", { class: "cause" }, n ? null : "Diagnosis: ", told(line)));
}

// What a party left in a slot where it may not.
function wrongSlot(slot, party, key, sources) {
  const of = (name, v) => h("span", { class: "said" }, h("b", null, name), " ", v);
  return h(
    "p",
    { class: "wrong" },
    h("span", { class: "said" }, `${key} ${slot.at}`),
    Object.values(slot.got).map((v) => of(party, value(v))),
    slot.permitted && of("may hold", slot.permitted),
    of("initial", value(slot.initial)),
    slot.lanes?.length > 0 && of("lane", lanesOf(slot, sources)),
  );
}

// Where implementations differ from others and no clause promises anything.
function unpromisedPart(one) {
  const items = (one.unpromised ?? []).map(({ clause, slots, role, at, got }) => {
    const values = Object.entries(got).map(([party, left]) => `${party} ${left.value}`);
    const more = slots > 1 ? `, and ${slots - 1} more slots` : "";
    return h("li", null, `${keyOf(one.call, role)} ${at}: ${values.join(", ")} (${clause})${more}`);
  });
  return items.length > 0 && part("Differs where nothing is promised", h("ul", { class: "findings" }, items));
}

// What an implementation did wrong at first, and not when it was asked again alone.
function flakyPart(one) {
  const items = Object.entries(one.targets).flatMap(([party, target]) =>
    (target.flaky ?? []).map((first) =>
      h(
        "li",
        null,
        h("p", null, h("b", null, party), `: first ${first.what}; then ${target.verdict}`),
        first.slot && wrongSlot(first.slot, party, keyOf(one.call, first.slot.role), one.detail?.sources),
      ),
    ),
  );
  return items.length > 0 && part("Flaky", h("ul", { class: "findings" }, items));
}
