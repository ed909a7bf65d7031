//! A whole case: every target, every pair, and who stands alone.

use ptodiff_isa::Target;

use crate::side::{Ground, Side};
use crate::{
    NotCompared, OddOneOut, PairVerdict, TargetVerdict, judge_pair, judge_target, odd_one_out,
};

/// The verdict on a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseVerdict {
    /// Of each target, in the order given.
    pub targets: Vec<(Target, TargetVerdict)>,
    /// Of each two targets, the first before the second in the order given.
    pub pairs: Vec<([Target; 2], PairVerdict)>,
    /// The target that stands alone, if one does.
    pub odd: Option<OddOneOut>,
}

impl CaseVerdict {
    /// Whether anything is wrong: a violation, something that could not be
    /// judged, or nothing judged at all.
    #[must_use]
    pub fn fails(&self) -> bool {
        let target = |(_, v): &(Target, TargetVerdict)| {
            matches!(
                v,
                TargetVerdict::Violates { .. } | TargetVerdict::Unjudged(_)
            )
        };
        let pair = |(_, v): &([Target; 2], PairVerdict)| {
            matches!(
                v,
                PairVerdict::Violation { .. }
                    | PairVerdict::NotCompared(
                        NotCompared::NothingCompared | NotCompared::Unjudged(_)
                    )
            )
        };
        self.targets.is_empty() || self.targets.iter().any(target) || self.pairs.iter().any(pair)
    }
}

/// Judges a case: each of `sides`, and each two of them.
#[must_use]
pub fn judge_case(ground: &Ground<'_>, sides: &[Side<'_>]) -> CaseVerdict {
    let judged = sides
        .iter()
        .map(|side| (side.target, judge_target(ground, side)));
    let targets: Vec<_> = judged.collect();
    let both = |i: usize| (&sides[i], &targets[i].1);
    let mut pairs = Vec::with_capacity(sides.len());
    for a in 0..sides.len() {
        for b in a + 1..sides.len() {
            let verdict = judge_pair(ground, both(a), both(b));
            pairs.push(([sides[a].target, sides[b].target], verdict));
        }
    }
    let odd = odd_one_out(&targets, &pairs);
    CaseVerdict {
        targets,
        pairs,
        odd,
    }
}
