//! Changes of operands: types, extents, strides, layouts, and when they are known.

use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::{BLayout, Call, DType, Dim, GlobalTensor, Layout, SLayout, Tile, TileType};
use strum::VariantArray;

use super::Draft;

/// Longest side that an operand is given at once.
const SIDE: u64 = 48;

/// An operand that can be changed.
enum Mutable<'a> {
    Tile(&'a mut Tile),
    Tensor(&'a mut GlobalTensor),
}

/// The data operands of a call, then its index operand, if it has one.
fn operands(call: &mut Call) -> (Vec<Mutable<'_>>, Option<Mutable<'_>>) {
    use Mutable::{Tensor, Tile};
    match call {
        Call::Mscatter(c) => (
            vec![Tile(&mut c.src), Tensor(&mut c.table)],
            Some(Tile(&mut c.idx)),
        ),
        Call::MscatterFirst(c) => (
            vec![Tile(&mut c.src), Tensor(&mut c.table)],
            Some(Tile(&mut c.idx)),
        ),
        Call::Mgather(c) => (
            vec![Tile(&mut c.dst), Tensor(&mut c.table)],
            Some(Tile(&mut c.idx)),
        ),
        Call::MgatherL1(c) => {
            let mut data = vec![Tile(&mut c.dst), Tensor(&mut c.table)];
            data.extend(c.scratch.as_mut().map(Tensor));
            (data, Some(Tensor(&mut c.idx)))
        }
        Call::TscatterIndex(c) => (
            vec![Tile(&mut c.src), Tile(&mut c.dst)],
            Some(Tile(&mut c.idx)),
        ),
        Call::TscatterMask(c) => (vec![Tile(&mut c.src), Tile(&mut c.dst)], None),
        Call::Tgatherb(c) => (
            vec![Tile(&mut c.dst), Tile(&mut c.src)],
            Some(Tile(&mut c.offset)),
        ),
    }
}

/// Any operand.
fn one<'c>(call: &'c mut Call, choices: &mut Bytes<'_, '_>) -> Mutable<'c> {
    let (mut data, index) = operands(call);
    data.extend(index);
    // Every call has operands, and a draw is below their number.
    data.swap_remove(choices.below(data.len() as u64) as usize)
}

/// The element type of all data operands, now and then of one operand alone.
pub(super) fn dtype(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    let to = choices.pick(DType::VARIANTS);
    if choices.one_in(4) {
        retype(one(&mut draft.call, choices), to);
        return;
    }
    for operand in operands(&mut draft.call).0 {
        retype(operand, to);
    }
}

/// The element type of the indices.
pub(super) fn index_dtype(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    if let Some(index) = operands(&mut draft.call).1 {
        retype(index, choices.pick(DType::VARIANTS));
    }
}

fn retype(operand: Mutable<'_>, to: DType) {
    match operand {
        Mutable::Tile(tile) => tile.dtype = to,
        Mutable::Tensor(tensor) => tensor.dtype = to,
    }
}

/// Whether one extent or stride is known at compile time.
pub(super) fn when_known(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    let dim = match one(&mut draft.call, choices) {
        Mutable::Tile(tile) => match choices.below(2) {
            0 => &mut tile.valid_row,
            _ => &mut tile.valid_col,
        },
        Mutable::Tensor(tensor) => any_dim(tensor, choices).0,
    };
    *dim = match *dim {
        // Only at run time may an extent of a tensor be 0.
        Dim::Dynamic(0) => return,
        Dim::Dynamic(known) => Dim::Static(known),
        Dim::Static(known) => Dim::Dynamic(known),
    };
}

/// One extent or stride.
pub(super) fn extent(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    match one(&mut draft.call, choices) {
        Mutable::Tile(tile) => {
            match choices.below(4) {
                0 => tile.valid_row = other(tile.valid_row, choices),
                1 => tile.valid_col = other(tile.valid_col, choices),
                2 => tile.rows = number(tile.rows, choices).max(1),
                _ => tile.cols = number(tile.cols, choices).max(1),
            }
            tile.valid_row = at_most(tile.valid_row, tile.rows);
            tile.valid_col = at_most(tile.valid_col, tile.cols);
        }
        Mutable::Tensor(tensor) => {
            let (dim, is_extent) = any_dim(tensor, choices);
            *dim = match other(*dim, choices) {
                // Only at run time may an extent of a tensor be 0.
                Dim::Static(0) if is_extent => Dim::Dynamic(0),
                dim => dim,
            };
        }
    }
}

/// An extent or a stride of `tensor`, and whether it is an extent.
fn any_dim<'t>(tensor: &'t mut GlobalTensor, choices: &mut Bytes<'_, '_>) -> (&'t mut Dim, bool) {
    let at = choices.below(5) as usize;
    match choices.below(3) {
        0 | 1 => (&mut tensor.shape[at], true),
        _ => (&mut tensor.stride[at], false),
    }
}

/// Another number, known when the old one was.
fn other(dim: Dim, choices: &mut Bytes<'_, '_>) -> Dim {
    match dim {
        Dim::Static(old) => Dim::Static(number(old, choices)),
        Dim::Dynamic(old) => Dim::Dynamic(number(old, choices)),
    }
}

fn number(old: u64, choices: &mut Bytes<'_, '_>) -> u64 {
    match choices.below(4) {
        0 => old.saturating_sub(1),
        1 => old.saturating_add(1),
        2 => old.saturating_mul(2),
        _ => choices.below(SIDE + 1),
    }
}

fn at_most(dim: Dim, most: u64) -> Dim {
    match dim {
        Dim::Static(extent) => Dim::Static(extent.min(most)),
        Dim::Dynamic(extent) => Dim::Dynamic(extent.min(most)),
    }
}

/// One layout; of a tile also its boxes and the memory it stands in.
pub(super) fn layout(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    match one(&mut draft.call, choices) {
        Mutable::Tile(tile) => match choices.below(4) {
            0 => tile.blayout = choices.pick(BLayout::VARIANTS),
            1 => tile.slayout = choices.pick(SLayout::VARIANTS),
            2 => tile.fractal = choices.pick(&[512, 1024, 32, 1]),
            _ => tile.location = choices.pick(TileType::VARIANTS),
        },
        Mutable::Tensor(tensor) => tensor.layout = choices.pick(Layout::VARIANTS),
    }
    // The memory of its destination makes a gather the one to UB or to L1.
    match &mut draft.call {
        Call::Mgather(call) => call.dst.location = TileType::Vec,
        Call::MgatherL1(call) => call.dst.location = TileType::Mat,
        _ => {}
    }
}
