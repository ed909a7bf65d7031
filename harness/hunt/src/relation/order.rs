//! What the result of a scatter owes to the order of its lanes.

use ptodiff_isa::{
    AddOverflow, BLayout, DType, FirstConflict, LastBy, Layout, MaxMinZero, Memory, Mscatter,
    MscatterFirst, NzElemOrder, Readings, Role, RowAddOrder, ScatterAtomicOp, ScatterConflict,
    Target, Tile,
};

use super::place::read;
use super::slots::Slots;
use super::view::View;

/// On which order of the lanes the bits of a result depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// On none.
    Free,
    /// On row by row, column by column.
    RowMajor,
    /// On another that is the same each time.
    Fixed,
}

/// How the lanes of a scatter that select one slot combine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Combine {
    /// The atomic that the target honours.
    pub(super) atomic: ScatterAtomicOp,
    /// Whether they come to the same in any order.
    commutes: bool,
    /// In which order they come; none where that is open.
    among: Option<Order>,
    /// Whether Max and Min may leave either zero (MSCATTER-GAP-04).
    either_zero: bool,
}

impl Combine {
    /// Those of MSCATTER; `atomic` is what the target makes of the call's.
    pub(super) fn of_scatter(
        call: &Mscatter,
        atomic: ScatterAtomicOp,
        by_row: bool,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let plain = atomic == ScatterAtomicOp::None;
        let among = match target {
            // MSCATTER-CONF-08.
            Target::Cpu => Some(Order::RowMajor),
            // MSCATTER-GAP-07.
            Target::A2a3 if by_row && !plain && readings.row_add_order == RowAddOrder::Any => None,
            // MSCATTER-GAP-08.
            Target::A2a3
                if !by_row
                    && call.table.layout == Layout::NZ
                    && readings.nz_elem_order == NzElemOrder::Walk =>
            {
                Some(Order::Fixed)
            }
            // MSCATTER-CONF-16.
            Target::A2a3 => Some(Order::RowMajor),
            // MSCATTER-CONF-03 to -06, MSCATTER-ATOM-22.
            Target::A5 if plain && call.conflict == ScatterConflict::Last => {
                Some(last_by(&call.src, by_row, readings))
            }
            Target::A5 => None,
        };
        Self::new(atomic, call.src.dtype, among, (target, by_row), readings)
    }

    /// Those of the first revision (MSCATTER0-GAP-02).
    pub(super) fn of_first(call: &MscatterFirst, by_row: bool, readings: &Readings) -> Self {
        let last =
            call.atomic == ScatterAtomicOp::None && readings.first_conflict == FirstConflict::Last;
        let among = last.then(|| last_by(&call.src, by_row, readings));
        let on = (Target::A5, by_row);
        Self::new(call.atomic, call.src.dtype, among, on, readings)
    }

    /// Those of TSCATTER (TSCATTER-CONF-02, -03, TSCATTER-GAP-10).
    pub(super) const fn of_tscatter(target: Target) -> Self {
        Self {
            atomic: ScatterAtomicOp::None,
            commutes: false,
            among: match target {
                Target::Cpu => Some(Order::RowMajor),
                Target::A2a3 | Target::A5 => None,
            },
            either_zero: false,
        }
    }

    fn new(
        atomic: ScatterAtomicOp,
        dtype: DType,
        among: Option<Order>,
        (target, by_row): (Target, bool),
        readings: &Readings,
    ) -> Self {
        // MSCATTER-GAP-05.
        let wraps = match readings.add_overflow {
            AddOverflow::Wrap => true,
            AddOverflow::Saturate => target == Target::Cpu,
            AddOverflow::Mte3Saturates => !(target == Target::A2a3 && by_row),
        };
        Self {
            atomic,
            commutes: match atomic {
                ScatterAtomicOp::None => false,
                ScatterAtomicOp::Add => dtype.is_integer() && wraps,
                ScatterAtomicOp::Max | ScatterAtomicOp::Min => true,
            },
            among,
            either_zero: readings.max_min_zero == MaxMinZero::Either,
        }
    }
}

/// MSCATTER-GAP-72. Writers of one slot of a row are in the order of their
/// rows in either storage.
fn last_by(src: &Tile, by_row: bool, readings: &Readings) -> Order {
    let by_rows = by_row || src.blayout == BLayout::RowMajor;
    if by_rows || readings.last_by == LastBy::Logical {
        Order::RowMajor
    } else {
        Order::Fixed
    }
}

impl Order {
    /// That of the call that `view` shows, on these slots and operands. None
    /// where the documents leave bits open: writers of one slot in any order,
    /// or floating-point atomics that meet what has no fixed result (NaN and
    /// infinities, MSCATTER-GAP-03, -81; zeros, MSCATTER-GAP-04).
    pub(super) fn of(view: &View<'_>, memory: &Memory, slots: &Slots) -> Option<Self> {
        let Some(combine) = &view.combine else {
            return Some(Self::Free);
        };
        let floats = combine.atomic != ScatterAtomicOp::None && !view.data.dtype.is_integer();
        if floats && !tame(view, combine, memory)? {
            return None;
        }
        if combine.commutes || slots.distinct() {
            Some(Self::Free)
        } else {
            combine.among
        }
    }
}

/// Whether the numbers that an atomic meets have one result each.
fn tame(view: &View<'_>, combine: &Combine, memory: &Memory) -> Option<bool> {
    let dtype = view.data.dtype;
    let exponent = match dtype {
        DType::Half => 0x7C00,
        DType::Bfloat16 => 0x7F80,
        DType::Float => 0x7F80_0000,
        _ => return Some(false),
    };
    let zeros = combine.atomic == ScatterAtomicOp::Add || !combine.either_zero;
    let fine = |number: u64| {
        let bits = number & exponent;
        bits != exponent && (zeros || bits != 0)
    };
    let size = dtype.size();
    let table = memory.get(Role::Table)?.body();
    let source = memory.get(view.data_role)?.body();
    let numbers = 0..table.len() / size;
    if !numbers.into_iter().all(|at| fine(read(table, at, size))) {
        return Some(false);
    }
    let places = (0..view.rows).flat_map(|r| (0..view.cols).map(move |c| view.places.at(r, c)));
    Some(places.into_iter().all(|at| fine(read(source, at, size))))
}
