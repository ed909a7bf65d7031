//! What a case expects of a target, met and not met.

use ptodiff_contract::Broken;
use ptodiff_contract::Enforced::{ByCaller, ByCheck};
use ptodiff_isa::{Clause, Schedule, Target};
use ptodiff_judge::{Answer, Expect, Place, TargetVerdict, judge_target};

use crate::scene::{CHECK, DUTY, Scene, broken, conforms, findings, refused};

const OTHER: Clause = Clause("MSCATTER-ATOM-03");
const HANG: Clause = Clause("MSCATTER-LAUNCH-10");

fn verdict(expect: Expect<'_>, legality: &[Broken], answer: Option<Clause>) -> TargetVerdict {
    let scene = Scene::stored();
    let answers: [Answer; 1] = [answer.map_or_else(|| scene.answer(), refused)];
    let mut side = scene.side(Target::Cpu, &answers);
    (side.expect, side.legality) = (expect, legality);
    judge_target(&scene.ground(), &side)
}

#[track_caller]
fn unmet(verdict: TargetVerdict, clause: Clause) {
    let found = findings(verdict);
    let places: Vec<_> = found.iter().map(|f| (f.place, f.clause)).collect();
    assert_eq!(places, [(Place::Expectation, Some(clause))]);
}

#[test]
fn nothing_expected_is_nothing_demanded() {
    let expect = Expect::default();
    conforms(&verdict(expect, &[], None));
    let refusal = verdict(expect, &[broken(CHECK, ByCheck)], Some(CHECK));
    assert!(matches!(refusal, TargetVerdict::RefusedAsDocumented { .. }));
    let undefined = verdict(expect, &[broken(DUTY, ByCaller)], None);
    assert_eq!(undefined, TargetVerdict::Undefined(vec![DUTY]));
}

#[test]
fn an_expected_refusal_must_come_by_an_expected_clause() {
    let expect = Expect {
        refused: &[CHECK, DUTY],
        ..Expect::default()
    };
    let legality = [broken(CHECK, ByCheck)];
    let met = verdict(expect, &legality, Some(CHECK));
    assert!(matches!(met, TargetVerdict::RefusedAsDocumented { .. }));
    unmet(verdict(expect, &legality, Some(OTHER)), CHECK);
    unmet(verdict(expect, &[], None), CHECK);
    unmet(verdict(expect, &[broken(DUTY, ByCaller)], None), CHECK);
}

#[test]
fn an_expected_broken_duty_must_be_found_and_run() {
    let expect = Expect {
        undefined: &[DUTY],
        ..Expect::default()
    };
    let met = verdict(expect, &[broken(DUTY, ByCaller)], None);
    assert_eq!(met, TargetVerdict::Undefined(vec![DUTY]));
    unmet(verdict(expect, &[broken(OTHER, ByCaller)], None), DUTY);
    unmet(verdict(expect, &[], None), DUTY);
    unmet(
        verdict(expect, &[broken(CHECK, ByCheck)], Some(CHECK)),
        DUTY,
    );
}

#[test]
fn a_case_of_the_targets_own_suite_has_a_result_or_says_why_not() {
    let own = Expect {
        own_suite: true,
        ..Expect::default()
    };
    conforms(&verdict(own, &[], None));
    unmet(verdict(own, &[broken(DUTY, ByCaller)], None), DUTY);
    unmet(verdict(own, &[broken(CHECK, ByCheck)], Some(CHECK)), CHECK);
    let said = Expect {
        undefined: &[DUTY],
        ..own
    };
    let undefined = verdict(said, &[broken(DUTY, ByCaller)], None);
    assert_eq!(undefined, TargetVerdict::Undefined(vec![DUTY]));
}

#[test]
fn an_expected_hang_must_come_by_an_expected_clause() {
    let expect = Expect {
        hangs: &[HANG],
        ..Expect::default()
    };
    let hung = [Answer::Hung(Schedule::InOrder)];
    let judged = |hangs, answers: &[Answer]| {
        let scene = Scene::stored();
        let mut side = scene.side(Target::A5, answers);
        (side.expect, side.hangs) = (expect, hangs);
        judge_target(&scene.ground(), &side)
    };
    assert_eq!(judged(Some(HANG), &hung), TargetVerdict::Hangs(HANG));
    unmet(judged(Some(OTHER), &hung), HANG);
    unmet(judged(None, &[Scene::stored().answer()]), HANG);
    unmet(
        verdict(expect, &[broken(CHECK, ByCheck)], Some(CHECK)),
        HANG,
    );
    let own = Expect {
        own_suite: true,
        ..expect
    };
    let scene = Scene::stored();
    let mut side = scene.side(Target::A5, &hung);
    (side.expect, side.hangs) = (own, Some(HANG));
    assert_eq!(
        judge_target(&scene.ground(), &side),
        TargetVerdict::Hangs(HANG)
    );
}
