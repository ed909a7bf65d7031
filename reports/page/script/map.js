// A picture of the operand: how every slot came out, and which lane won it.

let drawMap = () => {};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawMap());

// The picture with its legend; `show` moves to a slot that it `has`.
function mapPart(map, key, rows, parties) {
  const states = statesOf(map);
  const grid = squares(map);
  const counts = new Array(LETTERS.length).fill(0);
  let unknown = 0;
  for (const state of states) state === NOT_KEPT ? unknown++ : counts[state]++;
  const hot = (slot) => states[slot] === LETTERS.indexOf("v") || states[slot] === LETTERS.indexOf("d");
  const worst = states.indexOf(LETTERS.indexOf("v"));
  const firstHot = worst >= 0 ? worst : states.findIndex((_, slot) => hot(slot));
  const view = { cursor: grid.placeOf(Math.max(firstHot, 0)), party: "" };
  view.top = Math.floor(view.cursor[0] / PAGE) * PAGE;

  const canvas = h("canvas", {
    tabindex: "0",
    role: "application",
    class: "map-picture",
    "aria-label": `Map of the ${key}: arrow keys move, n and p go to the next and previous difference`,
  });
  const readout = h("output", { class: "readout", "aria-live": "polite" });
  const pages = h("p", { class: "pages" });
  const box = h("div", { class: "map-box" }, canvas);
  const legend = h("ul", { class: "map-legend", "aria-label": "Slots by how they came out" });

  const shades = note("Lanes as row,column of the data tile; shades only tell them apart.");
  shades.hidden = true;

  function size() {
    const gutter = 44;
    const wide = Math.floor((box.clientWidth - gutter - 4) / grid.cols);
    // Not so high that what follows is out of sight.
    const high = Math.max(Math.floor(HIGH / Math.min(grid.rows, PAGE)), 8);
    return { gutter, cell: Math.min(Math.max(Math.min(wide, high), 4), 30), lead: 18 };
  }

  function draw() {
    if (!box.clientWidth) return;
    const { gutter, cell, lead } = size();
    const end = Math.min(grid.rows, view.top + PAGE);
    const [width, height] = [gutter + grid.cols * cell + 2, lead + (end - view.top) * cell + 2];
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const colours = coloursOf(canvas);
    pen.font = "11px ui-monospace, monospace";
    labels(pen, colours, { gutter, cell, lead, end });
    for (let row = view.top; row < end; row++) {
      for (let col = 0; col < grid.cols; col++) {
        const slot = grid.slotAt(row, col);
        if (slot === undefined) continue;
        const [x, y] = [gutter + col * cell, lead + (row - view.top) * cell];
        const winner = view.party && winnerOf(map, view.party, slot);
        if (winner) drawWinner(pen, colours, winner, x, y, cell);
        else drawSquare(pen, colours, states[slot], x, y, cell);
      }
    }
    const [row, col] = view.cursor;
    pen.strokeStyle = colours.cursor;
    pen.lineWidth = 2;
    pen.strokeRect(gutter + col * cell - 1, lead + (row - view.top) * cell - 1, cell + 1, cell + 1);
    drawLegend(colours);
  }

  function labels(pen, colours, { gutter, cell, lead, end }) {
    pen.fillStyle = colours.text;
    const step = [1, 2, 4, 8, 16, 32, 64].find((n) => n * cell >= 28) ?? 64;
    pen.textAlign = "center";
    for (let col = 0; col < grid.cols; col += step) pen.fillText(col, gutter + (col + 0.5) * cell, lead - 5);
    pen.textAlign = "right";
    const down = [1, 2, 4, 8, 16].find((n) => n * cell >= 14) ?? 16;
    for (let row = view.top; row < end; row += down) {
      pen.fillText(grid.folded ? row * FOLD : row, gutter - 6, lead + (row - view.top + 0.5) * cell + 4);
    }
  }

  function drawWinner(pen, colours, { r, c }, x, y, cell) {
    pen.globalAlpha = 0.25 + 0.65 * (((r * 31 + c) % 17) / 16);
    pen.fillStyle = colours.winner;
    pen.fillRect(x, y, cell - 1, cell - 1);
    pen.globalAlpha = 1;
    const text = `${r},${c}`;
    pen.fillStyle = colours.text;
    pen.textAlign = "center";
    if (pen.measureText(text).width < cell - 2) pen.fillText(text, x + cell / 2, y + cell / 2 + 4);
  }

  function drawLegend(colours) {
    const items = [...LETTERS]
      .map((letter, state) => [STATES[letter][1], state, counts[state]])
      .concat([["not kept in the record", NOT_KEPT, unknown]]);
    legend.replaceChildren(
      ...items
        .filter(([, , count]) => count)
        .reverse()
        .map(([text, state, count]) => {
          const sample = h("canvas", { width: 32, height: 32, class: "sample", "aria-hidden": "true" });
          drawSquare(sample.getContext("2d"), colours, state, 0, 0, 32);
          return h("li", null, sample, `${text} `, h("b", null, number(count)));
        }),
    );
  }

  function tell() {
    const [row, col] = view.cursor;
    const slot = grid.slotAt(row, col);
    if (slot === undefined) return readout.replaceChildren("no slot");
    const state = STATES[LETTERS[states[slot]]]?.[1] ?? "not kept in the record";
    const place = grid.folded ? "" : `row ${row}, column ${col}, `;
    const known = rows.find((one) => one.slot.role === map.role && one.slot.element === slot);
    const lines = parties.map((party) => {
      const [v, lane] = [known?.got[party], winnerOf(map, party, slot)];
      if (!v && !lane) return null;
      return h(
        "span",
        { class: "said" },
        h("b", null, party),
        " ",
        v ? value(v) : null,
        lane ? ` by lane ${laneText(lane)}` : null,
      );
    });
    readout.replaceChildren(
      h("span", { class: "said" }, h("b", null, state)),
      h("span", { class: "said" }, `${place}slot ${number(slot)}, byte ${number(slot * map.slot_bytes)}`),
      ...lines.filter(Boolean),
    );
  }

  function move(row, col) {
    view.cursor = [Math.min(Math.max(row, 0), grid.rows - 1), Math.min(Math.max(col, 0), grid.cols - 1)];
    const top = Math.floor(view.cursor[0] / PAGE) * PAGE;
    if (top !== view.top) {
      view.top = top;
      turn();
    }
    tell();
    draw();
  }

  const show = (slot) => {
    move(...grid.placeOf(slot));
    canvas.focus();
  };

  // The next difference from the cursor on, in the order of storage.
  function jump(by) {
    const from = grid.slotAt(...view.cursor) ?? 0;
    for (let n = 1; n <= states.length; n++) {
      const slot = (((from + by * n) % states.length) + states.length) % states.length;
      if (hot(slot)) return move(...grid.placeOf(slot));
    }
    return undefined;
  }

  function turn() {
    if (grid.rows <= PAGE) return;
    const to = (top) => () => move(top, 0);
    const button = (text, top) =>
      h("button", { type: "button", disabled: top < 0 || top >= grid.rows, on: { click: to(top) } }, text);
    const end = Math.min(grid.rows, view.top + PAGE) - 1;
    pages.replaceChildren(
      button("Earlier rows", view.top - PAGE),
      ` rows ${view.top} to ${end} of ${number(grid.rows)} `,
      button("Later rows", view.top + PAGE),
    );
  }

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, col] = view.cursor;
    const keys = {
      ArrowUp: () => move(row - 1, col),
      ArrowDown: () => move(row + 1, col),
      ArrowLeft: () => move(row, col - 1),
      ArrowRight: () => move(row, col + 1),
      Home: () => move(row, 0),
      End: () => move(row, grid.cols - 1),
      n: () => jump(1),
      p: () => jump(-1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  canvas.addEventListener("pointerdown", (event) => {
    const { gutter, cell, lead } = size();
    const col = Math.floor((event.offsetX - gutter) / cell);
    const row = view.top + Math.floor((event.offsetY - lead) / cell);
    if (col >= 0 && row >= view.top) move(row, col);
  });
  new ResizeObserver(draw).observe(box);
  drawMap = draw;

  const won = parties.filter((party) => map.winners?.[party]?.length);
  const choice = (party, text) =>
    h(
      "label",
      null,
      h("input", {
        type: "radio",
        name: "map-of",
        checked: !party,
        on: {
          change: () => {
            view.party = party;
            shades.hidden = !party;
            draw();
          },
        },
      }),
      text,
    );
  const choices =
    won.length > 0 &&
    h(
      "fieldset",
      { class: "map-of" },
      h("legend", null, "Show"),
      choice("", "how slots came out"),
      won.map((party) => choice(party, `the lane that won on ${party}`)),
    );
  const next = (text, by, key) =>
    h(
      "button",
      { type: "button", disabled: firstHot < 0, on: { click: () => jump(by) } },
      text,
      " ",
      h("kbd", { "aria-hidden": "true" }, key),
    );
  turn();
  tell();
  // Guard zones have no place in it.
  const has = (slot) => slot.role === map.role && slot.offset >= 0 && slot.element < map.slots;
  return {
    has,
    show,
    part: part(
      `Map of the ${key}`,
      h(
        "div",
        { class: "map-tools" },
        choices,
        next("Previous difference", -1, "p"),
        next("Next difference", 1, "n"),
      ),
      legend,
      readout,
      pages,
      box,
      shades,
      grid.folded ? note(`${number(map.slots)} slots in the order of storage, ${FOLD} a row.`) : null,
    ),
  };
}
