"""Instructions of the hot paths, and those that are kept to compare with."""

import platform
import re
import tempfile
from collections import namedtuple
from pathlib import Path

from run import Failed, Missing, output, version
from table import number, wanted

KEPT = Path("reports/instructions.txt")
# What may come between two counts of the same code is far below this.
GROWTH = 1.03
# What is counted, by program. With a wildcard callgrind counts, and dumps nothing.
FUNCTIONS = {
    "pipeline": "pipeline::count_instructions_here",
    "speed": "speed::counts::count_instructions_here",
}
HEAD = """\
# Instructions of hot paths, a number a line. `scripts/bench --keep` writes this
# file, `scripts/bench --check` compares. They hold for one toolchain, which is
"""


# Labels of rows that grew, that are kept and not counted, that are counted and not
# kept; and what keeps the two from being compared.
Compared = namedtuple("Compared", ["grown", "missing", "new", "apart"])


def toolchain():
    """What counts depend on, beside the code, by name."""
    rustc = version(["rustc", "--version"])
    return {
        "rustc": f"{rustc} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()) or "unknown",
        "valgrind": version(["valgrind", "--version"]),
    }


def counted(tools, words):
    """Instructions of one unit of each row, by label, in the order of the benchmarks.

    A program is counted whole if one of its rows is wanted: a row's count hangs a
    little on the memory that those before it left.
    """
    if not tools.valgrind:
        raise Missing("valgrind is not here: instructions are not counted")
    found = {}
    for name, function in FUNCTIONS.items():
        command = [tools.benches[name], "counts"]
        ran = rows(output(command))
        if any(wanted(words, label) for label in ran):
            totals = dumped(command, function, len(ran))
            found |= {label: round(totals.pop(0) / units) for label, units in ran.items()}
    return {label: count for label, count in found.items() if wanted(words, label)}


def rows(said):
    """Of how many units a program has counted, by label."""
    lines = [line.split("\t") for line in said.splitlines()]
    return {label: int(units) for label, units in lines}


def dumped(command, function, count):
    """The instructions of each call of `function`, of which there are so many."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind"
        valgrind = ["valgrind", "--tool=callgrind", "--quiet", "--collect-atstart=no"]
        valgrind += [f"--toggle-collect={function}", f"--dump-after={function}"]
        output([*valgrind, f"--callgrind-out-file={out}", *command])
        dumps = [out.with_name(f"{out.name}.{n + 1}") for n in range(count)]
        totals = [total(dump.read_text()) for dump in dumps if dump.exists()]
    if len(totals) != count:
        raise Failed(f"valgrind made {len(totals)} dumps of {count} rows")
    return totals


def total(dump):
    """Of one dump of callgrind."""
    found = re.search(r"^(?:totals|summary): (\d+)", dump, re.MULTILINE)
    if not found or found[1] == "0":
        raise Failed("a dump of valgrind counts nothing")
    return int(found[1])


def write(counts, file):
    """Keeps `counts`."""
    lines = [f"# {name}: {said}" for name, said in toolchain().items()]
    lines += [f"{count:>12}  {label}" for label, count in counts.items()]
    file.write_text(HEAD + "\n".join(lines) + "\n")


def read(file):
    """What is kept: the toolchain, and counts by label."""
    made_by, counts = {}, {}
    for line in file.read_text().splitlines() if file.exists() else []:
        if line.startswith("# ") and ": " in line:
            name, _, said = line[2:].partition(": ")
            made_by[name] = said
        elif line and not line.startswith("#"):
            count, _, label = line.strip().partition("  ")
            counts[label] = int(count)
    return made_by, counts


def compare(now, kept, made_by, here):
    """`now` against `kept`, which hold for the toolchains `here` and `made_by`."""
    apart = [name for name in here if made_by.get(name) != here[name]]
    both = [label for label in now if label in kept and not apart]
    grown = [label for label in both if now[label] > GROWTH * kept[label]]
    missing, new = kept.keys() - now.keys(), now.keys() - kept.keys()
    return Compared(grown, sorted(missing), sorted(new), apart)


def part(table, tools, words, quick):
    """Prints the counts beside those that are kept. What came of the comparison."""
    now = counted(tools, words)
    if not now:
        return None
    made_by, kept = read(KEPT)
    kept = {label: count for label, count in kept.items() if wanted(words, label)}
    here = toolchain()
    said = compare(now, kept, made_by, here)
    table.title("Instructions of one call, question, case or lane", "now", "kept", "ratio")
    for label, count in now.items():
        known = None if said.apart else kept.get(label)
        beside = [number(known), f"{count / known:.2f}"] if known else []
        table.row(label, number(count), *beside)
    for name in said.apart:
        table.note(f"not compared: {name} is {here[name]}, kept for {made_by.get(name, 'none')}")
    told = {f"grew by more than {GROWTH - 1:.0%}": said.grown, "not kept yet": said.new}
    for what, labels in (told | {"kept, and not there any more": said.missing}).items():
        for label in labels:
            table.note(f"{what}: {label}")
    return said
