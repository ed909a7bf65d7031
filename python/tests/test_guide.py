"""The guide's chapter on Python: each of its blocks is run, in their order."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ptodiff.binary

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = ROOT / "harness/cli/guide/arrays-and-python.md"


def blocks() -> list[tuple[str, str, int]]:
    """Tag, text and line of each fenced block."""
    found, tag, text = [], None, ""
    for number, line in enumerate(CHAPTER.read_text(encoding="utf-8").splitlines(), 1):
        if tag is None:
            if line.startswith("```"):
                tag, text, start = line[3:], "", number
        elif line == "```":
            found.append((tag, text, start))
            tag = None
        else:
            text += line + "\n"
    return found


def test_every_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cases/clauses").mkdir(parents=True)
    shutil.copy(ROOT / "cases/clauses/tgatherb.yaml", tmp_path / "cases/clauses")
    monkeypatch.chdir(tmp_path)
    # As where the environment is activated.
    path = [str(Path(sys.executable).parent), str(Path(ptodiff.binary.find()).parent), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    names: dict[str, Any] = {}
    ran = {"python": 0, "console": 0, "sh": 0}
    for tag, text, line in blocks():
        first = text.splitlines()[0]
        if tag in ("python", "yaml") and first.startswith("# ") and " " not in first[2:]:
            (tmp_path / first[2:]).write_text(text)
            continue
        if tag == "python":
            exec(compile(text, f"{CHAPTER.name}:{line}", "exec"), names)
        commands = [one[2:] for one in text.splitlines() if one.startswith("$ ")] if tag == "console" else []
        if tag == "sh" and "pip install" not in text:
            commands = text.splitlines()
        for command in commands:
            expected = int(command.partition("# exits ")[2] or 0)
            done = subprocess.run(command, shell=True, capture_output=True, text=True)
            assert done.returncode == expected, f"{CHAPTER.name}:{line}: {command}\n{done.stdout}{done.stderr}"
        ran[tag] = ran.get(tag, 0) + 1
    assert ran["python"] >= 5 and ran["console"] >= 3 and ran["sh"] >= 2, ran
