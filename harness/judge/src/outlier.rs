//! Who stands alone.

use ptodiff_isa::Party;

use crate::{PairVerdict, TargetVerdict};

/// Names the party that stands alone, if one does.
///
/// A broken contract counts before a majority: where several break theirs,
/// none is named, however the bytes compare. What the case expects counts for
/// nothing. A majority is one of targets: further forms of the case have no vote.
/// A single party is no outlier.
#[must_use]
pub fn outlier(
    parties: &[(Party, TargetVerdict)],
    pairs: &[([Party; 2], PairVerdict)],
) -> Option<Party> {
    if parties.len() < 2 {
        return None;
    }
    let broken = |v: &TargetVerdict| matches!(v.by_contract(), TargetVerdict::Violates { .. });
    let mut violating = parties.iter().filter(|(_, v)| broken(v));
    if let Some((party, _)) = violating.next() {
        return violating.next().is_none().then(|| party.clone());
    }
    let agree = |v: &PairVerdict| matches!(v, PairVerdict::Agree { .. });
    let differ = |v: &PairVerdict| {
        matches!(
            v,
            PairVerdict::Permitted { .. } | PairVerdict::Violation { .. }
        )
    };
    let itself = |party: &Party| party.form.is_none();
    let mut voting = pairs.iter().filter(|(two, _)| two.iter().all(itself));
    let (two, _) = voting.clone().find(|(_, v)| agree(v))?;
    let apart = voting.by_ref().filter(|(_, v)| differ(v)).count();
    if apart != 2 {
        return None;
    }
    let mut voters = parties.iter().map(|(party, _)| party).filter(|p| itself(p));
    voters.find(|party| !two.contains(party)).cloned()
}
