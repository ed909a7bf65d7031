//! The readings of strides: slots of padded tables, rows beyond `Shape[3]`.

use ptodiff_isa::{
    Call, Coalesce, DType, Event, GatherOob, GlobalTensor, Layout, Mgather, Mscatter, OuterStrides,
    PaddedElem, Readings, Role, ScatterAtomicOp, ScatterOob, Tile,
};

use crate::common::{Ran, bytes, in_ub, legal_on, mgather, mscatter, padded, table, tile};

fn elem(padded_elem: PaddedElem) -> Readings {
    Readings {
        padded_elem,
        ..Readings::default()
    }
}

fn row(outer_strides: OuterStrides) -> Readings {
    Readings {
        outer_strides,
        ..Readings::default()
    }
}

/// Rows of eight, 16 apart: the table of MSCATTER-GAP-18 and MGATHER-GAP-07.
fn padded_table(dtype: DType) -> GlobalTensor {
    table(dtype, [1, 1, 1, 4, 8], [64, 64, 64, 16, 1], Layout::ND)
}

fn one_row(dtype: DType, count: usize) -> Tile {
    tile(dtype, [1, 32], [1, count as u64])
}

/// Scatters 1, 2, ... into a zero table of `len` elements; gives where they are.
fn scattered(call: Mscatter, readings: Readings, len: usize, indices: &[i32]) -> (Vec<usize>, Ran) {
    let call = Call::Mscatter(call);
    let index = padded(indices, indices.len(), call.index_cols(), 0);
    let src = 1..=(32 * call.data_tile().rows) as u16;
    let operands = [bytes(vec![0_u16; len]), bytes(src), index];
    let ran = legal_on(call, readings, in_ub(&call, operands));
    let slots = ran.table::<u16>();
    let found = (1..=8_u16).filter_map(|v| slots.iter().position(|slot| *slot == v));
    (found.collect(), ran)
}

/// Gathers from `0, 1, 2, ...` (`len` elements).
fn gathered(call: Mgather, readings: Readings, len: u16, indices: &[i32]) -> (Vec<u16>, Ran) {
    let call = Call::Mgather(call);
    let index = padded(indices, indices.len(), call.index_cols(), 0);
    let tile = vec![0xFFFF_u16; 32 * call.data_tile().rows as usize];
    let operands = [bytes(0..len), bytes(tile), index];
    let ran = legal_on(call, readings, in_ub(&call, operands));
    (ran.dst(), ran)
}

trait IndexCols {
    fn index_cols(&self) -> usize;
}

impl IndexCols for Call {
    fn index_cols(&self) -> usize {
        match self {
            Self::Mscatter(call) => call.idx.cols as usize,
            Self::Mgather(call) => call.idx.cols as usize,
            _ => 0,
        }
    }
}

fn elem_scatter(table: GlobalTensor, count: usize) -> Mscatter {
    let (src, idx) = (one_row(table.dtype, count), one_row(DType::Int32, count));
    mscatter(Coalesce::Elem, table, src, idx)
}

fn elem_gather(table: GlobalTensor, count: usize) -> Mgather {
    let (dst, idx) = (one_row(table.dtype, count), one_row(DType::Int32, count));
    mgather(Coalesce::Elem, dst, table, idx)
}

/// MSCATTER-GAP-18: slot 8 is (1, 0), slot 31 is (3, 7).
#[test]
fn padded_slots_of_a_scatter() {
    for (reading, want) in [
        (PaddedElem::Flat, [8, 31, 7]),
        (PaddedElem::Strided, [16, 55, 7]),
        (PaddedElem::Precondition, [8, 31, 7]),
    ] {
        let call = elem_scatter(padded_table(DType::Half), 3);
        let (found, ran) = scattered(call, elem(reading), 56, &[8, 31, 7]);
        assert_eq!(found, want);
        let stores = ran.events().iter().filter_map(|event| match event {
            Event::Store { role, offset, .. } if *role == Role::Table => Some(*offset),
            _ => None,
        });
        assert_eq!(stores.collect::<Vec<_>>(), want.map(|k| 2 * k as i64));
        // Capacity is the product of the shape under every reading.
        let call = Mscatter {
            oob: ScatterOob::Clamp,
            ..elem_scatter(padded_table(DType::Half), 1)
        };
        let (found, _) = scattered(call, elem(reading), 56, &[32]);
        assert_eq!(found, [want[1]]);
    }
}

/// MSCATTER-GAP-18 with Add: 1, 2 and 3, two of them to (1, 0).
#[test]
fn padded_slots_add() {
    let call = Call::Mscatter(Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..elem_scatter(padded_table(DType::Int16), 3)
    });
    let index = padded(&[8_i32, 8, 9], 3, 32, 0);
    let operands = [bytes([10_i16; 56]), bytes(1..33_i16), index];
    let ran = legal_on(call, elem(PaddedElem::Strided), in_ub(&call, operands));
    let mut want = [10_i16; 56];
    (want[16], want[17]) = (13, 13);
    assert_eq!(ran.table::<i16>(), want);
}

/// MGATHER-GAP-07, the same slots read.
#[test]
fn padded_slots_of_a_gather() {
    for (reading, want) in [
        (PaddedElem::Flat, [8, 31, 7]),
        (PaddedElem::Strided, [16, 55, 7]),
        (PaddedElem::Precondition, [8, 31, 7]),
    ] {
        let call = elem_gather(padded_table(DType::Half), 3);
        let (got, _) = gathered(call, elem(reading), 56, &[8, 31, 7]);
        assert_eq!(got[..3], want);
    }
    let call = Mgather {
        oob: GatherOob::Zero,
        ..elem_gather(padded_table(DType::Half), 2)
    };
    let (got, _) = gathered(call, elem(PaddedElem::Strided), 56, &[32, 9]);
    assert_eq!(got[..3], [0, 17, 0xFFFF]);
}

/// MSCATTER-GAP-18, MGATHER-GAP-07: all five strides count. Slot 21 of 2x1x2x3x2
/// is 1*12 + 1*6 + 1*2 + 1, so (1, 0, 1, 1, 1); slot 3 is (0, 0, 0, 1, 1).
#[test]
fn slots_of_five_dimensions() {
    let padded = table(DType::Half, [2, 1, 2, 3, 2], [60, 1, 25, 7, 3], Layout::ND);
    let with = elem(PaddedElem::Strided);
    let (found, _) = scattered(elem_scatter(padded, 2), with, 103, &[21, 3]);
    assert_eq!(found, [60 + 25 + 7 + 3, 10]);
    let (got, _) = gathered(elem_gather(padded, 2), with, 103, &[21, 3]);
    assert_eq!(got[..2], [95, 10]);
}

fn row_scatter(table: GlobalTensor, cols: u64) -> Mscatter {
    mscatter(
        Coalesce::Row,
        table,
        tile(table.dtype, [1, 32], [1, cols]),
        tile(DType::Int32, [1, 8], [1, 1]),
    )
}

fn row_gather(table: GlobalTensor, cols: u64) -> Mgather {
    mgather(
        Coalesce::Row,
        tile(table.dtype, [1, 32], [1, cols]),
        table,
        tile(DType::Int32, [1, 8], [1, 1]),
    )
}

/// MSCATTER-GAP-16: row 4 of 2x4, the two halves 64 elements apart.
#[test]
fn rows_of_a_scatter_beyond_shape_3() {
    let apart = table(
        DType::Half,
        [1, 1, 2, 4, 8],
        [128, 128, 64, 8, 1],
        Layout::ND,
    );
    for (reading, first) in [
        (OuterStrides::Precondition, 32),
        (OuterStrides::Ignored, 32),
        (OuterStrides::Split, 64),
    ] {
        let (found, ran) = scattered(row_scatter(apart, 8), row(reading), 96, &[4]);
        assert_eq!(found, (first..first + 8).collect::<Vec<_>>());
        let to = ran.events().iter().find_map(|event| match event {
            Event::Dma { to, .. } => Some(*to),
            _ => None,
        });
        assert_eq!(to, Some((Role::Table, 2 * first as i64)));
        // Below Shape[3] there is nothing to tell apart.
        let (found, _) = scattered(row_scatter(apart, 8), row(reading), 96, &[3]);
        assert_eq!(found, (24..32).collect::<Vec<_>>());
    }
}

/// MGATHER-GAP-06: row 3 of 2x3, the two halves 64 elements apart.
#[test]
fn rows_of_a_gather_beyond_shape_3() {
    let apart = table(
        DType::Half,
        [1, 1, 2, 3, 8],
        [128, 128, 64, 8, 1],
        Layout::ND,
    );
    for (reading, first) in [
        (OuterStrides::Precondition, 24),
        (OuterStrides::Ignored, 24),
        (OuterStrides::Split, 64),
    ] {
        let (got, _) = gathered(row_gather(apart, 8), row(reading), 96, &[3]);
        assert_eq!(got[..8], (first..first + 8).collect::<Vec<_>>());
    }
}

/// MSCATTER-GAP-16, MGATHER-GAP-06: row 11 of 2x2x1x4 is (1, 0, 0, 3), row 6 is
/// (0, 1, 0, 2); the stride of an extent of 1 is nobody's.
#[test]
fn rows_of_four_dimensions() {
    let apart = table(DType::Half, [2, 2, 1, 4, 2], [100, 40, 1, 9, 1], Layout::ND);
    let with = row(OuterStrides::Split);
    for (index, first) in [(11, 127), (6, 58)] {
        let (found, _) = scattered(row_scatter(apart, 2), with, 169, &[index]);
        assert_eq!(found, [first, first + 1]);
        let (got, _) = gathered(row_gather(apart, 2), with, 169, &[index]);
        assert_eq!(got[..2], [first as u16, first as u16 + 1]);
    }
}

/// Each of the two parameters has its own mode.
#[test]
fn the_other_mode_is_not_concerned() {
    let with = elem(PaddedElem::Strided);
    let (found, _) = scattered(row_scatter(padded_table(DType::Half), 8), with, 56, &[1]);
    assert_eq!(found, (16..24).collect::<Vec<_>>());
    let with = row(OuterStrides::Split);
    let (found, _) = scattered(elem_scatter(padded_table(DType::Half), 1), with, 56, &[8]);
    assert_eq!(found, [8]);
    let (got, _) = gathered(elem_gather(padded_table(DType::Half), 1), with, 56, &[8]);
    assert_eq!(got[0], 8);
}
