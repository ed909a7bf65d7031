//! The judge answers whatever it is given, and never contradicts itself.

mod judged_case;

use ptodiff_isa::{Schedule, TargetReadings};
use ptodiff_judge::{
    CaseContext, CaseVerdict, Cause, NotCompared, PairVerdict, PartyInput, TargetVerdict,
    judge_case, judge_pair, judge_target, pair_failure_groups, target_failure_groups,
};

pub use judged_case::{JudgedCase, Member, draw};

use super::Finding;

/// Judges one party.
pub type OfTarget<'a> = &'a dyn Fn(&CaseContext<'_>, &PartyInput<'_>) -> TargetVerdict;

/// Judges two parties.
pub type OfPair<'a> = &'a dyn Fn(
    &CaseContext<'_>,
    (&PartyInput<'_>, &TargetVerdict),
    (&PartyInput<'_>, &TargetVerdict),
) -> PairVerdict;

/// Judges all parties.
pub type OfCase<'a> = &'a dyn Fn(&CaseContext<'_>, &[PartyInput<'_>]) -> CaseVerdict;

/// A judge.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// Of one party.
    pub target: OfTarget<'a>,
    /// Of two.
    pub pair: OfPair<'a>,
    /// Of all.
    pub case: OfCase<'a>,
}

/// The judge of the harness.
pub const JUDGE: Judge<'static> = Judge {
    target: &judge_target,
    pair: &judge_pair,
    case: &judge_case,
};

/// Holds `judge` to account on one judged case.
///
/// # Errors
/// Where it contradicts itself, or the outcome of a member that is known.
pub fn consistent(judged: &JudgedCase, judge: Judge<'_>) -> Finding {
    let context = CaseContext {
        call: &judged.call,
        before: &judged.before,
        brief: false,
        readings: &TargetReadings::default(),
    };
    let inputs: Vec<PartyInput<'_>> = judged.members.iter().map(Member::input).collect();
    let verdict = (judge.case)(&context, &inputs);
    if (judge.case)(&context, &inputs) != verdict {
        return Err("the same case has two verdicts".to_owned());
    }
    if verdict.parties.len() != inputs.len() {
        let (parties, verdicts) = (inputs.len(), verdict.parties.len());
        return Err(format!("{verdicts} verdicts on {parties} parties"));
    }
    let judged_parties = inputs.iter().zip(&verdict.parties);
    for (member, (input, (party, of_party))) in judged.members.iter().zip(judged_parties) {
        let alone = (judge.target)(&context, input);
        if party != input.party || alone != *of_party {
            return Err(format!("{party} is judged {of_party:?}, alone {alone:?}"));
        }
        party_stands(member, of_party)?;
    }
    for a in 0..inputs.len() {
        for b in a + 1..inputs.len() {
            let of = |i: usize| (&inputs[i], &verdict.parties[i].1);
            let there = (judge.pair)(&context, of(a), of(b));
            let back = (judge.pair)(&context, of(b), of(a));
            if in_order(&there, false) != in_order(&back, true) {
                return Err(format!("{there:?}\nbut the other way round\n{back:?}"));
            }
        }
    }
    whole(judged, &verdict)
}

/// Whether the verdict on a party is sound in itself and fits what is known.
fn party_stands(member: &Member, verdict: &TargetVerdict) -> Finding {
    let sound = match verdict {
        TargetVerdict::Conforms { compared, .. } => *compared > 0,
        TargetVerdict::Violates { findings, .. } => !findings.is_empty(),
        TargetVerdict::RejectedAsDocumented {
            reasons,
            documented,
        } => !reasons.is_empty() && !documented.is_empty(),
        TargetVerdict::Hangs(_)
        | TargetVerdict::Undefined(_)
        | TargetVerdict::Unsupported(_)
        | TargetVerdict::Unjudged(_) => true,
    };
    if !sound {
        return Err(format!("an empty verdict: {verdict:?}"));
    }
    let violates = matches!(verdict, TargetVerdict::Violates { .. });
    match member.violates {
        Some(known) if known != violates => {
            let what = match known {
                true => "spoilt a byte",
                false => "obeys its permits",
            };
            Err(format!("{} {what}, and {verdict:?}", member.party))
        }
        _ => Ok(()),
    }
}

/// A verdict on a pair in the order of the two, or `back` from the other one, but for
/// what may depend on that: which of several answers shows a difference.
fn in_order(verdict: &PairVerdict, back: bool) -> PairVerdict {
    let mut verdict = verdict.clone();
    if let PairVerdict::Permitted { differences, .. } | PairVerdict::Violation { differences, .. } =
        &mut verdict
    {
        for slot in &mut differences.described {
            slot.got = [slot.before; 2];
            slot.schedules = [Schedule::InOrder; 2];
            if back {
                slot.ruled.reverse();
            }
        }
    }
    if let PairVerdict::Violation {
        cause: Cause::Broken(parties),
        ..
    }
    | PairVerdict::NotCompared(
        NotCompared::Unjudged(parties)
        | NotCompared::Unsupported(parties)
        | NotCompared::Rejected(parties)
        | NotCompared::Hangs(parties)
        | NotCompared::Undefined(parties),
    ) = &mut verdict
        && back
    {
        parties.reverse();
    }
    verdict
}

/// Whether the verdict on the whole goes with those on its parts.
fn whole(judged: &JudgedCase, verdict: &CaseVerdict) -> Finding {
    let instruction = judged.call.instruction();
    let parties = verdict.parties.iter();
    let wrong: Vec<String> = parties
        .flat_map(|(party, of_party)| target_failure_groups(instruction, party, of_party))
        .collect();
    if !verdict.fails() && !wrong.is_empty() {
        return Err(format!("passes, although {wrong:?}"));
    }
    for (two, of_pair) in &verdict.pairs {
        let permitted = matches!(of_pair, PairVerdict::Permitted { .. });
        let failure_groups = pair_failure_groups(instruction, two, of_pair);
        if !verdict.fails() && !permitted && !failure_groups.is_empty() {
            return Err(format!("passes, although {failure_groups:?}"));
        }
        if permitted && failure_groups.is_empty() {
            return Err(format!("a difference without a failure group: {of_pair:?}"));
        }
    }
    let takes_part = |party| verdict.parties.iter().any(|(one, _)| one == party);
    match &verdict.outlier {
        Some(party) if !takes_part(party) => {
            Err(format!("{party} is the outlier and takes no part"))
        }
        _ => Ok(()),
    }
}
