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
