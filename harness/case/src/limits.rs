//! How large a case may be. Every check is arithmetic: nothing is allocated first.

use std::collections::BTreeMap;

use ptodiff_data::place;
use ptodiff_isa::{Call, Dim, GlobalTensor, Operand, Role, Tile};

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

/// Elements of an operand that data is made for, over all chunks; `None` past 2^64.
///
/// A tile has the next part of its data in each chunk, and so has an index
/// tensor; the other tensors are the same for all.
#[must_use]
pub fn data_elements(role: Role, operand: Operand<'_>, chunks: u64) -> Option<u64> {
    let elements = place::count(&place::extents(operand))?;
    match operand.tile().is_some() || role == Role::Index {
        true => elements.checked_mul(chunks),
        false => Some(elements),
    }
}

/// Elements in a tile's padded image; `None` past 2^64.
fn padded_elements(tile: &Tile) -> Option<u64> {
    tile.rows.checked_mul(tile.cols)
}

/// Elements from a tensor's first to its last, inclusive; `None` past 2^64.
fn span_elements(tensor: &GlobalTensor) -> Option<u64> {
    if tensor.shape.iter().any(|dim| dim.get() == 0) {
        return Some(0);
    }
    let reach = |(extent, stride): (&Dim, &Dim)| (extent.get() - 1).checked_mul(stride.get());
    tensor
        .shape
        .iter()
        .zip(&tensor.stride)
        .try_fold(1_u64, |sum, pair| sum.checked_add(reach(pair)?))
}

/// Elements of an operand's body: the padded image of a tile, a tensor from
/// its first element to its last; `None` past 2^64.
#[must_use]
pub fn stored_elements(operand: Operand<'_>) -> Option<u64> {
    match operand {
        Operand::Tile(tile) => padded_elements(tile),
        Operand::Tensor(tensor) => span_elements(tensor),
    }
}

/// Bytes of memory that running a case takes, issued `chunks` times, with a table
/// that is filled so; `None` past 2^64, and where a sparse table spans too much.
#[must_use]
pub fn case_memory(call: &Call, chunks: u64, table: &Fill) -> Option<u64> {
    memory(call, chunks, rows_given(table))
}

/// As [`case_memory`], where so many rows of a sparse table are given with so many bytes.
pub(crate) fn memory(call: &Call, chunks: u64, sparse: Option<[u64; 2]>) -> Option<u64> {
    let lanes = match call.operand(Role::Index) {
        Some(index) => data_elements(Role::Index, index, 1)?,
        None => 0,
    };
    let mut operands = 0_u64;
    for (role, operand) in call.operands() {
        let bytes = match sparse.filter(|_| role == Role::Table) {
            Some(given) => touched(call, (lanes, chunks), given)?,
            None => operand_bytes(role, operand, chunks)?,
        };
        operands = operands.checked_add(bytes)?;
    }
    let copies = operands.checked_mul(COPIES)?;
    copies.checked_add(lanes.checked_mul(LANE_BYTES)?)
}

/// Bytes of a sparse table that have memory: the rows that are given, and a row of
/// the data tile or an element of it for each of the lanes.
fn touched(call: &Call, (lanes, chunks): (u64, u64), [rows, bytes]: [u64; 2]) -> Option<u64> {
    let table = span_bytes(call)?;
    if table > MAX_SPARSE {
        return None;
    }
    let tile = padded_elements(call.data_tile())?;
    let moved = tile.checked_mul(call.data_tile().dtype.size() as u64)?;
    let written = lanes.checked_mul(TOUCHED)?.checked_add(moved)?;
    let given = rows.checked_mul(TOUCHED)?.checked_add(bytes)?;
    let all = written.checked_mul(chunks)?.checked_add(given)?;
    Some(all.min(table.checked_add(TOUCHED)?))
}

/// Bytes from the first element of a call's table to its last, that included; `None`
/// past 2^64 and where the call has none.
#[must_use]
pub fn span_bytes(call: &Call) -> Option<u64> {
    let table = call.operand(Role::Table)?;
    stored_elements(table)?.checked_mul(table.dtype().size() as u64)
}

/// Whether a case is small enough to be run: a table that no memory holds, and of
/// which has no data of its own, becomes a sparse one of zeros.
pub fn settle(call: &Call, chunks: u64, table: &mut Fill) -> bool {
    let fits = |table: &Fill| {
        let memory = case_memory(call, chunks, table);
        memory.is_some_and(|bytes| bytes <= MAX_CASE_MEMORY)
    };
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

/// How many rows of a sparse table are given, and how many bytes.
fn rows_given(table: &Fill) -> Option<[u64; 2]> {
    let Fill::Rows(rows) = table else { return None };
    let bytes: usize = rows.values().map(Vec::len).sum();
    Some([rows.len() as u64, bytes as u64])
}

/// The operand that takes most memory.
pub(crate) fn largest(call: &Call, chunks: u64) -> Option<Role> {
    let bytes =
        |(role, operand): &(Role, _)| operand_bytes(*role, *operand, chunks).unwrap_or(u64::MAX);
    let largest = call.operands().into_iter().max_by_key(bytes);
    largest.map(|(role, _)| role)
}

fn operand_bytes(role: Role, operand: Operand<'_>, chunks: u64) -> Option<u64> {
    let stored = stored_elements(operand)?;
    let elements = stored.max(data_elements(role, operand, chunks)?);
    elements.checked_mul(operand.dtype().size() as u64)
}

/// Strides of a dense row-major tensor, static; `None` past 2^64. An empty
/// dimension counts as one, so that no stride is 0.
pub(crate) fn dense_strides(shape: &[Dim; 5]) -> Option<[Dim; 5]> {
    let mut stride = [Dim::Static(1); 5];
    for at in (0..4).rev() {
        let inner = stride[at + 1]
            .get()
            .checked_mul(shape[at + 1].get().max(1))?;
        stride[at] = Dim::Static(inner);
    }
    Some(stride)
}
