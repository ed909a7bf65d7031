//! TSCATTER: by index, which counts slots or under TSCATTER-GAP-22 rows, and by mask, as
//! the cpu suite drives it.

use ptodiff_isa::{
    Call, DType, MaskAxis, MaskPadding, MaskPattern, Readings, ScatterExtent, ScatterIndex,
    ScatterRange, Scope, Tile, TscatterIndex, TscatterMask,
};
use strum::VariantArray;

use crate::common::{With, counted, full, i32s, made, reading, tile, to_i32s, to_u16s, u16s};

use DType::{Half, Int32};
use MaskAxis::{Col, Row};
use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};

fn call([dst, src, idx]: [Tile; 3]) -> Call {
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

/// Scatters 1, 2, 3, .. into words of -1, under any range, which must not matter.
fn scattered(readings: Readings, tiles: [Tile; 3], indices: &[i32]) -> Vec<i32> {
    let [dst, src] = [tiles[0], tiles[1]].map(|tile| (tile.rows * tile.cols) as usize);
    let operands: [&[u8]; 3] = [&i32s(&vec![-1; dst]), &counted(1, src), &i32s(indices)];
    let [out, valid] = [ScatterRange::Storage, ScatterRange::Valid].map(|tscatter_range| {
        let readings = readings.with(|c| c.tscatter_range = tscatter_range);
        made(readings, call(tiles), &operands)
    });
    assert_eq!(out, valid);
    to_i32s(&out)
}

// TSCATTER-SEM-02, TSCATTER-GAP-03: two valid columns of the source, three of the index.
#[test]
fn the_source_or_the_index_says_how_much_is_scattered() {
    let (src, idx) = (tile(Int32, [2, 4], [1, 2]), tile(Int32, [2, 4], [1, 3]));
    let tiles = [full(Int32, [2, 4]), src, idx];
    for (extent, third) in [(ScatterExtent::Source, -1), (ScatterExtent::Index, 3)] {
        let mut readings = reading(|r| r.tscatter_extent = extent);
        let indices = [6, 5, 0, 7, 7, 7, 7, 7];
        let out = scattered(readings, tiles, &indices);
        assert_eq!(out, [third, -1, -1, -1, -1, 2, 1, -1], "{extent}");
        readings.tscatter_index = ScatterIndex::Row;
        let out = scattered(readings, tiles, &[1, 0, 1, 1, 0, 0, 0, 0]);
        assert_eq!(out, [-1, 2, -1, -1, 1, -1, third, -1], "{extent}");
    }
}

fn mask(dst: Tile, src: Tile, pattern: MaskPattern, axis: MaskAxis) -> Call {
    Call::TscatterMask(TscatterMask {
        dst,
        src,
        pattern,
        axis,
    })
}

fn suite(mask_p1111_padding: MaskPadding) -> Readings {
    Readings::default()
        .with(|c| (c.scope, c.mask_p1111_padding) = (Scope::AsTheSuite, mask_p1111_padding))
}

fn spread(call: Call, dst: &[u8], src: &[u8]) -> Vec<u8> {
    made(suite(MaskPadding::Zero), call, &[dst, src])
}

// TSCATTER-MASK-01 to -09; by column, row i goes to row F * i + pos.
#[test]
fn each_pattern_has_its_lane() {
    for (pattern, expected) in [
        (P1111, &[1, 2][..]),
        (P0101, &[1, 0, 2, 0]),
        (P1010, &[0, 1, 0, 2]),
        (P0001, &[1, 0, 0, 0, 2, 0, 0, 0]),
        (P0010, &[0, 1, 0, 0, 0, 2, 0, 0]),
        (P0100, &[0, 0, 1, 0, 0, 0, 2, 0]),
        (P1000, &[0, 0, 0, 1, 0, 0, 0, 2]),
    ] {
        let lanes = expected.len() as u64;
        let before = vec![0x55; 2 * expected.len()];
        let across = mask(full(Half, [1, lanes]), full(Half, [1, 2]), pattern, Row);
        let out = spread(across, &before, &u16s(&[1, 2]));
        assert_eq!(to_u16s(&out), expected, "{pattern}");
        let down = mask(full(Half, [lanes, 1]), full(Half, [2, 1]), pattern, Col);
        let out = spread(down, &before, &u16s(&[1, 2]));
        assert_eq!(to_u16s(&out), expected, "{pattern}");
    }
}

// TSCATTER-GAP-13: half tile [4, 32], valid [2, 16].
#[test]
fn p1111_may_keep_its_padding() {
    let shape = tile(Half, [4, 32], [2, 16]);
    let src: Vec<u16> = (1..129).collect();
    let operands: [&[u8]; 2] = [&[0x55; 256], &u16s(&src)];
    for &axis in MaskAxis::VARIANTS {
        for (padding, rest) in [(MaskPadding::Zero, 0), (MaskPadding::Kept, 0x5555)] {
            let out = made(suite(padding), mask(shape, shape, P1111, axis), &operands);
            for (p, found) in to_u16s(&out).into_iter().enumerate() {
                let valid = p / 32 < 2 && p % 32 < 16;
                let expected = if valid { p as u16 + 1 } else { rest };
                assert_eq!(found, expected, "{padding} {p}");
            }
        }
    }
    // No other pattern keeps anything.
    let call = mask(shape, tile(Half, [4, 32], [2, 8]), P0101, Row);
    let out = to_u16s(&made(suite(MaskPadding::Kept), call, &operands));
    assert_eq!((out[1], out[16], out[127]), (0, 0, 0));
}
