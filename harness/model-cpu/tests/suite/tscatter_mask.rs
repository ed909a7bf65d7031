//! TSCATTER by mask, as the cpu suite drives it.

use ptodiff_isa::{
    Call, DType, MaskAxis, MaskPadding, MaskPattern, Readings, Role, Scope, Tile, TscatterMask,
};
use strum::VariantArray;

use crate::common::{
    GUARD, GUARD_BYTE, With, col_major, counted, dynamic, full, i32s, made, ran, tile, to_i32s,
    to_u16s, u16s, word,
};

use DType::{Half, Int32};
use MaskAxis::{Col, Row};
use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};

fn call(dst: Tile, src: Tile, pattern: MaskPattern, axis: MaskAxis) -> Call {
    Call::TscatterMask(TscatterMask {
        dst,
        src,
        pattern,
        axis,
    })
}

fn readings(mask_p1111_padding: MaskPadding) -> Readings {
    Readings::default()
        .with(|c| (c.scope, c.mask_p1111_padding) = (Scope::AsTheSuite, mask_p1111_padding))
}

fn spread(call: Call, dst: &[u8], src: &[u8]) -> Vec<u8> {
    made(readings(MaskPadding::Zero), call, &[dst, src])
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
        let across = call(full(Half, [1, lanes]), full(Half, [1, 2]), pattern, Row);
        let out = spread(across, &before, &u16s(&[1, 2]));
        assert_eq!(to_u16s(&out), expected, "{pattern}");
        let down = call(full(Half, [lanes, 1]), full(Half, [2, 1]), pattern, Col);
        let out = spread(down, &before, &u16s(&[1, 2]));
        assert_eq!(to_u16s(&out), expected, "{pattern}");
    }
}

// TSCATTER-GAP-12, and the widest type there is.
#[test]
fn every_element_size_is_spread() {
    let src: Vec<u8> = (1..33).collect();
    let bytes = |cols| full(DType::Int8, [1, cols]);
    let out = spread(call(bytes(128), bytes(32), P0001, Row), &[0x55; 128], &src);
    for (group, value) in out.chunks(4).zip(1..) {
        assert_eq!(group, [value, 0, 0, 0]);
    }
    let words = |cols| full(DType::Uint64, [1, cols]);
    let out = spread(call(words(2), words(1), P1010, Row), &[0x55; 16], &src[..8]);
    assert_eq!(out, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

// TSCATTER-MASK-11: source [2, 16] of a padded [2, 20] tile, destination
// valid [2, 32] of a padded [4, 64] tile preset to 0x55.
#[test]
fn the_whole_allocation_is_zeroed() {
    let (dst, src) = (tile(Half, [4, 64], [2, 32]), tile(Half, [2, 20], [2, 16]));
    let values: Vec<u16> = (1..41).collect();
    let out = spread(call(dst, src, P1010, Row), &[0x55; 512], &u16s(&values));
    for (p, found) in to_u16s(&out).into_iter().enumerate() {
        let (r, c) = (p / 64, p % 64);
        let lane = r < 2 && c < 32 && c % 2 == 1;
        let expected = if lane { 20 * r + c / 2 + 1 } else { 0 };
        assert_eq!(usize::from(found), expected, "{r}, {c}");
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
            let out = made(
                readings(padding),
                call(shape, shape, P1111, axis),
                &operands,
            );
            for (p, found) in to_u16s(&out).into_iter().enumerate() {
                let valid = p / 32 < 2 && p % 32 < 16;
                let expected = if valid { p as u16 + 1 } else { rest };
                assert_eq!(found, expected, "{padding} {p}");
            }
        }
    }
    // No other pattern keeps anything.
    let call = call(shape, tile(Half, [4, 32], [2, 8]), P0101, Row);
    let out = to_u16s(&made(readings(MaskPadding::Kept), call, &operands));
    assert_eq!((out[1], out[16], out[127]), (0, 0, 0));
}

// TSCATTER-GAP-15: the groups lie along the logical columns.
#[test]
fn tiles_have_layouts_of_their_own() {
    // Source (0,0) (1,0) (0,1) (1,1) in memory.
    let (dst, down) = (full(Int32, [2, 4]), col_major(full(Int32, [2, 2])));
    let of = |dst| {
        to_i32s(&spread(
            call(dst, down, P1010, Row),
            &[0x55; 32],
            &counted(1, 4),
        ))
    };
    assert_eq!(of(dst), [0, 1, 0, 3, 0, 2, 0, 4]);
    assert_eq!(of(col_major(dst)), [0, 0, 1, 2, 0, 0, 3, 4]);
}

// TSCATTER-GAP-20
#[test]
fn a_zero_extent_leaves_the_zero_fill() {
    let data = full(Int32, [2, 4]);
    for valid in [[0, 4], [2, 0]] {
        let src = dynamic(tile(Int32, [2, 4], valid));
        for &pattern in MaskPattern::VARIANTS {
            let out = spread(call(data, src, pattern, Row), &[0x55; 32], &counted(1, 8));
            assert_eq!(out, [0; 32]);
        }
        let operands: [&[u8]; 2] = [&[0x55; 32], &counted(1, 8)];
        let out = made(
            readings(MaskPadding::Kept),
            call(data, src, P1111, Row),
            &operands,
        );
        assert_eq!(out, [0x55; 32]);
    }
}

// Lanes 0, 2, 4, 6 of a row of four: two of them lie behind the tile.
#[test]
fn what_comes_off_the_tile_leaves_it() {
    for (shape, axis) in [([1, 4], Row), ([4, 1], Col)] {
        let call = call(full(Int32, shape), full(Int32, shape), P0101, axis);
        let operands: [&[u8]; 2] = [&i32s(&[9; 4]), &counted(1, 4)];
        let left = ran(readings(MaskPadding::Zero), call, &operands);
        let write = |offset| word(Role::Destination, offset, true);
        assert_eq!(left.outside(), [write(16), write(24)]);
        assert_eq!(to_i32s(left.body(Role::Destination)), [1, 0, 2, 0]);
        let after = &left.image(Role::Destination)[GUARD + 16..];
        assert_eq!(after[..4], [3, 0, 0, 0]);
        assert_eq!(after[4..8], [GUARD_BYTE; 4]);
        assert_eq!(after[8..12], [4, 0, 0, 0]);
    }
}
