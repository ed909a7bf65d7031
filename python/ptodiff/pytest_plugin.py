"""`pytest --ptodiff-impl MODULE:CLASS`: each case is a test of the implementation.

One `ptodiff run` runs all cases that are selected, when the first test begins; the tests
look up what came of theirs. With pytest-xdist one worker runs them for all.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import xml.etree.ElementTree as xml
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Optional, Union

import pytest

from .__main__ import implementation
from .binary import Error, find
from .corpus import Case, cases
from .implementation import TARGETS

_FOLDER = "ptodiff_folder"
_ID = re.compile(r".*\.(yaml|yml|pto)::.*")


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
    more = "more options of `ptodiff run`, as in --ptodiff-args='--retries 2'"
    group.addoption("--ptodiff-args", metavar="ARGS", default="", help=more)


def pytest_configure(config: pytest.Config) -> None:
    named = config.getoption("--ptodiff-impl")
    if not named:
        return
    try:
        own = implementation(named)
    except Error as error:
        raise pytest.UsageError(f"--ptodiff-impl: {error}") from None
    folder = getattr(config, "workerinput", {}).get(_FOLDER)
    targets = list(dict.fromkeys(config.getoption("--ptodiff-target") or own.targets))
    if not set(targets) <= set(TARGETS):
        raise pytest.UsageError(f"--ptodiff-impl: the targets of {named} are {targets}; there are {list(TARGETS)}")
    # A column of a report cannot be called as a target.
    name = f"{own.__name__}-impl" if own.__name__.lower() in TARGETS else own.__name__
    config.pluginmanager.register(Run(config, named, name, targets, folder), "ptodiff-run")


class Run:
    """The run of all cases that the tests look up."""

    def __init__(
        self, config: pytest.Config, named: str, name: str, targets: list[str], folder: Optional[str]
    ) -> None:
        try:
            self.args = shlex.split(config.getoption("--ptodiff-args"))
        except ValueError as why:
            raise pytest.UsageError(f"--ptodiff-args: {why}") from None
        self.config = config
        self.named = named
        self.name = name
        self.targets = targets
        # The controller of xdist has one for all workers.
        self.owned = folder is None
        self.folder = Path(folder or tempfile.mkdtemp(prefix="ptodiff-"))
        # pytest knows no files of these, and looks for none.
        self.ids = [arg for arg in config.args if _ID.fullmatch(arg)]
        config.args[:] = [arg for arg in config.args if arg not in self.ids]
        self.selected: list[Item] = []
        self.all = 0
        self.came: Optional[dict[tuple[str, str], tuple[str, str]]] = None
        self.stderr: dict[tuple[str, str], list[str]] = {}

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
        own = [Item.of(session, self, *pair) for pair in pairs]
        self.all = len(own)
        if not own:
            targets = " or ".join(self.targets) or "no target"
            raise pytest.UsageError(f"ptodiff: none of {len(found)} cases is for {targets}")
        if self.ids:
            own = [item for item in own if any(map(item.is_called, self.ids))]
            for id in self.ids:
                if not any(item.is_called(id) for item in own):
                    raise pytest.UsageError(f"not found: {id}")
        items.extend(own)
        # The terminal counts what is reported.
        session.ihook.pytest_collectreport(report=pytest.CollectReport("ptodiff", "passed", None, list(own)))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.selected = [item for item in session.items if isinstance(item, Item)]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        if self.selected and self.owned and not session.config.option.collectonly and not session.testsfailed:
            self._once()
            if self._ended() == 2:
                raise pytest.UsageError(f"`ptodiff run` says: {self._read('said').strip()}")
        yield
        ended = self._ended() if self.owned else 0
        if ended in (1, 2, 3) and not any(came == "failed" for came, _ in self._came().values()):
            told = f"`ptodiff run` ended with {ended}:\n{self._read('said')}"
            session.ihook.pytest_collectreport(report=pytest.CollectReport("ptodiff run", "failed", told, []))

    def outcome(self, item: Item) -> tuple[str, str, list[str]]:
        """What came of a case: passed, failed or skipped, what is said of it, and what stood on standard error."""
        if self.came is None:
            self._once()
            self.came = self._came()
            self.stderr = _stderr(self.folder / "run.jsonl")
            self.known = f"--impl {self.name}={shlex.quote(self._path() + self._command())}"
        key = (f"{item.target}:{self.name}", item.case.id)
        if key in self.came:
            outcome, said = self.came[key]
            # A record does not know the command, which is of one machine.
            return outcome, said.replace(f"--impl {self.name}=...", self.known), self.stderr.get(key, [])
        if self._ended() in (0, 1, 2, 3):
            return "skipped", "`ptodiff run` did not run it", []
        return "failed", self._read("said"), []

    def _came(self) -> dict[tuple[str, str], tuple[str, str]]:
        """What the run says of each case of the implementation."""
        return _junit(self.folder / "junit.xml", self.name)

    def _read(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def _ended(self) -> int:
        """The exit code of the run; -1 where it has none."""
        return int(self._read("ended") or -1)

    def _path(self) -> str:
        """What gives the command the modules that are found here and not where it is typed."""
        asks = [sys.executable, "-c", "import sys; print(*sys.path, sep='\\n')"]
        there = subprocess.run(asks, capture_output=True, text=True).stdout.splitlines()
        known = {"", os.getcwd(), sysconfig.get_path("scripts"), *there}
        more = os.pathsep.join(path for path in sys.path if path not in known)
        return f"env {shlex.quote(f'PYTHONPATH={more}')} " if more else ""

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
        command = [find(), "run", *self.config.getoption("--ptodiff-cases"), "--out", str(self.folder)]
        for target in dict.fromkeys(item.target for item in self.selected):
            command += ["--impl", f"{self.name}={self._command()}", "--as", target]
        if not any(re.match("-t|--target", arg) for arg in self.args):
            # Those of a ptodiff.toml are of others.
            command += [f"--target={target}" for target in TARGETS]
        expression = self.config.getoption("--ptodiff-filter")
        if expression:
            command += ["-E", expression]
        if len(self.selected) < self.all:
            for id in dict.fromkeys(item.case.id for item in self.selected):
                command += ["--filter", f"={id}"]
        command += self.args
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        ran = subprocess.run(command, capture_output=True, env=env)
        (self.folder / "said").write_bytes(ran.stderr + ran.stdout)
        (self.folder / "ended").write_text(str(ran.returncode))


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
        path, root = Path(os.path.abspath(case.file)), session.config.rootpath
        file = path.relative_to(root) if root in path.parents else path
        item: Item = cls.from_parent(session, name=name, nodeid=f"{file.as_posix()}::{name}")
        item.case, item.target, item.whole = case, target, whole
        return item

    def is_called(self, id: str) -> bool:
        """Whether an argument of pytest names it: from here, or as pytest does."""
        file, _, name = id.partition("::")
        return id == self.nodeid or (name == self.name and os.path.abspath(file) == os.path.abspath(self.case.file))

    def runtest(self) -> None:
        outcome, said, stderr = self.whole.outcome(self)
        # A failure has the last lines of it alone.
        if any(line not in said for line in stderr):
            self.add_report_section("call", "stderr", "\n".join(stderr))
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


def _junit(path: Path, name: str) -> dict[tuple[str, str], tuple[str, str]]:
    """What a JUnit report says of each test of an implementation, by its suite and name."""
    if not path.exists():
        return {}
    came = {}
    for suite in xml.parse(path).getroot().iter("testsuite"):
        if suite.get("name", "").endswith(f":{name}"):
            for test in suite.iter("testcase"):
                came[suite.get("name", ""), test.get("name", "")] = _told(test)
    return came


def _stderr(path: Path) -> dict[tuple[str, str], list[str]]:
    """What a record has of standard error, by the implementation and the case."""
    if not path.exists():
        return {}
    came = {}
    with path.open(encoding="utf-8") as record:
        for case in (json.loads(line) for line in record if '"stderr"' in line):
            for party, own in case["targets"].items():
                came[party, case["id"]] = own.get("stderr", [])
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
