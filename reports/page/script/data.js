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
    const blocks = [...inflated.keys()].filter((key) => typeof key === "number" || key.startsWith("text-"));
    if (blocks.length > KEPT) inflated.delete(blocks[0]);
  }
  return piece;
}

// The list of cases, with ways to ask it.
let list;
let run;

async function loadList() {
  if (list) return list;
  let columns;
  [run, columns] = await Promise.all([load("run"), load("list")]);
  inflated.delete("list");
  columns.size = columns.id.length;
  columns.get = (name, n) => columns[name].values[columns[name].of[n]];
  columns.pairName = columns.pair.map(([a, b]) => `${a}/${b}`);
  list = columns;
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
  numbers ??= new Map(list.id.map((other, n) => [other, n]));
  return numbers.get(id);
}

// All of one case: what the list has of it, the rest from its block, and its text.
async function loadCase(n) {
  const [block, place] = [Math.floor(n / run.block), n % run.block];
  const rest = (await load(block))[place];
  const name = rest.name ?? list.id[n].slice(list.id[n].lastIndexOf("/") + 1);
  let yaml = rest.detail?.yaml;
  if (yaml === undefined && rest.text && byId(`d-text-${block}`)) {
    // Texts have a mark where the name of their case stands.
    yaml = (await load(`text-${block}`))[place]?.replaceAll("\0", () => name);
  }
  const call = {};
  for (const [key, column] of Object.entries(list.call)) {
    const value = column.values[column.of[n]];
    if (value !== null) call[key] = value;
  }
  return {
    pairs: [],
    readings: [],
    holes: [],
    ...rest,
    name,
    yaml,
    id: list.id[n],
    line: list.line[n],
    file: list.get("file", n),
    call,
    verdict: list.get("verdict", n),
    instruction: list.get("instruction", n),
    suite: list.get("suite", n),
  };
}

let entries;
// Clauses and gaps by their number.
async function loadRegister() {
  const register = await load("register");
  entries ??= new Map([...register.clauses, ...register.gaps].map((entry) => [entry.common.id, entry]));
  return register;
}

// The command that runs a case again, as the record's other faces write it.
function commandOf(one) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const file = /^[A-Za-z0-9\-_./=+:]+$/.test(one.file) ? one.file : quoted(one.file);
  return `${run.command} ${file} --filter ${quoted(`=${one.id}`)}${run.told}`;
}
