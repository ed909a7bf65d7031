//! Which status a clause or gap comes to, by the cases that speak of it.

use std::collections::BTreeMap;

use ptodiff_isa::Target;
use ptodiff_record::{AnswerRecord, CaseRecord, Covers, Verdict};
use ptodiff_report::coverage::{ClauseCoverage, Coverage, CoveringTest, GapStatus, Status};

use crate::made::agreeing;
use Target::{A2a3, A5, Cpu};

/// A clause of A2/A3 and A5 without a reason, and one with a reason.
const CLAUSE: &str = "MSCATTER-SEM-01";
const EXCUSED: &str = "MSCATTER-PERF-05";
const GAP: &str = "MSCATTER-GAP-05";

fn case(verdict: Verdict, covers: Covers) -> CaseRecord {
    CaseRecord {
        verdict,
        covers,
        ..agreeing("a/case")
    }
}

fn of(clause: &str, targets: &[Target]) -> Covers {
    Covers {
        clauses: vec![clause.into()],
        targets: targets.to_vec(),
        ..Covers::default()
    }
}

fn clause(id: &str, cases: &[CaseRecord], tests: &[CoveringTest]) -> ClauseCoverage {
    let all = Coverage::of(cases, tests).clauses;
    all.into_iter().find(|c| c.id == id).expect("a clause")
}

#[test]
fn a_clause_is_covered_on_each_of_its_targets_or_not_at_all() {
    let status = |covers| {
        let found = clause(CLAUSE, &[case(Verdict::Agree, covers)], &[]);
        (found.status, found.missing)
    };
    assert_eq!(status(of(CLAUSE, &[A2a3, A5])), (Status::Covered, vec![]));
    let half = (Status::NotCovered, vec![A2a3]);
    assert_eq!(status(of(CLAUSE, &[Cpu, A5])), half);
    let none = (Status::NotCovered, vec![A2a3, A5]);
    assert_eq!(status(of("MSCATTER-SEM-02", &[A2a3, A5])), none);
}

#[test]
fn a_case_that_is_a_violation_is_no_case_that_covers_it() {
    let found = clause(
        CLAUSE,
        &[case(Verdict::Violation, of(CLAUSE, &[A2a3, A5]))],
        &[],
    );
    assert_eq!(found.status, Status::NotCovered);
    assert_eq!(
        (found.cases, found.failing),
        (vec![], vec!["a/case".to_owned()])
    );
}

#[test]
fn a_case_that_covers_it_under_another_reading_counts_as_one_only_beside_none() {
    let under = Covers {
        under: BTreeMap::from([("scope".to_owned(), "as-the-suite".to_owned())]),
        ..of(CLAUSE, &[A2a3, A5])
    };
    let other = case(Verdict::Agree, under);
    let default = case(Verdict::Agree, of(CLAUSE, &[A2a3, A5]));
    let status = |cases: &[CaseRecord]| clause(CLAUSE, cases, &[]).status;
    assert_eq!(status(std::slice::from_ref(&other)), Status::UnderReading);
    assert_eq!(status(&[other, default]), Status::Covered);
}

#[test]
fn a_test_is_a_case_that_covers_it_on_every_target() {
    let test = CoveringTest {
        clause: CLAUSE,
        place: "a.rs:1",
        name: "it_is_so",
    };
    assert_eq!(clause(CLAUSE, &[], &[test]).status, Status::Covered);
}

#[test]
fn a_reason_stands_for_a_case_that_covers_it_and_not_beside_one() {
    let found = clause(EXCUSED, &[], &[]);
    assert_eq!(
        (found.status, found.needless_reason),
        (Status::NotCoverable, false)
    );
    for verdict in [Verdict::Agree, Verdict::Violation] {
        for targets in [&[A2a3][..], &[]] {
            let found = clause(EXCUSED, &[case(verdict, of(EXCUSED, targets))], &[]);
            assert!(found.needless_reason, "{verdict} {targets:?}");
            assert_ne!(found.status, Status::NotCoverable);
        }
    }
}

#[test]
fn a_gap_is_distinguished_by_running_or_as_stated() {
    let answer = |letter, verdict| AnswerRecord {
        letter,
        verdict,
        expects: BTreeMap::new(),
    };
    let status = |came, other| {
        let covers = Covers {
            gap: Some(GAP.into()),
            answers: vec![answer('a', Some(Verdict::Agree)), answer('b', other)],
            ..Covers::default()
        };
        let all = Coverage::of(&[case(came, covers)], &[]).gaps;
        all.into_iter().find(|g| g.id == GAP).expect("a gap").status
    };
    assert_eq!(status(Verdict::Agree, Some(Verdict::Agree)), GapStatus::Run);
    assert_eq!(status(Verdict::Agree, None), GapStatus::Stated);
    assert_eq!(status(Verdict::Violation, None), GapStatus::NotToldApart);
}
