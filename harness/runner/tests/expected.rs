//! A case that expects what no contract asks for: it is the case that may be wrong.

use ptodiff_case::load_str;
use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, PairVerdict, TargetVerdict, Verdict};
use ptodiff_runner::{Options, run};

fn recorded(text: &str) -> CaseRecord {
    let corpus = load_str("x.yaml", text).expect("a case");
    let options = Options::default();
    let mut records = run(&corpus.cases, &options, std::io::sink(), |_| {}).expect("threads start");
    records.remove(0)
}

#[test]
fn who_does_what_the_case_does_not_expect_breaks_no_contract() {
    let text = "cases:
  - name: x
    instruction: MSCATTER
    mode: Elem
    dtype: int32_t
    targets: [cpu, a2a3]
    tile: {shape: [1, 8], data: {values: [1, 2, 3, 4, 5, 6, 7, 8]}}
    index: {shape: [1, 8], data: {values: [0, 1, 2, 3, 4, 5, 6, 7]}}
    table: {shape: [1, 1, 1, 1, 8]}
    expect:
      - {table: [1, 2, 3, 4, 5, 6, 7, 9], targets: [cpu]}
";
    let record = recorded(text);
    let cpu = &record.targets[&Party::of(Target::Cpu)];
    assert_eq!(cpu.verdict, TargetVerdict::Violates);
    let [finding] = &cpu.findings[..] else {
        panic!("{:?}", cpu.findings);
    };
    assert_eq!(finding.what, "a slot does not hold what the case expects");
    let slot = finding.slot.as_ref().expect("a slot");
    assert_eq!(
        slot.permitted.as_deref(),
        Some("9 (0x00000009) by the case")
    );
    let [pair] = &record.pairs[..] else {
        panic!("{:?}", record.pairs);
    };
    assert_eq!(pair.verdict, PairVerdict::Agree);
    assert_eq!(
        (record.verdict, &record.outlier),
        (Verdict::Violation, &None)
    );
}

#[test]
fn a_pair_of_which_nothing_is_compared_is_no_violation_where_the_case_expects_another_clause() {
    let text = "cases:
  - name: x
    instruction: TGATHERB
    dtype: int64_t
    source: {shape: [4, 16]}
    destination: {shape: [4, 16]}
    offset: {shape: [4, 16], data: permutation}
    rejected: {a2a3: TGATHERB-DTYPE-01, a5: TGATHERB-SEM-01}
";
    let record = recorded(text);
    let [ab, ac, bc] = &record.pairs[..] else {
        panic!("{:?}", record.pairs);
    };
    for (pair, why) in [
        (ab, "a2a3: rejected"),
        (ac, "a5: rejected"),
        (bc, "a2a3 and a5: rejected"),
    ] {
        assert_eq!(pair.verdict, PairVerdict::NotCompared);
        assert_eq!(pair.why.as_deref(), Some(why));
    }
    assert_eq!(
        (record.verdict, &record.outlier),
        (Verdict::Violation, &None)
    );
}
