//! Which holes a case shows, each worked out from the clause that it names;
//! and that a hole which is gone is noticed.

use ptodiff_case::{Case, load_str};
use ptodiff_generate::stimulus;
use ptodiff_isa::{Party, Schedule, Target};
use ptodiff_record::{CaseRecord, Verdict};
use ptodiff_runner::{Options, run, trial};

fn case(rest: &str) -> Case {
    let text = format!("cases:\n  - name: x\n{rest}");
    let corpus = load_str("x.yaml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    corpus.cases.into_iter().next().expect("one case")
}

/// The holes that a trial finds, those of open readings too.
fn shown(case: &Case) -> Vec<String> {
    let steps = stimulus(case, 0).steps;
    let trial = trial(case, &steps, &Schedule::InOrder);
    assert_eq!(trial.unexplained(), Vec::<String>::new());
    let all = trial.holes().into_iter().chain(trial.open_readings(&[]));
    all.map(|hole| hole.to_string()).collect()
}

fn record(case: Case) -> CaseRecord {
    let options = Options {
        jobs: 1,
        ..Options::default()
    };
    let mut records = run(&[case], &options, std::io::sink(), |_| {}).expect("threads start");
    records.remove(0)
}

/// Index 8 of a table of 8 elements.
const BEHIND: &str = "    instruction: MGATHER
    mode: Elem
    dtype: int32_t
    targets: [a2a3, a5]
    tile: {shape: [1, 8], valid: [1, 1]}
    index: {shape: [1, 8], valid: [1, 1], data: {values: [8]}}
    table: {shape: [1, 1, 1, 1, 8]}
";

#[test]
fn a_precondition_that_nobody_checks() {
    let holes = shown(&case(BEHIND));
    for target in ["a2a3", "a5"] {
        let hole = format!("unchecked-precondition {target} MGATHER-OOB-01 out-of-bounds-read");
        assert!(holes.contains(&hole), "{holes:?}");
    }
}

#[test]
fn what_comes_of_a_broken_precondition_is_compared_with_other_targets() {
    // Rows 16 apart: A2/A3 goes by the stride, A5 by the source's width (MSCATTER-GAP-13).
    let holes = shown(&case(
        "    instruction: MSCATTER
    mode: Row
    dtype: int32_t
    targets: [a2a3, a5]
    tile: {shape: [2, 8]}
    index: {shape: [1, 8], valid: [1, 2], data: {values: [1, 2]}}
    table: {shape: [1, 1, 1, 4, 8], stride: [64, 64, 64, 16, 1]}
",
    ));
    let broken: Vec<_> = holes.iter().filter(|h| h.contains("unchecked")).collect();
    assert_eq!(
        broken,
        ["unchecked-precondition a5 MSCATTER-GAP-13 differs"]
    );
}

#[test]
fn a_call_that_never_returns() {
    let holes = shown(&case(
        "    instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    targets: [a5]
    tile: {shape: [1, 8]}
    index: {shape: [1, 8], data: seq}
    table: {shape: [1, 1, 1, 1, 8]}
    launch: {dispatch: Direct}
",
    ));
    assert_eq!(holes, ["unchecked-precondition a5 MSCATTER-LAUNCH-10 hang"]);
}

#[test]
fn a_legal_call_that_leaves_its_operand() {
    // One offset behind the source opens its own slot only, and is read all the same.
    let holes = shown(&case(
        "    instruction: TGATHERB
    dtype: int32_t
    targets: [a5]
    readings: {tgatherb-granularity: element}
    source: {shape: [1, 8]}
    offset: {shape: [1, 8], data: {values: [0, 4, 8, 12, 16, 20, 24, 4096]}}
",
    ));
    let hole = "legal-out-of-bounds a5 TGATHERB-OOB-01 out-of-bounds-read".to_owned();
    assert!(holes.contains(&hole), "{holes:?}");
}

#[test]
fn a_rejection_that_only_a_gap_speaks_of() {
    // Row with a scratch: whether it can be written at all is MGATHERL1-GAP-05.
    let holes = shown(&case(
        "    instruction: MGATHER
    mode: Row
    dtype: float
    readings: {scope: as-the-suite}
    tile: {location: Mat, shape: [16, 8], valid: [1, 8]}
    index: {data: {values: [1]}}
    table: {shape: [1, 1, 1, 2, 8]}
    scratch: {shape: [1, 1, 1, 1, 128]}
",
    ));
    let rejections: Vec<_> = holes
        .iter()
        .filter(|h| h.starts_with("one-sided"))
        .collect();
    assert_eq!(
        rejections,
        [
            "one-sided-rejection cpu/a2a3 MGATHERL1-GAP-05 rejection",
            "one-sided-rejection cpu/a5 MGATHERL1-GAP-05 rejection"
        ]
    );
}

#[test]
fn a_rejection_by_a_clause_is_no_hole() {
    // Add of uint8_t: a statement rejects it on A2/A3 (MSCATTER-ATOM-10 and its like).
    let holes = shown(&case(
        "    instruction: MSCATTER
    mode: Elem
    atomic: Add
    dtype: uint8_t
    targets: [cpu, a2a3, a5]
    tile: {shape: [1, 32]}
    index: {shape: [1, 32], data: seq}
    table: {shape: [1, 1, 1, 1, 32]}
",
    ));
    assert!(
        !holes.iter().any(|h| h.starts_with("one-sided")),
        "{holes:?}"
    );
}

/// A5 in Row mode: the table is twice as wide as the source (MSCATTER-TABLE-07).
fn wide(valid: &str, width: &str) -> Case {
    case(&format!(
        "    instruction: MSCATTER
    mode: Row
    dtype: int32_t
    targets: [a5]
    tile: {{shape: [2, 8], valid: [2, {valid}]}}
    index: {{shape: [1, 8], valid: [1, 2], data: seq}}
    table: {{shape: [1, 1, 1, 4, {width}]}}
"
    ))
}

#[test]
fn a_check_that_sees_static_dimensions_only() {
    let hole = |place: &str| format!("static-only-check a5 MSCATTER-TABLE-07 {place}");
    for (valid, width, place) in [
        ("dyn 8", "16", "data-extents"),
        ("8", "dyn 16", "table-shape"),
        ("dyn 8", "dyn 16", "several"),
    ] {
        let holes = shown(&wide(valid, width));
        assert!(holes.contains(&hole(place)), "{place}: {holes:?}");
    }
    let holes = shown(&wide("8", "16"));
    assert!(
        !holes.iter().any(|h| h.starts_with("static-only")),
        "{holes:?}"
    );
}

/// Index -1 under Clamp is the last element or the first, by MSCATTER-GAP-01.
const NEGATIVE: &str = "    instruction: MSCATTER
    mode: Elem
    oob: Clamp
    dtype: int32_t
    targets: [a2a3, a5]
    tile: {shape: [1, 8]}
    index: {shape: [1, 8], data: {values: [-1, 1, 2, 3, 4, 5, 6, 0]}}
    table: {shape: [1, 1, 1, 1, 8]}
";

#[test]
fn what_depends_on_how_a_gap_is_read() {
    let holes = shown(&case(NEGATIVE));
    for target in ["a2a3", "a5"] {
        let hole = format!("open-reading {target} MSCATTER-GAP-01 result");
        assert!(holes.contains(&hole), "{holes:?}");
    }
    let in_range = NEGATIVE.replace("-1, 1", "7, 1");
    assert_eq!(shown(&case(&in_range)), Vec::<String>::new());
}

#[test]
fn a_hole_that_is_still_there_is_recorded() {
    let hole = "unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read";
    let record = record(case(&format!("{BEHIND}    holes: [{hole}]\n")));
    assert_eq!(record.holes, [hole]);
    assert_ne!(record.verdict, Verdict::Violation);
}

#[test]
fn a_hole_that_is_gone_is_a_violation() {
    let hole = "unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read";
    let closed = BEHIND.replace("[8]}}", "[7]}}");
    let record = record(case(&format!("{closed}    holes: [{hole}]\n")));
    assert_eq!(record.verdict, Verdict::Violation);
    assert_eq!(record.holes, Vec::<String>::new());
    let findings = &record.targets[&Party::of(Target::A5)].findings;
    let [finding] = &findings[..] else {
        panic!("{findings:?}");
    };
    assert_eq!(
        finding.failure_group,
        "MGATHER a5 expectation MGATHER-OOB-01"
    );
    assert!(
        finding.what.contains(&format!("the hole is gone: {hole}")),
        "{}",
        finding.what
    );
}

#[test]
fn an_open_reading_that_is_closed_is_a_violation() {
    let holes = "    holes: [open-reading a5 MSCATTER-GAP-01 result]\n";
    let open = record(case(&format!("{NEGATIVE}{holes}")));
    assert_eq!((open.verdict, open.holes.len()), (Verdict::Agree, 1));
    let in_range = NEGATIVE.replace("-1, 1", "7, 1");
    let closed = record(case(&format!("{in_range}{holes}")));
    assert_eq!(closed.verdict, Verdict::Violation);
}

#[test]
fn a_hole_of_a_target_that_does_not_take_part_is_passed_over() {
    let hole = "    holes: [unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read]\n";
    let options = Options {
        jobs: 1,
        targets: vec![Target::A2a3],
        ..Options::default()
    };
    let cases = [case(&format!("{BEHIND}{hole}"))];
    let records = run(&cases, &options, std::io::sink(), |_| {}).expect("threads start");
    assert_ne!(records[0].verdict, Verdict::Violation);
    assert_eq!(records[0].holes, Vec::<String>::new());
}
