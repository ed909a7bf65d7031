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

/// `good` keeps everything; each change breaks what it says, which is `enforced` so, and
/// little else.
pub(crate) fn rules<C: Copy>(
    target: Target,
    readings: &Readings,
    call: fn(C) -> Call,
    good: C,
    enforced: Enforced,
    changes: &[Change<C>],
) {
    assert_eq!(broken(call(good), target, readings), []);
    for (clause, change) in changes {
        let mut bad = good;
        change(&mut bad);
        let found = broken(call(bad), target, readings);
        let about = format!("{target} {clause}: {found:?}");
        assert!(found.contains(&(*clause, enforced)), "{about}");
        assert!(found.len() <= 4, "{about}");
    }
}

/// A clause of MSCATTER, its counterpart of MGATHER, and what breaks both.
pub(crate) type Pair = ([&'static str; 2], fn(&mut Mscatter));

/// The gather of the same operands.
pub(crate) fn gathered(c: Mscatter) -> Call {
    Call::Mgather(Mgather {
        launch: c.launch,
        ..gather(c.src, c.table, c.idx, c.mode)
    })
}

/// As [`rules`] that the caller owes, of a scatter and of the gather of the same operands.
pub(crate) fn pairs(target: Target, good: Mscatter, owed: &[Pair]) {
    let forms: [fn(Mscatter) -> Call; 2] = [Call::Mscatter, gathered];
    for (of, form) in forms.into_iter().enumerate() {
        let own = |(clauses, change): &Pair| (clauses[of], *change);
        let owed: Vec<_> = owed.iter().map(own).collect();
        rules(target, &Readings::default(), form, good, ByCaller, &owed);
    }
}
