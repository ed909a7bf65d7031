//! Readings of one target, and what other readings make of a case.

use ptodiff_case::{Case, load_str};
use ptodiff_isa::Target;
use ptodiff_record::{PairVerdict, Verdict};
use ptodiff_runner::{Options, OutcomeKind, changes, run};

/// Slot 1 of eight is addressed; the others hold what is not zero.
const SCATTER: &str = "\
instruction: TSCATTER
dtype: float
source: {shape: [1, 8], valid: [1, 1], data: {values: [7]}}
destination: {shape: [1, 8], data: {values: [1, 2, 3, 4, 5, 6, 7, 8]}}
index: {shape: [1, 8], valid: [1, 1], data: {values: [1]}}
";

fn case(text: &str) -> Case {
    let text = format!(
        "cases:\n  - name: one\n    {}",
        text.trim_end().replace('\n', "\n    ")
    );
    let corpus = load_str("readings.yaml", &text).expect("the case reads");
    corpus.cases.into_iter().next().expect("a case")
}

fn told(pairs: &[(&str, &str)]) -> Options {
    let owned = |(gap, choice): &(&str, &str)| ((*gap).to_owned(), (*choice).to_owned());
    Options {
        readings: pairs.iter().map(owned).collect(),
        ..Options::default()
    }
}

#[test]
fn targets_that_read_a_gap_apart_may_differ_by_that_gap() {
    let options = told(&[
        ("cpu:tscatter-unaddressed", "kept"),
        ("tscatter-unaddressed", "zero"),
    ]);
    let records = run(&[case(SCATTER)], &options).expect("it runs");
    let record = &records[0];
    assert_eq!(record.verdict, Verdict::Permitted);
    for pair in &record.pairs {
        let apart = pair.targets.0.target == Target::Cpu;
        let expected = if apart {
            PairVerdict::Permitted
        } else {
            PairVerdict::Agree
        };
        assert_eq!(pair.verdict, expected, "{:?}", pair.targets);
        let cited: &[&str] = if apart { &["TSCATTER-GAP-02"] } else { &[] };
        assert_eq!(pair.clauses, cited, "{:?}", pair.targets);
    }
}

#[test]
fn what_other_readings_make_of_a_case_is_told_target_by_target() {
    let case = case(SCATTER);
    let same = changes(
        &case,
        &told(&[]),
        &told(&[("tscatter-unaddressed", "kept")]),
    );
    assert_eq!(same, []);
    let zero = changes(
        &case,
        &told(&[]),
        &told(&[
            ("a5:tscatter-unaddressed", "zero"),
            ("scope", "as-the-suite"),
        ]),
    );
    assert_eq!(zero.len(), 1);
    assert_eq!(zero[0].target, Target::A5);
    assert_eq!(zero[0].comes, [OutcomeKind::Result; 2]);
    assert!(!zero[0].promise_only);
    assert_eq!(zero[0].by, ["tscatter-unaddressed=zero"]);
    let open = changes(
        &case,
        &told(&[]),
        &told(&[("tscatter-unaddressed", "undefined")]),
    );
    assert!(open.iter().all(|change| change.promise_only), "{open:?}");
    assert_eq!(open.len(), 3);
}
