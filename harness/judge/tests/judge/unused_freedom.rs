//! Freedom that no answer made use of.

use ptodiff_isa::{DType, ScatterAtomicOp, Target};
use ptodiff_judge::{Answer, CaseVerdict, TargetVerdict, UnusedFreedom, judge_case_briefly};

use crate::fixture::{ANY_WRITER, Fixture, ints};

fn unused_freedom(candidates: [[i32; 2]; 2], runs: &[[i32; 2]]) -> Vec<UnusedFreedom> {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.one_of(0, &[&ints(&candidates[0]), &ints(&candidates[1])]);
    let mut answers = Vec::new();
    for row in runs {
        fixture.write(0, &ints(row));
        answers.push(fixture.answer());
    }
    match fixture.judge(&answers) {
        TargetVerdict::Conforms {
            unused_freedom,
            compared,
        } => {
            let nothing = TargetVerdict::Conforms {
                unused_freedom: Vec::new(),
                compared,
            };
            assert_eq!(briefly(&fixture, &answers), nothing);
            unused_freedom
        }
        other => panic!("{other:?}"),
    }
}

/// The verdict where nobody asks what freedom was not made use of.
fn briefly(fixture: &Fixture, answers: &[Answer]) -> TargetVerdict {
    let mut verdict = CaseVerdict::default();
    let inputs = [fixture.input(Target::A5, answers)];
    judge_case_briefly(&fixture.context(), &inputs, &mut verdict);
    verdict.parties.remove(0).1
}

#[test]
fn the_same_winner_everywhere_is_reported() {
    let rows = [[1, 2], [3, 4]];
    let clause = ANY_WRITER;
    let never = [UnusedFreedom { clause, slots: 2 }];
    assert_eq!(unused_freedom(rows, &[[3, 4], [3, 4], [3, 4]]), never);
    assert_eq!(unused_freedom(rows, &[[1, 2]]), never);
    assert_eq!(unused_freedom(rows, &[[3, 4], [3, 4], [1, 4]]), []);
}

#[test]
fn one_slot_that_varied_shows_the_clause() {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.one_of(0, &[&ints(&[1]), &ints(&[2])]);
    fixture.one_of(16, &[&ints(&[3]), &ints(&[4])]);
    let fixture = fixture.but(0, &ints(&[1])).but(16, &ints(&[3]));
    let first = fixture.answer();
    let second = fixture.but(0, &ints(&[2]));
    match second.judge(&[first, second.answer()]) {
        TargetVerdict::Conforms { unused_freedom, .. } => assert_eq!(unused_freedom, []),
        other => panic!("{other:?}"),
    }
}

#[test]
fn candidates_that_are_all_the_same_leave_nothing_to_see() {
    assert_eq!(unused_freedom([[1, 2], [1, 2]], &[[1, 2], [1, 2]]), []);
}
