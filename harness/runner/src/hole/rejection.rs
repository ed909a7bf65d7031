//! Calls that one target accepts and another rejects, and no clause says so.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::Clause;
use ptodiff_judge::Answer;
use ptodiff_register::{Kind, find as entry};

use super::accepted;
use crate::party_run::PartyRun;

/// Adds each two targets of which the first accepts, owing nothing, and the
/// second rejects by gaps alone: a statement that it rejected by would say so.
pub(super) fn find(party_runs: &[PartyRun], all: &mut Vec<Hole>) {
    let own = || party_runs.iter().filter(|a| a.party.form.is_none());
    for rejects in own() {
        let Some(Answer::Rejected(rejections)) = rejects.answer() else {
            continue;
        };
        if !rejections.iter().all(|rejection| is_gap(rejection.clause)) {
            continue;
        }
        let mut clauses: Vec<Clause> = rejections.iter().map(|r| r.clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        for accepts in own().filter(|a| accepted(a) && a.broken().next().is_none()) {
            all.push(Hole {
                kind: HoleKind::OneSidedRejection,
                targets: vec![accepts.party.target, rejects.party.target],
                clauses: clauses.clone(),
                place: HolePlace::Rejection,
            });
        }
    }
}

fn is_gap(clause: Clause) -> bool {
    entry(clause.0).is_some_and(|e| e.kind == Kind::Gap)
}
