//! Which target stands alone.

use ptodiff_isa::Target;

use crate::{PairVerdict, TargetVerdict};

/// The one target that stands alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OddOneOut {
    /// The target.
    pub target: Target,
    /// Why it is the one.
    pub reason: Reason,
}

/// Why a target stands alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It alone breaks its contract.
    Broken,
    /// The two others agree and it differs from both, permitted or not.
    Differs,
}

/// Names the target that stands alone, if one does.
///
/// A broken contract counts before a majority: where several targets break
/// theirs, nobody is named, however the bytes compare.
#[must_use]
pub fn odd_one_out(
    targets: &[(Target, TargetVerdict)],
    pairs: &[([Target; 2], PairVerdict)],
) -> Option<OddOneOut> {
    let broken = |v: &TargetVerdict| matches!(v, TargetVerdict::Violates { .. });
    let mut violating = targets.iter().filter(|(_, v)| broken(v));
    if let Some((target, _)) = violating.next() {
        return violating.next().is_none().then_some(OddOneOut {
            target: *target,
            reason: Reason::Broken,
        });
    }
    let agree = |v: &PairVerdict| matches!(v, PairVerdict::Agree { .. });
    let differ = |v: &PairVerdict| {
        matches!(
            v,
            PairVerdict::Permitted { .. } | PairVerdict::Violation { .. }
        )
    };
    let (two, _) = pairs.iter().find(|(_, v)| agree(v))?;
    let apart = pairs.iter().filter(|(_, v)| differ(v)).count();
    if apart != 2 {
        return None;
    }
    let (target, _) = targets.iter().find(|(target, _)| !two.contains(target))?;
    Some(OddOneOut {
        target: *target,
        reason: Reason::Differs,
    })
}
