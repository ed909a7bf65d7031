//! Rules with a call that keeps them and changes that break them.

use ptodiff_contract::{Enforced, legality};
use ptodiff_isa::{Call, Dim, GlobalTensor, Readings, Target};

/// A clause, who sees it broken, and what breaks it.
pub(crate) type Change<C> = (&'static str, Enforced, fn(&mut C));

pub(crate) fn broken(
    call: Call,
    target: Target,
    readings: &Readings,
) -> Vec<(&'static str, Enforced)> {
    legality(&call, target, readings)
        .iter()
        .map(|b| {
            assert!(!b.why.is_empty() && !b.why.contains('\n'));
            (b.clause.0, b.enforced)
        })
        .collect()
}

/// `good` keeps everything; each change breaks what it says, and little else.
pub(crate) fn rules<C: Copy>(
    target: Target,
    readings: &Readings,
    call: fn(C) -> Call,
    good: C,
    changes: &[Change<C>],
) {
    assert_eq!(broken(call(good), target, readings), []);
    for (clause, enforced, change) in changes {
        let mut bad = good;
        change(&mut bad);
        let found = broken(call(bad), target, readings);
        assert!(
            found.contains(&(clause, *enforced)),
            "{target} {clause}: {found:?}"
        );
        assert!(found.len() <= 4, "{target} {clause}: {found:?}");
    }
}

pub(crate) fn strided(mut t: GlobalTensor, dim: usize, stride: u64) -> GlobalTensor {
    t.stride[dim] = Dim::Static(stride);
    t
}
