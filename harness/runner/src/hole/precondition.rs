//! Preconditions that no check enforces, and accesses that leave operands although
//! none is broken.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Call, Clause, Region};
use ptodiff_judge::Answer;

use super::{accepted, oob_access};
use crate::account::Account;

/// Adds what is found of each target.
pub(super) fn find(call: &Call, accounts: &[Account], all: &mut Vec<Hole>) {
    for account in accounts
        .iter()
        .filter(|a| a.party.form.is_none() && accepted(a))
    {
        let legal = account.broken().next().is_none() && account.hangs_by().is_none();
        let hole = if legal {
            // Without a clause it is a violation, and the judge says so.
            oob_access(account)
                .zip(account.oob_accesses_by())
                .map(|(place, clause)| (HoleKind::LegalOutOfBounds, vec![clause], place))
        } else {
            let broken = account.broken().map(|b| b.clause);
            let mut clauses: Vec<Clause> = broken.chain(account.hangs_by()).collect();
            clauses.sort_unstable();
            clauses.dedup();
            let place = effect(call, account, accounts);
            Some((HoleKind::UncheckedPrecondition, clauses, place))
        };
        all.extend(hole.map(|(kind, clauses, place)| Hole {
            kind,
            targets: vec![account.party.target],
            clauses,
            place,
        }));
    }
}

/// The worst that comes of it.
fn effect(call: &Call, account: &Account, accounts: &[Account]) -> HolePlace {
    let Some(Answer::Ran(ran)) = account.answer() else {
        return HolePlace::Hang;
    };
    let left = ran.memory.get(call.output()).map(Region::body);
    let differs = |other: &Account| match other.answer() {
        Some(Answer::Ran(other)) => other.memory.get(call.output()).map(Region::body) != left,
        _ => false,
    };
    match oob_access(account) {
        Some(place) => place,
        // Where a clause lets targets part, the precondition is not to blame.
        None if accounts.iter().any(|a| a.is_exact() && differs(a)) => HolePlace::Differs,
        None => HolePlace::Undefined,
    }
}
