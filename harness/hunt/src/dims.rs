//! Extents of operands.

use ptodiff_isa::{Dim, GlobalTensor, Layout};

/// The same kind of dimension with another value.
pub(crate) const fn sized(dim: Dim, value: u64) -> Dim {
    match dim {
        Dim::Static(_) => Dim::Static(value),
        Dim::Dynamic(_) => Dim::Dynamic(value),
    }
}

/// Elements of these extents, 2^64 - 1 at most.
pub(crate) fn product(dims: &[Dim]) -> u64 {
    let dims = dims.iter();
    dims.fold(1, |all: u64, dim| all.saturating_mul(dim.get()))
}

/// Rows or elements of a table that indices select among; of rows those of the `outer`
/// dimensions may count too (MSCATTER-CAP-01 to -06 and their kin).
pub(crate) fn table_slots(table: &GlobalTensor, by_row: bool, outer: bool) -> u64 {
    product(match (by_row, table.layout) {
        (false, _) => &table.shape,
        (true, Layout::NZ) => &table.shape[2..4],
        (true, Layout::ND | Layout::DN) if outer => &table.shape[..4],
        (true, Layout::ND | Layout::DN) => &table.shape[3..4],
    })
}
