//! A whole case: every party, every pair, and who stands alone.

use std::cell::Cell;

use ptodiff_isa::Party;

use crate::pair::judge_telling;
use crate::side::{Ground, Side, Told};
use crate::target::judge_in;
use crate::{NotCompared, Outlier, PairVerdict, TargetVerdict, outlier};

/// The verdict on a case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CaseVerdict {
    /// Of each party, in the order given.
    pub parties: Vec<(Party, TargetVerdict)>,
    /// Of each two parties that meet, the first before the second in the order given.
    pub pairs: Vec<([Party; 2], PairVerdict)>,
    /// The party that stands alone, if one does.
    pub outlier: Option<Outlier>,
}

impl CaseVerdict {
    /// Whether anything is wrong: a violation, something that could not be
    /// judged, or nothing judged at all.
    #[inline]
    #[must_use]
    pub fn fails(&self) -> bool {
        let party = |(_, v): &(Party, TargetVerdict)| {
            matches!(
                v,
                TargetVerdict::Violates { .. } | TargetVerdict::Unjudged(_)
            )
        };
        let pair = |(_, v): &([Party; 2], PairVerdict)| {
            matches!(
                v,
                PairVerdict::Violation { .. }
                    | PairVerdict::NotCompared(
                        NotCompared::NothingCompared | NotCompared::Unjudged(_)
                    )
            )
        };
        self.parties.is_empty() || self.parties.iter().any(party) || self.pairs.iter().any(pair)
    }
}

/// Judges a case: each of `sides`, and each two of them that meet.
#[must_use]
pub fn judge_case(ground: &Ground<'_>, sides: &[Side<'_>]) -> CaseVerdict {
    let mut verdict = CaseVerdict::default();
    judge(Told::All, ground, sides, &mut verdict);
    verdict
}

/// As [`judge_case`], but says of differences that clauses permit only by
/// which: not where they are, nor which freedom nothing made use of. For those
/// who look at what is not permitted. Makes `verdict`, whatever it was, that on
/// the case.
pub fn judge_case_briefly(ground: &Ground<'_>, sides: &[Side<'_>], verdict: &mut CaseVerdict) {
    judge(Told::Unpermitted, ground, sides, verdict);
}

/// Bytes from which on memory is not kept for the next case.
const LARGE: usize = 1 << 20;

thread_local! {
    /// Room for the image of an operand: small cases one after the other ask for it once.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

fn judge(told: Told, ground: &Ground<'_>, sides: &[Side<'_>], verdict: &mut CaseVerdict) {
    let CaseVerdict {
        parties,
        pairs,
        outlier: found,
    } = verdict;
    parties.clear();
    pairs.clear();
    let mut room = ROOM.take();
    let judged = |side: &Side<'_>| (side.party.clone(), judge_in(told, ground, side, &mut room));
    parties.extend(sides.iter().map(judged));
    if room.capacity() <= LARGE {
        ROOM.set(room);
    }
    let both = |i: usize| (&sides[i], &parties[i].1);
    for a in 0..sides.len() {
        for b in a + 1..sides.len() {
            let two = [sides[a].party, sides[b].party];
            if two[0].meets(two[1]) {
                let verdict = judge_telling(told, ground, both(a), both(b));
                pairs.push((two.map(Clone::clone), verdict));
            }
        }
    }
    *found = outlier(parties, pairs);
}
