//! TGATHERB (004), by element and by block.

use crate::common::*;

fn call(dst: Tile, src: Tile, offset: Tile) -> Tgatherb {
    Tgatherb { dst, src, offset }
}

/// The destination after an accepted call without out-of-bounds accesses.
fn gathered<T: Item>(call: &Tgatherb, how: How, dst: &[T], src: &[T], offset: &[u32]) -> Vec<T> {
    let operands = [
        (Role::Source, bytes(src)),
        (Role::Index, bytes(offset)),
        (Role::Destination, bytes(dst)),
    ];
    let call = Call::Tgatherb(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

fn blocks() -> How {
    reading(|readings| readings.tgatherb_granularity = OffsetGranularity::Block)
}

#[test]
fn dtype_05_the_documented_tuple() {
    let bytes_of = |dtype| tile(dtype, 1, 256);
    let call = call(bytes_of(Uint8), bytes_of(Uint8), bytes_of(Uint32));
    let src: Vec<u8> = (0..=255).collect();
    let offset: Vec<u32> = (0..256).rev().collect();
    for schedule in SCHEDULES {
        let after = gathered(&call, how(schedule), &[0; 256], &src, &offset);
        assert!(after.iter().eq(src.iter().rev()));
    }
}

#[test]
fn sem_01_to_03_offsets_count_bytes_of_the_sources_storage() {
    // Destination 2 by 3 in 2 by 8, offsets ColMajor: (r, c) at 2c + r.
    let dst = valid(Int32, 2, 8, 2, 3);
    let offset = col_major(valid(Uint32, 2, 8, 2, 3));
    let call = call(dst, valid(Int32, 2, 8, 1, 1), offset);
    let src: Vec<i32> = (100..116).collect();
    let offsets = [0, 60, 4, 4, 32, 8];
    let offset: Vec<u32> = offsets.into_iter().chain([0; 10]).collect();
    let after = gathered(&call, How::default(), &[-1; 16], &src, &offset);
    // CONF-01: one offset may serve twice. GAP-07: padding is kept.
    assert_eq!(after[..4], [100, 101, 108, -1]);
    assert_eq!(after[8..12], [115, 101, 102, -1]);
}

#[test]
fn gap_01_unaligned_offsets() {
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = call(pair(Int32), pair(Int32), pair(Uint32));
    let run = |unaligned| {
        let how = reading(|readings| readings.tgatherb_unaligned = unaligned);
        let src = [0x0302_0100, 0x0706_0504, 0x0B0A_0908, 0, 0, 0, 0, 0];
        gathered(&call, how, &[0; 8], &src, &[1, 6, 0, 0, 0, 0, 0, 0])
    };
    let exact = run(UnalignedOffset::ByteExact);
    assert_eq!(exact[..3], [0x0403_0201, 0x0908_0706, 0]);
    assert_eq!(run(UnalignedOffset::Undefined), exact);
    let rounded = run(UnalignedOffset::RoundedDown);
    assert_eq!(rounded[..2], [0x0302_0100, 0x0706_0504]);
}

#[test]
fn oob_01_an_offset_out_of_range_is_a_oob_access_read() {
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    // INDEX-01: int32_t offsets are taken bit for bit, never as negative ones.
    for dtype in [Uint32, Int32] {
        let call = call(pair(Int32), pair(Int32), pair(dtype));
        let mut memory = memory(&[
            (Role::Source, vec![1; 32]),
            (Role::Index, bytes(&[30, u32::MAX, 0, 0, 0, 0, 0, 0])),
            (Role::Destination, vec![0; 32]),
        ]);
        let log = execute(Call::Tgatherb(call), &mut memory, How::default());
        let read = |offset| outside(Role::Source, offset, 4, false);
        assert_eq!(log.oob_accesses.first, [read(30), read(4_294_967_295)]);
        let dst = memory.get(Role::Destination).expect("a destination").body();
        // Two bytes of the source, two of its guard zone; then nowhere.
        assert_eq!(dst[..8], [1, 1, FENCE, FENCE, 0xEE, 0xEE, 0xEE, 0xEE]);
    }
}

#[test]
fn gap_14_one_offset_serves_a_block_of_32_bytes() {
    // Sixteen halves a block: 40 columns are three blocks, the last of 8 valid
    // columns and, in a row of 48, 8 padding ones (GAP-07).
    let dst = valid(Half, 2, 48, 2, 40);
    let call = call(dst, tile(Half, 4, 32), valid(Uint32, 2, 8, 2, 3));
    let src: Vec<u16> = (0..128).collect();
    let mut offset = [0; 16];
    offset[..3].copy_from_slice(&[64, 0, 224]);
    offset[8..11].copy_from_slice(&[32, 32, 2]);
    let after = gathered(&call, blocks(), &[9999; 96], &src, &offset);
    let run = |first: u16| (first..first + 16).collect::<Vec<u16>>();
    for (block, first) in [(0, 32), (1, 0), (2, 112), (3, 16), (4, 16), (5, 1)] {
        assert_eq!(after[16 * block..][..16], run(first), "block {block}");
    }
    let mut rounded = blocks();
    rounded.readings.tgatherb_unaligned = UnalignedOffset::RoundedDown;
    let after = gathered(&call, rounded, &[9999; 96], &src, &offset);
    assert_eq!(after[80..], run(0));
}

#[test]
fn gap_14_a_block_ends_with_the_padded_row() {
    // Rows of 12 words: the second block has room for 4.
    let dst = valid(Int32, 2, 12, 2, 9);
    let call = call(dst, tile(Int32, 2, 8), valid(Uint32, 2, 8, 2, 2));
    let src: Vec<i32> = (0..16).collect();
    let offset = [0, 32, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0];
    for schedule in SCHEDULES {
        let how = blocks().with(|c| c.schedule = schedule);
        let after = gathered(&call, how, &[-1; 24], &src, &offset);
        assert_eq!(after[..12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(after[12..], [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3]);
    }
}

#[test]
fn sem_04_only_loads_and_stores_in_ub() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = call(one(Int32), tile(Int32, 1, 16), one(Uint32));
    let operands = [
        (Role::Source, vec![1; 64]),
        (Role::Index, bytes(&[12, 0, 0, 0, 0, 0, 0, 0])),
        (Role::Destination, vec![0; 32]),
    ];
    let events = |how, len| {
        let expected = [
            load(Space::Ub, Role::Index, 0, 4),
            load(Space::Ub, Role::Source, 12, len),
            store(Space::Ub, Role::Destination, 0, len),
        ];
        let log = execute(Call::Tgatherb(call), &mut memory(&operands), how);
        assert_eq!(log.trace.expect("a trace"), expected);
    };
    events(How::default(), 4);
    events(blocks(), 32);
}

#[test]
fn gap_14_a_block_is_loaded_whole_though_less_is_stored() {
    // The padded row has room for 3 words of the 8.
    let call = call(tile(Int32, 1, 3), tile(Int32, 1, 8), tile(Uint32, 1, 1));
    let operands = [
        (Role::Source, bytes(&[1, 2, 3, 4, 5, 6, 7, 8])),
        (Role::Index, bytes(&[4])),
        (Role::Destination, vec![0; 12]),
    ];
    let mut memory = memory(&operands);
    let log = execute(Call::Tgatherb(call), &mut memory, blocks());
    let destination = memory.get(Role::Destination).expect("the destination");
    assert_eq!(destination.body(), bytes(&[2, 3, 4]));
    let got = log.oob_accesses.first;
    assert_eq!(got, [outside(Role::Source, 4, 32, false)]);
}

#[test]
fn gap_13_a_run_time_extent_of_0_writes_nothing() {
    let none = |dtype| dynamic(valid(dtype, 1, 8, 1, 0));
    let call = call(none(Int32), tile(Int32, 1, 8), none(Uint32));
    for how in [How::default(), blocks()] {
        assert_eq!(gathered(&call, how, &[5; 8], &[1; 8], &[0; 8]), [5; 8]);
    }
}
