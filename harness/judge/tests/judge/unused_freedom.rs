//! Freedom that no answer made use of.

use ptodiff_isa::{DType, ScatterAtomicOp, Target};
use ptodiff_judge::{Answer, UnusedFreedom};

use crate::fixture::{ANY_WRITER, Fixture, conforms, ints};

fn unused(fixture: &Fixture, answers: &[Answer]) -> Vec<UnusedFreedom> {
    conforms(&fixture.judge(answers));
    ptodiff_judge::unused_freedom(&fixture.input(Target::A5, answers))
}

fn unused_freedom(candidates: [[i32; 2]; 2], runs: &[[i32; 2]]) -> Vec<UnusedFreedom> {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.one_of(0, &[&ints(&candidates[0]), &ints(&candidates[1])]);
    let mut answers = Vec::new();
    for row in runs {
        fixture.write(0, &ints(row));
        answers.push(fixture.answer());
    }
    unused(&fixture, &answers)
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
    assert_eq!(unused(&second, &[first, second.answer()]), []);
}

#[test]
fn candidates_that_are_all_the_same_leave_nothing_to_see() {
    assert_eq!(unused_freedom([[1, 2], [1, 2]], &[[1, 2], [1, 2]]), []);
}
