//! TSCATTER and TGATHERB against plain loops.

use proptest::{prelude::*, sample::select};
use ptodiff_isa::{
    BLayout, Call, DType, Dim, MaskAxis, MaskPattern, OffsetGranularity, Readings, Role, Scope,
    Space::Ub, Tgatherb, Tile, TscatterIndex, TscatterMask, UnalignedOffset,
};

use crate::{
    common::tile,
    plain::{Plain, body, compare, cut, dtypes, indices, offset},
};

/// A tile that holds `valid`, padded or not.
fn around(valid: [u64; 2]) -> impl Strategy<Value = Tile> {
    let pad = || prop_oneof![2 => Just(0), 1 => 0..9_u64];
    let layout = prop_oneof![4 => Just(BLayout::RowMajor), 1 => Just(BLayout::ColMajor)];
    (pad(), pad(), layout).prop_map(move |(rows, cols, blayout)| Tile {
        blayout,
        ..tile(DType::Int8, [valid[0] + rows, valid[1] + cols], valid)
    })
}

fn of(dtype: DType, tile: Tile) -> Tile {
    Tile { dtype, ..tile }
}

/// Three tiles, the last one for what belongs to the first.
fn tiles() -> impl Strategy<Value = (Tile, Tile, Tile)> {
    [1..6_u64, 1..40_u64].prop_flat_map(|valid| (around(valid), around(valid), around(valid)))
}

fn bytes_of(tile: &Tile) -> usize {
    (tile.rows * tile.cols) as usize * tile.dtype.size()
}

fn scatter(call: &TscatterIndex, plain: &mut Plain) {
    let (width, index_width) = (call.src.dtype.size(), call.idx.dtype.size());
    for r in 0..call.src.valid_row.get() {
        for c in 0..call.src.valid_col.get() {
            let index = plain.index(Ub, offset(&call.idx, r, c, index_width), index_width);
            let value = plain.load(Ub, Role::Source, offset(&call.src, r, c, width), width);
            plain.store(Ub, Role::Destination, index * width as i64, &value);
        }
    }
}

fn expand(call: &TscatterMask, [factor, lane]: [u64; 2], plain: &mut Plain) {
    let width = call.src.dtype.size();
    plain.clear(None, Ub, Role::Destination, bytes_of(&call.dst));
    for r in 0..call.src.valid_row.get() {
        for c in 0..call.src.valid_col.get() {
            let value = plain.load(Ub, Role::Source, offset(&call.src, r, c, width), width);
            let to = offset(&call.dst, r, factor * c + lane, width);
            plain.store(Ub, Role::Destination, to, &value);
        }
    }
}

/// Units of `unit` bytes, of which a row keeps what it has room for.
fn gather(call: &Tgatherb, unit: usize, rounded: bool, plain: &mut Plain) {
    let width = call.dst.dtype.size();
    let padded = call.dst.cols as usize * width;
    let valid = call.dst.valid_col.get() as usize * width;
    for r in 0..call.dst.valid_row.get() {
        for k in 0..valid.div_ceil(unit) {
            let mut from = plain.index(Ub, offset(&call.offset, r, k as u64, 4), 4);
            if rounded {
                from -= from % unit as i64;
            }
            let bytes = plain.load(Ub, Role::Source, from, unit);
            let (to, room) = match unit == width {
                true => (offset(&call.dst, r, k as u64, width), unit),
                false => (
                    offset(&call.dst, r, 0, width) + (k * unit) as i64,
                    unit.min(padded - k * unit),
                ),
            };
            plain.store(Ub, Role::Destination, to, &bytes[..room]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn tscatter_by_index(
        (src, dst, idx) in tiles(),
        dtype in dtypes(),
        index in select(vec![DType::Uint16, DType::Uint32]),
        cuts in [cut(), cut(), cut()],
        seed in any::<u32>(),
    ) {
        let (dst, src, idx) = (of(dtype, dst), of(dtype, src), of(index, idx));
        let call = TscatterIndex { dst, src, idx };
        let count = (idx.rows * idx.cols) as usize;
        let chosen = indices(count, index.size(), dst.rows * dst.cols, seed, cuts[2]);
        let operands = [
            (Role::Destination, body(bytes_of(&dst), cuts[0])),
            (Role::Source, body(bytes_of(&src), cuts[1])),
            (Role::Index, chosen),
        ];
        let readings = Readings::default();
        compare(Call::TscatterIndex(call), readings, operands, |plain| scatter(&call, plain))?;
    }

    #[test]
    fn tscatter_by_mask(
        (src, mut dst, _) in tiles(),
        dtype in dtypes(),
        (pattern, lanes) in select(vec![
            (MaskPattern::P1111, [1, 0]),
            (MaskPattern::P0101, [2, 0]),
            (MaskPattern::P1010, [2, 1]),
            (MaskPattern::P0001, [4, 0]),
            (MaskPattern::P0010, [4, 1]),
            (MaskPattern::P0100, [4, 2]),
            (MaskPattern::P1000, [4, 3]),
        ]),
        cuts in [cut(), cut()],
    ) {
        let extra = dst.cols - dst.valid_col.get();
        dst.valid_col = Dim::Static(lanes[0] * dst.valid_col.get());
        dst.cols = dst.valid_col.get() + extra;
        let (dst, src) = (of(dtype, dst), of(dtype, src));
        let call = TscatterMask { dst, src, pattern, axis: MaskAxis::Row };
        let operands = [
            (Role::Destination, body(bytes_of(&dst), cuts[0])),
            (Role::Source, body(bytes_of(&src), cuts[1])),
        ];
        let readings = Readings { scope: Scope::AsTheSuite, ..Readings::default() };
        compare(Call::TscatterMask(call), readings, operands, |plain| {
            expand(&call, lanes, plain);
        })?;
    }

    #[test]
    fn tgatherb(
        (dst, src, offset) in tiles(),
        dtype in select(vec![DType::Int8, DType::Half, DType::Float]),
        granularity in select(vec![OffsetGranularity::Element, OffsetGranularity::Block]),
        rounded in any::<bool>(),
        cuts in [cut(), cut(), cut()],
        seed in any::<u32>(),
    ) {
        let (dst, src) = (of(dtype, dst), of(dtype, src));
        let call = Tgatherb { dst, src, offset: of(DType::Uint32, offset) };
        let unit = match granularity {
            OffsetGranularity::Element => dtype.size(),
            OffsetGranularity::Block => 32,
        };
        let count = (offset.rows * offset.cols) as usize;
        let capacity = (bytes_of(&src) as u64 + 1).saturating_sub(unit as u64);
        let operands = [
            (Role::Destination, body(bytes_of(&dst), cuts[0])),
            (Role::Source, body(bytes_of(&src), cuts[1])),
            (Role::Index, indices(count, 4, capacity, seed, cuts[2])),
        ];
        let readings = Readings {
            tgatherb_granularity: granularity,
            tgatherb_unaligned: match rounded {
                true => UnalignedOffset::RoundedDown,
                false => UnalignedOffset::ByteExact,
            },
            ..Readings::default()
        };
        compare(Call::Tgatherb(call), readings, operands, |plain| {
            gather(&call, unit, rounded, plain);
        })?;
    }
}
