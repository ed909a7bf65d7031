//! How the atomics of a scatter compute where the documents leave it open, and
//! the clauses that say so.

use ptodiff_isa::{
    AddOverflow, Clause, Coalesce, Layout, MaxMinNan, MaxMinZero, RowAddOrder, Subnormals, Target,
};

use crate::{
    meaning::{Meaning, Noticed, difference},
    runs::Why,
};

/// The arithmetic of one call on one target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arithmetic {
    /// Whether the additions of one call may come in any order
    /// (MSCATTER-ATOM-22, MSCATTER-GAP-07).
    pub(crate) open: bool,
    /// Whether every integer addition saturates (MSCATTER-GAP-05).
    pub(crate) saturates: bool,
    /// Whether subnormals become zeros (MSCATTER-GAP-80).
    pub(crate) flushes: bool,
    /// What Max and Min make of a NaN (MSCATTER-GAP-03).
    pub(crate) nan: MaxMinNan,
    /// What they make of zeros of two signs (MSCATTER-GAP-04).
    pub(crate) zero: MaxMinZero,
    /// The clauses of a single result,
    pub(crate) one: Why,
    /// of a single result of several writers,
    pub(crate) folded: Why,
    /// and of what depends on the order of the additions.
    pub(crate) any_order: Why,
    /// The clause by which a target has atomics at all, where no other one speaks of it.
    pub(crate) lent: Option<Clause>,
}

impl Arithmetic {
    /// Of a call whose indices turned up what was `noticed`.
    pub(crate) fn of(meaning: &Meaning<'_>, noticed: &Noticed) -> Self {
        let readings = meaning.readings;
        // The atomic unit of MTE3 serves no other path.
        let mte3 = meaning.target == Target::A2a3 && meaning.mode == Coalesce::Row;
        let npu = meaning.target != Target::Cpu;
        let freedom = difference(meaning, noticed);
        let by = |clause| Why { clause, freedom };
        let sum = meaning.atomic_clause();
        let nz = meaning.call.table.layout == Layout::NZ;
        Self {
            open: match meaning.target {
                Target::A5 => true,
                Target::A2a3 => mte3 && readings.row_add_order == RowAddOrder::Any,
                Target::Cpu => false,
            },
            saturates: match readings.add_overflow {
                AddOverflow::Wrap => false,
                AddOverflow::Saturate => npu,
                AddOverflow::Mte3Saturates => mte3,
            },
            flushes: npu && readings.subnormals == Subnormals::Flushed,
            nan: readings.max_min_nan,
            zero: readings.max_min_zero,
            one: by(sum),
            folded: by(match meaning.target {
                Target::A2a3 if !mte3 && !nz => Clause("MSCATTER-ATOM-26"),
                _ => sum,
            }),
            any_order: match meaning.target {
                Target::A2a3 => Why::by(sum.0).or(Some(Clause("MSCATTER-GAP-07"))),
                Target::A5 | Target::Cpu => Why::open(Clause("MSCATTER-ATOM-22")),
            },
            lent: (!npu).then_some(Clause("MSCATTER-GAP-41")),
        }
    }
}
