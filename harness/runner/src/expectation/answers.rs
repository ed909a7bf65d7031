//! The readings of a gap that a case distinguishes.

use std::collections::BTreeSet;

use ptodiff_case::{Case, Expectation};
use ptodiff_isa::{Target, TargetReadings};
use ptodiff_register::{Gap, find};

use crate::context::RunContext;

/// How a reading of the case's gap comes into force.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Way {
    /// It is the one in use.
    InUse,
    /// By these readings.
    Choice(TargetReadings),
    /// Not at all: the case says what a target with that reading would do.
    Stated,
}

fn gap(case: &Case) -> Option<&'static Gap> {
    find(case.gap?.0)?.gap.as_ref()
}

/// How the reading called `letter` of the case's gap comes into force.
pub(super) fn way(case: &Case, letter: char) -> Way {
    let Some(gap) = gap(case) else {
        return Way::Stated;
    };
    if letter == gap.in_use {
        return Way::InUse;
    }
    let Some((parameter, choice)) = gap.reading(letter).and_then(|r| r.choice) else {
        return Way::Stated;
    };
    let mut readings = case.readings;
    match readings.set(parameter, choice) {
        Ok(()) => Way::Choice(readings),
        Err(_) => Way::Stated,
    }
}

/// The letters of the readings that the case speaks of, each once, in order.
pub(super) fn answered(case: &Case) -> BTreeSet<char> {
    case.expect.iter().filter_map(|e| e.answer).collect()
}

/// What the case of `context` expects of `target` under the readings in force, where those are
/// `as_stated` or not.
pub(super) fn in_force<'a>(
    context: &RunContext<'a>,
    target: Target,
    as_stated: bool,
) -> impl Iterator<Item = &'a Expectation> {
    let (case, readings) = (context.case, context.readings);
    case.expect.iter().filter(
        move |entry| match entry.answer.map(|letter| way(case, letter)) {
            None | Some(Way::InUse) => as_stated,
            Some(Way::Choice(other)) => other[target] == readings[target],
            Some(Way::Stated) => false,
        },
    )
}

/// Readings that the case cannot tell from the one in use: on every target of
/// theirs it expects the same. Letters that the register does not have count
/// too, and so does a case that says nothing of the reading in use.
pub(super) fn indistinct(case: &Case) -> Vec<String> {
    let Some(gap) = gap(case) else {
        return Vec::new();
    };
    let of = |letter: char, target: Target| -> Vec<Expectation> {
        let entries = case.expect.iter();
        let those = entries.filter(|e| e.answer == Some(letter) && e.targets.contains(&target));
        let bare = |e: &Expectation| Expectation {
            answer: None,
            targets: vec![target],
            ..e.clone()
        };
        those.map(bare).collect()
    };
    let all = answered(case);
    if !all.contains(&gap.in_use) {
        return vec![format!(
            "the case says nothing of the reading in use, `{}`",
            gap.in_use
        )];
    }
    if all.len() < 2 {
        return vec!["the case speaks of one reading only".to_owned()];
    }
    let others = all.into_iter().filter(|letter| *letter != gap.in_use);
    others
        .filter_map(|letter| {
            if gap.reading(letter).is_none() {
                return Some(format!("the gap has no reading `{letter}`"));
            }
            let told_apart = |target: &Target| {
                let theirs = of(letter, *target);
                !theirs.is_empty() && theirs != of(gap.in_use, *target)
            };
            (!case.targets.iter().any(told_apart))
                .then(|| format!("it cannot tell reading `{letter}` from `{}`", gap.in_use))
        })
        .collect()
}
