//! Which status a clause or gap comes to, by the cases that speak of it.

use std::collections::BTreeMap;

use ptodiff_isa::{Instruction, Target};
use ptodiff_record::{AnswerRecord, CaseRecord, Verdict, Witness};
use ptodiff_report::coverage::{ClauseCoverage, Coverage, GapStatus, Status, TestWitness};

use Target::{A2a3, A5, Cpu};

/// A clause of A2/A3 and A5 without a reason, and one with a reason.
const CLAUSE: &str = "MSCATTER-SEM-01";
const EXCUSED: &str = "MSCATTER-PERF-05";
const GAP: &str = "MSCATTER-GAP-05";

fn case(verdict: Verdict, witness: Witness) -> CaseRecord {
    CaseRecord {
        id: "a/case".into(),
        name: "case".into(),
        suite: None,
        instruction: Instruction::Mscatter,
        file: "a.yaml".into(),
        line: 1,
        call: BTreeMap::new(),
        verdict,
        targets: BTreeMap::new(),
        pairs: vec![],
        odd_one_out: None,
        readings: vec![],
        name_differs: None,
        holes: vec![],
        witness,
        detail: None,
    }
}

fn of(clause: &str, targets: &[Target]) -> Witness {
    Witness {
        clauses: vec![clause.into()],
        targets: targets.to_vec(),
        ..Witness::default()
    }
}

fn clause(id: &str, cases: &[CaseRecord], tests: &[TestWitness]) -> ClauseCoverage {
    let all = Coverage::of(cases, tests).clauses;
    all.into_iter().find(|c| c.id == id).expect("a clause")
}

#[test]
fn a_clause_is_witnessed_on_each_of_its_targets_or_not_at_all() {
    let status = |witness| {
        let found = clause(CLAUSE, &[case(Verdict::Agree, witness)], &[]);
        (found.status, found.missing)
    };
    assert_eq!(status(of(CLAUSE, &[A2a3, A5])), (Status::Witnessed, vec![]));
    let half = (Status::NotWitnessed, vec![A2a3]);
    assert_eq!(status(of(CLAUSE, &[Cpu, A5])), half);
    let none = (Status::NotWitnessed, vec![A2a3, A5]);
    assert_eq!(status(of("MSCATTER-SEM-02", &[A2a3, A5])), none);
}

#[test]
fn a_case_that_is_a_violation_is_no_witness() {
    let found = clause(
        CLAUSE,
        &[case(Verdict::Violation, of(CLAUSE, &[A2a3, A5]))],
        &[],
    );
    assert_eq!(found.status, Status::NotWitnessed);
    assert_eq!(
        (found.cases, found.failing),
        (vec![], vec!["a/case".to_owned()])
    );
}

#[test]
fn a_witness_under_another_reading_counts_as_one_only_beside_none() {
    let under = Witness {
        under: BTreeMap::from([("scope".to_owned(), "as-the-suite".to_owned())]),
        ..of(CLAUSE, &[A2a3, A5])
    };
    let other = case(Verdict::Agree, under);
    let default = case(Verdict::Agree, of(CLAUSE, &[A2a3, A5]));
    let status = |cases: &[CaseRecord]| clause(CLAUSE, cases, &[]).status;
    assert_eq!(status(std::slice::from_ref(&other)), Status::UnderReading);
    assert_eq!(status(&[other, default]), Status::Witnessed);
}

#[test]
fn a_test_is_a_witness_on_every_target() {
    let test = TestWitness {
        clause: CLAUSE,
        place: "a.rs:1",
        name: "it_is_so",
    };
    assert_eq!(clause(CLAUSE, &[], &[test]).status, Status::Witnessed);
}

#[test]
fn a_reason_stands_for_a_witness_and_not_beside_one() {
    let found = clause(EXCUSED, &[], &[]);
    assert_eq!(
        (found.status, found.needless_reason),
        (Status::NotWitnessable, false)
    );
    for verdict in [Verdict::Agree, Verdict::Violation] {
        for targets in [&[A2a3][..], &[]] {
            let found = clause(EXCUSED, &[case(verdict, of(EXCUSED, targets))], &[]);
            assert!(found.needless_reason, "{verdict} {targets:?}");
            assert_ne!(found.status, Status::NotWitnessable);
        }
    }
}

#[test]
fn a_gap_is_told_apart_by_running_or_as_stated() {
    let answer = |letter, verdict| AnswerRecord {
        letter,
        verdict,
        expects: BTreeMap::new(),
    };
    let status = |came, other| {
        let witness = Witness {
            gap: Some(GAP.into()),
            answers: vec![answer('a', Some(Verdict::Agree)), answer('b', other)],
            ..Witness::default()
        };
        let all = Coverage::of(&[case(came, witness)], &[]).gaps;
        all.into_iter().find(|g| g.id == GAP).expect("a gap").status
    };
    assert_eq!(status(Verdict::Agree, Some(Verdict::Agree)), GapStatus::Run);
    assert_eq!(status(Verdict::Agree, None), GapStatus::Stated);
    assert_eq!(status(Verdict::Violation, None), GapStatus::NotToldApart);
}
