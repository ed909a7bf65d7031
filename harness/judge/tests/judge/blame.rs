//! Whole cases: who stands alone, failure groups, and what fails.

use ptodiff_contract::Enforced::ByCheck;
use ptodiff_isa::{DType, Instruction, Party, ScatterAtomicOp, Target};
use ptodiff_judge::{
    Answer, CaseVerdict, Outlier, Reason, Side, TargetVerdict, Unjudged, judge_case,
    target_failure_groups,
};

use crate::scene::{CHECK, Scene, broken, ints, rejected};

const ALL: [Target; 3] = [Target::Cpu, Target::A2a3, Target::A5];

/// Judges what three scenes of one call left, on the targets in order.
fn judge(scenes: &[Scene; 3]) -> CaseVerdict {
    let answers = scenes.each_ref().map(|scene| [scene.answer()]);
    let sides = [0, 1, 2].map(|i| scenes[i].side(ALL[i], &answers[i]));
    judge_case(&scenes[0].ground(), &sides)
}

fn contested(first: i32) -> Scene {
    let mut scene = Scene::scatter(DType::Int32, ScatterAtomicOp::None);
    scene.one_of(0, &[&ints(&[1]), &ints(&[2]), &ints(&[3])]);
    scene.but(0, &ints(&[first]))
}

#[test]
fn agreement_blames_nobody() {
    let verdict = judge(&[Scene::stored(), Scene::stored(), Scene::stored()]);
    assert_eq!(verdict.outlier, None);
    assert!(!verdict.fails());
    let pairs: Vec<_> = verdict.pairs.iter().map(|(pair, _)| pair.clone()).collect();
    let two = |a: usize, b: usize| [ALL[a], ALL[b]].map(Party::of);
    assert_eq!(pairs, [two(0, 1), two(0, 2), two(1, 2)]);
}

#[test]
fn the_one_that_breaks_its_contract_is_named() {
    let wrong = || Scene::stored().but(0, &ints(&[9]));
    let verdict = judge(&[Scene::stored(), wrong(), Scene::stored()]);
    let outlier = Outlier {
        party: Party::of(Target::A2a3),
        reason: Reason::Broken,
    };
    assert_eq!(verdict.outlier, Some(outlier));
    assert!(verdict.fails());
    // A majority of wrong targets does not make the right one odd.
    let verdict = judge(&[wrong(), wrong(), Scene::stored()]);
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
        let reason = Reason::Differs;
        let party = Party::of(target);
        assert_eq!(outlier(values), Some(Outlier { party, reason }));
    }
    assert_eq!(outlier([1, 2, 3]), None);
    assert!(!judge(&[1, 1, 2].map(contested)).fails());
}

#[test]
fn with_two_targets_a_difference_blames_nobody() {
    let scenes = [contested(1), contested(2)];
    let answers = scenes.each_ref().map(|scene| [scene.answer()]);
    let sides = [0, 1].map(|i| scenes[i].side(ALL[i], &answers[i]));
    assert_eq!(judge_case(&scenes[0].ground(), &sides).outlier, None);
}

#[test]
fn nobody_is_odd_alone() {
    let scene = Scene::stored().but(0, &ints(&[9]));
    let answers = [scene.answer()];
    let outlier = |sides: &[Side<'_>]| judge_case(&scene.ground(), sides).outlier;
    let wrong = scene.side(Target::Cpu, &answers);
    assert_eq!(outlier(&[wrong]), None);
    let before = Scene::stored();
    let right = [before.answer()];
    let party = Party::of(Target::Cpu);
    let reason = Reason::Broken;
    let two = [wrong, before.side(Target::A2a3, &right)];
    assert_eq!(outlier(&two), Some(Outlier { party, reason }));
}

#[test]
fn a_rejection_beside_agreement_is_not_odd() {
    let scene = Scene::stored();
    let (ran, not): ([Answer; 1], _) = ([scene.answer()], [rejected(CHECK)]);
    let check = [broken(CHECK, ByCheck)];
    let mut sides = ALL.map(|target| scene.side(target, &ran));
    (sides[0].answers, sides[0].legality) = (&not, &check);
    let verdict = judge_case(&scene.ground(), &sides);
    assert_eq!(verdict.outlier, None);
    assert!(!verdict.fails());
}

#[test]
fn judging_nothing_fails() {
    let scene = Scene::stored();
    assert!(judge_case(&scene.ground(), &[]).fails());
    let silent = scene.side(Target::Cpu, &[]);
    assert!(judge_case(&scene.ground(), &[silent]).fails());
}

#[test]
fn failure_groups_name_the_kind_and_not_the_place() {
    let wrong = |offset, value| {
        let verdict = Scene::stored().but(offset, &ints(&[value])).verdict();
        target_failure_groups(Instruction::Mscatter, &Party::of(Target::A5), &verdict)
    };
    let valid = ["MSCATTER a5 valid MSCATTER-SEM-01"];
    assert_eq!(wrong(0, 9), valid);
    assert_eq!(wrong(20, 77), valid);
    assert_eq!(wrong(12, 9), ["MSCATTER a5 padding MSCATTER-SEM-05"]);
    let mut scene = Scene::stored().but(12, &ints(&[9])).but(16, &ints(&[9, 9]));
    scene.after.regions[0].bytes_mut()[0] ^= 1;
    let all = target_failure_groups(
        Instruction::Mscatter,
        &Party::of(Target::A5),
        &scene.verdict(),
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
    let fine = Scene::stored().verdict();
    assert!(target_failure_groups(Instruction::Mscatter, &Party::of(Target::A5), &fine).is_empty());
}

/// The case itself on three targets, then as Simt on A5.
fn with_form(scenes: &[Scene; 4]) -> CaseVerdict {
    let simt = Party::form(Target::A5, "Simt");
    let answers = scenes.each_ref().map(|scene| [scene.answer()]);
    let mut sides = [0, 1, 2, 2].map(|i| scenes[i].side(ALL[i], &answers[i]));
    (sides[3].party, sides[3].answers) = (&simt, &answers[3]);
    sides[3].permits = Some(&scenes[3].permits);
    judge_case(&scenes[0].ground(), &sides)
}

#[test]
fn a_further_form_meets_its_own_target_and_has_no_vote() {
    let verdict = with_form(&[1, 1, 1, 2].map(contested));
    let two = |a, b| [a, b];
    let (cpu, a2a3, a5) = (
        Party::of(Target::Cpu),
        Party::of(Target::A2a3),
        Party::of(Target::A5),
    );
    let pairs: Vec<_> = verdict.pairs.iter().map(|(pair, _)| pair.clone()).collect();
    assert_eq!(
        pairs,
        [
            two(cpu.clone(), a2a3.clone()),
            two(cpu, a5.clone()),
            two(a2a3, a5.clone()),
            two(a5, Party::form(Target::A5, "Simt")),
        ]
    );
    assert_eq!(verdict.outlier, None, "three targets agree");
    assert!(!verdict.fails());
    let verdict = with_form(&[1, 2, 2, 1].map(contested));
    let party = Party::of(Target::Cpu);
    let reason = Reason::Differs;
    assert_eq!(verdict.outlier, Some(Outlier { party, reason }));
}

#[test]
fn a_further_form_that_breaks_the_contract_is_named() {
    let wrong = Scene::stored().but(0, &ints(&[9]));
    let verdict = with_form(&[Scene::stored(), Scene::stored(), Scene::stored(), wrong]);
    assert!(verdict.fails());
    let party = Party::form(Target::A5, "Simt");
    let reason = Reason::Broken;
    assert_eq!(verdict.outlier, Some(Outlier { party, reason }));
}
