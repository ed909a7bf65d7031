// What is packed in the page, inflated when it is first needed.

const KEPT = 12;
const inflated = new Map();

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

async function inflate(name) {
  const packed = bytesOf(byId(`d-${name}`).textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// A named piece; of the blocks of cases the last few stay.
function load(name) {
  let piece = inflated.get(name);
  if (!piece) {
    piece = inflate(name);
    inflated.set(name, piece);
    const blocks = [...inflated.keys()].filter((key) => typeof key === "number");
    if (blocks.length > KEPT) inflated.delete(blocks[0]);
  }
  return piece;
}

// What the list has of each case, and what is known of the run.
let list;
let run;

async function loadList() {
  if (!list) [run, list] = await Promise.all([load("run"), load("list")]);
  return list;
}

// Implementations first, then in the order of the record.
function inOrder(parties) {
  const under = (party) => run.implementations.includes(party);
  return [...parties.filter(under), ...parties.filter((party) => !under(party))];
}

let numbers;
// The number of the case with this id, if there is one.
function numberOf(id) {
  numbers ??= new Map(list.map((row, n) => [row.id, n]));
  return numbers.get(id);
}

// The record of a case, which has no lists that are empty.
async function loadCase(n) {
  const block = await load(Math.floor(n / run.block));
  return { pairs: [], readings: [], holes: [], ...block[n % run.block] };
}

let entries;
// Clauses and gaps, each with what covers it; `entries` has them by their number.
async function loadRegister() {
  const register = await load("register");
  entries ??= new Map(register.flat().map(([entry, covered]) => [covered.id, { ...entry, ...covered }]));
  return register.map((all) => all.map(([, { id }]) => entries.get(id)));
}

// The command that runs a case again, as the record's other faces write it.
function commandOf(one) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const file = /^[A-Za-z0-9\-_./=+:]+$/.test(one.file) ? one.file : quoted(one.file);
  return `${run.command} ${file} --filter ${quoted(`=${one.id}`)}${run.told}`;
}
