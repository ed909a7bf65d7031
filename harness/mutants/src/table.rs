//! Where things stand in a table in GM.

use ptodiff_isa::GlobalTensor;

/// The product of the first `n` extents.
pub(crate) fn product(table: &GlobalTensor, n: usize) -> u64 {
    let extents = table.shape[..n].iter();
    extents.fold(1, |all: u64, d| all.saturating_mul(d.get()))
}

/// Logical columns of an NZ table.
pub(crate) fn nz_cols(table: &GlobalTensor) -> u64 {
    let [batches, blocks, .., width] = table.shape.map(|d| d.get());
    batches.saturating_mul(blocks).saturating_mul(width).max(1)
}

/// Number in an NZ table of column `c` of row `selected`, or of slot
/// `selected` where rows are not what is selected.
pub(crate) fn nz_place(table: &GlobalTensor, row: bool, selected: i64, c: u64) -> i64 {
    let selected = u64::try_from(selected).unwrap_or(u64::MAX / 2);
    let cols = nz_cols(table);
    let (r, c) = if row {
        (selected, c)
    } else {
        (selected / cols, selected % cols)
    };
    nz_at(table, table.stride.map(|d| d.get()), r, c)
}

/// Number of logical `(r, c)` in an NZ table of these strides.
pub(crate) fn nz_at(table: &GlobalTensor, strides: [u64; 5], r: u64, c: u64) -> i64 {
    let [_, blocks, _, height, width] = table.shape.map(|d| d.get().max(1));
    let block = c / width;
    let digits = [
        block / blocks,
        block % blocks,
        r / height,
        r % height,
        c % width,
    ];
    let parts = digits.into_iter().zip(strides);
    let at = parts.fold(0, |at: u64, (digit, stride)| {
        at.saturating_add(digit.saturating_mul(stride))
    });
    i64::try_from(at).unwrap_or(i64::MAX)
}
