//! The operands of a call and their extents, to be read and changed.

use ptodiff_case::Case;
use ptodiff_isa::{BLayout, Call, DType, Dim, Form, GlobalTensor, Layout, Operand, Role};
use ptodiff_isa::{SLayout, Tile};

use crate::dims::sized;

/// A dimension of an operand's data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    /// One entry for each time the call is issued.
    Chunk,
    /// The rows of a tile.
    Row,
    /// The columns of a tile.
    Col,
    /// A dimension of a tensor, 0 the outermost.
    Dim(usize),
}

/// The operands of `call` in their order.
pub(super) fn roles(call: &Call) -> Vec<Role> {
    call.operands().into_iter().map(|(role, _)| role).collect()
}

/// The role of the data tile.
pub(super) const fn data_role(call: &Call) -> Role {
    Form::of(call).data()
}

/// The dimensions of an operand's data in logical order, outermost first.
///
/// Those of an NZ tensor are in the order of the table that its blocks make up
/// (000, NZ Layout).
pub(super) fn order(case: &Case, role: Role) -> Vec<(Axis, u64)> {
    let mut all = Vec::with_capacity(6);
    if !matches!(role, Role::Table | Role::Scratch) {
        all.push((Axis::Chunk, u64::from(case.chunks)));
    }
    match case.call.operand(role) {
        Some(Operand::Tile(tile)) => {
            all.push((Axis::Row, tile.valid_row.get()));
            all.push((Axis::Col, tile.valid_col.get()));
        }
        Some(Operand::Tensor(tensor)) => {
            let order = match tensor.layout {
                Layout::NZ => [2, 3, 0, 1, 4],
                Layout::ND | Layout::DN => [0, 1, 2, 3, 4],
            };
            all.extend(order.map(|at| (Axis::Dim(at), tensor.shape[at].get())));
        }
        None => {}
    }
    all
}

/// An extent of an operand's data; `None` where it has no such dimension.
pub(super) fn extent(case: &Case, (role, axis): (Role, Axis)) -> Option<u64> {
    let mut all = order(case, role).into_iter();
    all.find_map(|(of, extent)| (of == axis).then_some(extent))
}

/// Gives a dimension of an operand the extent `to`, but its data as it was. A tile is
/// padded as far as it has to be; a tensor keeps its gaps.
pub(super) fn set_extent(case: &mut Case, (role, axis): (Role, Axis), to: u64) {
    if axis == Axis::Chunk {
        case.chunks = u32::try_from(to).unwrap_or(case.chunks);
    } else if let Axis::Dim(at) = axis
        && let Some(tensor) = case.call.tensor_mut(role)
    {
        let before = *tensor;
        tensor.shape[at] = sized(tensor.shape[at], to);
        restride(tensor, &before, 5);
    } else if let Some(tile) = case.call.tile_mut(role) {
        let (padded, dim) = along(tile, axis);
        *dim = sized(*dim, to);
        *padded = (*padded).max(to);
    }
}

/// The padded and the valid extent of a tile.
pub(super) const fn along(tile: &mut Tile, axis: Axis) -> (&mut u64, &mut Dim) {
    match axis {
        Axis::Row => (&mut tile.rows, &mut tile.valid_row),
        _ => (&mut tile.cols, &mut tile.valid_col),
    }
}

/// The valid extents of a tile, or the extents and strides of a tensor, to be changed.
pub(super) fn dims_mut(call: &mut Call, role: Role) -> Vec<&mut Dim> {
    if call.operand(role).is_some_and(|o| o.tile().is_some()) {
        let tile = call.tile_mut(role).into_iter();
        return tile
            .flat_map(|tile| [&mut tile.valid_row, &mut tile.valid_col])
            .collect();
    }
    let tensor = call.tensor_mut(role).into_iter();
    tensor
        .flat_map(|tensor| tensor.shape.iter_mut().chain(&mut tensor.stride))
        .collect()
}

/// Elements of `dtype` in 32 bytes.
pub(super) const fn unit(dtype: DType) -> u64 {
    32 / dtype.size() as u64
}

/// What a padded extent of a well-formed tile is a multiple of.
pub(super) const fn padding_unit(tile: &Tile, axis: Axis) -> u64 {
    match (tile.slayout, tile.blayout, axis) {
        (SLayout::NoneBox, BLayout::RowMajor, Axis::Col)
        | (SLayout::NoneBox, BLayout::ColMajor, Axis::Row)
        | (SLayout::RowMajor, _, Axis::Col)
        | (SLayout::ColMajor, _, Axis::Row) => unit(tile.dtype),
        (SLayout::NoneBox, ..) => 1,
        // Rows of a box.
        _ => 16,
    }
}

/// The stride of dimension `at` under which it leaves no gaps.
pub(super) fn packed_stride(tensor: &GlobalTensor, at: usize) -> u64 {
    match (tensor.stride.get(at + 1), tensor.shape.get(at + 1)) {
        // An empty dimension counts as one, so that no stride is 0.
        (Some(stride), Some(extent)) => stride.get().saturating_mul(extent.get().max(1)),
        _ => 1,
    }
}

/// Gives `tensor`, whose shape or inner strides changed, strides that leave the
/// gaps that `before` left, outwards of dimension `inner`. Strides under which
/// elements share a place stay.
pub(super) fn restride(tensor: &mut GlobalTensor, before: &GlobalTensor, inner: usize) {
    for at in (0..inner).rev() {
        let stride = before.stride[at];
        let gap = stride.get().checked_sub(packed_stride(before, at));
        if let Some(gap) = gap {
            let packed = packed_stride(tensor, at);
            tensor.stride[at] = sized(stride, packed.saturating_add(gap));
        }
    }
}

/// Strides without gaps, all known at compile time.
pub(super) fn pack(tensor: &mut GlobalTensor) {
    for at in (0..5).rev() {
        tensor.stride[at] = Dim::Static(packed_stride(tensor, at));
    }
}
