"""Cases as arrays, permits and verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ptodiff
import ptodiff.binary
import ptodiff.corpus

CASES = """\
cases:
  - name: contested
    instruction: MSCATTER
    mode: Elem
    conflict: Default
    dtype: int32_t
    tile: {shape: [1, 8], valid: [1, 4], data: {values: [5, 6, 7, 8]}}
    index: {shape: [1, 8], valid: [1, 4], data: {values: [3, 1, 1, 0]}}
    table: {shape: [1, 1, 1, 2, 4]}
  - name: sums
    instruction: MSCATTER
    mode: Elem
    atomic: Add
    dtype: float
    targets: [a5]
    tile: {shape: [1, 16], data: {values: [0.1, 0.7, 16777216, -16777216, 1e-3, 3.3, 1e7, -1e7, 0.3, 2.5, 1e6, 17, 1e-9, 5.5, -3e5, 0.02]}}
    index: {shape: [1, 16], data: {values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}}
    table: {shape: [1, 1, 1, 1, 8]}
  - name: rejected
    instruction: MSCATTER
    mode: Elem
    atomic: Max
    dtype: int32_t
    tile: {shape: [1, 8]}
    index: {shape: [1, 8], data: permutation}
    table: {shape: [1, 1, 1, 1, 8]}
  - name: nothing_promised
    instruction: MSCATTER
    mode: Elem
    oob: Undefined
    conflict: Default
    dtype: int32_t
    targets: [a5]
    tile: {shape: [1, 8]}
    index: {shape: [1, 8], data: all-out-of-bounds}
    table: {shape: [1, 1, 1, 1, 8]}
  - name: between_rows
    instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    targets: [a5]
    tile: {shape: [1, 8]}
    index: {shape: [1, 8], data: {values: [8, 9, 10, 11, 12, 13, 14, 15]}}
    table: {shape: [1, 1, 1, 4, 8], stride: [64, 64, 64, 16, 1]}
  - name: bfloats
    instruction: MSCATTER
    mode: Elem
    conflict: Default
    dtype: bfloat16_t
    targets: [a5]
    tile: {shape: [1, 16], valid: [1, 3], data: {values: [1, -1, 2]}}
    index: {shape: [1, 16], valid: [1, 3], data: {values: [1, 1, 1]}}
    table: {shape: [1, 1, 1, 1, 16]}
    expect: [{table: {1: 1}}]
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ptodiff.Case]:
    path = tmp_path_factory.mktemp("cases") / "x.yaml"
    path.write_text(CASES)
    return {case.id: case for case in ptodiff.cases(path)}


def test_cases_are_selected(found: dict[str, ptodiff.Case], tmp_path: Path) -> None:
    contested = found["x/contested"]
    assert (contested.instruction, contested.mode, contested.dtype) == ("MSCATTER", "Elem", "int32_t")
    path = contested.file
    assert [case.id for case in ptodiff.cases(path, filter="=x/sums")] == ["x/sums"]
    assert [case.id for case in ptodiff.cases(path, filter=["sums", "contested"])] == ["x/contested", "x/sums"]
    assert [case.id for case in ptodiff.cases(path, expression="dtype(float)")] == ["x/sums"]
    with pytest.raises(ptodiff.Error, match="none of 6 cases is selected"):
        ptodiff.cases(path, filter="nowhere")
    (tmp_path / "bad.yaml").write_text("cases: [{name: x}]")
    with pytest.raises(ptodiff.Error, match="bad.yaml"):
        ptodiff.cases(tmp_path / "bad.yaml")


def test_a_case_stays_what_it_is_in_another_folder(
    found: dict[str, ptodiff.Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(found["x/contested"].file).parent)
    [contested] = ptodiff.cases("x.yaml", filter="contested")
    [own] = ptodiff.cases("cases/clauses/tgatherb.yaml", filter="=tgatherb/reversed")
    assert contested == found["x/contested"] and own.file == "cases/clauses/tgatherb.yaml"
    monkeypatch.chdir(tmp_path)
    assert contested.inputs()["index"].shape == (1, 4) and own.inputs()["offset"].size
    (tmp_path / "cases/clauses").mkdir(parents=True)
    (tmp_path / own.file).write_text(CASES)
    with pytest.raises(ptodiff.Error, match="tgatherb/reversed came with ptodiff, and in this folder"):
        own.inputs()


def test_inputs_and_results_are_arrays(found: dict[str, ptodiff.Case], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(words: list[str]) -> object:
        asked.extend(words)
        return ptodiff.binary.ask(words)

    monkeypatch.setattr(ptodiff.corpus, "ask", ask)
    inputs = found["x/contested"].inputs()
    assert set(inputs) == {"tile", "index", "table"}
    assert inputs["tile"].tolist() == [[5, 6, 7, 8]]
    # Its name of before.
    assert inputs["source"] is inputs["tile"]
    with pytest.raises(KeyError):
        inputs["scratch"]
    assert inputs["index"].tolist() == [[3, 1, 1, 0]]
    result = found["x/contested"].results("CPU")
    assert result.shape == inputs["table"].shape == (1, 1, 1, 2, 4) and result.dtype == np.int32
    # CPU: the last writer stays.
    assert result[0, 0, 0, 0, [0, 1, 3]].tolist() == [8, 7, 5]
    other = found["x/rejected"].inputs(seed=1)["source"]
    assert (other != found["x/rejected"].inputs()["source"]).any()
    # What each element may hold takes minutes for a large table.
    assert "--npy" in asked and "--permits" not in asked


def test_without_a_result_it_is_said_why(found: dict[str, ptodiff.Case]) -> None:
    with pytest.raises(ptodiff.NoResult, match="a2a3 rejects: MSCATTER-ATOM-10"):
        found["x/rejected"].results("a2a3")
    with pytest.raises(ptodiff.NoResult, match="a5 is undefined by MSCATTER-OOB-02"):
        found["x/nothing_promised"].results("a5")
    with pytest.raises(ptodiff.NoResult, match="is not for cpu, but for a5"):
        found["x/sums"].permits("cpu")
    with pytest.raises(ptodiff.NoResult, match="a2a3 rejects"):
        found["x/rejected"].permits("a2a3")


def test_permits_say_who_may_stay_and_by_which_clause(found: dict[str, ptodiff.Case]) -> None:
    contested = found["x/contested"]
    permits = ptodiff.permits(contested, "a5")
    at = (0, 0, 0, 0, 1)
    assert permits.shape == (1, 1, 1, 2, 4) and not permits.any.any()
    assert permits.values(at).tolist() == permits.values(1).tolist() == [6, 7]
    assert (permits.low[at], permits.high[at]) == (6, 7)
    assert permits.writers(at) == [(0, 0, 1), (0, 0, 2)]
    assert permits.clause[at] == "MSCATTER-CONF-06" and permits.clause[0, 0, 0, 0, 2] == "MSCATTER-SEM-04"
    assert "Conflict::Default" in permits.says["MSCATTER-CONF-06"]
    # On CPU one of them stays, the last.
    assert contested.permits("cpu").writers(at) == [(0, 0, 2)]
    result = contested.results("a5")
    for value, allowed in ((6, True), (7, True), (5, False), (0, False)):
        result[at] = value
        expected = np.ones(permits.shape, bool)
        expected[at] = allowed
        assert (permits.allows(result) == expected).all(), value
        assert (permits.allows(result.astype(">i4")) == expected).all(), value
    for wrong in (result.astype(np.int64), result.ravel()):
        with pytest.raises(ValueError, match="the output is int32"):
            permits.allows(wrong)


def test_a_sum_may_lie_between_two_bounds(found: dict[str, ptodiff.Case]) -> None:
    permits = found["x/sums"].permits("a5")
    at = (0,) * 5
    assert permits.interval[at] and permits.interval.sum() == 1
    assert len(permits.writers(at)) == 16
    result = found["x/sums"].results("a5")
    low, high = permits.low[at], permits.high[at]
    assert low < high
    for value, allowed in (
        (low, True), (high, True), (low + (high - low) / 2, True), (np.nextafter(low, np.float32(-np.inf)), False),
        (np.nextafter(high, np.float32(np.inf)), False), (np.float32(np.nan), False),
    ):  # fmt: skip
        result[at] = value
        assert permits.allows(result)[at] == allowed, value
        assert found["x/sums"].judge(result, "A5").conforms == allowed, value


def test_where_nothing_is_promised_anything_may_stand(found: dict[str, ptodiff.Case]) -> None:
    permits = found["x/nothing_promised"].permits("a5")
    assert permits.any.all() and (permits.clause == "MSCATTER-OOB-02").all()
    outputs = found["x/nothing_promised"].inputs()["table"]
    assert permits.allows(outputs).all() and permits.values(0).size == 0
    verdict = found["x/nothing_promised"].judge(outputs, "a5")
    assert (verdict.verdict, verdict.clause, bool(verdict)) == ("undefined", "MSCATTER-OOB-02", False)


def test_values_without_a_type_in_numpy_have_an_order_and_come_as_ml_dtypes_has_them(
    found: dict[str, ptodiff.Case],
) -> None:
    case, at = found["x/bfloats"], (0, 0, 0, 0, 1)
    permits, result = case.permits("a5"), case.results("a5")
    # -1 and 2.
    assert (permits.low[at], permits.high[at]) == (0xBF80, 0x4000)
    # The contract permits them all, but the case expects 1.
    result[at] = 0x4000
    verdict = case.judge(result, "a5")
    assert (verdict.verdict, bool(verdict)) == ("unexpected", False) and "expectation not met" in str(verdict)
    bfloats = result.view(pytest.importorskip("ml_dtypes").bfloat16)
    assert permits.allows(bfloats).all() and case.judge(bfloats, "a5") == verdict
    with pytest.raises(ptodiff.Error, match="outputs: "):
        found["x/between_rows"].judge(bfloats, "a5")


def test_what_is_written_outside_of_the_array_is_not_judged(found: dict[str, ptodiff.Case]) -> None:
    case = found["x/between_rows"]
    verdict = case.judge(case.inputs()["table"], "a5")
    assert not verdict and verdict.verdict == "outside" and "8 of 8 slots" in str(verdict)


def test_a_verdict_names_each_wrong_element_and_says_what_the_terminal_says(found: dict[str, ptodiff.Case]) -> None:
    contested = found["x/contested"]
    right = contested.results("a5")
    assert ptodiff.judge(contested, right, "a5").conforms
    wrong = right.copy()
    wrong[0, 0, 0, 0, 1] = 5
    verdict = ptodiff.judge(contested, wrong, "A5")
    assert not verdict and verdict.verdict == "violates" and verdict.count == 1
    assert verdict.clause == "MSCATTER-CONF-06"
    (element,) = verdict.wrong
    assert element.at == "[0, 0, 0, 0, 1]" and element.got == "5 (0x00000005)"
    assert element.expected == "one of 6 (0x00000006), 7 (0x00000007)" and len(element.whose) == 1
    assert "expected   one of 6" in verdict.message and "rule       MSCATTER-CONF-06: " in str(verdict)
    assert "reproduce" not in verdict.message
    with pytest.raises(ptodiff.Error, match="outputs: the elements are `<i8`"):
        ptodiff.judge(contested, right.astype(np.int64), "a5")
    with pytest.raises(ptodiff.Error, match="outputs: "):
        ptodiff.judge(contested, right.ravel(), "a5")


def test_a_case_is_named_by_its_id(found: dict[str, ptodiff.Case], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(found["x/sums"].file).parent
    (folder / "cases").mkdir()
    (folder / "cases/x.yaml").write_text(CASES)
    monkeypatch.chdir(folder)
    assert ptodiff.permits("x/sums", "a5").shape == ptodiff.permits("sums", "a5").shape == (1, 1, 1, 1, 8)
    with pytest.raises(ptodiff.Error, match="sum"):
        ptodiff.permits("sum", "a5")


def test_the_command_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ptodiff.binary.find()
    monkeypatch.chdir(tmp_path)
    for name, text in (("other", "#!/bin/sh\necho hello"), ("older", "#!/bin/sh\necho '{}'"), ("broken", "")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name, said in (
        ("none", "PTODIFF names"), (".", "PTODIFF names"), ("broken", "broken cannot be started"),
        ("other", "other is not the ptodiff of this package"), ("older", "older is not the ptodiff of this package"),
    ):  # fmt: skip
        monkeypatch.setenv("PTODIFF", name)
        with pytest.raises(ptodiff.Error, match=said):
            ptodiff.cases()
    (tmp_path / "ptodiff").symlink_to(command)
    monkeypatch.setenv("PTODIFF", "ptodiff")
    assert ptodiff.cases("cases/clauses/tgatherb.yaml")
