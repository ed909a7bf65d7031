// The slots that a record describes, with the values of all parties side by side.

// The key of an operand in its case: with a table the one data tile is its `tile`.
function keyOf(call, role) {
  if (role === "index" && call.offset) return "offset";
  return call.tile && (role === "source" || role === "destination") ? "tile" : role;
}

// Slots of findings and of pairs, those of one place in one row where they
// do not speak of different runs.
function slotRows(one) {
  const rows = [];
  const keeps = (party) => !one.targets[party]?.findings?.length;
  const add = (slot, wrong, noClause) => {
    const fits = rows.find(
      (row) =>
        row.slot.role === slot.role &&
        row.slot.offset === slot.offset &&
        (!row.schedule || !slot.schedule || row.schedule === slot.schedule) &&
        Object.entries(slot.got).every(([party, v]) => !row.got[party] || row.got[party].bits === v.bits),
    );
    const key = keyOf(one.call, slot.role);
    const row = fits ?? { slot, key, got: {}, wrong: [], clauses: new Set(), whose: new Set(), due: new Set() };
    if (!fits) rows.push(row);
    Object.assign(row.got, slot.got);
    row.schedule ??= slot.schedule;
    row.permitted ??= slot.permitted;
    row.wrong.push(...wrong);
    row.noClause ||= noClause;
    slot.clauses?.forEach((clause) => row.clauses.add(clause));
    slot.whose?.forEach((place) => row.whose.add(place));
    slot.due?.forEach((place) => row.due.add(place));
  };
  for (const [party, part] of Object.entries(one.targets)) {
    for (const finding of part.findings ?? []) if (finding.slot) add(finding.slot, [party], false);
  }
  for (const pair of one.pairs) {
    // Both keep their contracts, and still no clause permits the difference.
    const noClause = pair.verdict === "violation" && pair.targets.every(keeps);
    for (const slot of pair.slots ?? []) add(slot, [], noClause);
  }
  // What is wrong comes first.
  return rows.sort((a, b) => b.wrong.length - a.wrong.length || a.slot.offset - b.slot.offset);
}

// Parties whose value stands against the others': those that violate, or else the fewer.
function standOut(row) {
  if (row.wrong.length) return row.wrong;
  const byBits = Map.groupBy(Object.keys(row.got), (party) => row.got[party].bits);
  if (byBits.size < 2) return [];
  const sizes = [...byBits.values()].map((parties) => parties.length);
  const most = Math.max(...sizes);
  if (sizes.filter((size) => size === most).length > 1) return [];
  return [...byBits.values()].filter((parties) => parties.length < most).flat();
}

// An index stands before the first of several lanes that have it, a value after each.
function laneText({ step, r, c, index }, before, after, value) {
  const named = index !== undefined && before?.index !== index;
  const at = step ? `(${r}, ${c}) of call ${step}` : `(${r}, ${c})`;
  const comma = after && after.index !== index ? "," : "";
  return (named ? `index ${index} at ` : "") + at + (value === undefined ? "" : ` = ${value}`) + comma;
}

// The lanes of a slot; of a scatter with what the source holds for each.
function lanesOf(slot, sources = []) {
  const all = slot.lanes ?? [];
  const valueOf = (lane) =>
    sources.find(([step, r, c]) => step === lane.step && r === lane.r && c === lane.c)?.[3];
  const lanes = all.map((lane, i) =>
    h("span", { class: "lane" }, laneText(lane, all[i - 1], all[i + 1], valueOf(lane))),
  );
  return [joined(lanes, " "), slot.more_lanes ? ` and ${number(slot.more_lanes)} more` : null];
}

function valueCell(row, party) {
  const v = row.got[party];
  if (!v) return h("td", { class: "note", "data-label": party }, "–");
  const out = standOut(row).includes(party);
  const bad = row.wrong.length > 0 || row.noClause;
  return h(
    "td",
    { class: out && `out s-${bad ? "violation" : "permitted"}`, "data-label": party },
    out
      ? [
          h(
            "span",
            { class: "sign" },
            icon(bad ? "violation" : "permitted"),
            h("span", { class: "unseen" }, bad ? "not permitted" : "outlier"),
          ),
          " ",
        ]
      : null,
    value(v),
  );
}

// Says of which pairs the record has the first slots only.
function leftOut(pairs) {
  const parts = pairs
    .map((pair) => [inOrder(pair.targets).join("/"), pair.slots?.length ?? 0, pair.differing ?? 0])
    .filter(([, kept, differing]) => kept > 0 && kept < differing)
    .map(([pair, kept, differing]) => `${number(kept)} of ${number(differing)} of ${pair}`);
  return parts.length > 0 && note(`The record holds the first: ${parts.join(", ")}.`);
}

// Whose value stands in a slot, and whose should.
function whoseText({ whose, due }) {
  const has = whose.size > 0 && `the value of ${[...whose].join(" or ")}`;
  const wants = due.size > 0 && `that of ${[...due].join(" or ")} is due`;
  return [has, wants].filter(Boolean).join("; ");
}

// The clauses of a slot; of one that is wrong those of the targets that it is wrong on: others
// say why the rest may differ.
function rulesOf({ clauses, wrong }) {
  const on = wrong.map((party) => party.split(":")[0]);
  const speaks = (id) => entries.get(id)?.targets.some((target) => on.includes(target)) ?? true;
  return [...clauses].filter((id) => !on.length || speaks(id));
}

// The table of the slots; a row shows its place in the map, where it has one.
function slotTable(rows, parties, map, sources) {
  const place = ({ slot, key }) => {
    const text = `${key} ${slot.at}`;
    const show = {
      type: "button",
      class: "plain",
      title: "show it in the map",
      on: { click: () => map.show(slot.element) },
    };
    return [
      map?.has(slot) ? h("button", show, text) : text,
      h("span", { class: "byte" }, `byte ${slot.offset}`),
    ];
  };
  const body = rows.map((row) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, place(row)),
      parties.map((party) => valueCell(row, party)),
      h(
        "td",
        { class: "lanes wide", "data-label": "lane" },
        lanesOf(row.slot, sources),
        whoseText(row) && [" ", h("span", { class: "note whose" }, whoseText(row))],
        row.schedule ? [" ", h("span", { class: "note schedule" }, `schedule ${row.schedule}`)] : null,
      ),
      h(
        "td",
        { class: "wide", "data-label": "may hold, by rule" },
        row.permitted && h("p", null, row.permitted),
        h("p", null, joined(rulesOf(row).map(toClause), " ")),
      ),
      h("td", { class: "initial", "data-label": "initial" }, value(row.slot.initial)),
    ),
  );
  return scroll(
    "Slots",
    h(
      "table",
      { class: "slots cards" },
      head("Slot", ...parties, sources?.length ? "lane = source" : "lane", "may hold, by rule", "initial"),
      h("tbody", null, body),
    ),
  );
}
