//! A case that expects what no contract asks for: it is the case that may be wrong.

use ptodiff_case::load_str;
use ptodiff_isa::{Party, Target};
use ptodiff_record::{PairVerdict, TargetVerdict};
use ptodiff_runner::{Options, run};

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
      - {table: [1, 2, 3, 4, 5, 6, 7, 9], targets: [TARGETS]}
";
    let recorded = |targets: &str| {
        let corpus = load_str("x.yaml", &text.replace("TARGETS", targets)).expect("a case");
        let options = Options::default();
        let mut records =
            run(&corpus.cases, &options, std::io::sink(), |_| {}).expect("threads start");
        records.remove(0)
    };
    let record = recorded("cpu");
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
    assert_eq!(pair.verdict, PairVerdict::Violation);
    assert_eq!(
        pair.why.as_deref(),
        Some("cpu does not do what the case expects")
    );
    let both = recorded("cpu, a2a3");
    assert_eq!(
        both.pairs[0].why.as_deref(),
        Some("cpu and a2a3 do not do what the case expects")
    );
}
