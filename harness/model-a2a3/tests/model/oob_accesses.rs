//! Accesses outside operands: recorded, carried out in guard zones, lost beyond.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, How, Log, Model, Mscatter, NegativeIndex, OobAccesses,
    Readings, Role, ScatterAtomicOp, ScatterOob, Tile,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{
    GUARD, GUARD_BYTE, With, bytes, count, line, memory, mgather, mscatter, nd, nz, nz_tile,
    outside, reading, run, tile,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int8, Int32, Uint32};
use Role::{Destination, Index, Source, Table};

fn ran(call: Call, operands: [Vec<u8>; 3]) -> crate::common::Ran {
    run(call, Readings::default(), operands)
}

/// One index.
fn one() -> Tile {
    tile(Int32, [1, 8], [1, 1])
}

/// MSCATTER-OOB-03: Undefined writes where the index says; of a read-add-write the read
/// leaves the table too.
#[test]
fn elements_past_the_table() {
    let (src, idx) = (tile(Int32, [1, 8], [1, 3]), tile(Uint32, [1, 8], [1, 3]));
    let call = mscatter(Elem, line(Int32, 8), src, idx);
    let operands = || {
        [
            bytes([0; 8]),
            bytes(count(1, 8)),
            bytes([8, 7, -1, 0, 0, 0, 0, 0]),
        ]
    };
    let left = ran(Call::Mscatter(call), operands());
    let far = 4 * 4_294_967_295;
    let write = |offset| outside(Table, offset, 4, true);
    assert_eq!(left.oob_accesses(), [write(32), write(far)]);
    let (front, back) = left.guards(Table);
    let got = (back[..4].to_vec(), front);
    assert_eq!(got, (bytes([1]), &[GUARD_BYTE; GUARD][..]));
    assert_eq!(back[4..], [GUARD_BYTE; GUARD - 4]);
    assert_eq!(left.table::<i32>(), [0, 0, 0, 0, 0, 0, 0, 2]);

    let atomic = ScatterAtomicOp::Add;
    let left = ran(Call::Mscatter(Mscatter { atomic, ..call }), operands());
    let both = [32, far].map(|at| [outside(Table, at, 4, false), write(at)]);
    assert_eq!(left.oob_accesses(), both.concat());
    assert_eq!(left.guards(Table).1[..4], [0xA6, 0xA5, 0xA5, 0xA5]);

    // A gather reads guard bytes, and 0xEE beyond.
    let call = Call::Mgather(mgather(Elem, src, line(Int32, 8), idx));
    let index = bytes([8, 24, 3, 0, 0, 0, 0, 0]);
    let left = ran(call, [bytes(0..8), bytes([7; 8]), index]);
    assert_eq!(left.dst::<u32>()[..3], [0xA5A5_A5A5, 0xEEEE_EEEE, 3]);
    let read = |offset| outside(Table, offset, 4, false);
    assert_eq!(left.oob_accesses(), [read(32), read(96)]);
}

/// A burst that leaves the table is one access; what is inside is moved.
#[test]
fn a_burst_past_the_table() {
    // ValidCol 24 on a table 16 wide (MSCATTER-GAP-17): row 3 spills 32 bytes.
    let src = tile(Int32, [1, 24], [1, 24]);
    let call = Call::Mscatter(mscatter(Row, nd(Int32, 4, 16), src, one()));
    let left = ran(call, [bytes([0; 64]), bytes([1; 24]), bytes([3; 8])]);
    assert_eq!(left.oob_accesses(), [outside(Table, 192, 96, true)]);
    assert_eq!(left.table::<i32>()[48..], [1; 16]);
    let (_, back) = left.guards(Table);
    let found = (&back[..32], &back[32..]);
    assert_eq!(found, (&bytes([1; 8])[..], &[GUARD_BYTE; 32][..]));

    // MGATHER-GAP-10: the same the other way, last row, 64 bytes too many.
    let dst = tile(Int32, [1, 16], [1, 16]);
    let call = Call::Mgather(mgather(Row, dst, nd(Int32, 4, 8), one()));
    let left = ran(call, [bytes(0..32), bytes([0; 16]), bytes([3; 8])]);
    assert_eq!(left.oob_accesses(), [outside(Table, 96, 64, false)]);
    let got = left.dst::<u32>();
    assert_eq!(got[..8], [24, 25, 26, 27, 28, 29, 30, 31]);
    assert_eq!(got[8..], [0xA5A5_A5A5; 8]);

    // An atomic burst is one write.
    let src = tile(Int8, [1, 64], [1, 33]);
    let call = Call::Mscatter(
        mscatter(Row, nd(Int8, 1, 32), src, one()).with(|c| c.atomic = ScatterAtomicOp::Add),
    );
    let left = ran(call, [vec![5; 32], vec![1; 64], vec![0; 32]]);
    assert_eq!(left.oob_accesses(), [outside(Table, 0, 33, true)]);
    assert_eq!(left.table::<i8>(), [6; 32]);
    assert_eq!(left.guards(Table).1[..2], [0xA6, 0xA5]);
}

/// MSCATTER-GAP-23, MGATHER-GAP-20: more column blocks than the tile has.
#[test]
fn an_nz_burst_past_the_tile() {
    let (src, table) = (nz_tile(Int32, [16, 8], [1, 8]), nz(Int32, [1, 2, 1], 8));
    let call = Call::Mscatter(mscatter(Row, table, src, one()));
    let left = ran(call, [bytes([0; 256]), bytes([1; 128]), bytes([0; 8])]);
    // The second burst starts at the tile's end, 16 rows of 32 bytes on.
    assert_eq!(left.oob_accesses(), [outside(Source, 512, 32, false)]);
    assert_eq!(left.table::<u8>()[512..544], [GUARD_BYTE; 32]);

    let (dst, table) = (nz_tile(Half, [16, 32], [1, 20]), nz(Half, [1, 4, 1], 16));
    let call = Call::Mgather(mgather(Row, dst, table, one()));
    let left = ran(call, [vec![1; 2048], vec![0; 1024], vec![0; 32]]);
    let write = |offset| outside(Destination, offset, 32, true);
    assert_eq!(left.oob_accesses(), [write(1024), write(1536)]);
    // The third burst lands in the guard zone, the fourth beyond it.
    let (_, back) = left.guards(Destination);
    let got = (&back[..32], &back[32..]);
    assert_eq!(got, (&[1; 32][..], &[GUARD_BYTE; 32][..]));

    // The Zero fill of a tile that memory cuts short.
    let (dst, table) = (nz_tile(Half, [16, 16], [1, 16]), nz(Half, [1, 1, 1], 16));
    let call = Call::Mgather(mgather(Row, dst, table, one()).with(|c| c.oob = GatherOob::Zero));
    let left = ran(call, [vec![1; 512], vec![5; 480], vec![0; 32]]);
    assert_eq!(left.oob_accesses(), [outside(Destination, 0, 512, true)]);
    assert_eq!(left.dst::<u8>()[..33], [&[1; 32][..], &[0]].concat());
    let (_, back) = left.guards(Destination);
    assert_eq!(back[..33], [&[0; 32][..], &[GUARD_BYTE]].concat());
}

/// Tiles smaller in memory than they claim; MSCATTER-OOB-06: dropped rows nobody reads.
#[test]
fn short_tiles() {
    let two = tile(Int32, [1, 8], [1, 2]);
    let call = Call::Mscatter(mscatter(Elem, line(Int32, 8), two, two));
    let left = ran(call, [bytes([0; 8]), bytes([1]), bytes([3])]);
    let wild = 4 * 0xA5A5_A5A5;
    let read = |role| outside(role, 4, 4, false);
    let wanted = [read(Index), read(Source), outside(Table, wild, 4, true)];
    assert_eq!(left.oob_accesses(), wanted);
    assert_eq!(left.table::<i32>()[3], 1);

    let (src, idx) = (tile(Int32, [4, 8], [4, 8]), tile(Int32, [1, 4], [1, 4]));
    for (oob, indices, times) in [
        (ScatterOob::Undefined, [2, 0, 1, 3], 2),
        (ScatterOob::Skip, [2, 0, 9, 3], 1),
        (ScatterOob::Skip, [2, 0, 9, 9], 0),
    ] {
        let call = mscatter(Row, nd(Int32, 4, 8), src, idx);
        let call = Call::Mscatter(Mscatter { oob, ..call });
        let left = ran(call, [bytes([100; 32]), bytes(0..16), bytes(indices)]);
        assert_eq!(left.log.oob_accesses.count, times);
        let table = left.table::<i32>();
        assert_eq!((table[16], table[7]), (0, 15));
    }
}

/// MSCATTER-GAP-11: 2^40 elements a row and an index of 2^32 - 1; beyond 64 bits the
/// record stops at the last offset it can hold. A capacity that no memory has.
#[test]
fn far_addresses_do_not_overflow() {
    let (src, idx) = (tile(Int32, [1, 8], [1, 8]), tile(Uint32, [1, 8], [1, 1]));
    let mut call = mscatter(Row, nd(Int32, 4, 8), src, idx);
    for (stride, offset) in [
        // 4294967295 * 2^20 * 4.
        (1 << 20, 18_014_398_505_287_680),
        (1 << 40, i64::MAX),
        (u64::MAX, i64::MAX),
    ] {
        call.table.stride[3] = Dim::Dynamic(stride);
        let operands = [bytes([0; 32]), bytes([1; 8]), bytes([-1; 8])];
        let left = ran(Call::Mscatter(call), operands);
        assert_eq!(left.oob_accesses(), [outside(Table, offset, 32, true)]);
        assert_eq!(left.table::<i32>(), [0; 32]);
    }
    let mut call = mscatter(Elem, line(Int32, 8), one(), one());
    (call.oob, call.table.shape[4]) = (ScatterOob::Wrap, Dim::Dynamic(u64::MAX));
    let readings = reading(|r| r.negative_index = NegativeIndex::Intended);
    let operands = [bytes([0; 8]), bytes([1; 8]), bytes([-1; 8])];
    let left = run(Call::Mscatter(call), readings, operands);
    assert_eq!(left.log.oob_accesses.count, 1);
    assert_eq!(left.table::<i32>(), [0; 8]);
}

/// All are counted, the first few kept.
#[test]
fn accesses_outside_are_counted() {
    let data = tile(Int32, [10, 8], [10, 8]);
    let call = Call::Mscatter(mscatter(Elem, line(Int32, 8), data, data));
    let left = ran(call, [bytes([0; 8]), bytes([1; 80]), bytes([99; 80])]);
    assert_eq!(left.log.oob_accesses.count, 80);
    assert_eq!(left.oob_accesses().len(), OobAccesses::KEPT);
}

/// A memory without an operand is a fault.
#[test]
fn a_missing_operand_is_a_fault() {
    let call = Call::Mscatter(mscatter(Elem, line(Int32, 8), one(), one()));
    let mut memory = memory([(Table, vec![0; 32]), (Index, vec![0; 32])]);
    let (how, mut log) = (How::default(), Log::default());
    let fault = A2a3.execute(&call, &mut memory, &how, &mut log);
    assert!(fault.unwrap_err().0.contains("source"));
}
