"""The real command: how long a run takes, and the memory of a hunt."""

import subprocess
import tempfile
import time
from pathlib import Path

from run import Failed, on, one_core, used
from table import number, wanted

RUN = ["run", "cases/st", "--quiet", "--no-details"]
CASES = 1_000_000

MIRRORED = [
    ("mirrored cases, start to record, all cores", None, RUN),
    ("mirrored cases, start to record, one core", one_core, RUN),
    ("mirrored cases with details, start to record, all cores", None, RUN[:-1]),
]


def record_ms(command, cpus):
    """Milliseconds from the start of a run to its record, which appears when it is whole."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "run.jsonl"
        start = time.perf_counter()
        told = [*command, "--out", folder]
        child = subprocess.Popen(told, stdout=subprocess.DEVNULL, preexec_fn=on(cpus))
        while child.poll() is None and not record.exists():
            time.sleep(2e-4)
        took = time.perf_counter() - start
        child.wait()
        if not record.exists():
            raise Failed(f"no {record.name} after `{' '.join(command[1:])}`")
    return took * 1e3


def mirrored(table, tools, words, quick):
    """The best of some runs, that take turns."""
    rows = [row for row in MIRRORED if wanted(words, row[0])]
    if not rows:
        return
    best = [float("inf")] * len(rows)
    for _ in range(4 if quick else 20):
        for k, (_, cores, told) in enumerate(rows):
            took = record_ms([tools.ptodiff, *told], cores and cores())
            best[k] = min(best[k], took)
    table.title(f"The mirrored cases, `ptodiff {' '.join(RUN)}`", "milliseconds")
    for (label, _, _), took in zip(rows, best, strict=True):
        table.row(label, number(took, 1))


def memory(table, tools, words, quick):
    """The most memory that the process of a hunt had at a time."""
    cases = CASES // 20 if quick else CASES
    label = f"memory of a hunt of {cases:,} cases"
    if wanted(words, label):
        # Ends with 1 where models differ and no clause explains it: no hunt to measure.
        _, usage = used([tools.ptodiff, "hunt", "--count", str(cases)])
        table.title("Memory: the largest resident set", "MiB")
        # Linux counts KiB.
        table.row(label, number(usage.ru_maxrss / 1024, 1))
