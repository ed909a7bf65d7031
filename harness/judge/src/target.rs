//! One target against the contract.

use ptodiff_contract::{Broken, Enforced, Verbosity};
use ptodiff_isa::Clause;

use crate::execution::{judge_run, quick_verdict};
use crate::input::{CaseContext, PartyInput};
use crate::rejection::{judge_declined, judge_rejection};
use crate::tally::Tally;
use crate::{Answer, Detail, Finding, Outcome, Place, UnusedFreedom};

/// Whether a target kept the contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetVerdict {
    /// Every slot, guard zone and input holds what it may, in every answer.
    Conforms {
        /// Slots of the output that something is promised about; never 0.
        compared: u64,
        /// Freedom that no answer made use of.
        unused_freedom: Vec<UnusedFreedom>,
    },
    /// It rejected, and so the contract says. The two lists come from
    /// independent readings and may cite different clauses.
    RejectedAsDocumented {
        /// The clauses that the target gave, in order, each once; an implementation
        /// need not give any.
        reasons: Vec<Clause>,
        /// The clauses that a check enforces and the case breaks, in order, each once.
        documented: Vec<Clause>,
    },
    /// It accepted and never returns, and so the contract says, by this clause.
    Hangs(Clause),
    /// It accepted, and by these clauses nothing is promised: the case breaks
    /// preconditions, so that values were not compared, or every slot of the output is
    /// open. It did end, with all operands in shape.
    Undefined(Vec<Clause>),
    /// It broke the contract, or what the case expects of it.
    Violates {
        /// What is wrong; never empty. Slots beyond the first [`crate::DESCRIBED`] are
        /// described only if their kind of place or their clause is new.
        findings: Vec<Finding>,
        /// All slots found wrong, counted once an answer.
        slots: u64,
        /// The verdict without what the case expects, where it kept the contract.
        otherwise: Option<Box<TargetVerdict>>,
    },
    /// It says that it cannot run such calls: no result, and no violation. Why,
    /// in one line.
    Unsupported(String),
    /// The harness could not judge it: a fault of the harness, never a pass.
    Unjudged(Unjudged),
}

impl TargetVerdict {
    /// The verdict on what it did, whatever the case expects of it.
    pub(crate) fn by_contract(&self) -> &Self {
        match self {
            Self::Violates {
                otherwise: Some(verdict),
                ..
            } => verdict,
            verdict => verdict,
        }
    }
}

/// Why a target could not be judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unjudged {
    /// It gave no answer at all.
    NoAnswer,
    /// It ran, no precondition is broken, and the contract gave no permits.
    NoPermits,
    /// The permits do not fit the memory: how, in one line.
    MalformedPermits(String),
    /// There is no output, or it has no slot.
    NothingCompared,
}

/// Judges what one target did.
#[must_use]
pub fn judge_target(context: &CaseContext<'_>, input: &PartyInput<'_>) -> TargetVerdict {
    judge_target_with(Verbosity::Full, context, input, &mut Vec::new())
}

/// As [`judge_target`], saying what `verbosity` says, with `scratch` to make an operand
/// in; what stands there is of no more use after.
pub(crate) fn judge_target_with(
    verbosity: Verbosity,
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    scratch: &mut Vec<u8>,
) -> TargetVerdict {
    let quick_check = quick_verdict(verbosity, context, input, scratch);
    quick_check.unwrap_or_else(|| full_verdict(verbosity, context, input, scratch))
}

fn full_verdict(
    verbosity: Verbosity,
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    scratch: &mut Vec<u8>,
) -> TargetVerdict {
    let mut tally = Tally::new(context, input.party);
    let verdict = if input.answers.is_empty() {
        TargetVerdict::Unjudged(Unjudged::NoAnswer)
    } else if input.answers.iter().all(rejects) {
        judge_rejection(input, &mut tally)
    } else if input.answers.iter().all(declines) {
        judge_declined(context, input, &mut tally)
    } else if let Some(why) = unsupported(input.answers) {
        TargetVerdict::Unsupported(why)
    } else {
        if input.answers.iter().any(|a| rejects(a) || declines(a)) {
            let why = "rejects under some schedules and runs under others".to_owned();
            tally.push(finding(Place::Rejection, None, why));
        }
        if input.answers.iter().any(lacks) {
            let why = "cannot run under some schedules and runs under others".to_owned();
            tally.push(finding(Place::Rejection, None, why));
        }
        judge_run(verbosity, context, input, &mut tally, scratch)
    };
    if let Some(clauses) = without_result(&verdict).filter(|_| unexpected(input)) {
        let text = format!(
            "its own suite runs what {} leaves without a result",
            list(clauses)
        );
        tally.push(finding(Place::Expectation, clauses.first().copied(), text));
    }
    for expected in input.expect.outcomes {
        if let Some(outcome) = outcome(&verdict).filter(|o| o != expected) {
            let (is, wanted) = (verb(outcome), verb(*expected));
            let text = format!("{is}; by the case it {wanted}");
            tally.push(finding(Place::Expectation, None, text));
        }
    }
    for finding in input.expect.unmet {
        tally.push(finding.clone());
    }
    if tally.is_empty() {
        return verdict;
    }
    let (findings, slots) = tally.into_parts();
    let kept = findings.iter().all(|f| f.place == Place::Expectation);
    TargetVerdict::Violates {
        findings,
        slots,
        otherwise: kept.then(|| Box::new(verdict)),
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

/// What an implementation says that it cannot, if it says so each time.
fn unsupported(answers: &[Answer]) -> Option<String> {
    match answers {
        [Answer::Unsupported(why), rest @ ..] if rest.iter().all(lacks) => Some(why.clone()),
        _ => None,
    }
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

/// Constraints and preconditions that are broken.
pub(crate) fn constraints<'a>(input: &PartyInput<'a>) -> impl Iterator<Item = &'a Broken> {
    input.legality.iter().chain(input.preconditions)
}

pub(crate) fn broken(input: &PartyInput<'_>, by: Enforced) -> Vec<Clause> {
    if input.legality.is_empty() && input.preconditions.is_empty() {
        return Vec::new();
    }
    sorted(
        constraints(input)
            .filter(|broken| broken.enforced == by)
            .map(|broken| broken.clause),
    )
}

pub(crate) fn sorted(clauses: impl Iterator<Item = Clause>) -> Vec<Clause> {
    let mut clauses: Vec<_> = clauses.collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}

/// The expected clauses that are not there.
pub(crate) fn missing(expected: &[Clause], there: &[Clause]) -> Vec<Clause> {
    let all = expected.iter().filter(|clause| !there.contains(clause));
    all.copied().collect()
}

pub(crate) fn list(clauses: &[Clause]) -> String {
    let names: Vec<_> = clauses.iter().map(|clause| clause.0).collect();
    names.join(" and ")
}

pub(crate) fn finding(place: Place, clause: Option<Clause>, text: String) -> Finding {
    Finding {
        place,
        clause,
        schedule: None,
        detail: Detail::Text(text),
    }
}
