//! Rules with a call that keeps them and changes that break them.

use ptodiff_contract::{Enforced, legality};
use ptodiff_isa::{Call, Coalesce, DType, Mgather, Mscatter, Readings, Target};

use super::{gather, matrix, scatter, tile};

pub(crate) use Enforced::{ByCaller, ByCheck};

/// A clause, and what breaks it.
pub(crate) type Change<C> = (&'static str, fn(&mut C));

/// float [8,16] and a 16x16 table, Row.
pub(crate) fn row_call() -> Mscatter {
    scatter(
        matrix(DType::Float, 16, 16),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Row,
    )
}

/// The clauses that a call breaks, and who sees it.
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

/// `good` keeps everything; each change breaks what it says, and little else:
/// those of the first list are rejected, those of the second the caller's fault.
pub(crate) fn rules<C: Copy>(
    target: Target,
    readings: &Readings,
    call: fn(C) -> Call,
    good: C,
    checked: &[Change<C>],
    owed: &[Change<C>],
) {
    assert_eq!(broken(call(good), target, readings), []);
    let checked = checked.iter().map(|change| (change, ByCheck));
    let owed = owed.iter().map(|change| (change, ByCaller));
    for ((clause, change), enforced) in checked.chain(owed) {
        let mut bad = good;
        change(&mut bad);
        let found = broken(call(bad), target, readings);
        let about = format!("{target} {clause}: {found:?}");
        assert!(found.contains(&(clause, enforced)), "{about}");
        assert!(found.len() <= 4, "{about}");
    }
}

/// A clause of MSCATTER, its counterpart of MGATHER, and what breaks both.
pub(crate) type Pair = ([&'static str; 2], fn(&mut Mscatter));

/// Such clauses with what breaks them.
pub(crate) const fn both(
    scatter: &'static str,
    gather: &'static str,
    change: fn(&mut Mscatter),
) -> Pair {
    ([scatter, gather], change)
}

/// The gather of the same operands.
pub(crate) fn gathered(c: Mscatter) -> Call {
    Call::Mgather(Mgather {
        launch: c.launch,
        ..gather(c.src, c.table, c.idx, c.mode)
    })
}

/// As [`rules`], of a scatter and of the gather of the same operands.
pub(crate) fn pairs(target: Target, good: Mscatter, checked: &[Pair], owed: &[Pair]) {
    let forms: [fn(Mscatter) -> Call; 2] = [Call::Mscatter, gathered];
    for (of, form) in forms.into_iter().enumerate() {
        let own = |(clauses, change): &Pair| (clauses[of], *change);
        let [checked, owed] = [checked, owed].map(|all| all.iter().map(own).collect::<Vec<_>>());
        rules(target, &Readings::default(), form, good, &checked, &owed);
    }
}
