// What the targets did in a case, what they issued, and the case itself.

const WORD = {
  conforms: "conforms",
  rejected: "rejected",
  undefined: "undefined",
  hangs: "hangs",
  violates: "violates",
  unsupported: "cannot run it",
};

function resultsPart(one, parties) {
  const cell = (party) => {
    const part = one.targets[party];
    const reasons = (list, lead) =>
      (list ?? []).map((reason) =>
        h("p", { class: "reason" }, lead, toClause(reason.clause), ` ${reason.why}`),
      );
    return h(
      "td",
      null,
      badge(part.verdict, WORD[part.verdict]),
      reasons(part.reasons),
      reasons(part.deviates_from, "deviates from "),
      part.why ? h("p", { class: "reason" }, part.why) : null,
      part.stderr ? h("pre", null, part.stderr.join("\n")) : null,
      part.out_of_bounds
        ? h("p", { class: "reason" }, counted(part.out_of_bounds, "out-of-bounds access", "out-of-bounds accesses"))
        : null,
      (part.unseen ?? []).map((unseen) =>
        h(
          "p",
          { class: "reason" },
          `freedom never seen in ${counted(unseen.slots, "slot")} `,
          toClause(unseen.clause),
        ),
      ),
    );
  };
  // Most often no clause has a say.
  const cited = one.pairs.some((two) => two.clauses?.length);
  const pair = (two) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, inOrder(two.targets).join(" / ")),
      h("td", null, badge(two.verdict === "not-compared" ? "no-result" : two.verdict, words(two.verdict))),
      h(
        "td",
        null,
        two.differing
          ? two.differing === 1
            ? "1 slot differs"
            : `${number(two.differing)} slots differ`
          : two.compared
            ? `${counted(two.compared, "slot")} the same`
            : null,
        two.why ? h("p", { class: "reason" }, two.why) : null,
      ),
      cited && h("td", null, joined((two.clauses ?? []).map(toClause), " ")),
    );
  return part(
    "Results side by side",
    scroll(
      "Targets",
      h("table", { class: "results" }, head(...parties), h("tbody", null, h("tr", null, parties.map(cell)))),
    ),
    one.pairs.length > 0 &&
      scroll(
        "Pairs",
        h(
          "table",
          { class: "pairs" },
          head(...["Pair", "came to", "slots", cited && "by clause"].filter(Boolean)),
          h("tbody", null, one.pairs.map(pair)),
        ),
      ),
  );
}

function tracesPart(one) {
  const traces = Object.entries(one.detail?.traces ?? {});
  if (!traces.length) return null;
  return part(
    "Trace",
    h(
      "div",
      { class: "traces" },
      traces.map(([target, trace]) =>
        h(
          "figure",
          null,
          h(
            "figcaption",
            null,
            h("b", null, target),
            ` ${counted(trace.lines.length + (trace.more ?? 0), "line")}`,
          ),
          h("pre", { tabindex: "0", "aria-label": `Trace of ${target}` }, trace.lines.join("\n")),
          trace.more
            ? note(
                `and ${counted(trace.more, "more line")}: `,
                h("code", null, `ptodiff trace ${one.id} --target ${target}`),
              )
            : null,
        ),
      ),
    ),
  );
}

function yamlPart(one) {
  if (!one.detail) {
    const where = h("code", null, `${one.file}:${one.line}`);
    return part("Case", note("This record does not hold the case's text; it stands in ", where, "."));
  }
  return part(
    "Case",
    h(
      "div",
      { class: "yaml" },
      h("button", { type: "button", class: "copy", "data-of": "yaml" }, "Copy case"),
      h("pre", { id: "yaml", tabindex: "0", "aria-label": "The case as YAML" }, one.detail.yaml),
    ),
  );
}
