//! Calls that one target accepts and another refuses, and no clause says so.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::Clause;
use ptodiff_judge::Answer;
use ptodiff_register::{Kind, find as entry};

use super::accepted;
use crate::account::Account;

/// Adds each two targets of which the first accepts, owing nothing, and the
/// second refuses by gaps alone: a statement that it refused by would say so.
pub(super) fn find(accounts: &[Account], all: &mut Vec<Hole>) {
    let own = || accounts.iter().filter(|a| a.party.form.is_none());
    for refuses in own() {
        let Some(Answer::Refused(refusals)) = refuses.answer() else {
            continue;
        };
        if !refusals.iter().all(|refusal| is_gap(refusal.clause)) {
            continue;
        }
        let mut clauses: Vec<Clause> = refusals.iter().map(|r| r.clause).collect();
        clauses.sort_unstable();
        clauses.dedup();
        for accepts in own().filter(|a| accepted(a) && a.broken().next().is_none()) {
            all.push(Hole {
                kind: HoleKind::OneSidedRefusal,
                targets: vec![accepts.party.target, refuses.party.target],
                clauses: clauses.clone(),
                place: HolePlace::Refusal,
            });
        }
    }
}

fn is_gap(clause: Clause) -> bool {
    entry(clause.0).is_some_and(|e| e.kind == Kind::Gap)
}
