//! Ordinary calls are over here: no second way runs any of their lanes.

use ptodiff_isa::{
    DType, Dim, Launch, NegativeIndex, OuterStrides, ScatterAtomicOp, ScatterConflict, ScatterOob,
};

use super::*;
use crate::testing::{bytes, memory, numbers, scrambled, tile};

/// Lanes of two groups.
const LANES: u64 = 16;

/// `rows` of `cols` `int32_t` each, none between them.
fn table(rows: u64, cols: u64) -> GlobalTensor {
    let all = rows * cols;
    GlobalTensor {
        dtype: DType::Int32,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [all, all, all, cols, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

fn mscatter(mode: Coalesce, table: GlobalTensor, src: Tile) -> Mscatter {
    Mscatter {
        table,
        src,
        idx: indices(mode, &src),
        mode,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    }
}

fn mgather(mode: Coalesce, dst: Tile, table: GlobalTensor) -> Mgather {
    Mgather {
        dst,
        table,
        idx: indices(mode, &dst),
        mode,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    }
}

/// As the modes want them, of a dtype that has no negative ones.
fn indices(mode: Coalesce, data: &Tile) -> Tile {
    match mode {
        Coalesce::Elem => tile(DType::Uint32, data.rows, data.cols),
        Coalesce::Row => tile(DType::Uint32, 1, data.rows),
    }
}

/// What is over here of a scatter, and the table after it.
fn scattered(
    call: Mscatter,
    readings: Readings,
    operands: [Vec<u32>; 3],
) -> (Result<(), usize>, Vec<u8>) {
    let mut memory = memory(Role::Source, operands);
    let done = run(&Call::Mscatter(call), &mut memory, &readings);
    (done, memory.regions[0].body().to_vec())
}

/// What is over here of a gather, and the tile after it.
fn gathered(
    call: Mgather,
    readings: Readings,
    operands: [Vec<u32>; 3],
) -> (Result<(), usize>, Vec<u8>) {
    let mut memory = memory(Role::Destination, operands);
    let done = run(&Call::Mgather(call), &mut memory, &readings);
    (done, memory.regions[1].body().to_vec())
}

#[test]
fn elements_under_every_policy() {
    let words = tile(DType::Int32, 1, LANES);
    let slots = scrambled(LANES, 32);
    let mut want = numbers(100, 32);
    for (slot, value) in slots.iter().zip(1..) {
        want[*slot as usize] = value;
    }
    for oob in [
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ] {
        let call = Mscatter {
            oob,
            ..mscatter(Coalesce::Elem, table(1, 32), words)
        };
        let operands = [numbers(100, 32), numbers(1, LANES), slots.clone()];
        let all = (Ok(()), bytes(want.clone()));
        assert_eq!(scattered(call, Readings::default(), operands), all);
    }
    let want = slots.iter().map(|slot| 100 + slot);
    for oob in [
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ] {
        let call = Mgather {
            oob,
            ..mgather(Coalesce::Elem, words, table(1, 32))
        };
        let operands = [numbers(100, 32), numbers(1, LANES), slots.clone()];
        let all = (Ok(()), bytes(want.clone()));
        assert_eq!(gathered(call, Readings::default(), operands), all);
    }
}

/// Undefined may lead out of the table, which the rest of the lanes is left for.
#[test]
fn elements_up_to_one_that_leaves_the_table() {
    let words = tile(DType::Int32, 1, LANES);
    let mut slots = numbers(0, LANES);
    slots[10] = 32;
    let operands = [vec![0; 32], numbers(1, LANES), slots];

    let call = mscatter(Coalesce::Elem, table(1, 32), words);
    let (done, after) = scattered(call, Readings::default(), operands.clone());
    assert_eq!(done, Err(10));
    assert_eq!(after[..40], bytes(1..=10));
    assert_eq!(after[40..], [0; 88]);

    let call = mgather(Coalesce::Elem, words, table(1, 32));
    let (done, after) = gathered(call, Readings::default(), operands);
    assert_eq!(done, Err(8), "whole groups alone are noted");
    assert_eq!(after[..32], [0; 32]);
}

/// Rows of lengths with a loop of their own and without one, in a tile that a first
/// cache holds and in one that it does not.
#[test]
fn rows_of_any_length() {
    for cols in [6, 8, 16, 32, 64, 128, 1024] {
        let data = tile(DType::Int32, LANES, cols);
        let rows = scrambled(LANES, 32);
        let operands = [
            numbers(9000, 32 * cols),
            numbers(1, LANES * cols),
            rows.clone(),
        ];
        let row = |of: u32, k: u64| (of..).skip((k * cols) as usize).take(cols as usize);
        let mut lines: Vec<Vec<u32>> = (0..32).map(|k| row(9000, k).collect()).collect();
        for (to, k) in rows.iter().zip(0..) {
            lines[*to as usize] = row(1, k).collect();
        }

        let call = mscatter(Coalesce::Row, table(32, cols), data);
        let all = (Ok(()), bytes(lines.concat()));
        assert_eq!(scattered(call, Readings::default(), operands.clone()), all);

        let call = mgather(Coalesce::Row, data, table(32, cols));
        let want = rows.iter().flat_map(|from| row(9000, u64::from(*from)));
        let all = (Ok(()), bytes(want));
        assert_eq!(gathered(call, Readings::default(), operands), all);
    }
}

#[test]
fn rows_and_elements_that_are_added() {
    let add = |call| Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let elements = tile(DType::Int32, 1, LANES);
    let call = add(mscatter(Coalesce::Elem, table(1, 32), elements));
    let operands = [vec![50; 32], vec![7; 16], numbers(0, LANES)];
    let all = (Ok(()), bytes([[57; 16], [50; 16]].concat()));
    assert_eq!(scattered(call, Readings::default(), operands), all);

    let rows = tile(DType::Int32, 2, 8);
    let call = add(mscatter(Coalesce::Row, table(4, 8), rows));
    let operands = [vec![50; 32], vec![7; 16], vec![3, 1]];
    let all = (Ok(()), bytes([[50; 8], [57; 8], [50; 8], [57; 8]].concat()));
    assert_eq!(scattered(call, Readings::default(), operands), all);
}

/// Other readings of MSCATTER-GAP-16 and MGATHER-GAP-06: rows whose strides all count.
#[test]
fn rows_that_are_split() {
    let readings = Readings {
        outer_strides: OuterStrides::Split,
        ..Readings::default()
    };
    // Two planes of two rows, 24 words apart, rows 8 apart.
    let planes = GlobalTensor {
        shape: [1, 1, 2, 2, 8].map(Dim::Static),
        stride: [48, 48, 24, 8, 1].map(Dim::Static),
        ..table(4, 8)
    };
    let data = tile(DType::Int32, 2, 8);
    let operands = [vec![0; 48], vec![7; 16], vec![3, 0]];

    let (done, after) = scattered(mscatter(Coalesce::Row, planes, data), readings, operands);
    let want = [[7; 8], [0; 8], [0; 8], [0; 8], [7; 8], [0; 8]];
    assert_eq!((done, after), (Ok(()), bytes(want.concat())));

    let operands = [numbers(0, 48), vec![7; 16], vec![3, 0]];
    let (done, after) = gathered(mgather(Coalesce::Row, data, planes), readings, operands);
    assert_eq!((done, after), (Ok(()), bytes((32..40).chain(0..8))));
}

/// MGATHER-GAP-19: a whole tile is cleared under Zero alone.
#[test]
fn a_tile_is_cleared_elsewhere() {
    let readings = Readings {
        nd_zero_fill: NdZeroFill::WholeTile,
        ..Readings::default()
    };
    let words = tile(DType::Int32, 1, LANES);
    let operands = [numbers(0, 32), vec![7; 16], numbers(16, LANES)];
    let call = mgather(Coalesce::Elem, words, table(1, 32));
    let all = (Ok(()), bytes(16..32));
    assert_eq!(gathered(call, readings, operands.clone()), all);

    let call = Mgather {
        oob: GatherOob::Zero,
        ..call
    };
    let none = (Err(0), bytes([7; 16]));
    assert_eq!(gathered(call, readings, operands), none);
}

/// Indices that may be negative, and padding that counts, are left for another way.
#[test]
fn lanes_that_are_not_as_they_mostly_are() {
    let words = tile(DType::Int32, 1, LANES);
    let operands = [vec![0; 32], vec![7; 16], numbers(0, LANES)];
    let none = (Err(0), bytes([0; 32]));
    let ordinary = mscatter(Coalesce::Elem, table(1, 32), words);

    let signed = Mscatter {
        idx: tile(DType::Int32, 1, LANES),
        ..ordinary
    };
    let readings = Readings {
        negative_index: NegativeIndex::Signed,
        ..Readings::default()
    };
    assert_eq!(scattered(signed, readings, operands.clone()), none);

    let padded = Mscatter {
        src: Tile {
            valid_col: Dim::Static(LANES - 1),
            ..words
        },
        ..ordinary
    };
    let done = scattered(padded, Readings::default(), operands.clone());
    assert_eq!(done, none);

    let readings = Readings {
        padded_elem: PaddedElem::Strided,
        ..Readings::default()
    };
    assert_eq!(scattered(ordinary, readings, operands), none);
}
