"""Instructions of the hot paths, and those that are kept to compare with."""

import platform
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pipeline import wanted
from run import Failed, Missing, output, version
from table import Row, number

KEPT = Path("reports/instructions.txt")
# What may come between two counts of the same code is far below this.
GROWTH = 1.03
HEAD = """\
# Instructions of hot paths, a number a line. `scripts/bench --keep` writes this
# file, `scripts/bench --check` compares. They hold for one toolchain, which is
"""


@dataclass
class Compared:
    """What a comparison came to."""

    grown: list
    missing: list
    new: list
    # What keeps the two from being compared.
    apart: list


def toolchain():
    """What counts depend on, beside the code, by name."""
    rustc = version(["rustc", "--version"])
    libc = " ".join(platform.libc_ver())
    return {
        "rustc": f"{rustc} {platform.machine()}",
        "libc": libc or "unknown",
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
    programs = {
        "counts": [tools.benches["counts"]],
        "speed::counts": [tools.benches["speed"], "counts"],
    }
    for module, command in programs.items():
        if any(wanted(words, label) for label, _ in rows(output(command))):
            found |= counted_in(module, command)
    return {label: count for label, count in found.items() if wanted(words, label)}


def rows(said):
    """Labels of what a program has counted, and of how many units."""
    return [line.split("\t")[1:] for line in said.splitlines()]


def counted_in(module, command):
    """Those that one program has counted in `module`: a dump a row."""
    # Whole: with a wildcard callgrind counts, and dumps nothing.
    function = f"{module}::count_instructions_here"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind"
        valgrind = [
            "valgrind",
            "--tool=callgrind",
            "--quiet",
            f"--callgrind-out-file={out}",
            "--collect-atstart=no",
            f"--toggle-collect={function}",
            f"--dump-after={function}",
        ]
        done = subprocess.run(valgrind + command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failed(f"{Path(command[0]).name} under valgrind ended with {done.returncode}")
        ran = rows(done.stdout)
        dumps = [out.with_name(f"{out.name}.{n + 1}") for n in range(len(ran))]
        totals = [total(dump.read_text()) for dump in dumps if dump.exists()]
    if len(totals) != len(ran):
        raise Failed(f"valgrind made {len(totals)} dumps of {len(ran)} rows")
    return {label: round(t / int(units)) for (label, units), t in zip(ran, totals, strict=True)}


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
    for line in file.read_text().splitlines():
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
    both = [label for label in now if label in kept]
    return Compared(
        grown=[label for label in both if not apart and now[label] > GROWTH * kept[label]],
        missing=[label for label in kept if label not in now],
        new=[label for label in now if label not in kept],
        apart=apart,
    )


def part(table, tools, words, quick):
    """Prints the counts beside those that are kept. What came of the comparison."""
    now = counted(tools, words)
    if not now:
        return None
    made_by, kept = read(KEPT) if KEPT.exists() else ({}, {})
    here = toolchain()
    if words:
        kept = {label: count for label, count in kept.items() if label in now}
    said = compare(now, kept, made_by, here)
    table.title("Instructions of one call, question or case; beside it what is kept")
    for label, count in now.items():
        known = None if said.apart else kept.get(label)
        if known is None:
            table.row(Row(label, number(count)))
        else:
            ratio = count / known
            goal = f"<= {GROWTH}"
            row = Row(label, number(count), number(known), ratio, goal, label not in said.grown)
            table.row(row)
    if not made_by:
        table.note(f"not compared: there is no {KEPT}, which scripts/bench --keep makes")
    for name in said.apart if made_by else []:
        table.note(f"not compared: {name} is {here[name]}, kept for {made_by.get(name, 'none')}")
    for label in said.grown:
        table.note(f"grew by more than {GROWTH - 1:.0%}: {label}")
    for label in said.new if not said.apart else []:
        table.note(f"not kept yet: {label}")
    for label in said.missing:
        table.note(f"kept, and not there any more: {label}")
    return said
