// The slots of an operand as squares: where each stands, how it came out, how it looks.

const STATES = {
  p: ["padding", "padding"],
  k: ["kept", "kept"],
  s: ["same", "written, the same"],
  o: ["open", "nothing promised"],
  d: ["differs", "differ, permitted"],
  v: ["violates", "violation"],
};
const LETTERS = "pksodv";
const NOT_KEPT = 255;
const FOLD = 64;
const WIDEST = 512;
// More slots than any case has: a damaged record must not take all memory.
const MOST = 2 ** 24;
const PAGE = 48;
// Pixels that a picture may be high, while its squares can be seen.
const HIGH = 300;

// One number a slot, from `k12s3v1`.
function statesOf(map) {
  const states = new Uint8Array(Math.min(map.slots, MOST)).fill(NOT_KEPT);
  let slot = 0;
  for (const [, letter, count] of map.states.matchAll(/([a-z])(\d+)/g)) {
    states.fill(LETTERS.indexOf(letter), slot, slot + Number(count));
    slot += Number(count);
  }
  return states;
}

// The lane that won a slot on a party, if the record says so.
function winnerOf(map, party, slot) {
  for (const [first, count, step, r, c] of map.winners?.[party] ?? []) {
    if (slot >= first && slot < first + count) return { step, r, c: c + slot - first };
  }
  return undefined;
}

// How slots and squares belong together. What is too wide for a picture of its
// own shape is shown in the order of storage.
function squares(map) {
  const band = map.rows * map.band;
  if (map.rows === 1 ? map.cols > FOLD : map.cols > WIDEST) {
    return {
      folded: true,
      cols: FOLD,
      rows: Math.ceil(map.slots / FOLD),
      slotAt: (row, col) => (row * FOLD + col < map.slots ? row * FOLD + col : undefined),
      placeOf: (slot) => [Math.floor(slot / FOLD), slot % FOLD],
    };
  }
  return {
    folded: false,
    cols: map.cols,
    rows: map.rows,
    slotAt(row, col) {
      const slot = Math.floor(col / map.band) * band + row * map.band + (col % map.band);
      return slot < map.slots ? slot : undefined;
    },
    placeOf(slot) {
      const rest = slot % band;
      return [Math.floor(rest / map.band), Math.floor(slot / band) * map.band + (rest % map.band)];
    },
  };
}

// Draws one square: colour, and a mark that says the same.
function drawSquare(pen, colours, state, x, y, size) {
  const [name] = STATES[LETTERS[state]] ?? ["unknown"];
  const gap = size > 5 ? 1 : 0;
  const s = size - gap;
  pen.fillStyle = colours[name];
  pen.fillRect(x, y, s, s);
  if (s < 5) return;
  pen.strokeStyle = colours.mark;
  pen.lineWidth = Math.max(1, s / 10);
  const i = s * 0.25;
  pen.beginPath();
  if (name === "violates") {
    pen.moveTo(x + i, y + i);
    pen.lineTo(x + s - i, y + s - i);
    pen.moveTo(x + s - i, y + i);
    pen.lineTo(x + i, y + s - i);
  } else if (name === "differs") {
    pen.moveTo(x + i, y + s - i);
    pen.lineTo(x + s - i, y + i);
  } else if (name === "open") {
    pen.arc(x + s / 2, y + s / 2, s / 8, 0, 7);
  }
  pen.stroke();
}

function coloursOf(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(`--map-${name}`).trim();
  const names = [
    "padding",
    "kept",
    "same",
    "open",
    "differs",
    "violates",
    "unknown",
    "mark",
    "text",
    "cursor",
    "winner",
  ];
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}
