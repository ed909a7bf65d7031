//! TGATHERB.

use ptodiff_isa::{
    Call, DType, Dim, OffsetBoundary, OffsetGranularity, OobAccess, Readings, Role, Tgatherb, Tile,
    UnalignedOffset,
};

use crate::common::{
    GUARD_BYTE, col_major, counted, dynamic, full, i32s, made, memory_of, run_under, tile, to_i32s,
    to_u16s, u16s,
};

use OffsetBoundary::{Allocation, Valid};
use OffsetGranularity::{Block, Element};
use UnalignedOffset::{ByteExact, RoundedDown, Undefined};

fn call(dst: Tile, src: Tile, offset: Tile) -> Tgatherb {
    Tgatherb { dst, src, offset }
}

fn readings(
    granularity: OffsetGranularity,
    unaligned: UnalignedOffset,
    boundary: OffsetBoundary,
) -> Readings {
    Readings {
        tgatherb_granularity: granularity,
        tgatherb_unaligned: unaligned,
        tgatherb_boundary: boundary,
        ..Readings::default()
    }
}

type Bodies<'a> = [&'a [u8]; 3];

/// Runs on destination, source and offsets; the destination afterwards.
fn gathered_under(readings: Readings, call: &Tgatherb, [dst, src, offset]: Bodies) -> Vec<u8> {
    let memory = memory_of(&[
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, offset),
    ]);
    made(readings, &Call::Tgatherb(*call), &memory)
}

fn gathered(call: &Tgatherb, bodies: Bodies) -> Vec<u8> {
    gathered_under(Readings::default(), call, bodies)
}

fn by_block() -> Readings {
    readings(Block, ByteExact, Allocation)
}

/// `int32_t` 10, 11, .. of a tile `src` through a row of offsets.
fn tens(readings: Readings, src: Tile, offsets: &[i32]) -> Vec<i32> {
    let shape = [1, offsets.len() as u64];
    let call = call(full(DType::Int32, shape), src, full(DType::Uint32, shape));
    let values = counted(10, (src.rows * src.cols) as usize);
    let dst = i32s(&vec![-1; offsets.len()]);
    to_i32s(&gathered_under(
        readings,
        &call,
        [&dst, &values, &i32s(offsets)],
    ))
}

// TGATHERB-SEM-01, TGATHERB-CONF-01
#[test]
fn each_element_comes_from_its_byte() {
    let src = full(DType::Int32, [1, 8]);
    let got = |offsets| tens(Readings::default(), src, offsets);
    assert_eq!(
        got(&[0, 4, 28, 8, 0, 0, 24, 20]),
        [10, 11, 17, 12, 10, 10, 16, 15]
    );
    assert_eq!(got(&[4; 8]), [11; 8]);
}

// TGATHERB-SEM-03
#[test]
fn bytes_can_be_reversed() {
    let shape = |dtype| full(dtype, [1, 256]);
    let call = call(
        shape(DType::Uint8),
        shape(DType::Uint8),
        shape(DType::Uint32),
    );
    let src: Vec<u8> = (0..=255).collect();
    let down: Vec<i32> = (0..256).rev().collect();
    let out = gathered(&call, [&[0; 256], &src, &i32s(&down)]);
    assert_eq!(out, (0..=255).rev().collect::<Vec<u8>>());
}

// TGATHERB-INDEX-02: half 1, 2, .. 16 as patterns.
#[test]
fn offsets_count_bytes() {
    let one = full(DType::Half, [1, 1]);
    let call = call(one, full(DType::Half, [1, 16]), full(DType::Int32, [1, 1]));
    let src: Vec<u16> = (1..17).collect();
    let out = gathered(&call, [&[0; 2], &u16s(&src), &i32s(&[2])]);
    assert_eq!(to_u16s(&out), [2]);
}

// TGATHERB-GAP-08: nothing speaks against 8 bytes here.
#[test]
fn wide_elements_are_moved() {
    let one = full(DType::Int64, [1, 1]);
    let call = call(one, full(DType::Int64, [1, 2]), full(DType::Uint32, [1, 1]));
    let src: Vec<u8> = (1..17).collect();
    let out = gathered(&call, [&[0; 8], &src, &i32s(&[8])]);
    assert_eq!(out, [9, 10, 11, 12, 13, 14, 15, 16]);
}

// TGATHERB-SEM-02, TGATHERB-GAP-06, -07: decoys in the padding of the offsets.
#[test]
fn the_destination_says_what_is_gathered() {
    let call_of = |make: fn(Tile) -> Tile| {
        call(
            make(tile(DType::Int32, [2, 16], [2, 5])),
            full(DType::Int32, [1, 16]),
            tile(DType::Uint32, [2, 8], [2, 8]),
        )
    };
    let (d, k) = (60, -1);
    let offsets = [0, 4, 8, 12, 16, d, d, d, 20, 24, 28, 32, 36, d, d, d];
    let bodies = [&i32s(&[k; 32])[..], &counted(10, 16), &i32s(&offsets)];
    let expected = [
        10, 11, 12, 13, 14, k, k, k, k, k, k, k, k, k, k, k, //
        15, 16, 17, 18, 19, k, k, k, k, k, k, k, k, k, k, k,
    ];
    assert_eq!(to_i32s(&gathered(&call_of(|t| t), bodies)), expected);
    assert_eq!(to_i32s(&gathered(&call_of(dynamic), bodies)), expected);
}

// TGATHERB-GAP-09, -10: offset and destination by coordinate, source by byte.
// In memory a ColMajor tile is (0,0) (1,0) (0,1) (1,1).
#[test]
fn tiles_have_layouts_of_their_own() {
    let (across, down) = (
        full(DType::Int32, [2, 2]),
        col_major(full(DType::Int32, [2, 2])),
    );
    let offsets = Tile {
        dtype: DType::Uint32,
        ..across
    };
    let bodies = [&[0; 16][..], &counted(10, 4), &i32s(&[0, 4, 8, 12])];
    let got = |call| to_i32s(&gathered(&call, bodies));
    assert_eq!(got(call(across, down, offsets)), [10, 11, 12, 13]);
    assert_eq!(got(call(down, across, offsets)), [10, 12, 11, 13]);
    assert_eq!(
        got(call(across, across, col_major(offsets))),
        [10, 12, 11, 13]
    );
}

// TGATHERB-OOB-02, TGATHERB-INDEX-01: the last element, even for 2^32 - 4.
#[test]
fn an_offset_beyond_the_source_is_clamped() {
    let src = full(DType::Int32, [1, 8]);
    let far = [1000, 32, 28, -4, i32::MIN, i32::MAX];
    for boundary in [Allocation, Valid] {
        let readings = readings(Element, ByteExact, boundary);
        assert_eq!(tens(readings, src, &far), [17; 6]);
    }
}

// TGATHERB-GAP-02: the last element of the allocation or of the valid region,
// in storage order. 10 + 15; 10 + 7; (1, 4) is element 12 by row, 13 by column.
#[test]
fn the_boundary_is_the_readings() {
    let padded = tile(DType::Int32, [1, 16], [1, 8]);
    let corner = tile(DType::Int32, [3, 8], [2, 5]);
    for src in [padded, corner, col_major(corner)] {
        let last = (src.rows * src.cols) as i32 - 1;
        let all = readings(Element, ByteExact, Allocation);
        assert_eq!(tens(all, src, &[1000, 32]), [10 + last, 18]);
    }
    let valid = readings(Element, ByteExact, Valid);
    assert_eq!(tens(valid, padded, &[1000, 32, 24]), [17, 17, 16]);
    assert_eq!(tens(valid, corner, &[1000, 52, 48, 20]), [22, 22, 22, 15]);
    let down = col_major(corner);
    assert_eq!(tens(valid, down, &[1000, 56, 52, 48]), [23, 23, 23, 22]);
}

// TGATHERB-GAP-02: an offset inside the last element is clamped to it.
#[test]
fn no_element_passes_the_boundary() {
    let src = full(DType::Int32, [1, 8]);
    assert_eq!(tens(Readings::default(), src, &[29, 31]), [17, 17]);
}

// TGATHERB-GAP-01: bytes 01 02 03 04 at offset 1, and at 3, which is clamped.
#[test]
fn an_unaligned_offset_is_read_as_the_reading_says() {
    let pair = full(DType::Uint16, [1, 2]);
    let call = call(pair, pair, full(DType::Uint32, [1, 2]));
    for (unaligned, expected) in [
        (ByteExact, [0x0302, 0x0403]),
        (Undefined, [0x0302, 0x0403]),
        (RoundedDown, [0x0201, 0x0403]),
    ] {
        let readings = readings(Element, unaligned, Allocation);
        let out = gathered_under(readings, &call, [&[0; 4], &[1, 2, 3, 4], &i32s(&[1, 3])]);
        assert_eq!(to_u16s(&out), expected, "{unaligned}");
    }
}

// TGATHERB-GAP-14
#[test]
fn an_offset_may_serve_a_block() {
    let row = full(DType::Int32, [1, 8]);
    let call_of = |cols| {
        call(
            row,
            full(DType::Int32, [1, 16]),
            full(DType::Uint32, [1, cols]),
        )
    };
    let bodies = [
        &[0; 32][..],
        &counted(10, 16),
        &i32s(&[0, 8, 4, 0, 0, 0, 0, 0]),
    ];
    let out = to_i32s(&gathered(&call_of(8), bodies));
    assert_eq!(out[..3], [10, 12, 11]);
    assert_eq!(
        gathered_under(by_block(), &call_of(8), bodies),
        counted(10, 8)
    );

    // Two blocks a row, offsets in the first two columns of their tile.
    let call = call(
        full(DType::Uint8, [2, 64]),
        full(DType::Uint8, [1, 128]),
        tile(DType::Uint32, [2, 8], [2, 2]),
    );
    let src: Vec<u8> = (0..128).collect();
    let mut offsets = [1; 16];
    (offsets[0], offsets[1], offsets[8], offsets[9]) = (96, 0, 64, 32);
    let out = gathered_under(by_block(), &call, [&[0xFF; 128], &src, &i32s(&offsets)]);
    let firsts: Vec<u8> = out.iter().copied().step_by(32).collect();
    assert_eq!(firsts, [96, 0, 64, 32]);
    for block in out.chunks(32) {
        assert!(block.iter().zip(block[0]..).all(|(found, k)| *found == k));
    }
}

// One offset a row: 16 columns apart, as many as all lanes of four blocks, side
// by side, or both in the same place.
#[test]
fn the_offsets_of_blocks_have_a_pitch_of_their_own() {
    let src: Vec<u8> = (0..128).collect();
    let mut offsets = [1; 32];
    (offsets[0], offsets[1], offsets[16]) = (32, 96, 64);
    for (pitch, expected) in [(16, [32, 64]), (1, [32, 96]), (0, [32, 32])] {
        let call = call(
            full(DType::Int64, [2, 4]),
            full(DType::Int64, [1, 16]),
            tile(DType::Uint32, [2, pitch], [2, 1]),
        );
        let out = gathered_under(by_block(), &call, [&[0xFF; 64], &src, &i32s(&offsets)]);
        let firsts: Vec<u8> = out.into_iter().step_by(32).collect();
        assert_eq!(firsts, expected, "{pitch}");
    }
}

// TGATHERB-GAP-07: the last block passes ValidCol, but not the padded row.
#[test]
fn a_block_stays_in_its_row() {
    let block = |padded: [u64; 2], valid: [u64; 2], offsets: &[i32]| {
        let call = call(
            tile(DType::Int32, padded, valid),
            full(DType::Int32, [4, 8]),
            full(DType::Uint32, [padded[0], offsets.len() as u64 / padded[0]]),
        );
        let dst = i32s(&vec![-1; (padded[0] * padded[1]) as usize]);
        let bodies = [&dst[..], &counted(10, 32), &i32s(offsets)];
        to_i32s(&gathered_under(by_block(), &call, bodies))
    };
    let k = -1;
    assert_eq!(
        block([1, 16], [1, 5], &[32]),
        [18, 19, 20, 21, 22, 23, 24, 25, k, k, k, k, k, k, k, k]
    );
    assert_eq!(
        block([2, 10], [2, 9], &[0, 64, 32, 96]),
        [
            10, 11, 12, 13, 14, 15, 16, 17, 26, 27, //
            18, 19, 20, 21, 22, 23, 24, 25, 34, 35
        ]
    );
}

// TGATHERB-GAP-02 by block: 64 bytes have their last block at 32, 40 bytes at 8.
// Rounding comes first: 39 is 32, and that is clamped to 8 again.
#[test]
fn a_block_is_clamped_to_the_last_whole_one() {
    let first = |readings, src: Tile, offset: i32| {
        let call = call(full(DType::Int32, [1, 8]), src, full(DType::Uint32, [1, 1]));
        let values = counted(10, (src.rows * src.cols) as usize);
        let out = gathered_under(readings, &call, [&[0; 32], &values, &i32s(&[offset])]);
        let out = to_i32s(&out);
        assert!(out.iter().zip(out[0]..).all(|(found, k)| *found == k));
        out[0]
    };
    let even = full(DType::Int32, [1, 16]);
    for (offset, exact, rounded) in [(32, 18, 18), (28, 17, 10), (36, 18, 18), (-1, 18, 18)] {
        assert_eq!(first(by_block(), even, offset), exact, "{offset}");
        let undefined = readings(Block, Undefined, Allocation);
        assert_eq!(first(undefined, even, offset), exact, "{offset}");
        let down = readings(Block, RoundedDown, Allocation);
        assert_eq!(first(down, even, offset), rounded, "{offset}");
    }
    let odd = full(DType::Int32, [1, 10]);
    for unaligned in [ByteExact, RoundedDown] {
        let readings = readings(Block, unaligned, Allocation);
        assert_eq!(first(readings, odd, 39), 12, "{unaligned}");
    }
    let part = tile(DType::Int32, [1, 16], [1, 10]);
    assert_eq!(first(readings(Block, ByteExact, Valid), part, 32), 12);
}

// TGATHERB-GAP-13
#[test]
fn a_zero_extent_writes_nothing() {
    for (r, c) in [(0, 8), (1, 0)] {
        let row = full(DType::Int32, [1, 8]);
        let mut dst = dynamic(row);
        dst.valid_row = Dim::Dynamic(r);
        dst.valid_col = Dim::Dynamic(c);
        let call = call(dst, row, full(DType::Uint32, [1, 8]));
        let bodies = [&i32s(&[7; 8])[..], &counted(10, 8), &i32s(&[0; 8])];
        for readings in [Readings::default(), by_block()] {
            assert_eq!(gathered_under(readings, &call, bodies), i32s(&[7; 8]));
        }
    }
}

// A source of 16 bytes has no whole block; one without valid elements has no
// element under that boundary. Both leave offset 0.
#[test]
fn a_source_without_a_piece_is_read_from_its_start() {
    let quad = full(DType::Int32, [1, 4]);
    let call = call(
        full(DType::Int32, [1, 8]),
        quad,
        full(DType::Uint32, [1, 1]),
    );
    let memory = memory_of(&[
        (Role::Destination, &[0; 32]),
        (Role::Source, &counted(10, 4)),
        (Role::Index, &i32s(&[8])),
    ]);
    let ran = run_under(by_block(), &Call::Tgatherb(call), memory, false);
    let read = |offset| OobAccess {
        role: Role::Source,
        offset,
        len: 4,
        write: false,
    };
    assert_eq!(ran.log.oob_accesses.first, [16, 20, 24, 28].map(read));
    let guard = i32::from_le_bytes([GUARD_BYTE; 4]);
    assert_eq!(
        to_i32s(ran.body(Role::Destination)),
        [10, 11, 12, 13, guard, guard, guard, guard]
    );

    let mut src = dynamic(quad);
    src.valid_row = Dim::Dynamic(0);
    let valid = readings(Element, ByteExact, Valid);
    assert_eq!(tens(valid, src, &[8, 0]), [10, 10]);
}
