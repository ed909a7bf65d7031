//! TGATHERB, by element and by block.

use ptodiff_isa::{
    BLayout, Call, DType, OffsetGranularity, Readings, Role, Space, Tgatherb, Tile, UnalignedOffset,
};

use crate::common::{
    GUARD_BYTE, Ran, With, bytes, legal_on, load, memory, outside, reading, run_on, store, tile,
};

fn call(dst: Tile, src: Tile, offset: Tile) -> Tgatherb {
    Tgatherb { dst, src, offset }
}

/// One row of eight 4-byte elements, destination, source and offset alike.
fn eight() -> Tgatherb {
    let row = tile(DType::Int32, [1, 8], [1, 8]);
    call(row, row, tile(DType::Uint32, [1, 8], [1, 8]))
}

fn gather(call: Tgatherb, readings: Readings, [dst, src, offset]: [Vec<u8>; 3]) -> Ran {
    let before = memory([
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, offset),
    ]);
    legal_on(Call::Tgatherb(call), readings, before)
}

/// TGATHERB-SEM-01, TGATHERB-CONF-01 (their witnesses).
#[test]
fn offsets_count_bytes() {
    let run = |offsets: [u32; 8]| {
        let operands = [bytes([0_i32; 8]), bytes(10..18_i32), bytes(offsets)];
        gather(eight(), Readings::default(), operands).dst::<i32>()
    };
    let got = run([0, 4, 28, 8, 0, 0, 24, 20]);
    assert_eq!(got, [10, 11, 17, 12, 10, 10, 16, 15]);
    assert_eq!(run([4; 8]), [11; 8]);
}

/// TGATHERB-SEM-02, -03, TGATHERB-GAP-06, -07: the destination's valid region,
/// each tile with its own pitch and layout, padding kept.
#[test]
fn extents_and_layouts() {
    let dst = tile(DType::Uint8, [2, 32], [2, 3]);
    let src = tile(DType::Uint8, [1, 32], [1, 1]);
    let rows = tile(DType::Uint32, [2, 8], [2, 8]);
    let columns = tile(DType::Int32, [8, 4], [2, 3]).with(|c| c.blayout = BLayout::ColMajor);
    let mut by_rows = [31_u32; 16];
    by_rows[..3].copy_from_slice(&[5, 4, 3]);
    by_rows[8..11].copy_from_slice(&[2, 1, 0]);
    let mut by_columns = [31_u32; 32];
    for (k, value) in [(0, 5), (8, 4), (16, 3), (1, 2), (9, 1), (17, 0)] {
        by_columns[k] = value;
    }
    for (offset, stored) in [(rows, bytes(by_rows)), (columns, bytes(by_columns))] {
        let operands = [bytes([99_u8; 64]), bytes(100..132_u8), stored];
        let got = gather(call(dst, src, offset), Readings::default(), operands).dst::<u8>();
        let found = (&got[..4], &got[32..36]);
        assert_eq!(found, (&[105, 104, 103, 99][..], &[102, 101, 100, 99][..]));
        assert_eq!(got.iter().filter(|&&v| v == 99).count(), 58);
    }
}

/// The reading of TGATHERB-GAP-01 (its witness): bytes 1 2 3 4, offset 1.
#[test]
fn unaligned_offsets() {
    let dst = tile(DType::Uint16, [1, 16], [1, 1]);
    let call = call(dst, dst, tile(DType::Uint32, [1, 8], [1, 1]));
    for (unaligned, want) in [
        (UnalignedOffset::ByteExact, 0x0302),
        (UnalignedOffset::Undefined, 0x0302),
        (UnalignedOffset::RoundedDown, 0x0201),
    ] {
        let readings = reading(|r| r.tgatherb_unaligned = unaligned);
        let operands = [bytes([0_u16; 16]), bytes(1..33_u8), bytes([1_u32; 8])];
        assert_eq!(gather(call, readings, operands).dst::<u16>()[0], want);
    }
}

/// The reading of TGATHERB-GAP-14: 32 bytes an offset; the last block of a row
/// passes ValidCol, and rounding goes by blocks.
#[test]
fn by_block() {
    let dst = tile(DType::Int32, [2, 16], [2, 9]);
    let src = tile(DType::Int32, [1, 24], [1, 24]);
    let call = call(dst, src, tile(DType::Uint32, [2, 8], [2, 2]));
    let readings = reading(|r| r.tgatherb_granularity = OffsetGranularity::Block);
    let mut offsets = [1000_u32; 16];
    offsets[..2].copy_from_slice(&[64, 0]);
    offsets[8..10].copy_from_slice(&[36, 32]);
    let operands = || [bytes([-1_i32; 32]), bytes(0..24_i32), bytes(offsets)];
    let got = gather(call, readings, operands()).dst::<i32>();
    let run = |from: i32| (from..from + 8).collect::<Vec<i32>>();
    assert_eq!(got, [run(16), run(0), run(9), run(8)].concat());

    let rounded = readings.with(|c| c.tgatherb_unaligned = UnalignedOffset::RoundedDown);
    let got = gather(call, rounded, operands()).dst::<i32>();
    assert_eq!(got[16..24], run(8));
}

/// A block stops where the padded row does.
#[test]
fn a_block_at_the_end_of_a_row() {
    let dst = tile(DType::Int32, [2, 4], [1, 4]);
    let src = tile(DType::Int32, [1, 8], [1, 8]);
    let call = call(dst, src, tile(DType::Uint32, [1, 8], [1, 1]));
    let readings = reading(|r| r.tgatherb_granularity = OffsetGranularity::Block);
    let operands = [bytes([-1_i32; 8]), bytes(0..8_i32), bytes([0_u32; 8])];
    let ran = gather(call, readings, operands);
    assert_eq!(ran.dst::<i32>(), [0, 1, 2, 3, -1, -1, -1, -1]);
    let read = |role, len| load(Space::Ub, role, 0, len);
    let write = store(Space::Ub, Role::Destination, 0, 16);
    assert_eq!(
        ran.events(),
        [read(Role::Index, 4), read(Role::Source, 32), write]
    );
}

/// TGATHERB-INDEX-01, TGATHERB-OOB-01: nothing is clamped and nothing is
/// negative.
#[test]
fn out_of_range() {
    let mut offsets = [0_u32; 8];
    offsets[1] = 32;
    offsets[2] = u32::MAX - 3;
    offsets[3] = 30;
    let before = memory([
        (Role::Destination, bytes([0_i32; 8])),
        (Role::Source, bytes(10..18_i32)),
        (Role::Index, bytes(offsets)),
    ]);
    let ran = run_on(Call::Tgatherb(eight()), Readings::default(), before);
    let read = |offset| outside(Role::Source, offset, 4, false);
    let found = ran.oob_accesses();
    assert_eq!(found, [read(32), read(4_294_967_292), read(30)]);
    let guard = u32::from_le_bytes([GUARD_BYTE; 4]);
    let got = ran.dst::<u32>();
    assert_eq!(got[..3], [10, guard, 0xEEEE_EEEE]);
    // The last two bytes of 17, then guard zone.
    assert_eq!(got[3], u32::from_le_bytes([0, 0, GUARD_BYTE, GUARD_BYTE]));
}
