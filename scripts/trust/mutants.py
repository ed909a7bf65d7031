"""The score of what cargo-mutants did: mutants.py FOLDER SURVIVORS.toml

FOLDER has the output of cargo-mutants for each crate in a folder of its name, and
beside it changes.txt, all that cargo-mutants could change there.
SURVIVORS.toml explains those that no test can notice:

    [[survivor]]
    mutant = "harness/judge/src/sheet.rs: replace < with <= in Sheet::new"
    why = "both ..."

A survivor is named without its line, so that other changes leave it alone.
Exit code 0: enough are caught, all survivors are explained and nothing that is
gone is; 1: not; 2: no such run, or no such file.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

GOAL = 95.0


class Unreadable(Exception):
    """What was given cannot be read."""


def name(mutant: str) -> str:
    """A mutant without its line and column."""
    return re.sub(r"^(\S+?):\d+:\d+: ", r"\1: ", mutant)


def explained(path: Path) -> dict[str, str]:
    """The survivors of a file, and why each is one."""
    try:
        entries = tomllib.loads(path.read_text())["survivor"]
        return {entry["mutant"]: entry["why"] for entry in entries}
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Unreadable(f"{path}: {error!r}") from error


def outcomes(folder: Path) -> list[tuple[str, str]]:
    """Mutants of a crate with what became of each."""
    path = folder / "mutants.out" / "outcomes.json"
    try:
        done = json.loads(path.read_text())["outcomes"]
        changes = [o for o in done if o["scenario"] != "Baseline"]
        return [(name(o["scenario"]["Mutant"]["name"]), o["summary"]) for o in changes]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{path}: {error!r}") from error


def gone(folder: Path, why: dict[str, str]) -> list[str]:
    """What is explained of a crate though nothing there can be changed so."""
    path = folder / "changes.txt"
    try:
        there = {name(line) for line in path.read_text().splitlines()}
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path}: {error!r}") from error
    return [mutant for mutant in why if f"/{folder.name}/" in mutant and mutant not in there]


def main(folder: Path, survivors: Path) -> int:
    why = explained(survivors)
    crates = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if not crates:
        raise Unreadable(f"{folder}: no run of cargo-mutants is kept there")
    print(f"{'':<12}{'changes':>8}{'built':>8}{'caught':>8}{'score':>9}{'survive':>10}{'explained':>11}")
    enough, told, idle = True, [], []
    for crate in crates:
        done = outcomes(crate)
        built = [summary for _, summary in done if summary != "Unviable"]
        # A loop without an end is noticed as a wrong number is.
        caught = [summary for summary in built if summary in ("CaughtMutant", "Timeout")]
        missed = sorted({mutant for mutant, summary in done if summary == "MissedMutant"})
        known = [mutant for mutant in missed if mutant in why]
        score = 100.0 * len(caught) / len(built) if built else 0.0
        enough &= score >= GOAL and len(known) == len(missed)
        counts = f"{len(done):>8}{len(built):>8}{len(caught):>8}{score:>8.1f}%"
        print(f"{crate.name:<12}{counts}{len(missed):>10}{len(known):>11}")
        told += [f"  {mutant}\n      {why.get(mutant, 'NOT EXPLAINED')}" for mutant in missed]
        idle += [f"  {mutant}\n      EXPLAINED, BUT GONE" for mutant in gone(crate, why)]
    print("\n".join(["", *told]) if told else "\nnothing survived")
    print("\n".join(idle), end="\n" if idle else "")
    return 0 if enough and not idle else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
    except Unreadable as problem:
        print(f"mutants.py: {problem}", file=sys.stderr)
        sys.exit(2)
