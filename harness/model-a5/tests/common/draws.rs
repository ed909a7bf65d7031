//! Legal calls at random, and operands for them.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::property_forms::any_of;

/// Valid rows and columns of all tiles of a call.
pub(crate) fn extents() -> impl Strategy<Value = (u64, u64)> {
    (1..=6_u64, 1..=40_u64)
}

/// Padding of one tile: mostly none.
pub(crate) fn padding() -> impl Strategy<Value = (u64, u64)> {
    (
        prop_oneof![3 => Just(0), 1 => 0..4_u64],
        prop_oneof![3 => Just(0), 1 => 0..9_u64],
    )
}

pub(crate) fn padded(dtype: DType, (rows, cols): (u64, u64), (below, beside): (u64, u64)) -> Tile {
    valid(dtype, rows + below, cols + beside, rows, cols)
}

/// Mostly row by row.
pub(crate) fn laid_out(tile: Tile, by_column: bool) -> Tile {
    if by_column { col_major(tile) } else { tile }
}

/// A type of each element size.
pub(crate) fn any_data() -> impl Strategy<Value = DType> {
    use DType::*;
    select(vec![Int8, Half, Float, Int64])
}

prop_compose! {
    pub(crate) fn any_tiles()(
        dtype in any_data(),
        index in select(vec![DType::Int32, DType::Uint32, DType::Uint16]),
        (rows, cols) in extents(),
        paddings in [padding(), padding(), padding()],
        by_column in prop::array::uniform3(prop::bool::weighted(0.1)),
        pattern in any_of::<MaskPattern>(),
        form in 0..3_usize,
    ) -> Call {
        let [first, second, third] = paddings;
        let size = (rows, cols);
        let src = laid_out(padded(dtype, size, first), by_column[0]);
        let idx = laid_out(padded(index, size, second), by_column[1]);
        let dst = laid_out(padded(dtype, size, third), by_column[2]);
        match form {
            0 => Call::TscatterIndex(TscatterIndex { dst, src, idx }),
            1 => {
                let factor = match pattern {
                    MaskPattern::P1111 => 1,
                    MaskPattern::P0101 | MaskPattern::P1010 => 2,
                    _ => 4,
                };
                let dst = padded(dtype, (rows, factor * cols), third);
                Call::TscatterMask(masked(pattern, laid_out(dst, by_column[2]), src))
            }
            _ => {
                let offset = Tile { dtype: DType::Uint32, ..idx };
                Call::Tgatherb(Tgatherb { dst, src, offset })
            }
        }
    }
}

/// Bytes of a tile.
pub(crate) fn area(tile: &Tile) -> usize {
    (tile.rows * tile.cols) as usize * tile.dtype.size()
}

/// Bytes of a packed tensor.
pub(crate) fn reach(tensor: &GlobalTensor) -> usize {
    let elements: u64 = tensor.shape.iter().map(|dim| dim.get()).product();
    elements as usize * tensor.dtype.size()
}

/// Bytes of each operand of a call.
fn sizes(call: &Call) -> Vec<(Role, usize)> {
    match call {
        Call::Mscatter(c) => vec![
            (Role::Table, reach(&c.table)),
            (Role::Source, area(&c.src)),
            (Role::Index, area(&c.idx)),
        ],
        Call::Mgather(c) => vec![
            (Role::Table, reach(&c.table)),
            (Role::Destination, area(&c.dst)),
            (Role::Index, area(&c.idx)),
        ],
        Call::MgatherL1(c) => vec![
            (Role::Table, reach(&c.table)),
            (Role::Destination, area(&c.dst)),
            (Role::Index, reach(&c.idx)),
            (Role::Scratch, c.scratch.as_ref().map_or(0, reach)),
        ],
        Call::TscatterIndex(c) => vec![
            (Role::Destination, area(&c.dst)),
            (Role::Source, area(&c.src)),
            (Role::Index, area(&c.idx)),
        ],
        Call::TscatterMask(c) => vec![
            (Role::Destination, area(&c.dst)),
            (Role::Source, area(&c.src)),
        ],
        Call::Tgatherb(c) => vec![
            (Role::Destination, area(&c.dst)),
            (Role::Source, area(&c.src)),
            (Role::Index, area(&c.offset)),
        ],
        Call::MscatterFirst(_) => unreachable!("none is drawn"),
    }
}

/// Operands of a call: each byte drawn, indices below `end`.
pub(crate) fn operands(call: &Call, end: u64, cut: [usize; 4], seed: u64) -> Memory {
    let mut state = seed;
    let mut draw = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 33
    };
    let parts: Vec<(Role, Vec<u8>)> = sizes(call)
        .into_iter()
        .zip(cut)
        .map(|((role, size), cut)| {
            let size = size.saturating_sub(cut);
            let mut body: Vec<u8> = (0..size).map(|_| draw() as u8).collect();
            if role == Role::Index {
                let short = matches!(call, Call::TscatterIndex(c) if c.idx.dtype.size() == 2);
                for word in body.chunks_mut(if short { 2 } else { 4 }) {
                    let bits = ((draw() % end) as u32).to_le_bytes();
                    word.copy_from_slice(&bits[..word.len()]);
                }
            }
            (role, body)
        })
        .collect();
    memory(&parts)
}

/// The first index of a call that is none of its own.
pub(crate) fn limit(call: &Call) -> u64 {
    match call {
        Call::Mscatter(Mscatter { table, mode, .. })
        | Call::Mgather(Mgather { table, mode, .. })
        | Call::MgatherL1(MgatherL1 { table, mode, .. }) => match mode {
            Coalesce::Row => table.shape[3].get(),
            Coalesce::Elem => table.shape[3].get() * table.shape[4].get(),
        },
        Call::TscatterIndex(c) => c.dst.rows * c.dst.cols,
        Call::Tgatherb(c) => area(&c.src) as u64,
        _ => 1,
    }
}
