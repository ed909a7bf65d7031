//! The operands of a call and their extents, to be read and changed.

use ptodiff_case::Case;
use ptodiff_isa::{
    Argument, BLayout, Call, DType, Dim, Form, Layout, Operand, Role, SLayout, Tile,
};

/// Bytes that a row of an aligned tile is a multiple of.
const UNIT: u64 = 32;

/// Rows of a box.
const BOX_ROWS: u64 = 16;

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

/// Those of them that are tiles.
pub(super) fn tiles(call: &Call) -> Vec<Role> {
    let tile = |(role, operand): (Role, Operand<'_>)| operand.tile().map(|_| role);
    call.operands().into_iter().filter_map(tile).collect()
}

/// Those of them that are tensors.
pub(super) fn tensors(call: &Call) -> Vec<Role> {
    let tensor = |(role, operand): (Role, Operand<'_>)| operand.tensor().map(|_| role);
    call.operands().into_iter().filter_map(tensor).collect()
}

/// Those of them that hold data, not indices.
pub(super) fn data_roles(call: &Call) -> Vec<Role> {
    let mut all = roles(call);
    all.retain(|role| *role != Role::Index);
    all
}

/// The role of the data tile.
pub(super) const fn data_role(call: &Call) -> Role {
    Form::of(call).data()
}

/// Whether the operand has other data each time the call is issued.
pub(super) const fn is_chunked(role: Role) -> bool {
    !matches!(role, Role::Table | Role::Scratch)
}

/// The dimensions of an operand's data in logical order, outermost first.
///
/// Those of an NZ tensor are in the order of the table that its blocks make up
/// (000, NZ Layout).
pub(super) fn order(case: &Case, role: Role) -> Vec<(Axis, u64)> {
    let mut all = Vec::with_capacity(6);
    if is_chunked(role) {
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
pub(super) fn extent(case: &Case, role: Role, axis: Axis) -> Option<u64> {
    let mut all = order(case, role).into_iter();
    all.find_map(|(of, extent)| (of == axis).then_some(extent))
}

/// The valid extents of a tile, or the extents and strides of a tensor, to be changed.
pub(super) fn dims_mut(call: &mut Call, role: Role) -> Vec<&mut Dim> {
    if tiles(call).contains(&role) {
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
    UNIT / dtype.size() as u64
}

/// What a padded extent of a well-formed tile is a multiple of.
pub(super) const fn padding_unit(tile: &Tile, axis: Axis) -> u64 {
    let across = unit(tile.dtype);
    match (tile.slayout, tile.blayout, axis) {
        (SLayout::NoneBox, BLayout::RowMajor, Axis::Col)
        | (SLayout::NoneBox, BLayout::ColMajor, Axis::Row)
        | (SLayout::RowMajor, _, Axis::Col)
        | (SLayout::ColMajor, _, Axis::Row) => across,
        (SLayout::NoneBox, ..) => 1,
        _ => BOX_ROWS,
    }
}

/// How far a template argument, or what is told like one, is from the simplest: 0 for its
/// default, then in the order of declaration.
pub(super) fn rank(argument: &Argument) -> u64 {
    if argument.is_default() {
        return 0;
    }
    let before = argument.words.iter();
    1 + before.take_while(|one| **one != argument.value).count() as u64
}

/// What is simpler than a template argument, the simplest first.
pub(super) fn simpler(argument: &Argument) -> Vec<&'static str> {
    let rank = |value: &&'static str| rank(&Argument { value, ..*argument });
    let mut all = argument.words.to_vec();
    all.retain(|word| rank(word) < rank(&argument.value));
    all.sort_by_key(rank);
    all
}
