//! MGATHER from GM to UB (001): `dst[r, :] = table[idx[r], :]` or
//! `dst[i, j] = table[idx[i, j]]`.

use ptodiff_isa::Role::{Destination, Table};
use ptodiff_isa::Space::{Gm, Ub};
use ptodiff_isa::{Coalesce, CpuPaddedTable, GlobalTensor, Mgather, Readings, Space, Tile};
use ptodiff_memory::Bus;

use crate::index::{self, Selected};
use crate::place;

/// Walks ValidRow x ValidCol of the destination; its padding is kept
/// (MGATHER-SEM-03, MGATHER-GAP-18).
pub(crate) fn run(call: &Mgather, readings: &Readings, bus: &mut Bus<'_>) {
    let Mgather {
        dst, table, idx, ..
    } = call;
    for r in 0..dst.valid_row.get() {
        match call.mode {
            Coalesce::Row => {
                let index = index::load_uint32(bus, Ub, idx.dtype, place::row_index(idx, r));
                let row = index::select_for_gather(call.oob, index, place::table_rows(table));
                let pitch = row_pitch(table, readings);
                for c in 0..dst.valid_col.get() {
                    let element = row.in_row(|row| place::linear(row, pitch, c));
                    deliver(bus, table, element, dst, (Ub, place::in_tile(dst, r, c)));
                }
            }
            Coalesce::Elem => {
                // Strides take no part in the address (MGATHER-TABLE-13).
                let capacity = place::table_size(table);
                for c in 0..dst.valid_col.get() {
                    let at = (Ub, place::in_tile(idx, r, c));
                    let index = index::load_of_element(bus, at, idx.dtype, table, readings);
                    let element = index::select_for_gather(call.oob, index, capacity);
                    deliver(bus, table, element, dst, (Ub, place::in_tile(dst, r, c)));
                }
            }
        }
    }
}

/// From one row of the table to the next, in elements: `Shape[4]`
/// (MGATHER-TABLE-04), but for MGATHER-GAP-08.
fn row_pitch(table: &GlobalTensor, readings: &Readings) -> u64 {
    match readings.cpu_padded_table {
        CpuPaddedTable::Precondition => place::table_width(table),
        CpuPaddedTable::Strided => table.stride[3].get(),
    }
}

/// Delivers what is selected, bit for bit, to a byte offset of the destination.
pub(crate) fn deliver(
    bus: &mut Bus<'_>,
    table: &GlobalTensor,
    element: Selected,
    dst: &Tile,
    (space, to): (Space, i64),
) {
    let value = match element {
        Selected::Slot(number) => {
            let from = place::element(number, table.dtype);
            bus.load(Gm, Table, from, table.dtype.size())
        }
        // T(0) has no bit set in any type (MGATHER-OOB-12).
        Selected::Zero => 0,
        Selected::Nothing => return,
    };
    bus.store(space, Destination, to, dst.dtype.size(), value);
}
