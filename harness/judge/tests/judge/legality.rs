//! Rejections, broken preconditions and faults against what the contract says of them.

use ptodiff_contract::Enforced::{ByCaller, ByCheck};
use ptodiff_isa::{Clause, Schedule};
use ptodiff_judge::{Answer, Detail, Finding, Place, TargetVerdict};

use crate::fixture::{CHECK, DUTY, Fixture, broken, findings, places_of, rejected};

fn text(finding: &Finding) -> &str {
    match &finding.detail {
        Detail::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rejection_that_no_check_explains_violates() {
    let fixture = Fixture::stored();
    let preconditions = [broken(DUTY, ByCaller)];
    for preconditions in [&[][..], &preconditions] {
        let found =
            findings(fixture.judge_but(|s| s.preconditions = preconditions, &[rejected(CHECK)]));
        assert_eq!(places_of(&found), [(Place::Rejection, Some(CHECK))]);
        assert_eq!(
            text(&found[0]),
            "rejects what the contract lets pass: as checked"
        );
    }
}

#[test]
fn a_rejection_gives_a_reason() {
    let legality = [broken(CHECK, ByCheck)];
    let answers = [Answer::Rejected(Vec::new())];
    let found = findings(Fixture::stored().judge_but(|s| s.legality = &legality, &answers));
    assert_eq!(text(&found[0]), "gives no reason");
}

#[test]
fn running_what_a_check_must_reject_violates() {
    let legality = [broken(CHECK, ByCheck)];
    // No value is compared then.
    let fixture = Fixture::stored().but(0, &[9; 12]);
    let found = findings(fixture.judge_but(|s| s.legality = &legality, &[fixture.answer()]));
    assert_eq!(places_of(&found), [(Place::Rejection, Some(CHECK))]);
    assert_eq!(text(&found[0]), "runs what a check must reject: as found");
}

#[test]
fn a_rejection_may_not_depend_on_the_schedule() {
    let legality = [broken(CHECK, ByCheck)];
    let fixture = Fixture::stored();
    let answers = [rejected(CHECK), fixture.answer()];
    let found = findings(fixture.judge_but(|s| s.legality = &legality, &answers));
    let told: Vec<_> = found.iter().map(text).collect();
    assert!(told.contains(&"rejects under some schedules and runs under others"));
    let found = findings(fixture.judge_but(|_| (), &answers));
    assert_eq!(found.len(), 1);
}

#[test]
fn what_fails_under_one_schedule_is_told_and_what_it_does_under_others_is_judged() {
    let legality = [broken(CHECK, ByCheck)];
    let fixture = Fixture::stored().but(0, &[9; 12]);
    let crash = Answer::Failed {
        place: Place::Crash,
        schedule: Schedule::Reversed,
        why: "it is gone".to_owned(),
    };
    let declined = Answer::Declined {
        clause: Some(CHECK),
        why: "no".to_owned(),
    };
    let of = |legality, answers: &[Answer]| {
        places_of(&findings(
            fixture.judge_but(|s| s.legality = legality, answers),
        ))
    };
    let crashed = (Place::Crash, Some(CHECK));
    assert_eq!(of(&legality, &[declined, crash.clone()]), [crashed]);
    assert_eq!(of(&legality, std::slice::from_ref(&crash)), [crashed]);
    let runs = (Place::Rejection, Some(CHECK));
    assert_eq!(
        of(&legality, &[crash.clone(), fixture.answer()]),
        [crashed, runs]
    );
    let wrong = of(&[], &[fixture.answer(), crash]);
    assert_eq!(wrong[0], (Place::Crash, None));
    assert_eq!(wrong[1].0, Place::Valid);
}

#[test]
fn a_hang_is_judged_by_the_clause_that_documents_it() {
    const HANG: Clause = Clause("MSCATTER-LAUNCH-10");
    let fixture = Fixture::stored();
    let judged = |hangs, answers: &[Answer]| fixture.judge_but(|s| s.hangs = hangs, answers);
    let hung = Answer::Hung(Schedule::Reversed);
    let verdict = judged(Some(HANG), std::slice::from_ref(&hung));
    assert_eq!(verdict, TargetVerdict::Hangs(HANG));
    let missing = findings(judged(Some(HANG), &[hung.clone(), fixture.answer()]));
    assert_eq!(places_of(&missing), [(Place::Hang, Some(HANG))]);
    let undocumented = judged(None, std::slice::from_ref(&hung));
    let found = findings(undocumented);
    let hang = found.iter().find(|f| f.place == Place::Hang);
    let asked = Some(Schedule::Reversed);
    assert_eq!(hang.map(|f| (f.clause, f.schedule)), Some((None, asked)));
    // With a precondition broken nothing is promised, not even that it hangs.
    let precondition = [broken(DUTY, ByCaller)];
    for (hangs, answer) in [(Some(HANG), fixture.answer()), (None, hung)] {
        let answers = [answer];
        let verdict =
            fixture.judge_but(|s| (s.hangs, s.legality) = (hangs, &precondition), &answers);
        assert_eq!(verdict, TargetVerdict::Undefined(vec![DUTY]));
    }
}
