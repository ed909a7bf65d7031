"""The pytest plugin, as a user starts it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ptodiff.binary import find

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

class Deep(Mine):
    def tgatherb(self, call: ptodiff.Tgatherb, depth: int = 9) -> None:
        print("depth", depth)
        self.tgatherb(call, depth - 1) if depth else super().tgatherb(None)

class Letters(Mine):
    targets = "a5"

class Other(Mine):
    targets = ("a5", "a9")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("user")
    (folder / "cases").mkdir()
    (folder / "cases/x.yaml").write_text(CASES)
    (folder / "mine.py").write_text(MINE)
    return folder


def run(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
    # In CI, pytest repeats each whole failure in its summary.
    plain = {name: value for name, value in os.environ.items() if name not in ("CI", "BUILD_NUMBER")}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**plain, **env})


def test_each_case_is_a_test(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Mine", "-v", "-rs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cases/x.yaml::x/bytes[a5] PASSED" in done.stdout, done.stdout
    assert "2 passed, 1 skipped" in done.stdout
    assert "no MSCATTER" in done.stdout
    done = run(folder, "--ptodiff-impl", "mine:Letters", "--ptodiff-target", "a5", "--ptodiff-target", "a5")
    assert "2 passed, 1 skipped" in done.stdout, done.stdout + done.stderr


def test_a_case_is_named_as_pytest_names_it(folder: Path) -> None:
    (folder / "below").mkdir(exist_ok=True)
    for args, below in ((("cases/x.yaml::x/bytes[a5]",), "."), (("cases/x.yaml::x/bytes[a5]", "-n1"), "."),
                        (("../cases/x.yaml::x/bytes[a5]", "--ptodiff-cases=../cases", "--rootdir=.."), "below")):  # fmt: skip
        done = run(folder / below, "--ptodiff-impl", "mine:Mine", *args, "-rA", PYTHONPATH=str(folder))
        assert f"PASSED {args[0]}" in done.stdout and "1 passed in" in done.stdout, done.stdout


def test_a_run_that_fails_without_a_test_that_does_is_an_error(folder: Path) -> None:
    expecting = "permutation}\n    expect: [{destination: {0: 1}}]\n"
    (folder / "expects.yaml").write_text(CASES.replace("permutation}\n", expecting, 1))
    for args in ((), ("-n", "1")):
        done = run(folder, "--ptodiff-impl", "mine:Mine", "--ptodiff-cases", "expects.yaml", "-k", "bytes", *args)
        assert done.returncode == 1 and "1 passed" in done.stdout and "1 error" in done.stdout, done.stdout
        assert "expectation not met" in done.stdout and "\nFAILED  1 of 1 case" in done.stdout, done.stdout
    done = run(folder, "--ptodiff-impl", "mine:Mine", "-k", "scatter")
    assert done.returncode == 1 and "1 skipped" in done.stdout and "\nNOTHING TESTED" in done.stdout, done.stdout
    done = run(folder, "--ptodiff-impl", "mine:Mine", "--ptodiff-args=--filtre x", "-n", "1")
    assert "3 skipped, 1 error" in done.stdout and done.stdout.count("unexpected argument") == 1, done.stdout


def test_a_ptodiff_toml_counts_but_for_its_implementations_and_targets(folder: Path) -> None:
    own = folder / "configured"
    own.mkdir()
    (own / "x.yaml").write_text(CASES)
    (own / "ptodiff.toml").write_text(
        '[run]\ntargets = ["cpu"]\nreadings = { tgatherb-granularity = "block" }\n[impl.x]\ncommand = "none"\n'
    )
    args = ("--ptodiff-impl", "mine:Flat", "--ptodiff-cases", "x.yaml", "-k", "bytes", "-rs")
    done = run(own, *args, PYTHONPATH=str(folder))
    assert "1 skipped" in done.stdout and "no reading tgatherb-granularity=block" in done.stdout, done.stdout
    # What pytest finds and a shell does not is in the command.
    (own / "ptodiff.toml").unlink()
    done = run(own, *args[:-2], "partly", "-o", "pythonpath=..")
    [command] = [line[13:] for line in done.stdout.splitlines() if line.startswith("  reproduce  ptodiff run")]
    again = subprocess.run([find(), *shlex.split(command)[1:]], cwd=own, capture_output=True, text=True)
    assert again.returncode == 1 and "from a5:Flat" in again.stdout, command + again.stdout + again.stderr


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
    # All of it, and what was printed.
    done = run(folder, "--ptodiff-impl", "mine:Deep", "-k", "bytes")
    assert "\ndepth 9\n" in done.stdout and "mine.py\", line 24, in tgatherb" in done.stdout, done.stdout


def test_workers_of_xdist_share_one_run(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Flat", "-n", "2", "--ptodiff-args=--diagnosis 0")
    assert done.returncode == 1 and "1 failed, 1 passed, 1 skipped" in done.stdout, done.stdout + done.stderr


def test_cases_targets_and_options_are_chosen(folder: Path) -> None:
    done = run(folder, "--ptodiff-impl", "mine:Mine", "--ptodiff-cases", "cases/x.yaml", "--ptodiff-target", "cpu",
               "--ptodiff-filter", "instruction(tgatherb)", "--ptodiff-args=--seed 3", "-q")  # fmt: skip
    # It says that it cannot be cpu.
    assert done.returncode == 4 and done.stderr.count("it can be a5 only") == 1, done.stdout + done.stderr
    done = run(folder, "--ptodiff-impl", "mine:Mine", "--ptodiff-args=--filter bytes", "-rs")
    assert done.returncode == 0 and "1 passed, 2 skipped" in done.stdout, done.stdout
    assert "`ptodiff run` did not run it" in done.stdout


def test_what_is_wrong_is_said_at_once(folder: Path) -> None:
    (folder / "cpu.yaml").write_text(CASES.replace("dtype:", "targets: [cpu]\n    dtype:"))
    for args, said in (
        (("--ptodiff-impl", "nine:Mine"), "there is no module `nine` here"),
        (("--ptodiff-impl", "mine:Nine"), "the module `mine` has no class `Nine`"),
        (("--ptodiff-impl", "os:PathLike"), "is no subclass of ptodiff.Implementation"),
        (("--ptodiff-impl", "mine:Mine", "--ptodiff-cases", "nowhere"), "nowhere"),
        (("--ptodiff-impl", "mine:Mine", "--ptodiff-args=--filtre x"), "unexpected argument '--filtre'"),
        (("--ptodiff-impl", "mine:Mine", "--ptodiff-args=--filter 'x"), "--ptodiff-args: No closing quotation"),
        (("--ptodiff-impl", "mine:Mine", "cases/x.yaml::x/byte[a5]"), "not found: cases/x.yaml::x/byte[a5]"),
        (("--ptodiff-impl", "mine:Other"), "the targets of mine:Other are ['a5', 'a9']"),
        (("--ptodiff-impl", "mine:Mine", "--ptodiff-cases", "cpu.yaml"), "none of 3 cases is for a5"),
    ):
        done = run(folder, *args)
        assert done.returncode == 4 and said in done.stderr, done.stdout + done.stderr


def test_without_the_option_there_is_no_trace_of_it(folder: Path) -> None:
    assert run(folder).returncode == 5
