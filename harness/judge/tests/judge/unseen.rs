//! Freedom that no answer made use of.

use ptodiff_isa::{DType, ScatterAtomicOp, Target};
use ptodiff_judge::{Answer, CaseVerdict, TargetVerdict, Unseen, judge_case_briefly};

use crate::scene::{ANY_WRITER, Scene, ints};

fn unseen(candidates: [[i32; 2]; 2], runs: &[[i32; 2]]) -> Vec<Unseen> {
    let mut scene = Scene::scatter(DType::Int32, ScatterAtomicOp::None);
    scene.one_of(0, &[&ints(&candidates[0]), &ints(&candidates[1])]);
    let mut answers = Vec::new();
    for row in runs {
        scene.write(0, &ints(row));
        answers.push(scene.answer());
    }
    match scene.judge(&answers) {
        TargetVerdict::Conforms { unseen, compared } => {
            let nothing = TargetVerdict::Conforms {
                unseen: Vec::new(),
                compared,
            };
            assert_eq!(briefly(&scene, &answers), nothing);
            unseen
        }
        other => panic!("{other:?}"),
    }
}

/// The verdict where nobody asks what freedom was not made use of.
fn briefly(scene: &Scene, answers: &[Answer]) -> TargetVerdict {
    let mut verdict = CaseVerdict::default();
    let sides = [scene.side(Target::A5, answers)];
    judge_case_briefly(&scene.ground(), &sides, &mut verdict);
    verdict.parties.remove(0).1
}

#[test]
fn the_same_winner_everywhere_is_reported() {
    let rows = [[1, 2], [3, 4]];
    let clause = ANY_WRITER;
    let never = [Unseen { clause, slots: 2 }];
    assert_eq!(unseen(rows, &[[3, 4], [3, 4], [3, 4]]), never);
    assert_eq!(unseen(rows, &[[1, 2]]), never);
    assert_eq!(unseen(rows, &[[3, 4], [3, 4], [1, 4]]), []);
}

#[test]
fn one_slot_that_varied_shows_the_clause() {
    let mut scene = Scene::scatter(DType::Int32, ScatterAtomicOp::None);
    scene.one_of(0, &[&ints(&[1]), &ints(&[2])]);
    scene.one_of(16, &[&ints(&[3]), &ints(&[4])]);
    let scene = scene.but(0, &ints(&[1])).but(16, &ints(&[3]));
    let first = scene.answer();
    let second = scene.but(0, &ints(&[2]));
    match second.judge(&[first, second.answer()]) {
        TargetVerdict::Conforms { unseen, .. } => assert_eq!(unseen, []),
        other => panic!("{other:?}"),
    }
}

#[test]
fn candidates_that_are_all_the_same_leave_nothing_to_see() {
    assert_eq!(unseen([[1, 2], [1, 2]], &[[1, 2], [1, 2]]), []);
}
