//! MSCATTER (000): `table[idx[i, j]] = src[i, j]` in row-major order.

use ptodiff_isa::Role::{Index, Source, Table};
use ptodiff_isa::Space::{Gm, Ub};
use ptodiff_isa::{
    Coalesce, CpuForm, Mscatter, NegativeIndex, Readings, ScatterAtomicOp, ScatterOob,
};
use ptodiff_memory::Bus;

use crate::atomics::Combination;
use crate::{index, place};

/// The policies that a call has on this target (MSCATTER-GAP-41), and what they
/// make of a negative index (MSCATTER-GAP-01).
struct Form {
    mode: Coalesce,
    atomic: ScatterAtomicOp,
    oob: ScatterOob,
    negative: NegativeIndex,
}

impl Form {
    fn of(call: &Mscatter, readings: &Readings) -> Self {
        match readings.cpu_form {
            // Elem semantics, plain replace, no bounds, whatever the call says
            // (MSCATTER-SEM-03, MSCATTER-ATOM-18, MSCATTER-OOB-17).
            CpuForm::Documented => Self {
                mode: Coalesce::Elem,
                atomic: ScatterAtomicOp::None,
                oob: ScatterOob::Undefined,
                negative: NegativeIndex::Unsigned,
            },
            CpuForm::Templated => Self {
                mode: call.mode,
                atomic: call.atomic,
                oob: call.oob,
                negative: readings.negative_index,
            },
        }
    }
}

/// Walks ValidRow x ValidCol of the source. The last writer of a slot wins
/// (MSCATTER-CONF-08), so the conflict policy has nothing to decide
/// (MSCATTER-CONF-14).
pub(crate) fn run(call: &Mscatter, readings: &Readings, bus: &mut Bus<'_>) {
    let Mscatter {
        table, src, idx, ..
    } = call;
    let form = Form::of(call, readings);
    let combination = Combination::of(form.atomic, src.dtype, readings);
    let capacity = match form.mode {
        Coalesce::Row => place::table_rows(table),
        Coalesce::Elem => place::table_size(table),
    };
    let select = |bits| {
        let index = index::of_scatter(bits, idx.dtype, form.negative);
        index::select_for_scatter(form.oob, index, capacity, form.negative)
    };
    for r in 0..src.valid_row.get() {
        match form.mode {
            Coalesce::Row => {
                let bits = bus.load(Ub, Index, place::row_index(idx, r), idx.dtype.size());
                let Some(row) = select(bits) else {
                    continue;
                };
                for c in 0..src.valid_col.get() {
                    let slot = place::slot_in_row(row, place::table_width(table), c);
                    put(bus, call, (r, c), slot, combination.as_ref());
                }
            }
            Coalesce::Elem => {
                for c in 0..src.valid_col.get() {
                    let at = (Ub, place::in_tile(idx, r, c));
                    let bits = index::load_bits_of_element(bus, at, idx.dtype, table, readings);
                    let Some(slot) = select(bits) else {
                        continue;
                    };
                    put(bus, call, (r, c), slot, combination.as_ref());
                }
            }
        }
    }
}

/// Puts source element `(r, c)` into a slot of the table. It is moved bit for
/// bit, types of equal size included (MSCATTER-SEM-09, MSCATTER-GAP-44).
fn put(
    bus: &mut Bus<'_>,
    call: &Mscatter,
    (r, c): (u64, u64),
    slot: i64,
    combination: Option<&Combination>,
) {
    let Mscatter { table, src, .. } = call;
    let new = bus.load(Ub, Source, place::in_tile(src, r, c), src.dtype.size());
    let (to, size) = (place::slot(slot, table.dtype), table.dtype.size());
    let value = match combination {
        None => new,
        Some(combination) => combination.apply(bus.load(Gm, Table, to, size), new),
    };
    bus.store(Gm, Table, to, size, value);
}
