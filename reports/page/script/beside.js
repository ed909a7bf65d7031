// What stands beside the results of a case: the call, clauses, readings.

function callPart(one) {
  const rows = Object.entries(one.call).map(([name, text]) => [h("dt", null, name), h("dd", null, text)]);
  return part("Call", h("dl", { class: "call" }, rows));
}

// The clauses at work in a case, those of findings first.
function clausesOf(one) {
  const all = new Set();
  const add = (ids) => ids.forEach((id) => id && all.add(id));
  const parts = Object.values(one.targets);
  parts.forEach((p) => add((p.findings ?? []).flatMap((f) => [f.clause, ...(f.slot?.clauses ?? [])])));
  one.pairs.forEach((p) =>
    add([...(p.clauses ?? []), ...(p.slots ?? []).flatMap((slot) => slot.clauses ?? [])]),
  );
  parts.forEach((p) =>
    add([...(p.reasons ?? []), ...(p.deviates_from ?? []), ...(p.unseen ?? [])].map((reason) => reason.clause)),
  );
  return [...all];
}

function clauseText(id) {
  const entry = entries.get(id);
  return h(
    "div",
    { class: "clause-text" },
    h(
      "p",
      null,
      toClause(id),
      entry ? h("span", { class: "note" }, ` ${entry.targets.join(", ")} · ${entry.source}`) : null,
    ),
    entry ? h("p", null, entry.says) : note("not in the register"),
  );
}

function clausesPart(one) {
  const ids = clausesOf(one);
  return ids.length > 0 && part("Clauses", ids.map(clauseText));
}

function readingsPart(one) {
  if (!one.readings.length) return null;
  return part(
    "Readings that mattered",
    h(
      "ul",
      { class: "readings" },
      one.readings.map((reading) => {
        const others = Object.entries(reading.differs_under ?? {}).map(([choice, targets]) => {
          const came = reading.verdict_under?.[choice];
          return h(
            "li",
            null,
            h("code", null, choice),
            ` changes ${targets.join(", ")}`,
            came ? [": ", badge(came)] : null,
          );
        });
        return h(
          "li",
          null,
          h(
            "p",
            null,
            h("code", null, `${reading.gap}=${reading.choice}`),
            " ",
            joined(reading.clauses.map(toClause), " "),
          ),
          h("ul", null, others),
        );
      }),
    ),
  );
}

function coversPart(one) {
  const { clauses = [], gap, answers = [] } = one.covers ?? {};
  const parts = [
    clauses.length > 0 && part("Covers", h("p", null, joined(clauses.map(toClause), " "))),
    gap &&
      part(
        "Tells apart",
        h("p", null, toClause(gap)),
        h(
          "ul",
          { class: "readings" },
          answers.map((answer) =>
            h(
              "li",
              null,
              h("b", null, answer.letter),
              " ",
              answer.verdict ? badge(answer.verdict) : h("span", { class: "note" }, "stated"),
              Object.entries(answer.expects).map(([target, text]) =>
                h("p", { class: "reason" }, `${target}: ${text}`),
              ),
            ),
          ),
        ),
      ),
    one.holes.length > 0 &&
      part(
        "Holes that it shows",
        h(
          "ul",
          null,
          one.holes.map((hole) => h("li", null, hole)),
        ),
      ),
  ];
  return parts;
}
