//! The readings of what Row transfers move, and of what a gather fills or keeps.

use ptodiff_isa::{
    BurstTail, Call, Coalesce, DType, Dim, EmptyExtent, Event, GatherOob, GatherPadding, Mgather,
    Mscatter, NdZeroFill, NzRowColumns, Readings, Role, ScatterAtomicOp, ScatterOob, Tile,
};
use strum::VariantArray;

use crate::common::{
    Ran, With, bytes, count, gather, in_ub, legal, mgather, mscatter, nd, nz, nz_tile, outside,
    reading, run, scatter, tile,
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

fn tail(burst_tail: BurstTail) -> Readings {
    reading(|r| r.burst_tail = burst_tail)
}

/// The tile of MSCATTER-GAP-28 against `rows` packed rows of five bytes: rows of 1 to 32
/// and of 41 to 72, of which five columns each are valid.
fn five_of_32(rows: u64, atomic: ScatterAtomicOp, indices: [i32; 2]) -> (Call, [Vec<u8>; 3]) {
    let (src, idx) = (tile(Int8, [2, 32], [2, 5]), tile(Int32, [1, 2], [1, 2]));
    let call = mscatter(Row, nd(Int8, rows, 5), src, idx);
    let values = bytes((1..33_u8).chain(41..73));
    let operands = [vec![1; 5 * rows as usize], values, bytes(indices)];
    (Call::Mscatter(Mscatter { atomic, ..call }), operands)
}

/// MSCATTER-GAP-28: rows go to bytes 0 and 10, or the other way round; with Add all 32
/// elements are added.
#[test]
fn rounded_bursts_overwrite_what_follows() {
    let write = |reading, atomic, indices| {
        let (call, operands) = five_of_32(16, atomic, indices);
        legal(call, tail(reading), operands)
    };
    use ScatterAtomicOp::{Add, None};
    for reading in [BurstTail::Exact, BurstTail::Precondition] {
        let ran = write(reading, None, [0, 2]);
        let table = ran.table::<u8>();
        assert_eq!(table[..10], [1, 2, 3, 4, 5, 1, 1, 1, 1, 1]);
        assert_eq!(table[10..17], [41, 42, 43, 44, 45, 1, 1]);
        assert_eq!(dmas(&ran), [(0, 0, 1, 5), (32, 10, 1, 5)]);
    }
    let ran = write(BurstTail::Rounded, None, [0, 2]);
    let table = ran.table::<u8>();
    assert!(table[..42].iter().copied().eq((1..11).chain(41..73)));
    assert_eq!(table[42..], [1; 38]);
    assert_eq!(dmas(&ran), [(0, 0, 1, 32), (32, 10, 1, 32)]);
    let table = write(BurstTail::Rounded, None, [2, 0]).table::<u8>();
    assert!(table[..42].iter().copied().eq((41..73).chain(23..33)));
    let table = write(BurstTail::Rounded, Add, [0, 2]).table::<u8>();
    assert!(table[..10].iter().copied().eq(2..12));
    // 1 + 11 + 41 and on by two.
    assert!(table[10..32].iter().copied().eq((53..97).step_by(2)));
    assert!(table[32..42].iter().copied().eq(64..74));
    assert_eq!(table[42..], [1; 38]);
}

/// MSCATTER-GAP-28: 40 bytes become 64; whole chunks stay as they are; a burst
/// that runs past the table is one access outside.
#[test]
fn rounding_is_up_to_32_bytes() {
    for (cols, len) in [(8, 32), (10, 64), (16, 64)] {
        let call = mscatter(
            Row,
            nd(Int32, 1, 24),
            tile(Int32, [1, 24], [1, cols]),
            one(),
        );
        let call = Call::Mscatter(call);
        let operands = [bytes([0; 24]), bytes([1; 24]), bytes([0; 8])];
        let ran = legal(call, tail(BurstTail::Rounded), operands);
        assert_eq!(dmas(&ran), [(0, 0, 1, len)]);
        assert_eq!(ran.table::<i32>().iter().sum::<i32>() as u64, len / 4);
    }
    let (call, operands) = five_of_32(4, ScatterAtomicOp::None, [0, 2]);
    let ran = run(call, tail(BurstTail::Rounded), operands);
    let write = |offset| outside(Role::Table, offset, 32, true);
    assert_eq!(ran.oob_accesses(), [write(0), write(10)]);
}

fn columns(nz_row_columns: NzRowColumns) -> Readings {
    reading(|r| r.nz_row_columns = nz_row_columns)
}

const MOVING: [NzRowColumns; 3] = [
    NzRowColumns::Either,
    NzRowColumns::Moved,
    NzRowColumns::Precondition,
];

/// MSCATTER-GAP-22: nine of 16 columns, padding 7, old content 1, to row 2.
/// Blocks of columns are 128 elements apart in table and tile.
#[test]
fn nz_columns_of_a_scatter() {
    let (table, src) = (nz(Int32, [1, 2, 1], 8), nz_tile(Int32, [16, 16], [1, 9]));
    for (atomic, old) in [(ScatterAtomicOp::None, 0), (ScatterAtomicOp::Add, 1)] {
        let call = mscatter(Row, table, src, one()).with(|c| c.atomic = atomic);
        let mut values = [7; 256];
        values[..8].fill(3);
        values[128] = 3;
        let row = |readings| {
            let index = bytes([2, 0, 0, 0, 0, 0, 0, 0]);
            let operands = [bytes([1; 256]), bytes(values), index];
            legal(Call::Mscatter(call), readings, operands)
        };
        let mut want = [1; 256];
        want[16..24].fill(3 + old);
        want[144] = 3 + old;
        let ran = row(columns(NzRowColumns::Kept));
        assert_eq!(ran.table::<i32>(), want);
        assert_eq!(dmas(&ran), [(0, 64, 1, 32), (512, 576, 1, 4)]);
        want[145..152].fill(7 + old);
        for reading in MOVING {
            let ran = row(columns(reading));
            assert_eq!(ran.table::<i32>(), want);
            assert_eq!(dmas(&ran), [(0, 64, 2, 32)]);
        }
    }
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
        let with = columns(NzRowColumns::Kept);
        let ran = scatter(call, with, &[0; 512], &ones, &[0]);
        assert_eq!(dmas(&ran), want);
        assert_eq!(ran.table::<i32>().iter().sum::<i32>() as u64, cols);
    }
}

/// MGATHER-GAP-57: three of eight columns, from row 1; Zero clears the
/// tile before, whatever is moved (MGATHER-OOB-13).
#[test]
fn nz_columns_of_a_gather() {
    for (oob, old) in [(GatherOob::Undefined, -1), (GatherOob::Zero, 0)] {
        let (dst, table) = (nz_tile(Int32, [16, 8], [1, 3]), nz(Int32, [1, 1, 1], 8));
        let call = mgather(Row, dst, table, one()).with(|c| c.oob = oob);
        let row = |reading| gather(call, columns(reading), -1, &count(0, 128), &[1]);
        let ran = row(NzRowColumns::Kept);
        assert_eq!(ran.dst::<i32>()[..8], [8, 9, 10, old, old, old, old, old]);
        assert_eq!(dmas(&ran), [(0, 32, 1, 12)]);
        for reading in MOVING {
            let ran = row(reading);
            assert_eq!(ran.dst::<i32>()[..8], [8, 9, 10, 11, 12, 13, 14, 15]);
            assert_eq!(dmas(&ran), [(0, 32, 1, 32)]);
        }
    }
}

/// MGATHER-GAP-18: three of 16 columns; nothing behind them changes.
#[test]
fn the_tail_of_a_gathered_row_is_kept() {
    let call = mgather(Row, tile(Int32, [1, 16], [1, 3]), nd(Int32, 4, 8), one());
    for padding in GatherPadding::VARIANTS {
        let with = reading(|r| r.gather_padding = *padding);
        let got = gather(call, with, -1, &count(0, 32), &[2]).dst::<i32>();
        assert_eq!((&got[..3], &got[3..]), (&[16, 17, 18][..], &[-1; 13][..]));
    }
}

/// MGATHER-GAP-19: rows 0 and 9 of a table of two; the tile is 96 bytes, its second
/// row begins at 32.
#[test]
fn what_zero_fills() {
    let zero_row = |mode, oob| {
        let idx = match mode {
            Row => tile(Int32, [2, 8], [1, 2]),
            Elem => tile(Int32, [2, 8], [2, 3]),
        };
        let dst = tile(Int32, [3, 8], [2, 3]);
        mgather(mode, dst, nd(Int32, 2, 3), idx).with(|c| c.oob = oob)
    };
    let of = |mode, oob, nd_zero_fill| {
        let with = reading(|r| r.nd_zero_fill = nd_zero_fill);
        let ran = gather(zero_row(mode, oob), with, -1, &count(4, 6), &[0, 9]);
        let written = ran.events().iter().filter_map(|event| match event {
            Event::Fill { offset, len, .. } => Some(("fill", *offset, *len)),
            Event::Dma { to, len_burst, .. } => Some(("move", to.1, *len_burst)),
            Event::Store { offset, len, .. } => Some(("store", *offset, *len)),
            _ => None,
        });
        (ran.dst::<i32>(), written.collect::<Vec<_>>())
    };
    let (inline, whole) = (NdZeroFill::Inline, NdZeroFill::WholeTile);
    let mut want = [-1; 24];
    want[..3].copy_from_slice(&[4, 5, 6]);
    want[8..11].fill(0);
    let (got, written) = of(Row, GatherOob::Zero, inline);
    let stores = [32, 36, 40].map(|at| ("store", at, 4));
    assert_eq!((&got[..], &written[1..]), (&want[..], &stores[..]));
    assert_eq!(written[0], ("move", 0, 12));
    want[3..].fill(0);
    let (got, written) = of(Row, GatherOob::Zero, whole);
    let found = (&got[..], &written[..]);
    assert_eq!(found, (&want[..], &[("fill", 0, 96), ("move", 0, 12)][..]));
    // Only Row, and only Zero.
    for (mode, oob) in [(Row, GatherOob::Clamp), (Elem, GatherOob::Zero)] {
        assert_eq!(of(mode, oob, whole), of(mode, oob, inline));
    }
    // MGATHER-DYN-03: of a third row under a tile of two, which nobody checks, neither
    // the zeroes of the tile nor a fill reach anything.
    let mut call = zero_row(Row, GatherOob::Zero);
    (call.dst.rows, call.dst.valid_row) = (2, Dim::Dynamic(3));
    call.idx = tile(Int32, [1, 3], [1, 3]);
    let operands = [bytes(4..10), bytes([-1; 24]), bytes([1, 9, 9])];
    let with = reading(|r| r.nd_zero_fill = whole);
    let got = legal(Call::Mgather(call), with, operands).dst::<i32>();
    let found = (&got[..3], &got[3..16], &got[16..]);
    assert_eq!(found, (&[7, 8, 9][..], &[0; 13][..], &[-1; 8][..]));
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
