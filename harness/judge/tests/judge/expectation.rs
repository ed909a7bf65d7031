//! What a case expects of a target, met and not met.

use ptodiff_contract::Broken;
use ptodiff_contract::Enforced::{ByCaller, ByCheck};
use ptodiff_isa::{Clause, Schedule, Target};
use ptodiff_judge::{
    Answer, CaseVerdict, Detail, Expect, Finding, NotCompared, Outcome, PairVerdict, Place,
    TargetVerdict, judge_case,
};

use crate::fixture::{CHECK, DUTY, Fixture, broken, conforms, findings, places_of, rejected};

const OTHER: Clause = Clause("MSCATTER-ATOM-03");
const HANG: Clause = Clause("MSCATTER-LAUNCH-10");

fn verdict(expect: &Expect, legality: &[Broken], answer: Option<Clause>) -> TargetVerdict {
    let fixture = Fixture::stored();
    let answers: [Answer; 1] = [answer.map_or_else(|| fixture.answer(), rejected)];
    fixture.judge_but(|s| (s.expect, s.legality) = (expect, legality), &answers)
}

#[test]
fn a_rejection_is_no_hang() {
    let expect = Expect {
        hangs: vec![HANG],
        ..Expect::default()
    };
    let rejects = verdict(&expect, &[broken(CHECK, ByCheck)], Some(CHECK));
    let found = findings(rejects);
    assert_eq!(places_of(&found), [(Place::Expectation, Some(HANG))]);
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
    let wants = |outcome| Expect {
        outcomes: vec![outcome],
        ..Expect::default()
    };
    let judged = |outcome| {
        let (fixture, expect) = (Fixture::stored(), wants(outcome));
        fixture.judge_but(|s| (s.expect, s.hangs) = (&expect, Some(HANG)), &hung)
    };
    let wanting = |outcome, legality: &[Broken], answer| verdict(&wants(outcome), legality, answer);
    let (check, precondition) = ([broken(CHECK, ByCheck)], [broken(DUTY, ByCaller)]);
    for (verdict, text) in [
        (
            wanting(Outcome::Rejected, &[], None),
            "has a result; by the case it rejects",
        ),
        (
            wanting(Outcome::Hangs, &check, Some(CHECK)),
            "rejects; by the case it hangs",
        ),
        (
            wanting(Outcome::Result, &precondition, None),
            "is undefined; by the case it has a result",
        ),
        (
            judged(Outcome::Undefined),
            "hangs; by the case it is undefined",
        ),
    ] {
        assert_eq!(told(verdict), text);
    }
    conforms(&wanting(Outcome::Result, &[], None));
    let both = Expect {
        rejected: vec![OTHER, DUTY],
        ..Expect::default()
    };
    assert_eq!(
        told(verdict(&both, &[broken(CHECK, ByCheck)], Some(CHECK))),
        "rejects by MSCATTER-DTYPE-03, and not by MSCATTER-ATOM-03 and MSCATTER-OOB-01"
    );
    let other = Expect {
        undefined: vec![OTHER],
        ..Expect::default()
    };
    assert_eq!(
        told(verdict(&other, &[broken(DUTY, ByCaller)], None)),
        "is undefined by MSCATTER-OOB-01, not by MSCATTER-ATOM-03"
    );
    assert_eq!(
        told(verdict(&other, &[], None)),
        "not all of it is undefined; expected to be so by MSCATTER-ATOM-03"
    );
    let one_more = Expect {
        hangs: vec![HANG, OTHER],
        ..Expect::default()
    };
    let fixture = Fixture::stored();
    assert_eq!(
        told(fixture.judge_but(|s| (s.expect, s.hangs) = (&one_more, Some(HANG)), &hung)),
        "hangs by MSCATTER-LAUNCH-10, not by MSCATTER-ATOM-03"
    );
    // Of what is undefined nothing is promised, not even that.
    let duty = [broken(DUTY, ByCaller)];
    let both = fixture.judge_but(
        |s| (s.expect, s.hangs, s.preconditions) = (&one_more, Some(HANG), &duty),
        &hung,
    );
    assert_eq!(
        told(both),
        "is undefined by MSCATTER-OOB-01; expected to hang by MSCATTER-LAUNCH-10 and MSCATTER-ATOM-03"
    );
}

/// What comes of a case that cpu and a2a3 run and a5 rejects, as documented, where this is
/// expected of one of them.
fn three(of: usize, expect: &Expect) -> CaseVerdict {
    let fixture = Fixture::stored();
    let (ran, not) = ([fixture.answer()], [rejected(CHECK)]);
    let check = [broken(CHECK, ByCheck)];
    let mut inputs = [Target::Cpu, Target::A2a3, Target::A5].map(|t| fixture.input(t, &ran));
    (inputs[2].answers, inputs[2].legality) = (&not, &check);
    inputs[of].expect = expect;
    judge_case(&fixture.context(), &inputs)
}

#[test]
fn a_pair_is_judged_by_what_the_two_did_and_not_by_what_the_case_expects_of_one() {
    let wrong = Expect {
        rejected: vec![OTHER],
        ..Expect::default()
    };
    let as_it_is = three(0, Expect::NOTHING);
    let agree = |v: &PairVerdict| matches!(v, PairVerdict::Agree { .. });
    let rejected = |v: &PairVerdict| matches!(v, PairVerdict::NotCompared(NotCompared::Rejected(who)) if who[0].target == Target::A5);
    let [(_, ran), (_, cpu), (_, a2a3)] = &as_it_is.pairs[..] else {
        panic!("{:?}", as_it_is.pairs);
    };
    assert!(
        agree(ran) && rejected(cpu) && rejected(a2a3),
        "{as_it_is:?}"
    );
    // Nor is who rejects odd.
    assert!(!as_it_is.fails() && as_it_is.outlier.is_none());
    for of in 0..3 {
        let judged = three(of, &wrong);
        assert!(judged.fails(), "{of}");
        assert_eq!(judged.pairs, as_it_is.pairs, "{of}");
        assert_eq!(judged.outlier, None, "{of}");
    }
}
