//! What shape and strides of a tensor amount to.

use ptodiff_isa::GlobalTensor;

/// The extents of `table`.
pub(crate) fn extents(table: &GlobalTensor) -> [u64; 5] {
    table.shape.map(|d| d.get())
}

/// Its strides.
pub(crate) fn strides(table: &GlobalTensor) -> [u64; 5] {
    table.stride.map(|d| d.get())
}

/// As many as these extents have.
pub(crate) fn product(extents: &[u64]) -> u64 {
    extents.iter().fold(1, |p, &d| p.saturating_mul(d))
}

/// The elements from the first of `table` to the last that shape and strides
/// reach; `None` if there are none or too many to count.
pub(crate) fn reach(table: &GlobalTensor) -> Option<u64> {
    let mut last = 0_u64;
    for (extent, stride) in extents(table).into_iter().zip(strides(table)) {
        let steps = extent.checked_sub(1)?;
        last = last.checked_add(steps.checked_mul(stride)?)?;
    }
    last.checked_add(1)
}

/// Whether the elements stand side by side, the last dimension first.
pub(crate) fn contiguous(tensor: &GlobalTensor) -> bool {
    let mut expected = 1_u64;
    extents(tensor)
        .into_iter()
        .zip(strides(tensor))
        .rev()
        .all(|(extent, stride)| {
            let nested = extent <= 1 || stride == expected;
            expected = expected.saturating_mul(extent);
            nested
        })
}

/// Whether the outer dimensions continue the pitch of dimension 3.
pub(crate) fn outer_packed(table: &GlobalTensor) -> bool {
    let [d0, d1, d2, d3, _] = extents(table);
    let [s0, s1, s2, s3, _] = strides(table);
    let mut packed = true;
    let mut expected = s3;
    for (inner, outer, stride) in [(d3, d2, s2), (d2, d1, s1), (d1, d0, s0)] {
        expected = expected.saturating_mul(inner);
        packed &= outer <= 1 || stride == expected;
    }
    packed
}

/// Whether rows do not overlap and their elements stand side by side
/// (MSCATTER-GAP-82, MGATHER-GAP-71). The stride of a single one is not used.
pub(crate) fn rows_apart(table: &GlobalTensor) -> bool {
    let [outer @ .., d4] = extents(table);
    let [.., s3, s4] = strides(table);
    let rows = outer.iter().any(|&d| d > 1);
    (!rows || s3 >= d4) && (d4 <= 1 || s4 == 1)
}

/// Whether rows stand `width` apart, the elements of each side by side.
pub(crate) fn rows_packed(table: &GlobalTensor, width: u64) -> bool {
    let [.., d3, d4] = extents(table);
    let [.., s3, s4] = strides(table);
    (d3 <= 1 || s3 == width) && (d4 <= 1 || s4 == 1)
}
