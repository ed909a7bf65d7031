//! Holes: which of them a case shows.

mod fixed;
mod precondition;
mod rejection;

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Clause, Model, Party, reading::GAPS};
use ptodiff_judge::Answer;

use crate::{context::RunContext, expectation, party_run::PartyRun, readings::Asked};

/// The holes that show in `party_runs`, but for those of open readings: in
/// order, each once.
pub(crate) fn holes(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
) -> Vec<Hole> {
    let mut all = Vec::new();
    precondition::find(&context.case.call, party_runs, &mut all);
    rejection::find(party_runs, &mut all);
    fixed::find(
        &context.case.call,
        context.readings,
        models,
        party_runs,
        &mut all,
    );
    all.sort_unstable();
    all.dedup();
    all
}

/// The gaps on whose reading it depends what comes of the call, as holes; of
/// all gaps, or only of those in `only`, where that is not empty.
pub(crate) fn open_readings(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    only: &[Clause],
) -> Vec<Hole> {
    let mut asked = Asked::new(context, models);
    let mut all: Vec<Hole> = Vec::new();
    for gap in GAPS {
        let clauses = about(gap.clauses, context);
        if !only.is_empty() && !clauses.iter().any(|c| only.contains(c)) {
            continue;
        }
        asked.differences(gap, |target, _, place| {
            let hole = Hole {
                kind: HoleKind::OpenReading,
                targets: vec![target],
                clauses: clauses.clone(),
                place,
            };
            // One hole a gap and target: other bytes say more than other promises.
            match all.iter_mut().find(|known| known.is_same_elsewhere(&hole)) {
                Some(known) => known.place = known.place.min(place),
                None => all.push(hole),
            }
        });
    }
    all.sort_unstable();
    all
}

/// Those of `clauses` that speak of the form of the call; all where none does.
fn about(clauses: &[Clause], context: &RunContext<'_>) -> Vec<Clause> {
    let area = ptodiff_case::Form::of(&context.case.call).area();
    let own = |c: &&Clause| c.0.split('-').next() == Some(area);
    match clauses.iter().any(|c| own(&c)) {
        true => clauses.iter().filter(own).copied().collect(),
        false => clauses.to_vec(),
    }
}

/// Which of the holes that the case says it shows it does, as text. Notes
/// the others in `party_runs`, as expectations that are not met.
///
/// Holes of targets that do not take part are passed over.
pub(crate) fn expected(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_runs: &mut [PartyRun],
) -> Vec<String> {
    let case = context.case;
    // What a case expects holds for its own readings.
    if case.holes.is_empty() || *context.readings != case.readings {
        return Vec::new();
    }
    let mut found = holes(context, models, party_runs);
    let open = case
        .holes
        .iter()
        .filter(|h| h.kind == HoleKind::OpenReading);
    let gaps: Vec<Clause> = open.flat_map(|h| h.clauses.iter().copied()).collect();
    if !gaps.is_empty() {
        found.extend(open_readings(context, models, &gaps));
    }
    let mut shown = Vec::new();
    for hole in &case.holes {
        if found.contains(hole) {
            shown.push(hole.to_string());
            continue;
        }
        let itself = |a: &&mut PartyRun, target| a.party == Party::of(target);
        let takes_part = |target| models.iter().any(|m| m.target() == target);
        if !hole.targets.iter().all(|target| takes_part(*target)) {
            continue;
        }
        let first = hole.targets.first();
        let party_run = first.and_then(|t| party_runs.iter_mut().find(|a| itself(a, *t)));
        if let Some(party_run) = party_run {
            let why = format!("the hole is gone: {hole}");
            let found = expectation::finding(hole.clauses.first().copied(), why);
            party_run.expected.unmet.push(found);
        }
    }
    shown
}

/// Whether the target accepted the call.
fn accepted(party_run: &PartyRun) -> bool {
    matches!(party_run.answer(), Some(Answer::Ran(_) | Answer::Hung(_)))
}

/// Where the out-of-bounds accesses of a target show, if it had any.
fn oob_access(party_run: &PartyRun) -> Option<HolePlace> {
    let Some(Answer::Ran(ran)) = party_run.answer() else {
        return None;
    };
    let accesses = &ran.oob_accesses;
    let writes = accesses.first.iter().any(|access| access.write);
    match (accesses.count, writes) {
        (0, _) => None,
        (_, true) => Some(HolePlace::OutOfBoundsWrite),
        (_, false) => Some(HolePlace::OutOfBoundsRead),
    }
}
