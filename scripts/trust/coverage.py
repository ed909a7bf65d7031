"""What the cases reach: coverage.py FOLDER EXPLAINED.toml

FOLDER has lines.info (lcov) and branches.json (llvm-cov export). EXPLAINED.toml
says why something is not reached:

    [[unreached]]
    file = "harness/judge/src/sheet.rs"
    text = ["unreached lines, or lines with a branch never taken", ".."]
    lines = { "one of the texts" = 2 }
    why = "..."

Lines go by their text, so that other changes leave them alone; "*" is all of a
file. A text explains one line, or as many as `lines` says: one more with the
same text is noticed. Exit code 0: all that is not reached is explained; 1: not;
2: a file cannot be read.
"""

import json
import sys
import tomllib
from collections import defaultdict
from pathlib import Path


def inside(path: str) -> Path:
    """A file as the project names it, in whose folder this runs."""
    return Path(path).resolve().relative_to(Path.cwd())


def part(some: int, whole: int) -> str:
    return f"{100 * some / whole:.1f}%" if whole else "-"


def lines(path: Path) -> dict[Path, dict[int, int]]:
    """How often each line of each file ran."""
    found: dict[Path, dict[int, int]] = {}
    current: dict[int, int] = {}
    for text in path.read_text().splitlines():
        key, _, value = text.partition(":")
        if key == "SF":
            current = found.setdefault(inside(value), {})
        elif key == "DA":
            number, count = map(int, value.split(",")[:2])
            current[number] = max(count, current.get(number, 0))
    return found


def branches(path: Path) -> dict[Path, dict[tuple[int, int, int, int, bool], int]]:
    """How often each branch was taken, over all instances of a generic."""
    found: dict[Path, dict[tuple[int, int, int, int, bool], int]] = {}
    for file in json.loads(path.read_text())["data"][0]["files"]:
        taken = found.setdefault(inside(file["filename"]), defaultdict(int))
        for line, column, to_line, to_column, yes, no, *_ in file["branches"]:
            place = (line, column, to_line, to_column)
            taken[(*place, True)] += yes
            taken[(*place, False)] += no
    return found


def explained(path: Path) -> dict[tuple[Path, str], int]:
    """How many lines that are not reached are explained, by file and text."""
    entries = tomllib.loads(path.read_text()).get("unreached", [])
    for entry in entries:
        if unknown := set(entry.get("lines", {})).difference(entry["text"]):
            raise ValueError(f"lines of no text of the entry: {sorted(unknown)}")
    return {
        (Path(entry["file"]), text.strip()): entry.get("lines", {}).get(text, 1)
        for entry in entries
        for text in entry["text"]
    }


def main(folder: Path, why: dict[tuple[Path, str], int]) -> int:
    ran, taken = lines(folder / "lines.info"), branches(folder / "branches.json")
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    missing: list[tuple[Path, int, str, str]] = []
    for file, counts in sorted(ran.items()):
        text = [""] + file.read_text().splitlines()
        row = tally[file.parts[1]]
        row[0] += len(counts)
        row[1] += sum(count > 0 for count in counts.values())
        cold = {number for number, count in counts.items() if count == 0}
        missing += [(file, n, text[n].strip(), "not reached") for n in sorted(cold)]
        for (line, column, _, to, yes), count in sorted(taken.get(file, {}).items()):
            row[2] += 1
            row[3] += count > 0
            if count == 0 and line not in cold:
                what = text[line][column - 1 : to - 1]
                never = f"never {'true' if yes else 'false'}: {what}"
                missing.append((file, line, text[line].strip(), never))
    print(f"{'':<12}{'lines':>8}{'reached':>9}{'':>8}{'branches':>10}{'taken':>8}")
    for crate, (written, hot, forks, gone) in sorted(tally.items()):
        print(
            f"{crate:<12}{written:>8}{hot:>9}{part(hot, written):>8}"
            f"{forks:>10}{gone:>8}{part(gone, forks):>8}"
        )
    used = [{(file, text), (file, "*")} & set(why) for file, _, text, _ in missing]
    known = sum(map(bool, used))
    print(f"\nnot reached: {len(missing)} lines and branches, {known} of them explained")
    for (file, line, text, what), reasons in zip(missing, used, strict=True):
        if not reasons:
            print(f"  {file}:{line}: {what}\n      {text}")
    stale = set(why).difference(*used)
    for file, text in sorted(stale):
        print(f"  {file}: explained, and reached or gone: {text}")
    cold_lines: dict[tuple[Path, str], set[int]] = defaultdict(set)
    for file, line, text, _ in missing:
        cold_lines[file, text].add(line)
    other = {at for at in set(why) & set(cold_lines) if len(cold_lines[at]) != why[at]}
    for file, text in sorted(other):
        now = ", ".join(map(str, sorted(cold_lines[file, text])))
        print(f"  {file}: explained on {why[file, text]} lines, not reached on {now}: {text}")
    return 0 if known == len(missing) and not stale and not other else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(Path(sys.argv[1]), explained(Path(sys.argv[2]))))
    except (OSError, ValueError, KeyError, TypeError, IndexError) as problem:
        print(f"coverage.py: {problem!r}", file=sys.stderr)
        sys.exit(2)
