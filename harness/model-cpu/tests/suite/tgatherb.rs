//! TGATHERB.

use ptodiff_isa::{
    Call, DType, OffsetBoundary, OffsetGranularity, Readings, Role, Tgatherb, Tile, UnalignedOffset,
};

use crate::common::{
    GUARD_WORD, col_major, counted, dynamic, full, i32s, made, ran, reading, tile, to_i32s,
    to_u16s, word,
};

use DType::{Int32, Uint32};
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
