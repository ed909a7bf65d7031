"""The score of what cargo-mutants did: mutants.py FOLDER

FOLDER has the output of cargo-mutants for each crate in a folder of its name.
Exit code 0: of each crate enough changes are caught; 1: not; 2: no such run.
"""

import json
import sys
from pathlib import Path

GOAL = 95.0


class Unreadable(Exception):
    """What was given cannot be read."""


def outcomes(folder: Path) -> list[tuple[str, str]]:
    """The changes to a crate, each with its outcome."""
    path = folder / "mutants.out" / "outcomes.json"
    try:
        done = json.loads(path.read_text())["outcomes"]
        changes = [o for o in done if o["scenario"] != "Baseline"]
        return [(o["scenario"]["Mutant"]["name"], o["summary"]) for o in changes]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{path}: {error!r}") from error


def main(folder: Path) -> int:
    crates = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if not crates:
        raise Unreadable(f"{folder}: no run of cargo-mutants is kept there")
    print(f"{'':<12}{'changes':>8}{'built':>8}{'caught':>8}{'score':>9}{'survive':>10}")
    enough, survivors = True, []
    for crate in crates:
        done = outcomes(crate)
        built = [summary for _, summary in done if summary != "Unviable"]
        # A loop without an end is noticed as a wrong number is.
        caught = [summary for summary in built if summary in ("CaughtMutant", "Timeout")]
        missed = sorted({mutant for mutant, summary in done if summary == "MissedMutant"})
        score = 100.0 * len(caught) / len(built) if built else 0.0
        enough &= score >= GOAL
        counts = f"{len(done):>8}{len(built):>8}{len(caught):>8}{score:>8.1f}%{len(missed):>10}"
        print(f"{crate.name:<12}{counts}")
        survivors += missed
    print("", *(survivors or ["no change survived"]), sep="\n  ")
    return 0 if enough else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        sys.exit(main(Path(sys.argv[1])))
    except Unreadable as problem:
        print(f"mutants.py: {problem}", file=sys.stderr)
        sys.exit(2)
