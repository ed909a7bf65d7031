"""Small cases through everything: cases a second."""

import re

from run import Failed, output
from table import number, wanted

LABELS = ["pipeline legal", "pipeline mix"]

LINE = re.compile(
    r"^(?P<label>.+?) +(?P<one>\d+) cases a second on one thread, +(?P<two>\d+) on two"
)


def part(table, tools, words, quick):
    """On one thread, and on two beside one; each beside an older build if there is one."""
    labels = [label for label in LABELS if wanted(words, label)]
    if not labels:
        return
    programs = [tools.benches["pipeline"], *([tools.beside] if tools.beside else [])]
    table.title("Drawn small cases, from draw to verdict: cases a second", "now", "beside", "ratio")
    for label in labels:
        best = [(0, 0)] * len(programs)
        # In turns: clocks and neighbours change what a core does by a quarter within a second.
        for _ in range(4 if quick else 30):
            turn = [rates(program, label) for program in programs]
            best = [tuple(map(max, old, new)) for old, new in zip(best, turn, strict=True)]
        (one, two), *older = best
        row(table, f"{label}, one thread", one)
        row(table, f"{label}, two threads beside one", two, one)
        for old_one, old_two in older:
            row(table, f"{label}, one thread, beside the older build", one, old_one)
            row(table, f"{label}, two threads, beside the older build", two, old_two)


def row(table, label, now, beside=None):
    table.row(label, number(now), *([number(beside), f"{now / beside:.2f}"] if beside else []))


def rates(program, label):
    """Cases a second on one thread and on two, in one round of `program`."""
    lines = [LINE.match(line) for line in output([program, label, "50000"]).splitlines()]
    for line in lines:
        if line and line["label"] == label:
            return int(line["one"]), int(line["two"])
    raise Failed(f"{program} prints no row `{label}`")
