"""Cases as arrays: what goes in, what comes out, what may come out, and whether that is right."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from .binary import Error, ask, find
from .dtypes import as_bits
from .operands import Array
from .permits import Permits

Path_ = Union[str, "os.PathLike[str]"]


class NoResult(Error):
    """A target has no result for a case: it rejects it, never returns, or nothing is promised."""


class Inputs(dict[str, Array]):
    """Operands by their keys in a case. The names of before, those of the protocol, find them, too."""

    def __missing__(self, name: str) -> Array:
        key = {"source": "tile", "destination": "tile", "index": "offset"}.get(name, name)
        if key == name or key not in self:
            raise KeyError(name)
        return self[key]


@dataclass(frozen=True)
class Case:
    """A case: a call with its operands."""

    #: Its id, as in `tgatherb/edges`.
    id: str
    #: `MSCATTER`, `MGATHER`, `TSCATTER` or `TGATHERB`.
    instruction: str
    #: The form, as in `tscatter-mask`.
    form: str
    #: The targets that it is for.
    targets: tuple[str, ...]
    #: The element type of the data tile as C++ spells it.
    dtype: str
    #: `Row` or `Elem`; None where the form has no mode.
    mode: Optional[str]
    #: The file where it stands, and the line; a path that is not absolute is of a case that came with ptodiff.
    file: str
    line: int

    def inputs(self, seed: int = 0) -> dict[str, Array]:
        """Every operand before the call, by its key in the case: `tile`, `offset`, `table`.

        A tile has its valid rows and columns; a tensor its five dimensions, in NZ the rows and
        columns of the table that its blocks make up. An MSCATTER with chunks has one more
        dimension in front in what differs from call to call. bfloat16 and 8-bit floats
        come as the bits in unsigned integers.
        """
        with _exported(self, seed) as (at, _):
            paths = (path for path in sorted(at.glob("*.npy")) if not re.search("^result-|-storage$", path.stem))
            return Inputs({path.stem: np.load(path) for path in paths})

    def results(self, target: str, seed: int = 0) -> Array:
        """The output after the call, as the contract of `target` requires it.

        Where it permits several results, this is the one that the target's model comes to:
        `permits` says what else may stand there. The shape is that of the output in `inputs`.
        Raises NoResult, with the reason, where there is none.
        """
        target = target.lower()
        with _exported(self, seed) as (at, said):
            if target not in self.targets or not (at / f"result-{target}.npy").exists():
                why = (line for line in said.splitlines() if re.match(rf"no result: .*\b{target}\b", line))
                raise _no_result(self, target, next(why, ""))
            return _load(at / f"result-{target}.npy")

    def permits(self, target: str, seed: int = 0) -> Permits:
        """As `ptodiff.permits`."""
        return permits(self, target, seed)

    def judge(self, outputs: ArrayLike, target: str, seed: int = 0) -> Verdict:
        """As `ptodiff.judge`."""
        return judge(self, outputs, target, seed)


class Wrong(NamedTuple):
    """An element that holds what no permit allows."""

    #: Where it stands, as in `(1, 0)`; the words of the terminal.
    at: str
    #: What may stand there.
    expected: str
    #: What stands there.
    got: str
    #: Whose value that is, as in `source (0, 13)`: empty where it is nobody's, or too many have it.
    whose: tuple[str, ...]
    #: Whose value is due.
    due: tuple[str, ...]
    #: The clauses that are broken.
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What the contract of a target says of a result. It is true where the result conforms."""

    #: `conforms` or `violates`; `unexpected` where the contract is kept, but the case expects otherwise. Otherwise
    #: there was nothing to judge: `undefined`, `rejected`, `hangs`, or `outside`, where all that is written is
    #: outside of the array.
    verdict: str
    #: The first clause that is broken, or by which there was nothing to judge.
    clause: Optional[str]
    #: Wrong elements, at least one of each kind and clause, at most 8 of each.
    wrong: tuple[Wrong, ...]
    #: How many elements are wrong.
    count: int
    #: What the terminal says; empty where the result conforms.
    message: str

    @property
    def conforms(self) -> bool:
        """Whether the result keeps the contract, and the case expects no other."""
        return self.verdict == "conforms"

    def __bool__(self) -> bool:
        return self.conforms

    def __str__(self) -> str:
        return self.message or f"{self.verdict}{f' by {self.clause}' if self.clause else ''}"


def cases(
    *paths: Path_,
    filter: Union[str, Sequence[str]] = (),
    expression: Optional[str] = None,
    suite: Optional[str] = None,
) -> list[Case]:
    """Cases, in the order of their files.

    `paths` are case files or folders of them; the folder `cases` if none is given. `filter` is part
    of an id, `=ID` a whole one; of several, one must fit. `expression` is a filter expression,
    as in `dtype(half) & !target(cpu)`; `suite` is `cpu`, `a2a3` or `a5`.

    Raises Error for a bad file, and where nothing is selected.
    """
    arguments = ["list", "--format", "json", *(str(os.fspath(path)) for path in paths)]
    for text in [filter] if isinstance(filter, str) else filter:
        arguments += ["--filter", text]
    if expression is not None:
        arguments += ["-E", expression]
    if suite is not None:
        arguments += ["--suite", suite]
    found = []
    for line in ask(arguments).stdout.splitlines():
        try:
            told = json.loads(line)
            words = [told[key] for key in ("id", "instruction", "form", "targets", "dtype", "mode", "file", "line")]
        except (ValueError, KeyError, TypeError):
            raise Error(f"{find()} is not the ptodiff of this package: it has other words for a case") from None
        words[3] = tuple(words[3])
        # One that is not there came with ptodiff.
        words[6] = os.path.abspath(words[6]) if os.path.exists(words[6]) else words[6]
        found.append(Case(*words))
    return found


def _of(case: Union[Case, str]) -> Case:
    """The case of this id or name in the folder `cases`."""
    if isinstance(case, Case):
        return case
    found = [one for one in cases(filter=case.lstrip("=")) if case.lstrip("=") in (one.id, one.id.split("/", 1)[-1])]
    if len(found) != 1:
        raise Error(f"{len(found) or 'no'} cases are called `{case}`; ptodiff.cases() has them")
    return found[0]


def permits(case: Union[Case, str], target: str, seed: int = 0) -> Permits:
    """What the contract of `target` allows in each element of the output of a case.

    `case` is a Case, or the id of one in the folder `cases`. Where nothing is promised, every
    element may hold anything. Raises NoResult where the target rejects the case or never returns.
    """
    case, target = _of(case), target.lower()
    with _exported(case, seed, "--permits") as (at, _):
        told = json.loads((at / "permits.json").read_text(encoding="utf-8"))
        own = told["targets"].get(target)
        if own is None or (own["why"] and not own["undefined"]):
            raise _no_result(case, target, own["why"] if own else "")
        if own["undefined"]:
            shape = _load(at / f"{told['output']}.npy").shape
            return Permits.of_nothing(told["operands"][told["output"]], shape, own["undefined"])
        columns = {
            name: np.load(at / f"{target}-{name}.npy")
            for name in ("holds", "clause", "freedom", "values", "value-ends", "writers", "writer-ends")
        }
        return Permits(told["operands"][told["output"]], own["clauses"], columns)


def judge(case: Union[Case, str], outputs: ArrayLike, target: str, seed: int = 0) -> Verdict:
    """Holds a result to the contract of `target`.

    `case` is a Case, or the id of one in the folder `cases`. `outputs` is the output after the
    call, in the shape and element type of `case.results(target)`: the valid part, so padding
    counts as right. Raises Error where it has another shape or type.
    """
    case, target = _of(case), target.lower()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.npy")
        np.save(path, as_bits(outputs, case.dtype))
        arguments = ["judge", case.id, path, "--as", target, "--cases", _file(case), "-s", str(seed)]
        try:
            ran = ask([*arguments, "--format", "json", "--diagnosis", "2s"], ends=(0, 1, 3))
        except Error as error:
            raise Error(str(error).replace(f"{path}: ", "outputs: ")) from None
    told = json.loads(ran.stdout)
    own = told["record"]["targets"][f"{target}:result"]
    clauses = [one["clause"] for key in ("findings", "reasons") for one in own.get(key, ()) if one.get("clause")]
    wrong = [_wrong(finding["slot"]) for finding in own.get("findings", ()) if "slot" in finding]
    verdict = own["verdict"]
    if verdict == "conforms":
        # What is written may stand between the rows of a table, and in no array.
        verdict = {1: "unexpected", 3: "outside"}.get(ran.returncode, verdict)
    return Verdict(
        verdict=verdict,
        clause=clauses[0] if clauses else None,
        wrong=tuple(wrong),
        count=own.get("wrong", {}).get("slots", 0),
        message=told["text"] if verdict in ("violates", "unexpected", "outside") else "",
    )


def _wrong(slot: Mapping[str, Any]) -> Wrong:
    got = " or ".join(f"{value['value']} ({value['bits']})" for value in slot["got"].values())
    lists = (tuple(dict.fromkeys(slot.get(key, ()))) for key in ("whose", "due", "clauses"))
    return Wrong(slot["at"], slot.get("permitted", ""), got, *lists)


def _file(case: Case) -> str:
    """The file of a case; Error where one that came with ptodiff is hidden by one that is here."""
    if not os.path.isabs(case.file) and os.path.exists(case.file):
        raise Error(f"{case.id} came with ptodiff, and in this folder {case.file} is another file")
    return case.file


@contextmanager
def _exported(case: Case, seed: int, *more: str) -> Iterator[tuple[Path, str]]:
    """A folder with the arrays of a case, and what is said of them."""
    with tempfile.TemporaryDirectory() as folder:
        ran = ask(["export", case.id, "--cases", _file(case), "--npy", folder, "-s", str(seed), *more])
        yield Path(folder), ran.stdout


def _no_result(case: Case, target: str, why: str) -> NoResult:
    if target not in case.targets:
        return NoResult(f"{case.id} is not for {target}, but for {', '.join(case.targets)}")
    return NoResult(f"{case.id}: {why.replace('no result: ', '', 1)}")


def _load(path: Path) -> Array:
    array: Array = np.load(path)
    return array
