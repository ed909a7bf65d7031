//! MGATHER into L1: each reading of a gap.

use ptodiff_isa::{
    DType, Dim, GatherOob, GlobalTensor, L1IndexPitch, L1RowPadding, L1ScratchZero, MgatherL1,
    NegativeIndex, Readings, Role,
};

use crate::{
    common::{bytes, line, table},
    l1_values::{OLD, STALE, at, elem_call, gather, hundreds, row_call},
};

/// The reading of MGATHERL1-GAP-01: the tail of a moved row's last block.
#[test]
fn padding_by_row() {
    for (padding, tail) in [
        (L1RowPadding::TailZero, 0),
        (L1RowPadding::Undefined, 0),
        (L1RowPadding::Kept, OLD),
    ] {
        let readings = Readings {
            l1_row_padding: padding,
            ..Readings::default()
        };
        let index = bytes([0_i32; 10]);
        let ran = gather(row_call([10, 20]), readings, hundreds(8, 32), index);
        let tile = ran.dst::<u16>();
        assert_eq!(tile[at(9, 19)], 19);
        assert_eq!((tile[at(9, 20)], tile[at(9, 31)]), (tail, tail));
        assert_eq!((tile[at(10, 0)], tile[at(10, 20)]), (OLD, OLD));
    }
    // Blocks that no column reaches are nobody's tail.
    let index = bytes([0_i32; 10]);
    let ran = gather(
        row_call([10, 5]),
        Readings::default(),
        hundreds(8, 32),
        index,
    );
    let tile = ran.dst::<u16>();
    assert_eq!((tile[at(0, 5)], tile[at(0, 16)]), (0, OLD));
}

/// MGATHERL1-SCRATCH-05 and the reading of MGATHERL1-GAP-02.
#[test]
fn stale_scratch() {
    let index = || bytes([0_i32; 25]);
    for (zero, oob, padding) in [
        (L1ScratchZero::Always, GatherOob::Clamp, 0),
        (L1ScratchZero::ZeroOnly, GatherOob::Clamp, STALE),
        (L1ScratchZero::ZeroOnly, GatherOob::Undefined, STALE),
        (L1ScratchZero::ZeroOnly, GatherOob::Zero, 0),
    ] {
        let readings = Readings {
            l1_scratch_zero: zero,
            ..Readings::default()
        };
        let call = MgatherL1 {
            oob,
            ..elem_call([5, 5], 4)
        };
        let ran = gather(call, readings, bytes([8_u16, 9, 10, 11]), index());
        let tile = ran.dst::<u16>();
        assert_eq!((tile[at(4, 4)], tile[at(4, 5)]), (8, padding));
        assert_eq!(tile[at(5, 0)], padding);
        assert_eq!(ran.read::<u16>(Role::Scratch), tile);
    }
    // All lanes out of bounds.
    let call = MgatherL1 {
        oob: GatherOob::Zero,
        ..elem_call([16, 16], 4)
    };
    let ran = gather(
        call,
        Readings::default(),
        bytes([1_u16; 4]),
        bytes([4_i32; 256]),
    );
    assert_eq!(ran.dst::<u16>(), [0; 256]);
}

/// MGATHERL1-GAP-08, -09: a scratch that is too long keeps its end.
#[test]
fn a_long_scratch() {
    let call = MgatherL1 {
        scratch: Some(line(DType::Half, 300)),
        ..elem_call([16, 16], 1)
    };
    let ran = gather(
        call,
        Readings::default(),
        bytes([5_u16]),
        bytes([0_i32; 256]),
    );
    let scratch = ran.read::<u16>(Role::Scratch);
    assert_eq!(scratch[..256], [5; 256]);
    assert_eq!(scratch[256..], [STALE; 44]);
}

/// The reading of MGATHERL1-GAP-03, with decoys between the rows of indices.
#[test]
fn index_pitch() {
    let strided = |shape: [u64; 2], stride: [u64; 2]| -> GlobalTensor {
        table(
            DType::Int32,
            [1, 1, 1, shape[0], shape[1]],
            [64, 64, 64, stride[0], stride[1]],
            ptodiff_isa::Layout::ND,
        )
    };
    let with = |l1_index_pitch| Readings {
        l1_index_pitch,
        ..Readings::default()
    };
    let table = || bytes(0..8_u16);

    // Two rows of two, 4 apart: (1, 0) is element 4, or the third in a row.
    let mut call = elem_call([2, 2], 8);
    call.idx = strided([2, 2], [4, 1]);
    let index = || bytes([0_i32, 1, 7, 7, 2, 3]);
    let tile = gather(call, with(L1IndexPitch::Strided), table(), index()).dst::<u16>();
    assert_eq!((tile[0], tile[1], tile[16], tile[17]), (0, 1, 2, 3));
    let tile = gather(call, with(L1IndexPitch::Linear), table(), index()).dst::<u16>();
    assert_eq!((tile[0], tile[1], tile[16], tile[17]), (0, 1, 7, 7));

    // Row takes every third: DIM_4, not DIM_3.
    let mut call = row_call([2, 32]);
    call.idx = strided([1, 2], [50, 3]);
    let index = || bytes([4_i32, 5, 6, 7]);
    let rows = |pitch| {
        let tile = gather(call, with(pitch), hundreds(8, 32), index()).dst::<u16>();
        (tile[at(0, 0)], tile[at(1, 0)])
    };
    assert_eq!(rows(L1IndexPitch::Strided), (400, 700));
    assert_eq!(rows(L1IndexPitch::Linear), (400, 500));
}

/// MGATHERL1-GAP-04 (its witness): -1 under Clamp on eight rows.
#[test]
fn negative_indices() {
    for (reading, row) in [(NegativeIndex::Unsigned, 700), (NegativeIndex::Intended, 0)] {
        let call = MgatherL1 {
            oob: GatherOob::Clamp,
            ..row_call([1, 32])
        };
        let readings = Readings {
            negative_index: reading,
            ..Readings::default()
        };
        let ran = gather(call, readings, hundreds(8, 32), bytes([-1_i32]));
        assert_eq!(ran.dst::<u16>()[0], row);
    }
}

/// MGATHERL1-GAP-04: an empty table gives Zero's zeros and nothing else.
#[test]
fn empty_tables() {
    for (oob, want) in [(GatherOob::Zero, 0), (GatherOob::Wrap, OLD)] {
        let mut call = MgatherL1 {
            oob,
            ..row_call([2, 32])
        };
        call.table.shape[3] = Dim::Dynamic(0);
        let ran = gather(call, Readings::default(), Vec::new(), bytes([0_i32, 1]));
        assert_eq!(ran.dst::<u16>(), [want; 512]);
    }
}

/// The reading of MGATHERL1-DYN-01: without a lane the zero fills and the bulk
/// copy happen all the same, and nothing else does.
#[test]
fn extents_of_zero() {
    for zero in [Dim::Static(0), Dim::Dynamic(0)] {
        let tile = |oob, mut call: MgatherL1, row: Dim, col: Dim, table: Vec<u8>| {
            (call.oob, call.dst.valid_row, call.dst.valid_col) = (oob, row, col);
            gather(call, Readings::default(), table, bytes([0_i32; 64])).dst::<u16>()
        };
        let (four, rows, elems) = (Dim::Static(4), row_call([2, 32]), elem_call([2, 2], 8));
        for (row, col) in [(zero, four), (four, zero)] {
            let by_rows = |oob| tile(oob, rows, row, col, hundreds(8, 32));
            assert_eq!(by_rows(GatherOob::Zero), [0; 512]);
            assert_eq!(by_rows(GatherOob::Undefined), [OLD; 512]);
            let by_elements = tile(GatherOob::Undefined, elems, row, col, bytes(0..8_u16));
            assert!(by_elements.iter().all(|slot| *slot == 0), "{by_elements:?}");
        }
    }
}
