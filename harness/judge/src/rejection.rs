//! A target that rejected against what the contract says of its checks.

use ptodiff_contract::Enforced;
use ptodiff_isa::Clause;

use crate::clauses::{broken, constraints, list, missing, open_by, promised, sorted};
use crate::finding::finding;
use crate::input::{CaseContext, PartyInput};
use crate::tally::Tally;
use crate::{Answer, Place, TargetVerdict};

/// Judges a model that rejected under every schedule.
pub(crate) fn judge_rejection(input: &PartyInput<'_>, tally: &mut Tally<'_>) -> TargetVerdict {
    let given = || input.answers.iter().flat_map(Answer::rejections);
    let reasons = sorted(given().map(|rejection| rejection.clause));
    let documented = broken(input, Enforced::ByCheck);
    if reasons.is_empty() {
        tally.push(finding(
            Place::Rejection,
            None,
            "gives no reason".to_owned(),
        ));
    }
    if documented.is_empty() {
        for reason in &reasons {
            let why = given().find(|rejection| rejection.clause == *reason);
            let why = why.map_or("", |rejection| rejection.why.as_str());
            let text = format!("rejects what the contract lets pass: {why}");
            tally.push(finding(Place::Rejection, Some(*reason), text));
        }
    }
    let expect = input.expect;
    let missing = missing(&expect.rejected, &reasons);
    if let Some(clause) = missing.first() {
        let by = match &reasons[..] {
            [] => String::new(),
            reasons => format!(" by {}", list(reasons)),
        };
        let text = format!("rejects{by}, and not by {}", list(&missing));
        tally.push(finding(Place::Expectation, Some(*clause), text));
    } else if expect.rejected.is_empty() {
        for (expected, what) in [
            (&expect.undefined, "run, breaking"),
            (&expect.hangs, "hang by"),
        ] {
            if let Some(clause) = expected.first() {
                let text = format!("rejects; expected to {what} {}", list(expected));
                tally.push(finding(Place::Expectation, Some(*clause), text));
            }
        }
    }
    TargetVerdict::RejectedAsDocumented {
        reasons,
        documented,
    }
}

/// Judges an implementation that rejected under every schedule: only whether it may,
/// and of a clause that it names whether it is one that holds.
pub(crate) fn judge_declined(
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    tally: &mut Tally<'_>,
) -> TargetVerdict {
    let documented = broken(input, Enforced::ByCheck);
    let preconditions = broken(input, Enforced::ByCaller);
    let given = || {
        input.answers.iter().filter_map(|answer| match answer {
            Answer::Declined { clause, why } => Some((*clause, why)),
            _ => None,
        })
    };
    let reasons = sorted(given().filter_map(|(clause, _)| clause));
    if documented.is_empty() {
        // A call that breaks a precondition may do anything, reject included.
        if !preconditions.is_empty() {
            return TargetVerdict::Undefined(preconditions);
        }
        if let Some(open) = all_open(context, input) {
            return TargetVerdict::Undefined(open);
        }
        let (clause, why) = given().next().unzip();
        let why = why.map_or("", String::as_str);
        let text = format!("rejects what the contract lets pass: {why}");
        tally.push(finding(Place::Rejection, clause.flatten(), text));
    } else {
        let all = constraints(input);
        let named = all.flat_map(|broken| broken.also.iter().chain([&broken.clause]));
        let named: Vec<Clause> = named.copied().collect();
        for reason in missing(&reasons, &named) {
            let text = format!(
                "rejects by a clause that the call does not break on {}; it breaks {}",
                input.party.target,
                list(&documented)
            );
            tally.push(finding(Place::Rejection, Some(reason), text));
        }
    }
    TargetVerdict::RejectedAsDocumented {
        reasons,
        documented,
    }
}

/// The clauses by which every slot of the output is open, if every one is: then nothing
/// is lost with the result.
fn all_open(context: &CaseContext<'_>, input: &PartyInput<'_>) -> Option<Vec<Clause>> {
    let (permits, role) = (input.permits?, context.call.output());
    let open = open_by(permits, role);
    (promised(permits, context.before, role) == 0 && !open.is_empty()).then_some(open)
}
