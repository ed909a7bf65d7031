//! Which status a clause or gap comes to, by the cases that speak of it.

use std::fmt::Write;

use ptodiff_isa::Target;
use ptodiff_record::CaseRecord;
use ptodiff_report::coverage::{Coverage, CoveringTest, Status};
use strum::VariantArray;

/// What is told of the entry `id`, of these cases, which ran on `targets`.
pub(crate) fn told(id: &str, targets: &[Target], cases: &[CaseRecord]) -> String {
    let all = Coverage::of(targets, cases, &[]);
    if let Some(gap) = all.gaps.iter().find(|gap| gap.id == id) {
        return format!("{:?}", gap.status);
    }
    let clause = all
        .clauses
        .iter()
        .find(|clause| clause.id == id)
        .expect("a clause");
    let mut out = format!("{:?}", clause.status);
    let missing: Vec<String> = clause
        .missing
        .iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    for (word, all) in [
        ("missing", &missing),
        ("cases", &clause.cases),
        ("failing", &clause.failing),
    ] {
        if !all.is_empty() {
            let _ = write!(out, "; {word} {}", all.join(" "));
        }
    }
    if clause.needless_reason {
        out += "; needless reason";
    }
    out
}

#[test]
fn a_test_is_a_case_that_covers_it_on_every_target() {
    let test = CoveringTest {
        clause: "MSCATTER-SEM-01",
        place: "a.rs:1",
        name: "it_is_so",
    };
    let mut all = Coverage::of(Target::VARIANTS, &[], &[test])
        .clauses
        .into_iter();
    let clause = all.find(|clause| clause.id == test.clause);
    assert_eq!(clause.expect("a clause").status, Status::Covered);
}
