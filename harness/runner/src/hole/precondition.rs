//! Preconditions that no check enforces, and accesses that leave operands although
//! none is broken.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Call, Clause, Region};
use ptodiff_judge::Answer;

use super::{accepted, oob_access};
use crate::party_run::PartyRun;

/// Adds what is found of each target.
pub(super) fn find(call: &Call, party_runs: &[PartyRun], all: &mut Vec<Hole>) {
    for party_run in party_runs
        .iter()
        .filter(|a| a.party.form.is_none() && accepted(a))
    {
        let hole = if !party_run.is_open() {
            // Without a clause it is a violation, and the judge says so.
            let excused = party_run.promise.permits().and_then(|p| p.oob_accesses);
            let found = oob_access(party_run).zip(excused);
            found.map(|(place, clause)| (HoleKind::LegalOutOfBounds, vec![clause], place))
        } else {
            let broken = party_run.broken().map(|b| b.clause);
            let mut clauses: Vec<Clause> = broken.chain(party_run.promise.hangs()).collect();
            clauses.sort_unstable();
            clauses.dedup();
            let place = effect(call, party_run, party_runs);
            Some((HoleKind::UncheckedPrecondition, clauses, place))
        };
        all.extend(hole.map(|(kind, clauses, place)| Hole {
            kind,
            targets: vec![party_run.party.target],
            clauses,
            place,
        }));
    }
}

/// The worst that comes of it.
fn effect(call: &Call, party_run: &PartyRun, party_runs: &[PartyRun]) -> HolePlace {
    let Some(Answer::Ran(ran)) = party_run.answer() else {
        return HolePlace::Hang;
    };
    let left = ran.memory.get(call.output()).map(Region::body);
    let differs = |other: &PartyRun| match other.answer() {
        Some(Answer::Ran(other)) => other.memory.get(call.output()).map(Region::body) != left,
        _ => false,
    };
    match oob_access(party_run) {
        Some(place) => place,
        // Where a clause lets targets part, the precondition is not to blame.
        None if party_runs.iter().any(|a| a.is_exact() && differs(a)) => HolePlace::Differs,
        None => HolePlace::Undefined,
    }
}
