//! The readings of what Row transfers move, and of what a gather fills or keeps.

use ptodiff_isa::{
    BurstTail, Call, Coalesce, DType, Dim, EmptyExtent, Event, GatherOob, Mgather, NdZeroFill,
    NzRowColumns, Role, ScatterAtomicOp, ScatterOob, Tile,
};

use crate::common::{
    Ran, bytes, in_ub, legal, mgather, mscatter, nd, nz, nz_tile, outside, reading, run, scatter,
    tile,
};

use Coalesce::{Elem, Row};
use DType::{Int8, Int32};

/// Operand offset in UB and in GM, bursts, and bytes of each.
fn dmas(ran: &Ran) -> Vec<(i64, i64, u64, u64)> {
    let dma = |event: &Event| match event {
        Event::Dma {
            from,
            to,
            n_burst,
            len_burst,
            ..
        } => {
            let (gm, ub) = match from.0 {
                Role::Table => (from, to),
                _ => (to, from),
            };
            Some((ub.1, gm.1, *n_burst, *len_burst))
        }
        _ => None,
    };
    ran.events().iter().filter_map(dma).collect()
}

/// One Row index.
fn one() -> Tile {
    tile(Int32, [1, 8], [1, 1])
}

/// MSCATTER-GAP-28: 40 bytes become 64; whole chunks stay as they are; a burst
/// that runs past the table is one access outside.
#[test]
fn rounding_is_up_to_32_bytes() {
    let rounded = reading(|r| r.burst_tail = BurstTail::Rounded);
    for (cols, len) in [(8, 32), (10, 64), (16, 64)] {
        let call = mscatter(
            Row,
            nd(Int32, 1, 24),
            tile(Int32, [1, 24], [1, cols]),
            one(),
        );
        let call = Call::Mscatter(call);
        let operands = [bytes([0; 24]), bytes([1; 24]), bytes([0; 8])];
        let ran = legal(call, rounded, operands);
        assert_eq!(dmas(&ran), [(0, 0, 1, len)]);
        assert_eq!(ran.table::<i32>().iter().sum::<i32>() as u64, len / 4);
    }
    let (src, idx) = (tile(Int8, [2, 32], [2, 5]), tile(Int32, [1, 2], [1, 2]));
    let call = Call::Mscatter(mscatter(Row, nd(Int8, 4, 5), src, idx));
    let ran = run(call, rounded, [vec![1; 20], vec![2; 64], bytes([0, 2])]);
    let write = |offset| outside(Role::Table, offset, 32, true);
    assert_eq!(ran.oob_accesses(), [write(0), write(10)]);
}

/// MSCATTER-GAP-22: two batches of two blocks, 16 columns each: a block
/// is 512 bytes of tile and of table, a batch 1024.
#[test]
fn nz_columns_end_in_any_batch() {
    let (one_block, both) = ((0, 0, 1, 32), (0, 0, 2, 32));
    for (cols, want) in [
        (9, vec![one_block, (512, 512, 1, 4)]),
        (16, vec![both]),
        (20, vec![both, (1024, 1024, 1, 16)]),
        (28, vec![both, (1024, 1024, 1, 32), (1536, 1536, 1, 16)]),
        (32, vec![both, (1024, 1024, 2, 32)]),
    ] {
        let src = nz_tile(Int32, [16, 32], [1, cols]);
        let call = mscatter(Row, nz(Int32, [2, 2, 1], 8), src, one());
        let ones = vec![1; cols as usize];
        let with = reading(|r| r.nz_row_columns = NzRowColumns::Kept);
        let ran = scatter(call, with, &[0; 512], &ones, &[0]);
        assert_eq!(dmas(&ran), want);
        assert_eq!(ran.table::<i32>().iter().sum::<i32>() as u64, cols);
    }
}

/// MSCATTER-GAP-38, MGATHER-GAP-26: not even a fill, in whatever other reading.
#[test]
fn empty_extents_do_nothing() {
    let with = reading(|r| {
        r.empty_extent = EmptyExtent::NoOp;
        r.nd_zero_fill = NdZeroFill::WholeTile;
        r.burst_tail = BurstTail::Rounded;
        r.nz_row_columns = NzRowColumns::Kept;
    });
    let nothing = |call: Call| {
        let operands = [bytes([1; 128]), bytes([2; 128]), bytes([0; 128])];
        let ran = legal(call, with, operands.clone());
        assert_eq!(ran.memory, in_ub(&call, operands));
        assert_eq!(ran.events(), []);
    };
    let blocks = (nz(Int32, [1, 1, 1], 8), nz_tile(Int32, [16, 8], [3, 3]));
    for (table, mut data) in [(nd(Int32, 16, 8), tile(Int32, [16, 8], [3, 3])), blocks] {
        for (row, col) in [(0, 3), (3, 0), (0, 0)].map(|(r, c)| (Dim::Dynamic(r), Dim::Dynamic(c)))
        {
            (data.valid_row, data.valid_col) = (row, col);
            for (mode, valid) in [(Row, (Dim::Static(1), row)), (Elem, (row, col))] {
                let mut idx = tile(Int32, [16, 8], [1, 1]);
                (idx.valid_row, idx.valid_col) = valid;
                for oob in [GatherOob::Zero, GatherOob::Undefined] {
                    let call = mgather(mode, data, table, idx);
                    nothing(Call::Mgather(Mgather { oob, ..call }));
                }
                for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
                    let mut call = mscatter(mode, table, data, idx);
                    (call.atomic, call.oob) = (atomic, ScatterOob::Clamp);
                    nothing(Call::Mscatter(call));
                }
            }
        }
    }
}
