"""Each model beside the same operation in C++ and NumPy, on the same bytes."""

import filecmp
import tempfile
from pathlib import Path

from run import Failed, one_core, output
from table import wanted

MODELS = ["cpu", "a2a3", "a5"]
# Runs of one after the other.
RUNS = "200"


def part(table, tools, words, quick):
    """A row an operation: microseconds of a call at best, and times that of C++."""
    labels = output([tools.benches["speed"], "labels"]).splitlines()
    labels = [label for label in labels if wanted(words, label)]
    if not labels:
        return
    names = [*tools.peers, *MODELS]
    table.title("Models and peers: microseconds of a call (times that of C++)", *names)
    for label in labels:
        best = {}
        for _ in range(3 if quick else 20):
            for name, took in turn(tools, label).items():
                best[name] = min(took, best.get(name, took))
        base = best.get("cpp")
        table.row(label, *(cell(best[name], name != "cpp" and base) for name in names))
    table.note(f"what {', '.join(names)} leave is the same, byte for byte")
    if "cpp" in names:
        table.note("models should stay within 8 times the C++ loop")


def turn(tools, label):
    """Nanoseconds by name: everyone has a turn, on one core, so that all share its caches."""
    with tempfile.TemporaryDirectory() as folder:
        speed = [tools.benches["speed"], "times", label, folder, RUNS]
        said, *models = output(speed, cpus=one_core()).splitlines()
        times = dict(line.split("\t") for line in models)
        for name, command in tools.peers.items():
            told = [*command, folder, RUNS, *said.split("\t")]
            times[name] = output(told, cpus=one_core())
        first, *others = [Path(folder) / f"{name}.result" for name in times]
        for other in others:
            if not filecmp.cmp(first, other, shallow=False):
                raise Failed(f"{label}: {first.stem} and {other.stem} leave different bytes")
    return {name: int(took) for name, took in times.items()}


def cell(took, base):
    return f"{took / 1e3:.1f}" + (f" ({took / base:.2f})" if base else "")
