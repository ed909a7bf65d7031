"""An implementation that `ptodiff run` starts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import ptodiff.binary

CASE = """\
cases:
  - name: bytes
    instruction: TGATHERB
    dtype: int32_t
    destination: {shape: [2, 8]}
    source: {shape: [2, 8]}
    offset: {shape: [2, 8], data: permutation}
"""


def run(folder: Path, program: str, how: str = "mine.py") -> subprocess.CompletedProcess[str]:
    (folder / "case.yaml").write_text(CASE)
    (folder / "mine.py").write_text(program)
    command = [ptodiff.binary.find(), "run", "case.yaml", "--impl", f"mine='{sys.executable}' {how}", "--as", "a5"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_what_is_printed_disturbs_nobody(tmp_path: Path) -> None:
    program = """\
import os
import ptodiff

class Mine(ptodiff.Implementation):
    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        print("from Python")
        os.system("echo from a child")
        call.dst.valid = call.src.body[call.offset.valid // 4]

"""
    for text, how in ((program + "Mine().run()\n", "mine.py"), (program + "print(1)\n", "-m ptodiff mine:Mine")):
        done = run(tmp_path, text, how)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "a5:mine" in done.stdout


def test_the_traceback_is_in_the_failure(tmp_path: Path) -> None:
    done = run(tmp_path, """\
import ptodiff

class Mine(ptodiff.Implementation):
    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        self.launch()

    def launch(self) -> None:
        raise OverflowError("17 blocks")

Mine().run()
""")  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    for part in ("ended with code 1: OverflowError: 17 blocks", ", line 8, in launch", ", line 5, in tgatherb"):
        assert part in done.stdout, done.stdout
    lines = (tmp_path / "reports/out/run.jsonl").read_text().splitlines()
    stderr = json.loads(lines[1])["targets"]["a5:mine"]["stderr"]
    assert stderr[:2] == ["While it answered tgatherb on a5:", "Traceback (most recent call last):"]
