//! What a case expects of a target, met and not met.

use ptodiff_contract::Broken;
use ptodiff_contract::Enforced::{ByCaller, ByCheck};
use ptodiff_isa::{Clause, Schedule, Target};
use ptodiff_judge::{
    Answer, CaseVerdict, Detail, Expect, Finding, NotCompared, Outcome, PairVerdict, PartyInput,
    Place, TargetVerdict, judge_case, judge_target,
};

use crate::fixture::{CHECK, DUTY, Fixture, broken, conforms, findings, rejected};

const OTHER: Clause = Clause("MSCATTER-ATOM-03");
const HANG: Clause = Clause("MSCATTER-LAUNCH-10");

fn verdict(expect: Expect<'_>, legality: &[Broken], answer: Option<Clause>) -> TargetVerdict {
    let fixture = Fixture::stored();
    let answers: [Answer; 1] = [answer.map_or_else(|| fixture.answer(), rejected)];
    let mut input = fixture.input(Target::Cpu, &answers);
    (input.expect, input.legality) = (expect, legality);
    judge_target(&fixture.context(), &input)
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
    let rejection = verdict(expect, &[broken(CHECK, ByCheck)], Some(CHECK));
    assert!(matches!(
        rejection,
        TargetVerdict::RejectedAsDocumented { .. }
    ));
    let undefined = verdict(expect, &[broken(DUTY, ByCaller)], None);
    assert_eq!(undefined, TargetVerdict::Undefined(vec![DUTY]));
}

#[test]
fn an_expected_rejection_must_come_by_every_expected_clause() {
    let both = Expect {
        rejected: &[CHECK, OTHER],
        ..Expect::default()
    };
    let expect = Expect {
        rejected: &[CHECK],
        ..Expect::default()
    };
    let legality = [broken(CHECK, ByCheck)];
    unmet(verdict(both, &legality, Some(CHECK)), OTHER);
    let met = verdict(expect, &legality, Some(CHECK));
    assert!(matches!(met, TargetVerdict::RejectedAsDocumented { .. }));
    unmet(verdict(expect, &legality, Some(OTHER)), CHECK);
    unmet(verdict(expect, &[], None), CHECK);
    unmet(verdict(expect, &[broken(DUTY, ByCaller)], None), CHECK);
}

#[test]
fn an_expected_broken_precondition_must_be_found_and_run() {
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
    let said = Expect {
        rejected: &[CHECK],
        ..own
    };
    let rejected = verdict(said, &[broken(CHECK, ByCheck)], Some(CHECK));
    let expected = TargetVerdict::RejectedAsDocumented {
        reasons: vec![CHECK],
        documented: vec![CHECK],
    };
    assert_eq!(rejected, expected);
}

#[test]
fn an_expected_hang_must_come_by_an_expected_clause() {
    let expect = Expect {
        hangs: &[HANG],
        ..Expect::default()
    };
    let hung = [Answer::Hung(Schedule::InOrder)];
    let judged = |hangs, answers: &[Answer]| {
        let fixture = Fixture::stored();
        let mut input = fixture.input(Target::A5, answers);
        (input.expect, input.hangs) = (expect, hangs);
        judge_target(&fixture.context(), &input)
    };
    assert_eq!(judged(Some(HANG), &hung), TargetVerdict::Hangs(HANG));
    unmet(judged(Some(OTHER), &hung), HANG);
    unmet(judged(None, &[Fixture::stored().answer()]), HANG);
    unmet(
        verdict(expect, &[broken(CHECK, ByCheck)], Some(CHECK)),
        HANG,
    );
    let own = Expect {
        own_suite: true,
        ..expect
    };
    let fixture = Fixture::stored();
    let mut input = fixture.input(Target::A5, &hung);
    (input.expect, input.hangs) = (own, Some(HANG));
    assert_eq!(
        judge_target(&fixture.context(), &input),
        TargetVerdict::Hangs(HANG)
    );
}

#[test]
fn what_comes_of_the_call_must_be_what_the_case_says() {
    fn comes(outcomes: &[Outcome]) -> Expect<'_> {
        Expect {
            outcomes,
            ..Expect::default()
        }
    }
    conforms(&verdict(comes(&[Outcome::Result]), &[], None));
    let places = |verdict| match verdict {
        TargetVerdict::Violates { findings, .. } => findings.iter().map(|f| f.place).collect(),
        _ => Vec::new(),
    };
    for other in [Outcome::Rejected, Outcome::Undefined, Outcome::Hangs] {
        let wanted = [other];
        let found = verdict(comes(&wanted), &[], None);
        assert_eq!(places(found), [Place::Expectation], "{other:?}");
    }
    let rejected = verdict(
        comes(&[Outcome::Result]),
        &[broken(CHECK, ByCheck)],
        Some(CHECK),
    );
    assert_eq!(places(rejected), [Place::Expectation]);
    let undefined = verdict(comes(&[Outcome::Result]), &[broken(DUTY, ByCaller)], None);
    assert_eq!(places(undefined), [Place::Expectation]);
}

/// What the only finding says.
#[track_caller]
fn told(verdict: TargetVerdict) -> String {
    let found = findings(verdict);
    match &found[..] {
        [
            Finding {
                detail: Detail::Text(text),
                ..
            },
        ] => text.clone(),
        others => panic!("{others:?}"),
    }
}

#[test]
fn what_came_and_what_should_have_come_is_told() {
    let hung = [Answer::Hung(Schedule::InOrder)];
    let judged = |wanted: Outcome| {
        let fixture = Fixture::stored();
        let mut input = fixture.input(Target::A5, &hung);
        let outcomes = [wanted];
        (input.expect.outcomes, input.hangs) = (&outcomes, Some(HANG));
        judge_target(&fixture.context(), &input)
    };
    let wanting = |outcomes, legality: &[Broken], answer| {
        let expect = Expect {
            outcomes,
            ..Expect::default()
        };
        verdict(expect, legality, answer)
    };
    let (check, precondition) = ([broken(CHECK, ByCheck)], [broken(DUTY, ByCaller)]);
    for (verdict, text) in [
        (
            wanting(&[Outcome::Rejected], &[], None),
            "has a result; by the case it rejects",
        ),
        (
            wanting(&[Outcome::Hangs], &check, Some(CHECK)),
            "rejects; by the case it hangs",
        ),
        (
            wanting(&[Outcome::Result], &precondition, None),
            "is undefined; by the case it has a result",
        ),
        (
            judged(Outcome::Undefined),
            "hangs; by the case it is undefined",
        ),
    ] {
        assert_eq!(told(verdict), text);
    }
    let both = Expect {
        rejected: &[OTHER, DUTY],
        ..Expect::default()
    };
    assert_eq!(
        told(verdict(both, &[broken(CHECK, ByCheck)], Some(CHECK))),
        "rejects by MSCATTER-DTYPE-03, and not by MSCATTER-ATOM-03 and MSCATTER-OOB-01"
    );
    let other = Expect {
        undefined: &[OTHER],
        ..Expect::default()
    };
    assert_eq!(
        told(verdict(other, &[broken(DUTY, ByCaller)], None)),
        "is undefined by MSCATTER-OOB-01, not by MSCATTER-ATOM-03"
    );
    assert_eq!(
        told(verdict(other, &[], None)),
        "breaks no precondition of MSCATTER-ATOM-03"
    );
}

#[test]
fn what_was_expected_and_not_found_is_a_violation() {
    let unmet_thing = Finding {
        place: Place::Expectation,
        clause: Some(CHECK),
        schedule: None,
        detail: Detail::Text("not so".to_owned()),
    };
    let expect = Expect {
        unmet: std::slice::from_ref(&unmet_thing),
        ..Expect::default()
    };
    unmet(verdict(expect, &[], None), CHECK);
}

/// What `change` makes of a case that cpu and a2a3 run and a5 rejects, as documented.
fn three(change: impl FnOnce(&mut [PartyInput<'_>; 3])) -> CaseVerdict {
    let fixture = Fixture::stored();
    let (ran, not) = ([fixture.answer()], [rejected(CHECK)]);
    let check = [broken(CHECK, ByCheck)];
    let mut inputs = [Target::Cpu, Target::A2a3, Target::A5].map(|t| fixture.input(t, &ran));
    (inputs[2].answers, inputs[2].legality) = (&not, &check);
    change(&mut inputs);
    judge_case(&fixture.context(), &inputs)
}

#[test]
fn a_pair_is_judged_by_what_the_two_did_and_not_by_what_the_case_expects_of_one() {
    let wrong = Expect {
        rejected: &[OTHER],
        ..Expect::default()
    };
    let as_it_is = three(|_| ());
    let agree = |v: &PairVerdict| matches!(v, PairVerdict::Agree { .. });
    let rejected = |v: &PairVerdict| matches!(v, PairVerdict::NotCompared(NotCompared::Rejected(who)) if who[0].target == Target::A5);
    let [(_, ran), (_, cpu), (_, a2a3)] = &as_it_is.pairs[..] else {
        panic!("{:?}", as_it_is.pairs);
    };
    assert!(
        agree(ran) && rejected(cpu) && rejected(a2a3),
        "{as_it_is:?}"
    );
    for of in 0..3 {
        let judged = three(|inputs| inputs[of].expect = wrong);
        assert!(judged.fails(), "{of}");
        assert_eq!(judged.pairs, as_it_is.pairs, "{of}");
        assert_eq!(judged.outlier, None, "{of}");
    }
}
