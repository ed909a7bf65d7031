"""`pytest --ptodiff-impl MODULE:CLASS`: each case is a test of the implementation.

One `ptodiff run` runs all cases that are selected, when the first test begins; the tests
look up what came of theirs. With pytest-xdist one worker runs them for all.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Optional, Union

import pytest

from .__main__ import implementation
from .binary import Error, find
from .corpus import Case, cases

_FOLDER = "ptodiff_folder"
TARGETS = ["cpu", "a2a3", "a5"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ptodiff", "conformance of a PTO implementation")
    group.addoption(
        "--ptodiff-impl", metavar="MODULE:CLASS", help="make each case a test of this ptodiff.Implementation"
    )
    group.addoption(
        "--ptodiff-cases", metavar="PATH", action="append", default=[], help="case files or folders; `cases` if none"
    )
    group.addoption(
        "--ptodiff-target", metavar="TARGET", action="append", default=[], choices=TARGETS,
        help="the target that it is; each that the class names if not given",
    )  # fmt: skip
    group.addoption("--ptodiff-filter", metavar="EXPR", help="only cases that this filter expression selects")
    group.addoption("--ptodiff-args", metavar="ARGS", default="", help="more options of `ptodiff run`")


def pytest_configure(config: pytest.Config) -> None:
    named = config.getoption("--ptodiff-impl")
    if not named:
        return
    try:
        own = implementation(named)
    except Error as error:
        raise pytest.UsageError(f"--ptodiff-impl: {error}") from None
    folder = getattr(config, "workerinput", {}).get(_FOLDER)
    targets = config.getoption("--ptodiff-target") or list(own.targets)
    # A column of a report cannot be called as a target.
    name = f"{own.__name__}-impl" if own.__name__.lower() in TARGETS else own.__name__
    config.pluginmanager.register(Run(config, named, name, targets, folder), "ptodiff-run")


class Run:
    """The run of all cases that the tests look up."""

    def __init__(
        self, config: pytest.Config, named: str, name: str, targets: list[str], folder: Optional[str]
    ) -> None:
        self.config = config
        self.named = named
        self.name = name
        self.targets = targets
        # The controller of xdist has one for all workers.
        self.owned = folder is None
        self.folder = Path(folder or tempfile.mkdtemp(prefix="ptodiff-"))
        self.selected: list[Item] = []
        self.all = 0
        self.came: Optional[dict[tuple[str, str], tuple[str, str]]] = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[_FOLDER] = str(self.folder)

    def pytest_unconfigure(self) -> None:
        if self.owned:
            shutil.rmtree(self.folder, ignore_errors=True)

    # Before -k and -m select.
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        try:
            found = cases(
                *self.config.getoption("--ptodiff-cases"), expression=self.config.getoption("--ptodiff-filter")
            )
        except Error as error:
            raise pytest.UsageError(str(error)) from None
        pairs = [(case, target) for case in found for target in self.targets if target in case.targets]
        own: list[Union[pytest.Item, pytest.Collector]] = [Item.of(session, self, *pair) for pair in pairs]
        self.all = len(own)
        items.extend(item for item in own if isinstance(item, pytest.Item))
        # The terminal counts what is reported.
        session.ihook.pytest_collectreport(report=pytest.CollectReport("ptodiff", "passed", None, own))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.selected = [item for item in session.items if isinstance(item, Item)]

    def outcome(self, case: Case, target: str) -> tuple[str, str]:
        """What came of a case: passed, failed or skipped, and what is said of it."""
        if self.came is None:
            self._once()
            self.came = _read(self.folder / "junit.xml")
        came = self.came.get((f"{target}:{self.name}", case.id))
        if came:
            # A record does not know the command, which is of one machine.
            known = f"--impl {self.name}={shlex.quote(self._command())}"
            return came[0], came[1].replace(f"--impl {self.name}=...", known)
        return "failed", (self.folder / "said").read_text(encoding="utf-8", errors="replace")

    def _command(self) -> str:
        return shlex.join([sys.executable, "-m", "ptodiff", self.named])

    def _once(self) -> None:
        """Runs the cases, or waits for the worker that does."""
        lock, done = self.folder / "lock", self.folder / "done"
        try:
            with open(lock, "x", encoding="utf-8") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            while not done.exists() and _lives(lock):
                time.sleep(0.05)
            return
        try:
            self._run()
        finally:
            done.touch()

    def _run(self) -> None:
        command = [find(), "run", *self.config.getoption("--ptodiff-cases"), "--out", str(self.folder), "--no-config"]
        for target in self.targets:
            command += ["--impl", f"{self.name}={self._command()}", "--as", target]
        expression = self.config.getoption("--ptodiff-filter")
        if expression:
            command += ["-E", expression]
        if len(self.selected) < self.all:
            for id in dict.fromkeys(item.case.id for item in self.selected):
                command += ["--filter", f"={id}"]
        command += shlex.split(self.config.getoption("--ptodiff-args"))
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        ran = subprocess.run(command, capture_output=True, env=env)
        (self.folder / "said").write_bytes(ran.stderr + ran.stdout)


class Failure(Exception):
    """What the terminal says of a case that fails."""


class Item(pytest.Item):
    """A case on one target."""

    case: Case
    target: str
    whole: Run

    @classmethod
    def of(cls, session: pytest.Session, whole: Run, case: Case, target: str) -> Item:
        name = f"{case.id}[{target}]"
        item: Item = cls.from_parent(session, name=name, nodeid=f"{case.file}::{name}")
        item.case, item.target, item.whole = case, target, whole
        return item

    def runtest(self) -> None:
        outcome, said = self.whole.outcome(self.case, self.target)
        if outcome == "skipped":
            pytest.skip(said)
        if outcome == "failed":
            raise Failure(said)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Failure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Union[os.PathLike[str], str], Optional[int], str]:
        return self.case.file, self.case.line - 1, self.name


def _read(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """What a JUnit report says of each test, by its suite and name."""
    if not path.exists():
        return {}
    came = {}
    for suite in xml.parse(path).getroot().iter("testsuite"):
        for test in suite.iter("testcase"):
            came[suite.get("name", ""), test.get("name", "")] = _told(test)
    return came


def _told(test: Iterable[xml.Element]) -> tuple[str, str]:
    for part in test:
        if part.tag == "skipped":
            return "skipped", part.get("message") or part.text or ""
        if part.tag in ("failure", "error"):
            return "failed", f"{part.get('type') or ''}\n{part.text or ''}".strip()
    return "passed", ""


def _lives(lock: Path) -> bool:
    """Whether the process that holds the lock is there; a lock that is just being written counts."""
    try:
        os.kill(int(lock.read_text() or os.getpid()), 0)
    except ProcessLookupError:
        return False
    return True
