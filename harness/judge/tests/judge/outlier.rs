//! Whole cases: who stands alone, failure groups, and what fails.

use ptodiff_isa::{DType, Instruction, Party, ScatterAtomicOp, Target};
use ptodiff_judge::{
    CaseVerdict, Outlier, PartyInput, Reason, TargetVerdict, Unjudged, judge_case,
    target_failure_groups,
};

use crate::fixture::{Fixture, ints};

const ALL: [Target; 3] = [Target::Cpu, Target::A2a3, Target::A5];

/// Judges what three scenes of one call left, on the targets in order.
fn judge(scenes: &[Fixture; 3]) -> CaseVerdict {
    let answers = scenes.each_ref().map(|fixture| [fixture.answer()]);
    let inputs = [0, 1, 2].map(|i| scenes[i].input(ALL[i], &answers[i]));
    judge_case(&scenes[0].context(), &inputs)
}

fn alone(party: Party, reason: Reason) -> Option<Outlier> {
    Some(Outlier { party, reason })
}

fn contested(first: i32) -> Fixture {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.one_of(0, &[&ints(&[1]), &ints(&[2]), &ints(&[3])]);
    fixture.but(0, &ints(&[first]))
}

#[test]
fn the_one_that_breaks_its_contract_is_named() {
    let wrong = || Fixture::stored().but(0, &ints(&[9]));
    let verdict = judge(&[Fixture::stored(), wrong(), Fixture::stored()]);
    let broken = alone(Party::of(Target::A2a3), Reason::Broken);
    assert_eq!(verdict.outlier, broken);
    assert!(verdict.fails());
    // A majority of wrong targets does not make the right one odd.
    let verdict = judge(&[wrong(), wrong(), Fixture::stored()]);
    assert_eq!(verdict.outlier, None);
}

#[test]
fn the_one_that_differs_from_two_is_named() {
    let outlier = |values: [i32; 3]| judge(&values.map(contested)).outlier;
    for (values, target) in [
        ([2, 1, 1], Target::Cpu),
        ([1, 2, 1], Target::A2a3),
        ([1, 1, 2], Target::A5),
    ] {
        let differs = alone(Party::of(target), Reason::Differs);
        assert_eq!(outlier(values), differs);
    }
    assert_eq!(outlier([1, 2, 3]), None);
    assert!(!judge(&[1, 1, 2].map(contested)).fails());
}

#[test]
fn with_two_targets_a_difference_blames_nobody() {
    let scenes = [contested(1), contested(2)];
    let answers = scenes.each_ref().map(|fixture| [fixture.answer()]);
    let inputs = [0, 1].map(|i| scenes[i].input(ALL[i], &answers[i]));
    assert_eq!(judge_case(&scenes[0].context(), &inputs).outlier, None);
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
    let broken = alone(Party::of(Target::Cpu), Reason::Broken);
    assert_eq!(outlier(&two), broken);
}

#[test]
fn judging_nothing_fails() {
    let fixture = Fixture::stored();
    assert!(judge_case(&fixture.context(), &[]).fails());
    let silent = fixture.input(Target::Cpu, &[]);
    assert!(judge_case(&fixture.context(), &[silent]).fails());
}

#[test]
fn failure_groups_name_the_kind_and_not_the_place() {
    let wrong = |offset, value| {
        let verdict = Fixture::stored().but(offset, &ints(&[value])).verdict();
        target_failure_groups(Instruction::Mscatter, &Party::of(Target::A5), &verdict)
    };
    let valid = ["MSCATTER a5 valid MSCATTER-SEM-01"];
    assert_eq!(wrong(0, 9), valid);
    assert_eq!(wrong(20, 77), valid);
    assert_eq!(wrong(12, 9), ["MSCATTER a5 padding MSCATTER-SEM-05"]);
    let mut fixture = Fixture::stored()
        .but(12, &ints(&[9]))
        .but(16, &ints(&[9, 9]));
    fixture.after.regions[0].bytes_mut()[0] ^= 1;
    let all = target_failure_groups(
        Instruction::Mscatter,
        &Party::of(Target::A5),
        &fixture.verdict(),
    );
    assert_eq!(
        all,
        [
            "MSCATTER a5 guard MSCATTER-SEM-05",
            "MSCATTER a5 padding MSCATTER-SEM-05",
            "MSCATTER a5 valid MSCATTER-SEM-01",
        ]
    );
    let unjudged = TargetVerdict::Unjudged(Unjudged::NothingCompared);
    assert_eq!(
        target_failure_groups(Instruction::Mgather, &Party::of(Target::Cpu), &unjudged),
        ["MGATHER cpu unjudged nothing-compared"]
    );
    let fine = Fixture::stored().verdict();
    assert!(target_failure_groups(Instruction::Mscatter, &Party::of(Target::A5), &fine).is_empty());
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
    let differs = alone(Party::of(Target::Cpu), Reason::Differs);
    assert_eq!(verdict.outlier, differs);
}
