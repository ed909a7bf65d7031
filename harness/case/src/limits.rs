//! How large a case may be. Every check is arithmetic that stops at the largest number: nothing
//! is allocated first.

use std::collections::BTreeMap;

use ptodiff_data::place;
use ptodiff_isa::{Call, Dim, Operand, Role};

use crate::plan::{DataPlan, Fill};

/// Bytes of memory that running a case may take.
pub const MAX_CASE_MEMORY: u64 = 2 << 30;
/// What running a case on all targets holds at once for each byte of its
/// operands: the stimulus, what each model and schedule came to, what is
/// promised of it. Measured: 8.3 for a large table that is scattered to, 7.5
/// for one that is gathered from.
pub const COPIES: u64 = 9;
/// What it holds beside for each element of the index of a call: who writes
/// where, and what may come of it. Measured: 110 where a million of them
/// scatter at random.
pub const LANE_BYTES: u64 = 128;
/// Bytes from the first to the last element of a sparse table. What runs a case
/// holds many copies of its addresses, and a process has 2^47 of them.
pub const MAX_SPARSE: u64 = 1 << 38;
/// What a row that is given of a sparse table, or a place that is written of it,
/// takes at least: each end of it lies in a page of the machine.
const TOUCHED: u64 = 2 * 4096;
/// Calls that a case may issue.
pub const MAX_CHUNKS: u64 = 4096;
/// Elements from one entry of a dimension to the next.
pub const MAX_STRIDE: u64 = 1 << 40;
/// Bytes of one box.
pub const MAX_FRACTAL: u64 = 1 << 20;
/// Bytes of the second launch argument.
pub const MAX_DYN_UB: u64 = 1 << 40;
/// Characters of a name.
pub const MAX_NAME: usize = 200;
/// Characters of a clause's number.
pub const MAX_CLAUSE: usize = 40;
/// Elements of an operand of which a value may be expected.
pub const MAX_EXPECTED: u64 = 65_536;
/// Elements of all operands of which something is expected in a file, and the
/// values expected of them.
pub const MAX_EXPECTED_OF_FILE: u64 = 4 << 20;
/// Bytes that the cases of a file read from other files, each time they do.
pub const MAX_LOADED_OF_FILE: u64 = 256 << 20;
/// Bytes of a case file.
pub const MAX_FILE_BYTES: u64 = 16 << 20;
/// Containers of a case file may nest this deep; the format itself needs seven levels.
pub const MAX_DEPTH: usize = 16;
/// Scalars, sequences and mappings of a case file, aliases expanded.
pub const MAX_NODES: usize = 500_000;
/// Parser events of a case file, and as many that its aliases repeat;
/// containers have two.
pub const MAX_EVENTS: usize = 1_000_000;
/// Folders of case files nest at most this deep.
pub const MAX_FOLDERS: usize = 32;

/// Elements of an operand that data is made for, over all chunks.
///
/// A tile has the next part of its data in each chunk, and so has an index
/// tensor; the other tensors are the same for all.
#[must_use]
pub fn data_elements(role: Role, operand: Operand<'_>, chunks: u64) -> u64 {
    let elements = place::count(&place::extents(operand)).unwrap_or(u64::MAX);
    match operand.tile().is_some() || role == Role::Index {
        true => elements.saturating_mul(chunks),
        false => elements,
    }
}

/// Elements of an operand's body: the padded image of a tile, a tensor from
/// its first element to its last.
#[must_use]
pub fn stored_elements(operand: Operand<'_>) -> u64 {
    let tensor = match operand {
        Operand::Tile(tile) => return tile.rows.saturating_mul(tile.cols),
        Operand::Tensor(tensor) => tensor,
    };
    // Such a stride stands for one that no number holds.
    if tensor.stride.contains(&Dim::Static(u64::MAX)) {
        return u64::MAX;
    }
    if tensor.shape.iter().any(|dim| dim.get() == 0) {
        return 0;
    }
    let reach = |(extent, stride): (&Dim, &Dim)| (extent.get() - 1).saturating_mul(stride.get());
    let dims = tensor.shape.iter().zip(&tensor.stride);
    dims.map(reach).fold(1, u64::saturating_add)
}

/// Bytes of memory that running a case takes, issued `chunks` times, with a table
/// that is filled so; the largest number also where a sparse table spans too much.
#[must_use]
pub fn case_memory(call: &Call, chunks: u64, table: &Fill) -> u64 {
    let index = call.operand(Role::Index);
    let lanes = index.map_or(0, |index| data_elements(Role::Index, index, 1));
    let bytes = |(role, operand)| match table {
        Fill::Rows(rows) if role == Role::Table => touched(call, lanes, chunks, rows),
        _ => operand_bytes(role, operand, chunks),
    };
    let operands = call.operands().into_iter().map(bytes);
    let copies = operands.fold(0, u64::saturating_add).saturating_mul(COPIES);
    copies.saturating_add(lanes.saturating_mul(LANE_BYTES))
}

/// Bytes of a sparse table that have memory: the rows that are given, and a row of
/// the data tile or an element of it for each of the lanes.
fn touched(call: &Call, lanes: u64, chunks: u64, rows: &BTreeMap<u64, Vec<u8>>) -> u64 {
    let table = span_bytes(call).filter(|bytes| *bytes <= MAX_SPARSE);
    let Some(table) = table else { return u64::MAX };
    let tile = call.data_tile();
    let moved = stored_elements(Operand::Tile(tile)).saturating_mul(tile.dtype.size() as u64);
    let written = lanes.saturating_mul(TOUCHED).saturating_add(moved);
    let given: usize = rows.values().map(Vec::len).sum();
    let given = rows.len() as u64 * TOUCHED + given as u64;
    let all = written.saturating_mul(chunks).saturating_add(given);
    all.min(table + TOUCHED)
}

/// Bytes from the first element of a call's table to its last, that included; `None`
/// where the call has none.
#[must_use]
pub fn span_bytes(call: &Call) -> Option<u64> {
    let table = call.operand(Role::Table)?;
    Some(stored_elements(table).saturating_mul(table.dtype().size() as u64))
}

/// Whether a case is small enough to be run: a table that no memory holds, and of
/// which has no data of its own, becomes a sparse one of zeros.
pub fn settle(call: &Call, chunks: u64, table: &mut Fill) -> bool {
    let fits = |table: &Fill| case_memory(call, chunks, table) <= MAX_CASE_MEMORY;
    if fits(table) {
        return true;
    }
    let sparse = Fill::Rows(BTreeMap::new());
    let becomes = *table == DataPlan::of(call).table && call.table().is_some() && fits(&sparse);
    if becomes {
        *table = sparse;
    }
    becomes
}

/// The operand that takes most memory.
pub(crate) fn largest(call: &Call, chunks: u64) -> Role {
    let bytes = |(role, operand): &(Role, _)| operand_bytes(*role, *operand, chunks);
    let largest = call.operands().into_iter().max_by_key(bytes);
    largest.map_or(call.output(), |(role, _)| role)
}

fn operand_bytes(role: Role, operand: Operand<'_>, chunks: u64) -> u64 {
    let elements = stored_elements(operand).max(data_elements(role, operand, chunks));
    elements.saturating_mul(operand.dtype().size() as u64)
}

/// Strides of a dense row-major tensor, static, at most the largest number. An empty dimension
/// counts as one, so that no stride is 0.
pub(crate) fn dense_strides(shape: &[Dim; 5]) -> [Dim; 5] {
    let mut stride = [Dim::Static(1); 5];
    for at in (0..4).rev() {
        let (inner, extent) = (stride[at + 1].get(), shape[at + 1].get().max(1));
        stride[at] = Dim::Static(inner.saturating_mul(extent));
    }
    stride
}
