"""The table of scripts/bench: each part prints its rows as they come."""

import argparse
import os
import shutil
import sys
from functools import cached_property
from pathlib import Path

import command
import counts
import fuzzing
import peers
import pipeline
import run
from table import Table

# In this order; instructions do not mind what else the machine does.
PARTS = [
    pipeline.part,
    peers.part,
    command.mirrored,
    command.memory,
    fuzzing.part,
    counts.part,
]

# Exit codes: instructions grew; something is wrong; nothing could be compared.
GREW, WRONG, NOTHING = 1, 2, 3


class Tools:
    """What is measured and with what; built when it is first asked for."""

    def __init__(self, peers=(), beside=None):
        told = (peer.split("=") for peer in peers)
        self.peers = {name: command for name, *command in told}
        self.beside = beside
        self.valgrind = shutil.which("valgrind")
        self.fuzzer = shutil.which("cargo-fuzz")

    @cached_property
    def benches(self):
        return run.benches()

    @cached_property
    def ptodiff(self):
        return run.ptodiff()


def about(peers):
    """What the figures hold for, in a line."""
    said = [f"{len(os.sched_getaffinity(0))} cores", run.version(["rustc", "--version"])]
    if "cpp" in peers:
        said.append(run.version(["g++", "--version"]))
    if "numpy" in peers:
        python = peers["numpy"][0]
        said.append(run.version([python, "-c", "import numpy; print('NumPy', numpy.__version__)"]))
    return "; ".join(filter(None, said))


def show(tools, words, quick):
    """All parts of which a row is wanted. One that has no figures says why."""
    failed = False
    table = Table(sys.stdout)
    print(about(tools.peers), flush=True)
    for part in PARTS:
        try:
            part(table, tools, words, quick)
        except run.Missing as why:
            table.title(f"No figures: {why}")
        except run.Failed as why:
            table.title(f"Failed: {why}")
            failed = True
    if table.silent:
        print(f"scripts/bench: no row has {' or '.join(words)} in its label", file=sys.stderr)
        return WRONG
    return WRONG if failed else 0


def check(tools, words):
    """Only instructions: whether any grew."""
    said = counts.part(Table(sys.stdout), tools, words, quick=False)
    if said is None or said.apart:
        print("scripts/bench: nothing could be compared", file=sys.stderr)
        return NOTHING
    return GREW if said.grown or said.missing else 0


def keep(tools):
    """Counts anew and keeps that."""
    now = counts.counted(tools, [])
    counts.write(now, counts.KEPT)
    print(f"{len(now)} counts are kept in {counts.KEPT}")
    return 0


def main(words=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--beside")
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("words", nargs="*")
    args = parser.parse_intermixed_args(words)
    tools = Tools(args.peer, args.beside)
    try:
        if args.keep:
            return keep(tools)
        if args.check:
            return check(tools, args.words)
        return show(tools, args.words, args.quick)
    except (run.Missing, run.Failed, run.Unbuilt) as why:
        print(f"scripts/bench: {why}", file=sys.stderr)
        return NOTHING if isinstance(why, run.Missing) else WRONG


if __name__ == "__main__":
    os.chdir(Path(__file__).parent.parent.parent)
    sys.exit(main())
