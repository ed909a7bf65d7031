"""The pytest plugin, as a user starts it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CASES = """\
cases:
  - name: bytes
    instruction: TGATHERB
    dtype: int32_t
    destination: {shape: [2, 8]}
    source: {shape: [2, 8]}
    offset: {shape: [2, 8], data: permutation}
  - name: partly
    instruction: TGATHERB
    dtype: int32_t
    destination: {shape: [2, 8], valid: [2, 5]}
    source: {shape: [2, 8]}
    offset: {shape: [2, 8], valid: [2, 5], data: permutation}
  - name: scatter
    instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    tile: {shape: [2, 8]}
    index: {shape: [2, 8], data: permutation}
    table: {shape: [1, 1, 1, 4, 8]}
"""
MINE = """\
import ptodiff

class Mine(ptodiff.Implementation):
    targets = ("a5",)

    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        call.dst.valid = call.src.body[call.offset.valid // 4]

class A5(Mine):
    name = "board"

class Flat(Mine):
    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        found = call.src.body[call.offset.valid // 4]
        call.dst.body[: found.size] = found.ravel()

class Raises(Mine):
    def tgatherb(self, call: ptodiff.Tgatherb) -> None:
        raise KeyError("no kernel")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("user")
    (folder / "cases").mkdir()
    (folder / "cases/x.yaml").write_text(CASES)
    (folder / "mine.py").write_text(MINE)
    return folder


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_each_case_is_a_test(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Mine", "-v", "-rs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cases/x.yaml::x/bytes[a5] PASSED" in done.stdout, done.stdout
    assert "2 passed, 1 skipped" in done.stdout
    assert "no MSCATTER" in done.stdout


def test_a_class_may_be_called_as_a_target(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:A5")
    assert done.returncode == 0 and "2 passed, 1 skipped" in done.stdout, done.stdout + done.stderr


def test_a_failure_is_as_in_the_terminal(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Flat", "-k", "partly", "--ptodiff-args=--diagnosis 0")
    assert done.returncode == 1 and "1 failed, 2 deselected" in done.stdout, done.stdout + done.stderr
    for part in ("slot       destination (", "expected   ", "from a5:Flat", "rule       TGATHERB-",
                 f"--impl Flat='{sys.executable} -m ptodiff mine:Flat' --as a5", "collected 3 items / 2 deselected"):  # fmt: skip
        assert part in done.stdout, done.stdout


def test_a_traceback_is_in_the_failure(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Raises", "-k", "bytes")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "mine.py\", line 19, in tgatherb" in done.stdout and "KeyError: 'no kernel'" in done.stdout


def test_workers_of_xdist_share_one_run(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Flat", "-n", "2", "--ptodiff-args=--diagnosis 0")
    assert done.returncode == 1 and "1 failed, 1 passed, 1 skipped" in done.stdout, done.stdout + done.stderr


def test_cases_targets_and_options_are_chosen(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Mine", "--ptodiff-cases", "cases/x.yaml", "--ptodiff-target", "cpu",
               "--ptodiff-filter", "instruction(tgatherb)", "--ptodiff-args=--seed 3", "-q")  # fmt: skip
    # It says that it cannot be cpu.
    assert done.returncode == 1 and "2 failed" in done.stdout and "it can be a5 only" in done.stdout, done.stdout


def test_what_is_wrong_is_said_at_once(folder: Path) -> None:
    for args, said in (
        (("--ptodiff-impl", "nine:Mine"), "there is no module `nine` here"),
        (("--ptodiff-impl", "mine:Nine"), "the module `mine` has no class `Nine`"),
        (("--ptodiff-impl", "os:PathLike"), "is no subclass of ptodiff.Implementation"),
        (("--ptodiff-impl", "mine:Mine", "--ptodiff-cases", "nowhere"), "nowhere"),
    ):
        done = run(folder, *args)
        assert done.returncode == 4 and said in done.stderr, done.stdout + done.stderr


def test_without_the_option_there_is_no_trace_of_it(folder: Path) -> None:
    assert run(folder).returncode == 5
