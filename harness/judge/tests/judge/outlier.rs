//! Whole cases: who stands alone.

use ptodiff_isa::{DType, Party, ScatterAtomicOp, Target};
use ptodiff_judge::{CaseVerdict, PartyInput, judge_case};

use crate::fixture::{Fixture, ints};

const ALL: [Target; 3] = [Target::Cpu, Target::A2a3, Target::A5];

fn contested(first: i32) -> Fixture {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.one_of(0, &[&ints(&[1]), &ints(&[2]), &ints(&[3])]);
    fixture.but(0, &ints(&[first]))
}

#[test]
fn nobody_is_odd_alone() {
    let fixture = Fixture::stored().but(0, &ints(&[9]));
    let answers = [fixture.answer()];
    let outlier = |inputs: &[PartyInput<'_>]| judge_case(&fixture.context(), inputs).outlier;
    let wrong = fixture.input(Target::Cpu, &answers);
    assert_eq!(outlier(&[wrong]), None);
    let before = Fixture::stored();
    let right = [before.answer()];
    let two = [wrong, before.input(Target::A2a3, &right)];
    assert_eq!(outlier(&two), Some(Party::of(Target::Cpu)));
}

/// The case itself on three targets, then as Simt on A5.
fn with_form(scenes: &[Fixture; 4]) -> CaseVerdict {
    let simt = Party::form(Target::A5, "Simt");
    let answers = scenes.each_ref().map(|fixture| [fixture.answer()]);
    let mut inputs = [0, 1, 2, 2].map(|i| scenes[i].input(ALL[i], &answers[i]));
    (inputs[3].party, inputs[3].answers) = (&simt, &answers[3]);
    inputs[3].permits = Some(&scenes[3].permits);
    judge_case(&scenes[0].context(), &inputs)
}

#[test]
fn a_further_form_meets_its_own_target_and_has_no_vote() {
    let verdict = with_form(&[1, 1, 1, 2].map(contested));
    let pairs = verdict.pairs.iter().map(|([a, b], _)| format!("{a} {b}"));
    let pairs: Vec<String> = pairs.collect();
    assert_eq!(pairs, ["cpu a2a3", "cpu a5", "a2a3 a5", "a5 a5:Simt"]);
    assert_eq!(verdict.outlier, None, "three targets agree");
    assert!(!verdict.fails());
    let verdict = with_form(&[1, 2, 2, 1].map(contested));
    assert_eq!(verdict.outlier, Some(Party::of(Target::Cpu)));
}
