"""The real command: how long a run takes, and the memory of a hunt."""

import ctypes
import os
import select
import subprocess
import tempfile
import time
from pathlib import Path

from pipeline import wanted
from run import Failed, Missing, on, one_core
from table import Row, number

RUN = ["run", "cases/st", "--quiet", "--no-details"]
RECORD = "run.jsonl"
RECORD_MS = 60
HUNT_MIB = 200
CASES = 1_000_000

MIRRORED = [
    ("mirrored cases, start to record, all cores", None, RUN),
    ("mirrored cases, start to record, one core", "one", RUN),
    ("mirrored cases with details, start to record, all cores", None, RUN[:-1]),
]


class Arrival:
    """Says when a file of some name is moved into a folder, or written there."""

    WRITTEN, MOVED = 0x8, 0x80

    def __init__(self, folder, name):
        libc = ctypes.CDLL(None, use_errno=True)
        self.name = name.encode()
        self.fd = libc.inotify_init1(os.O_CLOEXEC)
        watch = libc.inotify_add_watch(
            self.fd, os.fsencode(folder), ctypes.c_uint32(self.WRITTEN | self.MOVED)
        )
        if self.fd < 0 or watch < 0:
            raise Missing(f"inotify: {os.strerror(ctypes.get_errno())}")

    def wait(self, seconds):
        """Whether it came."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                if self.name + b"\0" in os.read(self.fd, 1 << 16):
                    return True
        return False

    def close(self):
        os.close(self.fd)


def record_ms(command, cpus):
    """Milliseconds from the start of a run to its record, which is all there."""
    with tempfile.TemporaryDirectory() as folder:
        arrival = Arrival(folder, RECORD)
        try:
            start = time.perf_counter()
            child = subprocess.Popen(
                [*command, "--out", folder], stdout=subprocess.DEVNULL, preexec_fn=on(cpus)
            )
            came = arrival.wait(60)
            took = time.perf_counter() - start
            child.wait()
        finally:
            arrival.close()
        if not came or not (Path(folder) / RECORD).exists():
            raise Failed(f"no {RECORD} after `{' '.join(command[1:])}`")
    return took * 1e3


def mirrored(table, tools, words, quick):
    """The best of some runs, that take turns."""
    rows = [row for row in MIRRORED if wanted(words, row[0])]
    if not rows:
        return
    best = [float("inf")] * len(rows)
    for _ in range(4 if quick else 20):
        for k, (_, cores, told) in enumerate(rows):
            cpus = one_core() if cores else None
            best[k] = min(best[k], record_ms([tools.ptodiff(), *told], cpus))
    cores = len(os.sched_getaffinity(0))
    table.title(f"The mirrored cases, `ptodiff {' '.join(RUN)}`: milliseconds; {cores} cores")
    for (label, alone, told), took in zip(rows, best, strict=True):
        goal = told is RUN and not alone
        met = took <= RECORD_MS if goal else None
        table.row(Row(label, f"{took:.1f}", goal=str(RECORD_MS) if goal else "", met=met))


def memory(table, tools, words, quick):
    """The most memory that the process of a hunt had at a time."""
    cases = CASES // 20 if quick else CASES
    label = f"memory of a hunt of {cases:,} cases"
    if not wanted(words, label):
        return
    command = [tools.ptodiff(), "hunt", "--count", str(cases)]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
    code = child.returncode = os.waitstatus_to_exitcode(status)
    # 1: models differ and no clause explains it; that is no hunt to measure.
    if code:
        raise Failed(f"`ptodiff hunt` ended with {code}")
    # Linux counts KiB.
    mib = usage.ru_maxrss / 1024
    table.title("Memory: the largest resident set, in MiB")
    table.row(Row(label, number(mib, 1), goal=f"< {HUNT_MIB}", met=mib < HUNT_MIB))
