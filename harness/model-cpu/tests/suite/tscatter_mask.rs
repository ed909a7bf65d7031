//! TSCATTER by mask, as the cpu suite drives it.

use ptodiff_isa::{
    Call, DType, Dim, MaskAxis, MaskPadding, MaskPattern, Memory, OobAccess, Readings, Role, Scope,
    Tile, TscatterMask,
};

use crate::common::{
    GUARD, GUARD_BYTE, col_major, counted, dynamic, full, i32s, made, memory_of, run_under, tile,
    to_i32s, to_u16s, u16s,
};

use MaskAxis::{Col, Row};
use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};

const ALL: [MaskPattern; 7] = [P0101, P1010, P0001, P0010, P0100, P1000, P1111];

fn call(dst: Tile, src: Tile, pattern: MaskPattern, axis: MaskAxis) -> TscatterMask {
    TscatterMask {
        dst,
        src,
        pattern,
        axis,
    }
}

fn readings(padding: MaskPadding) -> Readings {
    Readings {
        scope: Scope::AsTheSuite,
        mask_p1111_padding: padding,
        ..Readings::default()
    }
}

fn memory(dst: &[u8], src: &[u8]) -> Memory {
    memory_of(&[(Role::Destination, dst), (Role::Source, src)])
}

fn spread(call: TscatterMask, dst: &[u8], src: &[u8]) -> Vec<u8> {
    let call = Call::TscatterMask(call);
    made(readings(MaskPadding::Zero), &call, &memory(dst, src))
}

/// A row of half patterns spread into a row of `0x5555`s.
fn row(pattern: MaskPattern, src: &[u16], len: usize) -> Vec<u16> {
    let call = call(
        full(DType::Half, [1, len as u64]),
        full(DType::Half, [1, src.len() as u64]),
        pattern,
        Row,
    );
    to_u16s(&spread(call, &vec![0x55; 2 * len], &u16s(src)))
}

// TSCATTER-MASK-01 to -09
#[test]
fn each_pattern_has_its_lane() {
    assert_eq!(row(P1010, &[1, 2, 3, 4], 8), [0, 1, 0, 2, 0, 3, 0, 4]);
    assert_eq!(row(P0101, &[1, 2], 4), [1, 0, 2, 0]);
    assert_eq!(row(P1010, &[1, 2], 4), [0, 1, 0, 2]);
    assert_eq!(row(P0001, &[1, 2], 8), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(row(P0010, &[1, 2], 8), [0, 1, 0, 0, 0, 2, 0, 0]);
    assert_eq!(row(P0100, &[1, 2], 8), [0, 0, 1, 0, 0, 0, 2, 0]);
    assert_eq!(row(P1000, &[1, 2], 8), [0, 0, 0, 1, 0, 0, 0, 2]);
    assert_eq!(row(P1111, &[1, 2, 3, 4], 4), [1, 2, 3, 4]);
}

// TSCATTER-GAP-12, and the widest type there is.
#[test]
fn every_element_size_is_spread() {
    let src: Vec<u8> = (1..33).collect();
    let bytes = call(
        full(DType::Int8, [1, 128]),
        full(DType::Int8, [1, 32]),
        P0001,
        Row,
    );
    let out = spread(bytes, &[0x55; 128], &src);
    for (group, value) in out.chunks(4).zip(1..) {
        assert_eq!(group, [value, 0, 0, 0]);
    }
    let words = call(
        full(DType::Uint64, [1, 2]),
        full(DType::Uint64, [1, 1]),
        P1010,
        Row,
    );
    let out = spread(words, &[0x55; 16], &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(out, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

// TSCATTER-MASK-11: source [2, 16] of a padded [2, 20] tile, destination
// valid [2, 32] of a padded [4, 64] tile preset to 0x55.
#[test]
fn the_whole_allocation_is_zeroed() {
    let call = call(
        tile(DType::Half, [4, 64], [2, 32]),
        tile(DType::Half, [2, 20], [2, 16]),
        P1010,
        Row,
    );
    let src: Vec<u16> = (1..41).collect();
    let out = to_u16s(&spread(call, &[0x55; 512], &u16s(&src)));
    for (p, found) in out.iter().enumerate() {
        let (r, c) = (p / 64, p % 64);
        let lane = r < 2 && c < 32 && c % 2 == 1;
        let expected = if lane { 20 * r + c / 2 + 1 } else { 0 };
        assert_eq!(usize::from(*found), expected, "{r}, {c}");
    }
}

// TSCATTER-GAP-13: half tile [4, 32], valid [2, 16].
#[test]
fn p1111_may_keep_its_padding() {
    let shape = tile(DType::Half, [4, 32], [2, 16]);
    let src: Vec<u16> = (1..129).collect();
    let memory = memory(&[0x55; 256], &u16s(&src));
    for axis in [Row, Col] {
        for (padding, rest) in [(MaskPadding::Zero, 0), (MaskPadding::Kept, 0x5555)] {
            let call = Call::TscatterMask(call(shape, shape, P1111, axis));
            let out = to_u16s(&made(readings(padding), &call, &memory));
            for (p, found) in out.iter().enumerate() {
                let valid = p / 32 < 2 && p % 32 < 16;
                let expected = if valid { p as u16 + 1 } else { rest };
                assert_eq!(*found, expected, "{padding} {p}");
            }
        }
    }
    // No other pattern keeps anything.
    let call = Call::TscatterMask(call(shape, tile(DType::Half, [4, 32], [2, 8]), P0101, Row));
    let out = to_u16s(&made(readings(MaskPadding::Kept), &call, &memory));
    assert_eq!((out[1], out[16], out[127]), (0, 0, 0));
}

// The column axis: row i goes to row F * i + pos.
#[test]
fn rows_are_spread_too() {
    let src = full(DType::Int32, [2, 2]);
    let columns = |pattern, height: u64| {
        let call = call(full(DType::Int32, [height, 2]), src, pattern, Col);
        to_i32s(&spread(
            call,
            &vec![0x55; 8 * height as usize],
            &counted(1, 4),
        ))
    };
    assert_eq!(columns(P0101, 4), [1, 2, 0, 0, 3, 4, 0, 0]);
    assert_eq!(columns(P1010, 4), [0, 0, 1, 2, 0, 0, 3, 4]);
    let of_four = [P0001, P0010, P0100, P1000];
    for (pos, pattern) in of_four.into_iter().enumerate() {
        let mut expected = [0; 16];
        expected[2 * pos..][..2].copy_from_slice(&[1, 2]);
        expected[8 + 2 * pos..][..2].copy_from_slice(&[3, 4]);
        assert_eq!(columns(pattern, 8), expected, "{pattern}");
    }
    assert_eq!(columns(P1111, 2), [1, 2, 3, 4]);
}

// TSCATTER-GAP-15: the groups lie along the logical columns.
#[test]
fn tiles_have_layouts_of_their_own() {
    // Source (0,0) (1,0) (0,1) (1,1) in memory.
    let down = col_major(full(DType::Int32, [2, 2]));
    let across = call(full(DType::Int32, [2, 4]), down, P1010, Row);
    let out = spread(across, &[0x55; 32], &counted(1, 4));
    assert_eq!(to_i32s(&out), [0, 1, 0, 3, 0, 2, 0, 4]);
    let both = call(col_major(full(DType::Int32, [2, 4])), down, P1010, Row);
    let out = spread(both, &[0x55; 32], &counted(1, 4));
    assert_eq!(to_i32s(&out), [0, 0, 1, 2, 0, 0, 3, 4]);
}

// TSCATTER-GAP-20
#[test]
fn a_zero_extent_leaves_the_zero_fill() {
    let data = full(DType::Int32, [2, 4]);
    for (r, c) in [(0, 4), (2, 0)] {
        let mut src = dynamic(data);
        src.valid_row = Dim::Dynamic(r);
        src.valid_col = Dim::Dynamic(c);
        for pattern in ALL {
            let out = spread(call(data, src, pattern, Row), &[0x55; 32], &counted(1, 8));
            assert_eq!(out, [0; 32]);
        }
        let memory = memory(&[0x55; 32], &counted(1, 8));
        let call = Call::TscatterMask(call(data, src, P1111, Row));
        assert_eq!(
            made(readings(MaskPadding::Kept), &call, &memory),
            [0x55; 32]
        );
    }
}

// Lanes 0, 2, 4, 6 of a row of four: two of them lie behind the tile.
#[test]
fn what_comes_off_the_tile_oob_accesses() {
    let data = full(DType::Int32, [1, 4]);
    let column = full(DType::Int32, [4, 1]);
    for call in [
        call(data, data, P0101, Row),
        call(column, column, P0101, Col),
    ] {
        let memory = memory(&i32s(&[9; 4]), &counted(1, 4));
        let call = Call::TscatterMask(call);
        let ran = run_under(readings(MaskPadding::Zero), &call, memory, false);
        let write = |offset| OobAccess {
            role: Role::Destination,
            offset,
            len: 4,
            write: true,
        };
        assert_eq!(ran.log.oob_accesses.first, [write(16), write(24)]);
        assert_eq!(to_i32s(ran.body(Role::Destination)), [1, 0, 2, 0]);
        let after = &ran.image(Role::Destination)[GUARD + 16..];
        assert_eq!(after[..4], [3, 0, 0, 0]);
        assert_eq!(after[4..8], [GUARD_BYTE; 4]);
        assert_eq!(after[8..12], [4, 0, 0, 0]);
    }
}
