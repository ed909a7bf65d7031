"""Small cases through everything, and the contract alone."""

import re

from run import Failed, output
from table import Row, number

LABELS = ["pipeline legal", "pipeline mix", "pipeline mix, relations and readings"]
# The goals are for the cases that keep all rules.
CASES, SCALES = 300_000, 1.9

LINE = re.compile(
    r"^(?P<label>.+?) +(?P<one>\d+) cases a second on one thread, +(?P<two>\d+) on two"
)
CALL = re.compile(r"^(?P<label>.+?) +(?P<call>\d+) +(?P<lane>[\d.]+)   ")


def wanted(words, label):
    return not words or any(word in label for word in words)


def part(table, tools, words, quick):
    """Cases a second on one thread, and on two beside one."""
    labels = [label for label in LABELS if wanted(words, label)]
    if not labels:
        return
    command = [tools.benches["pipeline"]]
    if len(labels) == 1:
        command.append(labels[0])
    if quick:
        command.append("50000")
    lines = [LINE.match(line) for line in output(command).splitlines()]
    found = {line["label"]: line for line in lines if line}
    table.title("Generated small cases, from draw to verdict: cases a second")
    for label in labels:
        if label not in found:
            raise Failed(f"the benchmark prints no row `{label}`")
        one, two = int(found[label]["one"]), int(found[label]["two"])
        goal = label == LABELS[0]
        table.row(
            Row(
                f"{label}, one thread",
                number(one),
                goal=number(CASES) if goal else "",
                met=one >= CASES if goal else None,
            )
        )
        ratio = two / one
        table.row(
            Row(
                f"{label}, two threads beside one",
                number(two),
                number(one),
                ratio,
                f"{SCALES}x" if goal else "",
                round(ratio, 2) >= SCALES if goal else None,
            )
        )


def contract(table, tools, words, quick):
    """Nanoseconds of a question about a call of 32 lanes, and of a lane of a large one."""
    lines = output([tools.benches["contract"], *words]).splitlines()
    rows = [row for row in map(CALL.match, lines) if row]
    if not rows:
        if words:
            return
        raise Failed("the contract's benchmark prints no row")
    table.title("The contract alone: a call of 32 lanes; beside it one lane of 16384")
    for row in rows:
        lane = f"{float(row['lane']):.2f} ns"
        table.row(Row(f"contract {row['label']}", f"{row['call']} ns", lane))
