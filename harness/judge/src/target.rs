//! One target against the contract.

use ptodiff_isa::Clause;

use crate::clauses::list;
use crate::execution::{failure, judge_run};
use crate::finding::finding;
use crate::input::{CaseContext, PartyInput};
use crate::rejection::{judge_declined, judge_rejection};
use crate::tally::Tally;
use crate::{Answer, Finding, Outcome, Place, TargetVerdict, Unjudged};

/// Judges what one target did.
#[must_use]
pub fn judge_target(context: &CaseContext<'_>, input: &PartyInput<'_>) -> TargetVerdict {
    let mut tally = Tally::new(context);
    let failed: Vec<Finding> = (input.answers.iter().filter_map(|a| failure(input, a))).collect();
    let verdict = if input.answers.is_empty() {
        TargetVerdict::Unjudged(Unjudged::NoAnswer)
    } else if failed.is_empty() {
        judge_answers(context, input, &mut tally)
    } else {
        failed.into_iter().for_each(|found| tally.push(found));
        // What it does under the other schedules is judged by itself.
        let others = input.answers.iter().filter(|a| failure(input, a).is_none());
        let answers: &[Answer] = &others.cloned().collect::<Vec<_>>();
        judge_answers(context, &PartyInput { answers, ..*input }, &mut tally)
    };
    if let Some(clauses) = without_result(&verdict).filter(|_| unexpected(input)) {
        let text = format!(
            "its own suite runs what {} leaves without a result",
            list(clauses)
        );
        tally.push(finding(Place::Expectation, clauses.first().copied(), text));
    }
    for expected in &input.expect.outcomes {
        if let Some(outcome) = outcome(&verdict).filter(|o| o != expected) {
            let (is, wanted) = (verb(outcome), verb(*expected));
            let text = format!("{is}; by the case it {wanted}");
            tally.push(finding(Place::Expectation, None, text));
        }
    }
    tally.findings.extend_from_slice(&input.expect.unmet);
    let findings = tally.findings;
    if findings.is_empty() {
        return verdict;
    }
    let kept = findings.iter().all(|f| f.place == Place::Expectation);
    TargetVerdict::Violates {
        findings,
        otherwise: kept.then(|| Box::new(verdict)),
    }
}

/// Judges what is an answer to the call; there may be none.
fn judge_answers(
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    tally: &mut Tally<'_>,
) -> TargetVerdict {
    if input.answers.is_empty() {
        judge_run(context, input, tally)
    } else if input.answers.iter().all(rejects) {
        judge_rejection(input, tally)
    } else if input.answers.iter().all(declines) {
        judge_declined(context, input, tally)
    } else if let [Answer::Unsupported(why), rest @ ..] = input.answers
        && rest.iter().all(lacks)
    {
        TargetVerdict::Unsupported(why.clone())
    } else {
        if input.answers.iter().any(|a| rejects(a) || declines(a)) {
            let why = "rejects under some schedules and runs under others".to_owned();
            tally.push(finding(Place::Rejection, None, why));
        }
        if input.answers.iter().any(lacks) {
            let why = "cannot run under some schedules and runs under others".to_owned();
            tally.push(finding(Place::Rejection, None, why));
        }
        judge_run(context, input, tally)
    }
}

const fn rejects(answer: &Answer) -> bool {
    matches!(answer, Answer::Rejected(_))
}

const fn declines(answer: &Answer) -> bool {
    matches!(answer, Answer::Declined { .. })
}

const fn lacks(answer: &Answer) -> bool {
    matches!(answer, Answer::Unsupported(_))
}

/// The clauses by which a target has no result, if it has none.
fn without_result(verdict: &TargetVerdict) -> Option<&[Clause]> {
    match verdict {
        TargetVerdict::RejectedAsDocumented { reasons, .. } => Some(reasons),
        TargetVerdict::Hangs(clause) => Some(std::slice::from_ref(clause)),
        TargetVerdict::Undefined(clauses) => Some(clauses),
        TargetVerdict::Conforms { .. }
        | TargetVerdict::Violates { .. }
        | TargetVerdict::Unsupported(_)
        | TargetVerdict::Unjudged(_) => None,
    }
}

/// What came of the call, where it could be judged.
fn outcome(verdict: &TargetVerdict) -> Option<Outcome> {
    Some(match verdict {
        TargetVerdict::Conforms { .. } => Outcome::Result,
        TargetVerdict::RejectedAsDocumented { .. } => Outcome::Rejected,
        TargetVerdict::Undefined(_) => Outcome::Undefined,
        TargetVerdict::Hangs(_) => Outcome::Hangs,
        TargetVerdict::Violates { .. }
        | TargetVerdict::Unsupported(_)
        | TargetVerdict::Unjudged(_) => return None,
    })
}

const fn verb(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Result => "has a result",
        Outcome::Rejected => "rejects",
        Outcome::Undefined => "is undefined",
        Outcome::Hangs => "hangs",
    }
}

/// Whether the case should have said that this target has no result.
fn unexpected(input: &PartyInput<'_>) -> bool {
    let expect = input.expect;
    expect.own_suite
        && expect.rejected.is_empty()
        && expect.undefined.is_empty()
        && expect.hangs.is_empty()
}
