//! What implementations do and models never: they reject without a reason, give no
//! answer, or cannot run a call at all.

use ptodiff_contract::{
    Enforced::{ByCaller, ByCheck},
    Permit,
};
use ptodiff_isa::{Clause, DType, ScatterAtomicOp, Schedule, Target};
use ptodiff_judge::{
    Answer, CaseVerdict, Detail, NotCompared, PairVerdict, Place, TargetVerdict, judge_case,
};

use crate::fixture::{CHECK, DUTY, Fixture, broken, findings, places_of};

const HANG: Clause = Clause("MSCATTER-LAUNCH-10");

fn places(verdict: TargetVerdict) -> Vec<(Place, Option<Clause>)> {
    places_of(&findings(verdict))
}

fn declined(clause: Option<Clause>) -> Answer {
    let why = "as compiled".to_owned();
    Answer::Declined { clause, why }
}

fn failed(place: Place) -> Answer {
    Answer::Failed {
        place,
        schedule: Schedule::InOrder,
        why: "it is gone".to_owned(),
    }
}

fn lacks() -> Answer {
    Answer::Unsupported("no NZ tables".to_owned())
}

#[test]
fn an_implementation_rejects_with_or_without_a_clause_that_holds() {
    let fixture = Fixture::stored();
    let mut legality = [broken(CHECK, ByCheck), broken(DUTY, ByCaller)];
    legality[0].also = vec![HANG];
    let judged = |clause| fixture.judge_but(|s| s.legality = &legality, &[declined(clause)]);
    for (clause, reasons) in [
        (None, vec![]),
        (Some(CHECK), vec![CHECK]),
        (Some(HANG), vec![HANG]),
        (Some(DUTY), vec![DUTY]),
    ] {
        let expected = TargetVerdict::RejectedAsDocumented {
            reasons,
            documented: vec![CHECK],
        };
        assert_eq!(judged(clause), expected);
    }
    let other = Clause("MSCATTER-ATOM-03");
    let found = findings(judged(Some(other)));
    assert_eq!(places_of(&found), [(Place::Rejection, Some(other))]);
    // It may be one of another target, which the call breaks there.
    let said = "rejects by a clause that the call does not break on ";
    assert!(
        matches!(&found[0].detail, Detail::Text(text) if text.starts_with(said)),
        "{found:?}"
    );
}

/// Where every slot is open nothing is lost with the result.
#[test]
fn an_implementation_may_reject_what_leaves_every_slot_open() {
    let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
    fixture.run(0, 24, Permit::Anything, HANG);
    let judged = |fixture: &Fixture| fixture.judge_but(|_| {}, &[declined(None)]);
    assert_eq!(places(judged(&fixture)), [(Place::Rejection, None)]);
    fixture.run(24, 4, Permit::Anything, CHECK);
    assert_eq!(
        judged(&fixture),
        TargetVerdict::Undefined(vec![CHECK, HANG])
    );
}

#[test]
fn an_implementation_may_reject_what_breaks_a_precondition_and_nothing_that_is_legal() {
    let fixture = Fixture::stored();
    let mut astray = Fixture::stored();
    astray.permits.operands[0].guards_free = Some(DUTY);
    let preconditions = [broken(DUTY, ByCaller)];
    for clause in [None, Some(CHECK)] {
        let answers = [declined(clause), declined(clause)];
        let by_precondition = fixture.judge_but(|s| s.preconditions = &preconditions, &answers);
        assert_eq!(by_precondition, TargetVerdict::Undefined(vec![DUTY]));
        let legal = places(fixture.judge_but(|_| (), &answers));
        assert_eq!(legal, [(Place::Rejection, clause)]);
    }
    let sometimes = [declined(None), fixture.answer()];
    let found = places(fixture.judge_but(|_| (), &sometimes));
    assert_eq!(found, [(Place::Rejection, None)]);
}

#[test]
fn no_answer_violates_and_a_broken_precondition_excuses_code_that_dies_and_no_nonsense() {
    let fixture = Fixture::stored();
    let mut astray = Fixture::stored();
    astray.permits.operands[0].guards_free = Some(DUTY);
    let preconditions = [broken(DUTY, ByCaller)];
    let excused = |place| fixture.judge_but(|s| s.preconditions = &preconditions, &[failed(place)]);
    for (place, excusable) in [
        (Place::Crash, true),
        (Place::Timeout, true),
        (Place::Memory, true),
        (Place::Protocol, false),
        (Place::Start, false),
    ] {
        let found = findings(fixture.judge_but(|_| (), &[fixture.answer(), failed(place)]));
        assert_eq!(places_of(&found), [(place, None)]);
        assert_eq!(found[0].schedule, Some(Schedule::InOrder));
        match excusable {
            true => assert_eq!(excused(place), TargetVerdict::Undefined(vec![DUTY])),
            false => assert_eq!(places(excused(place)), [(place, None)]),
        }
        // So does a write that may leave its operand.
        let died = astray.judge(&[astray.answer(), failed(place)]);
        assert_eq!(matches!(died, TargetVerdict::Undefined(_)), excusable);
    }
    // What failed did not run: what its checks should have done is told where it ran, or
    // where nothing else is told.
    let (crash, missed) = ((Place::Crash, Some(CHECK)), (Place::Rejection, Some(CHECK)));
    let checked = |answers: &[Answer], preconditions| {
        let legality = [broken(CHECK, ByCheck)];
        places(fixture.judge_but(
            |s| (s.legality, s.preconditions) = (&legality, preconditions),
            answers,
        ))
    };
    let failed = || failed(Place::Crash);
    assert_eq!(checked(&[failed(), failed()], &[]), [crash, crash]);
    assert_eq!(checked(&[failed(), fixture.answer()], &[]), [crash, missed]);
    assert_eq!(checked(&[failed()], &preconditions), [missed]);
}

#[test]
fn what_never_returns_is_seen_by_the_time_limit() {
    let fixture = Fixture::stored();
    let hangs = |place| fixture.judge_but(|s| s.hangs = Some(HANG), &[failed(place)]);
    assert_eq!(hangs(Place::Timeout), TargetVerdict::Hangs(HANG));
    // It did not return.
    assert_eq!(places(hangs(Place::Crash)), [(Place::Crash, Some(HANG))]);
}

#[test]
fn what_is_not_supported_is_no_violation_and_not_compared() {
    let fixture = Fixture::stored();
    let cannot = TargetVerdict::Unsupported("no NZ tables".to_owned());
    let legality = [broken(CHECK, ByCheck)];
    assert_eq!(fixture.judge_but(|_| (), &[lacks(), lacks()]), cannot);
    assert_eq!(
        fixture.judge_but(|s| s.legality = &legality, &[lacks()]),
        cannot
    );
    let sometimes = places(fixture.judge_but(|_| (), &[fixture.answer(), lacks()]));
    assert_eq!(sometimes, [(Place::Rejection, None)]);

    let (runs, no) = ([fixture.answer()], [lacks()]);
    let inputs = [
        fixture.input(Target::Cpu, &runs),
        fixture.input(Target::A5, &no),
    ];
    let case: CaseVerdict = judge_case(&fixture.context(), &inputs);
    assert!(!case.fails());
    let who = vec![inputs[1].party.clone()];
    let pair = PairVerdict::NotCompared(NotCompared::Unsupported(who));
    assert_eq!(case.pairs[0].1, pair);
}
