//! Accesses outside operands: recorded, carried out in guard zones, lost beyond.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, How, Log, Model, NegativeIndex, Readings, Role,
    ScatterOob, Tile,
};
use ptodiff_model_a2a3::{A2a3, run_pipes};

use crate::common::{
    GUARD_BYTE, With, bytes, in_ub, line, memory, mgather, mscatter, nd, nz, nz_tile, outside,
    reading, run, run_on, tile,
};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32, Uint32};
use Role::{Destination, Index, Source, Table};

fn ran(call: Call, operands: [Vec<u8>; 3]) -> crate::common::Ran {
    run(call, Readings::default(), operands)
}

/// One index.
fn one() -> Tile {
    tile(Int32, [1, 8], [1, 1])
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

/// Two rows of 32 bytes from a table of one row, with one index where two are read:
/// what leaves an operand is counted in program order, though on pipes both transfers
/// come last.
#[test]
fn oob_accesses_in_program_order() {
    let (dst, idx) = (tile(Float, [2, 8], [2, 8]), tile(Int32, [1, 2], [1, 2]));
    let call = Call::Mgather(mgather(Row, dst, nd(Float, 1, 8), idx));
    let operands = || in_ub(&call, [vec![0; 32], vec![0; 64], bytes([5])]);
    let at_once = run_on(call, Readings::default(), operands()).log;
    let mut on_pipes = Log::default();
    run_pipes(
        &call,
        &mut operands(),
        &Readings::default(),
        None,
        &mut on_pipes,
    )
    .expect("a kernel");
    let roles: Vec<Role> = on_pipes.oob_accesses.first.iter().map(|s| s.role).collect();
    assert_eq!(roles, [Table, Index, Table]);
    assert_eq!(at_once.oob_accesses, on_pipes.oob_accesses);
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
