//! TGATHERB.

use ptodiff_isa::{
    Call, DType, OffsetBoundary, OffsetGranularity, Readings, Role, Tgatherb, Tile, UnalignedOffset,
};

use crate::common::{
    GUARD_WORD, by_default, col_major, counted, dynamic, full, i32s, made, ran, reading, tile,
    to_i32s, to_u16s, word,
};

use DType::{Int32, Uint8, Uint32};
use OffsetBoundary::{Allocation, Valid};
use OffsetGranularity::{Block, Element};
use UnalignedOffset::{ByteExact, RoundedDown, Undefined};

fn call(dst: Tile, src: Tile, offset: Tile) -> Call {
    Call::Tgatherb(Tgatherb { dst, src, offset })
}

fn readings(
    granularity: OffsetGranularity,
    unaligned: UnalignedOffset,
    boundary: OffsetBoundary,
) -> Readings {
    reading(|r| {
        r.tgatherb_granularity = granularity;
        r.tgatherb_unaligned = unaligned;
        r.tgatherb_boundary = boundary;
    })
}

fn by_block() -> Readings {
    readings(Block, ByteExact, Allocation)
}

/// Gathers words 10, 11, .. into words of -1.
fn gathered(readings: Readings, tiles: [Tile; 3], offsets: &[i32]) -> Vec<i32> {
    let [dst, src, offset] = tiles;
    let [before, values] = [dst, src].map(|tile| (tile.rows * tile.cols) as usize);
    let operands: [&[u8]; 3] = [
        &i32s(&vec![-1; before]),
        &counted(10, values),
        &i32s(offsets),
    ];
    to_i32s(&made(readings, call(dst, src, offset), &operands))
}

/// The same in a row without padding.
fn row(readings: Readings, src: Tile, offsets: &[i32]) -> Vec<i32> {
    let shape = [1, offsets.len() as u64];
    gathered(
        readings,
        [full(Int32, shape), src, full(Uint32, shape)],
        offsets,
    )
}

// TGATHERB-SEM-01, TGATHERB-CONF-01
#[test]
fn each_element_comes_from_its_byte() {
    let src = full(Int32, [1, 8]);
    let got = |offsets| row(Readings::default(), src, offsets);
    let expected = [10, 11, 17, 12, 10, 10, 16, 15];
    assert_eq!(got(&[0, 4, 28, 8, 0, 0, 24, 20]), expected);
    assert_eq!(got(&[4; 8]), [11; 8]);
}

// TGATHERB-SEM-03, TGATHERB-INDEX-02; TGATHERB-GAP-08: nothing speaks against 8
// bytes here.
#[test]
fn offsets_count_bytes_whatever_the_element() {
    let src: Vec<u8> = (0..=255).collect();
    let bytes = full(Uint8, [1, 256]);
    let down: Vec<i32> = (0..256).rev().collect();
    let operands: [&[u8]; 3] = [&[0; 256], &src, &i32s(&down)];
    let out = by_default(call(bytes, bytes, full(Uint32, [1, 256])), &operands);
    assert!(out.iter().eq(src.iter().rev()));
    for (dtype, offset) in [(DType::Half, 2), (DType::Int64, 8)] {
        let (one, many) = (full(dtype, [1, 1]), full(dtype, [1, 16]));
        let size = dtype.size();
        let operands: [&[u8]; 3] = [&vec![0; size], &src[..16 * size], &i32s(&[offset as i32])];
        let out = by_default(call(one, many, full(Int32, [1, 1])), &operands);
        assert_eq!(out, src[offset..][..size]);
    }
}

// TGATHERB-SEM-02, TGATHERB-GAP-06, -07, -13: decoys (60) in the padding of the offsets.
#[test]
fn the_destination_says_what_is_gathered() {
    let offset = tile(Uint32, [2, 8], [2, 8]);
    let dst = tile(Int32, [2, 8], [2, 5]);
    let (d, k) = (60, -1);
    let offsets = [0, 4, 8, 12, 16, d, d, d, 20, 24, 28, 32, 36, d, d, d];
    let expected = [10, 11, 12, 13, 14, k, k, k, 15, 16, 17, 18, 19, k, k, k];
    for dst in [dst, dynamic(dst)] {
        let tiles = [dst, full(Int32, [1, 16]), offset];
        assert_eq!(gathered(Readings::default(), tiles, &offsets), expected);
    }
    for valid in [[0, 8], [2, 0]] {
        for readings in [Readings::default(), by_block()] {
            let dst = dynamic(tile(Int32, [2, 8], valid));
            let tiles = [dst, full(Int32, [1, 16]), offset];
            assert_eq!(gathered(readings, tiles, &[0; 16]), [k; 16]);
        }
    }
}

// TGATHERB-GAP-09, -10: offset and destination by coordinate, source by byte.
// In memory a ColMajor tile is (0,0) (1,0) (0,1) (1,1).
#[test]
fn tiles_have_layouts_of_their_own() {
    let (across, offset) = (full(Int32, [2, 2]), full(Uint32, [2, 2]));
    let down = col_major(across);
    for (tiles, expected) in [
        ([across, down, offset], [10, 11, 12, 13]),
        ([down, across, offset], [10, 12, 11, 13]),
        ([across, across, col_major(offset)], [10, 12, 11, 13]),
    ] {
        let got = gathered(Readings::default(), tiles, &[0, 4, 8, 12]);
        assert_eq!(got, expected);
    }
}

// TGATHERB-OOB-02, TGATHERB-INDEX-01, TGATHERB-GAP-02: the last element of the
// allocation, or of the valid region in storage order: (1, 4) is element 12 by row,
// 13 by column. An offset inside the last element is clamped to it.
#[test]
fn an_offset_beyond_the_source_is_clamped() {
    let all = readings(Element, ByteExact, Allocation);
    let valid = readings(Element, ByteExact, Valid);
    let src = full(Int32, [1, 8]);
    let far = [1000, 32, 28, 29, 31, -4, i32::MIN, i32::MAX];
    for readings in [all, valid] {
        assert_eq!(row(readings, src, &far), [17; 8]);
    }
    let padded = tile(Int32, [1, 16], [1, 8]);
    let corner = tile(Int32, [3, 8], [2, 5]);
    for src in [padded, corner, col_major(corner)] {
        let last = (src.rows * src.cols) as i32 - 1;
        assert_eq!(row(all, src, &[1000, 32]), [10 + last, 18]);
    }
    assert_eq!(row(valid, padded, &[1000, 32, 24]), [17, 17, 16]);
    assert_eq!(row(valid, corner, &[1000, 52, 48, 20]), [22, 22, 22, 15]);
    let got = row(valid, col_major(corner), &[1000, 56, 52, 48]);
    assert_eq!(got, [23, 23, 23, 22]);
}

// TGATHERB-GAP-01: bytes 01 02 03 04 at offset 1, and at 3, which is clamped.
#[test]
fn an_unaligned_offset_is_read_as_the_reading_says() {
    let pair = full(DType::Uint16, [1, 2]);
    for (unaligned, expected) in [
        (ByteExact, [0x0302, 0x0403]),
        (Undefined, [0x0302, 0x0403]),
        (RoundedDown, [0x0201, 0x0403]),
    ] {
        let readings = readings(Element, unaligned, Allocation);
        let operands: [&[u8]; 3] = [&[0; 4], &[1, 2, 3, 4], &i32s(&[1, 3])];
        let out = made(readings, call(pair, pair, full(Uint32, [1, 2])), &operands);
        assert_eq!(to_u16s(&out), expected, "{unaligned}");
    }
}

// TGATHERB-GAP-14: two blocks a row, each with an offset in a tile of its own pitch:
// eight columns, two side by side, or all in the same place.
#[test]
fn an_offset_may_serve_a_block() {
    let src: Vec<u8> = (0..128).collect();
    for (pitch, offsets, expected) in [
        (
            8,
            &[96, 0, 1, 1, 1, 1, 1, 1, 64, 32, 1, 1, 1, 1, 1, 1][..],
            [96, 0, 64, 32],
        ),
        (2, &[96, 0, 64, 32], [96, 0, 64, 32]),
        (0, &[96, 32], [96, 32, 96, 32]),
    ] {
        let dst = full(Uint8, [2, 64]);
        let call = call(dst, full(Uint8, [1, 128]), tile(Uint32, [2, pitch], [2, 2]));
        let out = made(by_block(), call, &[&[0xFF; 128], &src, &i32s(offsets)]);
        for (block, first) in out.chunks(32).zip(expected) {
            assert!(block.iter().copied().eq(first..first + 32), "{pitch}");
        }
    }
}

// TGATHERB-GAP-07: the last block passes ValidCol, but not the padded row.
#[test]
fn a_block_stays_in_its_row() {
    let source = full(Int32, [4, 8]);
    let tiles = [tile(Int32, [1, 16], [1, 5]), source, full(Uint32, [1, 1])];
    let expected: Vec<i32> = (18..26).chain([-1; 8]).collect();
    assert_eq!(gathered(by_block(), tiles, &[32]), expected);
    let tiles = [tile(Int32, [2, 10], [2, 9]), source, full(Uint32, [2, 2])];
    let expected = [
        10, 11, 12, 13, 14, 15, 16, 17, 26, 27, //
        18, 19, 20, 21, 22, 23, 24, 25, 34, 35,
    ];
    assert_eq!(gathered(by_block(), tiles, &[0, 64, 32, 96]), expected);
}

// TGATHERB-GAP-02 by block: 64 bytes have their last block at 32, 40 bytes at 8.
// Rounding comes first: 39 is 32, and that is clamped to 8 again.
#[test]
fn a_block_is_clamped_to_the_last_whole_one() {
    let (even, odd) = (full(Int32, [1, 16]), full(Int32, [1, 10]));
    let part = tile(Int32, [1, 16], [1, 10]);
    for (src, unaligned, boundary, offset, first) in [
        (even, ByteExact, Allocation, 32, 18),
        (even, ByteExact, Allocation, 28, 17),
        (even, Undefined, Allocation, 28, 17),
        (even, RoundedDown, Allocation, 28, 10),
        (even, ByteExact, Allocation, 36, 18),
        (even, RoundedDown, Allocation, -1, 18),
        (odd, ByteExact, Allocation, 39, 12),
        (odd, RoundedDown, Allocation, 39, 12),
        (part, ByteExact, Valid, 32, 12),
    ] {
        let tiles = [full(Int32, [1, 8]), src, full(Uint32, [1, 1])];
        let out = gathered(readings(Block, unaligned, boundary), tiles, &[offset]);
        let expected: Vec<i32> = (first..first + 8).collect();
        assert_eq!(out, expected, "{offset} {unaligned}");
    }
}

// A source of 16 bytes has no whole block; one without valid elements has no
// element under that boundary. Both leave offset 0.
#[test]
fn a_source_without_a_piece_is_read_from_its_start() {
    let quad = full(Int32, [1, 4]);
    let call = call(full(Int32, [1, 8]), quad, full(Uint32, [1, 1]));
    let left = ran(by_block(), call, &[&[0; 32], &counted(10, 4), &i32s(&[8])]);
    let read = [16, 20, 24, 28].map(|offset| word(Role::Source, offset, false));
    assert_eq!(left.outside(), read);
    let out = to_i32s(left.body(Role::Destination));
    let got = (&out[..4], &out[4..]);
    assert_eq!(got, (&[10, 11, 12, 13][..], &[GUARD_WORD; 4][..]));

    let none = dynamic(tile(Int32, [1, 4], [0, 4]));
    let valid = readings(Element, ByteExact, Valid);
    assert_eq!(row(valid, none, &[8, 0]), [10, 10]);
}
