//! Accesses outside operands: recorded, carried out in guard zones, lost beyond.

use ptodiff_isa::{
    BurstTail, Call, Coalesce, DType, Dim, GatherOob, IndexUnit, Layout, NegativeIndex,
    OuterStrides, PaddedElem, Role, ScatterOob, Tile,
};

use crate::common::{
    GUARD_BYTE, With, bytes, line, mat, memory, mgather, mgather_l1, mscatter, nd, nz, nz_tile,
    outside, reading, run, run_on, table, tile,
};

use Coalesce::{Elem, Row};
use DType::{Half, Int8, Int32, Uint32};
use Role::{Destination, Source, Table};

/// One index.
fn one() -> Tile {
    tile(Int32, [1, 8], [1, 1])
}

/// MSCATTER-GAP-23, MGATHER-GAP-20: more column blocks than the tile has.
#[test]
fn an_nz_burst_past_the_tile() {
    let (src, table) = (nz_tile(Int32, [16, 8], [1, 8]), nz(Int32, [1, 2, 1], 8));
    let call = Call::Mscatter(mscatter(Row, table, src, one()));
    let operands = [bytes([0; 256]), bytes([1; 128]), bytes([0; 8])];
    let left = run(call, reading(|_| ()), operands);
    // The second burst starts at the tile's end, 16 rows of 32 bytes on.
    assert_eq!(left.oob_accesses(), [outside(Source, 512, 32, false)]);
    assert_eq!(left.table::<u8>()[512..544], [GUARD_BYTE; 32]);

    let (dst, table) = (nz_tile(Half, [16, 32], [1, 20]), nz(Half, [1, 4, 1], 16));
    let call = Call::Mgather(mgather(Row, dst, table, one()));
    let operands = [vec![1; 2048], vec![0; 1024], vec![0; 32]];
    let left = run(call, reading(|_| ()), operands);
    let write = |offset| outside(Destination, offset, 32, true);
    assert_eq!(left.oob_accesses(), [write(1024), write(1536)]);
    // The third burst lands in the guard zone, the fourth beyond it.
    let (_, back) = left.guards(Destination);
    let got = (&back[..32], &back[32..]);
    assert_eq!(got, (&[1; 32][..], &[GUARD_BYTE; 32][..]));

    // The Zero fill of a tile that memory cuts short.
    let (dst, table) = (nz_tile(Half, [16, 16], [1, 16]), nz(Half, [1, 1, 1], 16));
    let call = Call::Mgather(mgather(Row, dst, table, one()).with(|c| c.oob = GatherOob::Zero));
    let operands = [vec![1; 512], vec![5; 480], vec![0; 32]];
    let left = run(call, reading(|_| ()), operands);
    assert_eq!(left.oob_accesses(), [outside(Destination, 0, 512, true)]);
    assert_eq!(left.dst::<u8>()[..33], [&[1; 32][..], &[0]].concat());
}

/// MSCATTER-GAP-28: a burst that is rounded up and runs past the table is one access.
#[test]
fn a_rounded_burst_past_the_table() {
    let (src, idx) = (tile(Int8, [2, 32], [2, 5]), tile(Int32, [1, 2], [1, 2]));
    let call = Call::Mscatter(mscatter(Row, nd(Int8, 4, 5), src, idx));
    let rounded = reading(|r| r.burst_tail = BurstTail::Rounded);
    let left = run(call, rounded, [vec![1; 20], vec![2; 64], bytes([0, 2])]);
    let write = |offset| outside(Table, offset, 32, true);
    assert_eq!(left.oob_accesses(), [write(0), write(10)]);
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
        let left = run(Call::Mscatter(call), reading(|_| ()), operands);
        assert_eq!(left.oob_accesses(), [outside(Table, offset, 32, true)]);
    }
    let mut call = mscatter(Elem, line(Int32, 8), one(), one());
    (call.oob, call.table.shape[4]) = (ScatterOob::Wrap, Dim::Dynamic(u64::MAX));
    let readings = reading(|r| r.negative_index = NegativeIndex::Intended);
    let operands = [bytes([0; 8]), bytes([1; 8]), bytes([-1; 8])];
    let left = run(Call::Mscatter(call), readings, operands);
    assert_eq!(left.log.oob_accesses.count, 1);
}

/// MSCATTER-GAP-16, MSCATTER-GAP-18: one row, and a packed table of two planes, go on beyond
/// their shape as within; where there are gaps it is dimension 0 that goes on.
#[test]
fn beyond_the_shape() {
    for (shape, stride, (slot, by_slot), (number, by_row)) in [
        ([1, 1, 1, 1, 9], [50, 40, 30, 20, 1], (11, 11), (2, 40)),
        ([1, 1, 2, 3, 4], [500, 400, 12, 4, 1], (69, 69), (17, 68)),
        // (2 * 6 + 5) * 4 + 1: plane 1, row 2, column 1 of the third such pair.
        (
            [1, 1, 2, 3, 4],
            [500, 400, 100, 10, 1],
            (69, 1121),
            (17, 1120),
        ),
    ] {
        // Nothing of the table is there: all that is stored leaves it.
        let stored = |mode, cols, readings, index: i32| {
            let table = table(Int32, shape, stride, Layout::ND);
            let call = mscatter(mode, table, tile(Int32, [1, 16], [1, cols]), one());
            let operands = [vec![], bytes([1; 16]), bytes([index; 8])];
            let left = run(Call::Mscatter(call), readings, operands);
            left.oob_accesses()[0].offset / 4
        };
        let strided = reading(|r| r.padded_elem = PaddedElem::Strided);
        assert_eq!(stored(Elem, 1, strided, slot), by_slot, "{stride:?}");
        let split = reading(|r| r.outer_strides = OuterStrides::Split);
        assert_eq!(stored(Row, shape[4], split, number), by_row, "{stride:?}");
    }
}

/// The policies of a scatter and of a gather that go together.
type Policies = (ScatterOob, GatherOob);

/// MSCATTER-GAP-87: element -13 of ten, by element and by byte. An unsigned displacement is
/// divided as a signed one and put back into 32 bits.
#[test]
fn negative_indices_without_a_bound() {
    use NegativeIndex::{Intended, Signed, Unsigned};
    const FAR: i64 = 4_294_967_283;
    const UNDEFINED: Policies = (ScatterOob::Undefined, GatherOob::Undefined);
    for (dtype, negative_index, (to_gm, from_gm), slot) in [
        (Int32, Unsigned, UNDEFINED, FAR),
        (Int32, Signed, UNDEFINED, -13),
        (Int32, Intended, UNDEFINED, -13),
        (Uint32, Unsigned, UNDEFINED, FAR),
        (Uint32, Signed, UNDEFINED, FAR),
        (Uint32, Intended, UNDEFINED, FAR),
        // A signed comparison with the capacity lets it pass; the remainder of C++.
        (Int32, Signed, (ScatterOob::Skip, GatherOob::Zero), -13),
        (Int32, Signed, (ScatterOob::Clamp, GatherOob::Clamp), -13),
        (Int32, Signed, (ScatterOob::Wrap, GatherOob::Wrap), -3),
    ] {
        for (index_unit, size) in [(IndexUnit::Element, 1), (IndexUnit::Byte, 4)] {
            let readings = reading(|r| {
                (r.negative_index, r.index_unit) = (negative_index, index_unit);
            });
            let idx = tile(dtype, [1, 8], [1, 1]);
            let index = bytes([-13 * size; 8]);
            let expected = |write| [outside(Table, 4 * slot, 4, write)];
            let call = mscatter(Elem, line(Int32, 10), one(), idx).with(|c| c.oob = to_gm);
            let operands = [vec![0; 40], vec![0; 32], index.clone()];
            let left = run(Call::Mscatter(call), readings, operands);
            assert_eq!(left.oob_accesses(), expected(true), "{dtype} {readings:?}");
            let call = mgather(Elem, one(), line(Int32, 10), idx).with(|c| c.oob = from_gm);
            let left = run(
                Call::Mgather(call),
                readings,
                [vec![0; 40], vec![0; 32], index],
            );
            assert_eq!(left.oob_accesses(), expected(false), "{dtype} {readings:?}");
        }
    }
}

/// MGATHERL1-OOB-01: under Undefined a row past the table is read where it would be.
#[test]
fn a_row_past_the_table_to_l1() {
    let before = memory([
        (Destination, vec![0; 1024]),
        (Table, vec![0; 512]),
        (Role::Index, bytes([8])),
    ]);
    let dst = mat(Half, [16, 32], [1, 32]);
    let call = Call::MgatherL1(mgather_l1(Row, dst, nd(Half, 8, 32)));
    let left = run_on(call, reading(|_| ()), before);
    assert_eq!(left.oob_accesses(), [outside(Table, 512, 64, false)]);
    assert_eq!(left.dst::<u8>()[..32], [GUARD_BYTE; 32]);
}
