//! The readings of what a gather fills or keeps, and of calls without an element.

use ptodiff_isa::{
    BurstTail, Call, Coalesce, DType, Dim, EmptyExtent, Event, GatherOob, GatherPadding, Mgather,
    Mscatter, NdZeroFill, NzRowColumns, Readings, Role, ScatterAtomicOp, ScatterOob, Space,
};

use crate::{
    common::{bytes, in_ub, mgather, mscatter, nd, nz, nz_tile, tile},
    readings_rows::{indices, legal},
};

/// MGATHER-GAP-18: three of 16 columns; nothing behind them changes.
#[test]
fn the_tail_of_a_gathered_row_is_kept() {
    let call = mgather(
        Coalesce::Row,
        tile(DType::Int32, [1, 16], [1, 3]),
        nd(DType::Int32, 4, 8),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    for gather_padding in [GatherPadding::BurstTail, GatherPadding::Kept] {
        let with = Readings {
            gather_padding,
            ..Readings::default()
        };
        let operands = [bytes(0..32_i32), bytes([0x55_i32; 16]), indices(&[2])];
        let got = legal(Call::Mgather(call), with, operands).dst::<i32>();
        assert_eq!(got[..3], [16, 17, 18]);
        assert_eq!(got[3..], [0x55; 13]);
    }
}

/// The call of MGATHER-GAP-19: rows 0 and 9 of a table of two.
fn zero_row(mode: Coalesce, oob: GatherOob) -> Mgather {
    let valid = match mode {
        Coalesce::Row => [1, 2],
        Coalesce::Elem => [2, 3],
    };
    Mgather {
        oob,
        ..mgather(
            mode,
            tile(DType::Float, [3, 8], [2, 3]),
            nd(DType::Float, 2, 3),
            tile(DType::Int32, [2, 8], valid),
        )
    }
}

/// MGATHER-GAP-19: the tile is 96 bytes, its second row begins at 32.
#[test]
fn what_zero_fills() {
    let gather = |mode, oob, nd_zero_fill| {
        let with = Readings {
            nd_zero_fill,
            ..Readings::default()
        };
        let index = bytes([0_i32, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let operands = [
            bytes([4_f32, 5., 6., 7., 8., 9.]),
            bytes([1_f32; 24]),
            index,
        ];
        let ran = legal(Call::Mgather(zero_row(mode, oob)), with, operands);
        let written = ran.events().iter().filter_map(|event| match event {
            Event::Fill {
                space: Space::Ub,
                role: Role::Destination,
                offset,
                len,
                ..
            } => Some(("fill", *offset, *len)),
            Event::Dma { to, len_burst, .. } => Some(("move", to.1, *len_burst)),
            Event::Store { offset, len, .. } => Some(("store", *offset, *len)),
            _ => None,
        });
        (ran.dst::<f32>(), written.collect::<Vec<_>>())
    };
    let (inline, whole) = (NdZeroFill::Inline, NdZeroFill::WholeTile);
    let mut want = [1_f32; 24];
    want[..3].copy_from_slice(&[4., 5., 6.]);
    want[8..11].fill(0.);
    let (got, written) = gather(Coalesce::Row, GatherOob::Zero, inline);
    assert_eq!(got, want);
    let stores = [("store", 32, 4), ("store", 36, 4), ("store", 40, 4)];
    assert_eq!(written, [vec![("move", 0, 12)], stores.to_vec()].concat());

    want[3..].fill(0.);
    let (got, written) = gather(Coalesce::Row, GatherOob::Zero, whole);
    assert_eq!(got, want);
    assert_eq!(written, [("fill", 0, 96), ("move", 0, 12)]);

    // Only Row, and only Zero.
    for (mode, oob) in [
        (Coalesce::Row, GatherOob::Clamp),
        (Coalesce::Elem, GatherOob::Zero),
    ] {
        assert_eq!(gather(mode, oob, whole), gather(mode, oob, inline));
    }
}

/// MGATHER-GAP-19, MGATHER-DYN-03: of a third row under a tile of two, which
/// nobody checks, neither the zeroes of the tile nor a fill reach anything.
#[test]
fn zeroes_end_with_the_tile() {
    let mut call = zero_row(Coalesce::Row, GatherOob::Zero);
    call.dst.rows = 2;
    call.dst.valid_row = Dim::Dynamic(3);
    let with = Readings {
        nd_zero_fill: NdZeroFill::WholeTile,
        ..Readings::default()
    };
    let operands = [
        bytes([4_f32, 5., 6., 7., 8., 9.]),
        bytes([1_f32; 24]),
        bytes([1_i32, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ];
    let mut want = [0_f32; 24];
    want[..3].copy_from_slice(&[7., 8., 9.]);
    want[16..].fill(1.);
    assert_eq!(
        legal(Call::Mgather(call), with, operands).dst::<f32>(),
        want
    );
}

/// MSCATTER-GAP-38, MGATHER-GAP-26: not even a fill, in whatever other reading.
#[test]
fn empty_extents_do_nothing() {
    let with = Readings {
        empty_extent: EmptyExtent::NoOp,
        nd_zero_fill: NdZeroFill::WholeTile,
        burst_tail: BurstTail::Rounded,
        nz_row_columns: NzRowColumns::Kept,
        ..Readings::default()
    };
    let nothing = |call: Call| {
        let operands = [
            bytes([1_f32; 128]),
            bytes([2_f32; 128]),
            bytes([0_i32; 128]),
        ];
        let ran = legal(call, with, operands.clone());
        assert_eq!(ran.memory, in_ub(&call, operands));
        assert_eq!(ran.events(), []);
    };
    let (zero, three) = (Dim::Dynamic(0), Dim::Dynamic(3));
    for (row, col) in [(zero, three), (three, zero), (zero, zero)] {
        for mode in [Coalesce::Row, Coalesce::Elem] {
            for is_nz in [false, true] {
                let (table, mut data) = match is_nz {
                    true => (
                        nz(DType::Float, [1, 1, 1], 8),
                        nz_tile(DType::Float, [16, 8], [3, 3]),
                    ),
                    false => (nd(DType::Float, 16, 8), tile(DType::Float, [16, 8], [3, 3])),
                };
                (data.valid_row, data.valid_col) = (row, col);
                let mut idx = tile(DType::Int32, [16, 8], [1, 1]);
                (idx.valid_row, idx.valid_col) = match mode {
                    Coalesce::Row => (Dim::Static(1), row),
                    Coalesce::Elem => (row, col),
                };
                for oob in [GatherOob::Zero, GatherOob::Undefined] {
                    let call = mgather(mode, data, table, idx);
                    nothing(Call::Mgather(Mgather { oob, ..call }));
                }
                for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
                    let call = Mscatter {
                        atomic,
                        oob: ScatterOob::Clamp,
                        ..mscatter(mode, table, data, idx)
                    };
                    nothing(Call::Mscatter(call));
                }
            }
        }
    }
}
