//! MGATHER on ND tables.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, Layout, Mgather, NegativeIndex, OobAccess, Readings,
    Role,
};

use crate::common::{bytes, dynamic, legal, mgather, nd, padded, run, table, tile};

const POLICIES: [GatherOob; 4] = [
    GatherOob::Undefined,
    GatherOob::Clamp,
    GatherOob::Wrap,
    GatherOob::Zero,
];

/// Elem gather of up to eight indices from `0, 1, 2, ...` (`size` elements).
fn elem(oob: GatherOob, size: u32, dtype: DType, indices: &[u32]) -> Vec<u32> {
    let count = indices.len();
    let call = Mgather {
        oob,
        ..mgather(
            Coalesce::Elem,
            tile(DType::Uint32, [1, 8], [1, count as u64]),
            nd(DType::Uint32, 1, size.into()),
            tile(dtype, [1, 8], [1, count as u64]),
        )
    };
    let idx = padded(indices, count, 8, 0);
    let ran = legal(
        Call::Mgather(call),
        [bytes(0..size), bytes([77_u32; 8]), idx],
    );
    let got = ran.dst::<u32>();
    assert_eq!(got[count..], vec![77; 8 - count]);
    got[..count].to_vec()
}

/// Row gather from a table whose row i is filled with i + 1.
fn rows(oob: GatherOob, rows: u64, indices: &[i32]) -> Vec<u32> {
    let count = indices.len() as u64;
    let call = Mgather {
        oob,
        ..mgather(
            Coalesce::Row,
            tile(DType::Uint32, [count, 8], [count, 8]),
            nd(DType::Uint32, rows, 8),
            tile(DType::Int32, [1, 8], [1, count]),
        )
    };
    let ran = legal(
        Call::Mgather(call),
        [
            bytes((0..rows as u32 * 8).map(|k| k / 8 + 1)),
            bytes(vec![77_u32; indices.len() * 8]),
            padded(indices, indices.len(), 8, 0),
        ],
    );
    let got = ran.dst::<u32>();
    let (got, _) = got.as_chunks::<8>();
    assert!(got.iter().all(|row| *row == [row[0]; 8]));
    got.iter().map(|row| row[0]).collect()
}

/// MGATHER-SEM-01.
#[test]
fn row_fetches_table_rows() {
    let call = mgather(
        Coalesce::Row,
        tile(DType::Float, [3, 8], [3, 8]),
        nd(DType::Float, 5, 8),
        tile(DType::Int32, [1, 8], [1, 3]),
    );
    let values = (0..5).flat_map(|i| (0..8).map(move |k| (10 * i + k) as f32));
    let ran = legal(
        Call::Mgather(call),
        [
            bytes(values),
            bytes([-1_f32; 24]),
            bytes([4, 0, 4, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let want: Vec<f32> = (40..48)
        .chain(0..8)
        .chain(40..48)
        .map(|v| v as f32)
        .collect();
    assert_eq!(ran.dst::<f32>(), want);
}

/// MGATHER-SEM-01, of one byte a row; the rest of each row is kept.
#[test]
fn rows_of_one_byte() {
    let call = mgather(
        Coalesce::Row,
        tile(DType::Uint8, [3, 32], [3, 1]),
        nd(DType::Uint8, 5, 1),
        tile(DType::Int32, [1, 8], [1, 3]),
    );
    let operands = [
        bytes(40..45_u8),
        bytes([99_u8; 96]),
        padded(&[4_i32, 0, 2], 3, 8, 0),
    ];
    let ran = legal(Call::Mgather(call), operands);
    assert_eq!(ran.dst::<u8>(), padded(&[44_u8, 40, 42], 1, 32, 99));
}

/// MGATHER-SEM-02.
#[test]
fn elem_reads_flat_slots() {
    let call = mgather(
        Coalesce::Elem,
        tile(DType::Float, [2, 8], [2, 8]),
        nd(DType::Float, 1, 16),
        tile(DType::Int32, [2, 8], [2, 8]),
    );
    let ran = legal(
        Call::Mgather(call),
        [
            bytes((100..116).map(|v| v as f32)),
            bytes([0_f32; 16]),
            bytes((0..16).rev()),
        ],
    );
    let want: Vec<f32> = (100..116).rev().map(|v| v as f32).collect();
    assert_eq!(ran.dst::<f32>(), want);
}

/// MGATHER-SEM-04, MGATHER-CONF-01, MGATHER-OOB-04, -06, -09.
#[test]
fn rows_out_of_bounds() {
    assert_eq!(rows(GatherOob::Undefined, 3, &[2]), [3]);
    assert_eq!(rows(GatherOob::Undefined, 4, &[3, 3, 3, 3]), [4; 4]);
    assert_eq!(rows(GatherOob::Clamp, 4, &[3, 4, 100]), [4, 4, 4]);
    assert_eq!(rows(GatherOob::Wrap, 4, &[3, 4, 9]), [4, 1, 2]);
    assert_eq!(rows(GatherOob::Zero, 4, &[1, 4, 3]), [2, 0, 4]);
}

/// MGATHER-OOB-05, -07, -08.
#[test]
fn elements_out_of_bounds() {
    let int32 = DType::Int32;
    assert_eq!(elem(GatherOob::Wrap, 10, int32, &[9, 10, 23]), [9, 0, 3]);
    assert_eq!(elem(GatherOob::Clamp, 10, int32, &[9, 10, 23]), [9, 9, 9]);
    assert_eq!(elem(GatherOob::Zero, 10, int32, &[9, 10, 1]), [9, 0, 1]);
    for oob in POLICIES {
        let got = elem(oob, 8, int32, &[7, 2, 0, 5, 1, 6, 3, 4]);
        assert_eq!(got, [7, 2, 0, 5, 1, 6, 3, 4]);
    }
}

/// MGATHER-OOB-17.
#[test]
fn great_unsigned_indices() {
    let after = |oob| elem(oob, 10, DType::Uint32, &[1 << 31, u32::MAX]);
    assert_eq!(after(GatherOob::Clamp), [9, 9]);
    assert_eq!(after(GatherOob::Wrap), [8, 5]);
    assert_eq!(after(GatherOob::Zero), [0, 0]);
}

/// MGATHER-GAP-02 with a guard before a 10-element table.
#[test]
fn negative_elements() {
    use GatherOob::{Clamp, Wrap, Zero};
    use NegativeIndex::{Intended, Signed, Unsigned};
    const GUARD: u32 = 0xA5A5_A5A5;
    let cases = [
        (Unsigned, [9, 5, 0], false),
        (Signed, [GUARD, GUARD, GUARD], true),
        (Intended, [0, 9, 0], false),
    ];
    for (negative_index, want, oob_accesses) in cases {
        for (oob, want) in [Clamp, Wrap, Zero].into_iter().zip(want) {
            let call = Mgather {
                oob,
                ..mgather(
                    Coalesce::Elem,
                    tile(DType::Uint32, [1, 8], [1, 1]),
                    nd(DType::Uint32, 1, 10),
                    tile(DType::Int32, [1, 8], [1, 1]),
                )
            };
            let readings = Readings {
                negative_index,
                ..Readings::default()
            };
            let operands = [bytes(0..10_u32), bytes([7_u32; 8]), bytes([-1_i32; 8])];
            let ran = run(Call::Mgather(call), readings, operands);
            assert_eq!(ran.dst::<u32>()[0], want, "{negative_index} {oob}");
            let oob_access = OobAccess {
                role: Role::Table,
                offset: -4,
                len: 4,
                write: false,
            };
            let wanted: &[OobAccess] = if oob_accesses { &[oob_access] } else { &[] };
            assert_eq!(ran.oob_accesses(), wanted);
        }
    }
}

/// MGATHER-OOB-12 and MGATHER-GAP-36: zero is +0, other bits are copied.
#[test]
fn bits_are_copied() {
    for mode in [Coalesce::Row, Coalesce::Elem] {
        let call = Mgather {
            oob: GatherOob::Zero,
            ..mgather(
                mode,
                tile(DType::Half, [2, 16], [2, 1]),
                nd(DType::Half, 1, 1),
                match mode {
                    Coalesce::Row => tile(DType::Int32, [1, 8], [1, 2]),
                    Coalesce::Elem => tile(DType::Int32, [2, 1], [2, 1]),
                },
            )
        };
        let mut idx = bytes([0, 1_i32]);
        if mode == Coalesce::Row {
            idx.resize(32, 0);
        }
        let ran = legal(
            Call::Mgather(call),
            [bytes([0x8000_u16]), bytes([0x5555_u16; 32]), idx],
        );
        let got = ran.dst::<u16>();
        assert_eq!((got[0], got[16]), (0x8000, 0));
        // Padding stays (MGATHER-GAP-18, -19).
        assert_eq!((got[1], got[17]), (0x5555, 0x5555));
    }
}

/// MGATHER-SEM-05, -03, MGATHER-MIN-09: (1, 1) in both modes.
#[test]
fn one_element() {
    for (mode, want) in [(Coalesce::Elem, 5_u32), (Coalesce::Row, 5)] {
        let call = mgather(
            mode,
            tile(DType::Uint32, [1, 8], [1, 1]),
            nd(DType::Uint32, 32, 1),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        let ran = legal(
            Call::Mgather(call),
            [bytes(0..32_u32), bytes([9_u32; 8]), bytes([5_i32; 8])],
        );
        assert_eq!(ran.dst::<u32>(), [want, 9, 9, 9, 9, 9, 9, 9]);
    }
}

/// MGATHER-CAP-02: Row capacity spans the outer dimensions.
#[test]
fn row_capacity_spans_outer_dimensions() {
    let call = Mgather {
        oob: GatherOob::Clamp,
        ..mgather(
            Coalesce::Row,
            tile(DType::Float, [2, 8], [2, 8]),
            table(
                DType::Float,
                [1, 1, 2, 3, 8],
                [48, 48, 24, 8, 1],
                Layout::ND,
            ),
            tile(DType::Int32, [1, 8], [1, 2]),
        )
    };
    let ran = legal(
        Call::Mgather(call),
        [
            bytes((0..48).map(|v| v as f32)),
            bytes([0_f32; 16]),
            bytes([5, 6, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let row: Vec<f32> = (40..48).map(|v| v as f32).collect();
    assert_eq!(ran.dst::<f32>(), [row.clone(), row].concat());
}

/// MGATHER-CAP-04, -07, MGATHER-DYN-01, -02, -05.
#[test]
fn run_time_shapes_act_as_static_ones() {
    let mut call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(
            Coalesce::Elem,
            dynamic(tile(DType::Uint32, [1, 16], [1, 9])),
            nd(DType::Uint32, 3, 10),
            dynamic(tile(DType::Int32, [1, 16], [1, 9])),
        )
    };
    call.table.shape = [1, 1, 1, 3, 10].map(Dim::Dynamic);
    call.table.stride = [30, 30, 30, 10, 1].map(Dim::Dynamic);
    let idx = padded(&[29, 30, 0, 1, 2, 3, 4, 5, 6], 9, 16, 8_i32);
    let ran = legal(
        Call::Mgather(call),
        [bytes(100..130_u32), bytes([7_u32; 16]), idx],
    );
    let got = ran.dst::<u32>();
    assert_eq!(got[..9], [129, 0, 100, 101, 102, 103, 104, 105, 106]);
    assert_eq!(got[9..], [7; 7]);
}

/// MGATHER-TILE-13: each tile has its own width, decoys are not read.
#[test]
fn tiles_have_their_own_width() {
    let call = mgather(
        Coalesce::Elem,
        tile(DType::Uint32, [2, 8], [2, 8]),
        nd(DType::Uint32, 1, 16),
        tile(DType::Int32, [2, 16], [2, 8]),
    );
    let slots: Vec<i32> = (0..16).rev().collect();
    let ran = legal(
        Call::Mgather(call),
        [
            bytes(0..16_u32),
            bytes([99_u32; 16]),
            padded(&slots, 8, 16, 3),
        ],
    );
    assert_eq!(ran.dst::<u32>(), (0..16).rev().collect::<Vec<_>>());
}

/// MGATHER-TABLE-05: rows 24 apart, no sentinel comes along.
#[test]
fn padded_rows() {
    let call = mgather(
        Coalesce::Row,
        tile(DType::Uint32, [2, 8], [2, 8]),
        table(
            DType::Uint32,
            [1, 1, 1, 4, 8],
            [96, 96, 96, 24, 1],
            Layout::ND,
        ),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    let ran = legal(
        Call::Mgather(call),
        [
            bytes(0..80_u32),
            bytes([0_u32; 16]),
            bytes([3, 1, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let want: Vec<u32> = (72..80).chain(24..32).collect();
    assert_eq!(ran.dst::<u32>(), want);
}

/// MGATHER-INDEX-02, MGATHER-SHAPE-04, MGATHER-ALIGN-06: elements, not bytes.
#[test]
fn indices_count_elements() {
    let call = mgather(
        Coalesce::Elem,
        tile(DType::Int16, [3, 16], [3, 7]),
        nd(DType::Int16, 1, 21),
        tile(DType::Int32, [3, 8], [3, 7]),
    );
    let slots: Vec<i32> = (0..21).collect();
    let ran = legal(
        Call::Mgather(call),
        [
            bytes(0..21_i16),
            bytes([-1_i16; 48]),
            padded(&slots, 7, 8, 20),
        ],
    );
    let want: Vec<i16> = (0..21).collect();
    assert_eq!(bytes(ran.dst::<i16>()), padded(&want, 7, 16, -1));
}

/// MGATHER-GAP-18: a burst writes exactly its length in this model.
#[test]
fn a_burst_is_not_rounded_up() {
    let call = mgather(
        Coalesce::Row,
        tile(DType::Int32, [3, 8], [3, 3]),
        nd(DType::Int32, 3, 3),
        tile(DType::Int32, [1, 8], [1, 3]),
    );
    let ran = legal(
        Call::Mgather(call),
        [
            bytes(0..9),
            bytes([0x55_i32; 24]),
            bytes([2, 1, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let want = padded(&[6, 7, 8, 3, 4, 5, 0, 1, 2], 3, 8, 0x55_i32);
    assert_eq!(bytes(ran.dst::<i32>()), want);
}

/// MGATHER-GAP-19: the inline fill covers ValidCol columns of its row only.
#[test]
fn zero_fills_the_valid_columns() {
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(
            Coalesce::Row,
            tile(DType::Uint32, [4, 16], [2, 9]),
            nd(DType::Uint32, 2, 9),
            tile(DType::Int32, [1, 8], [1, 2]),
        )
    };
    let ran = legal(
        Call::Mgather(call),
        [
            bytes(1..19_u32),
            bytes([0x55_u32; 64]),
            bytes([0, 9, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let got = ran.dst::<u32>();
    assert_eq!(got[..9], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(got[9..16], [0x55; 7]);
    assert_eq!(got[16..25], [0; 9]);
    assert_eq!(got[25..], [0x55; 39]);
}

/// MGATHER-OOB-11: every dtype under every policy, in and out of bounds.
#[test]
fn every_dtype_under_every_policy() {
    use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint8, Uint16, Uint32};
    for dtype in [
        Int8, Uint8, Int16, Uint16, Half, Bfloat16, Int32, Uint32, Float,
    ] {
        let width = dtype.size();
        let cols = 32 / width as u64;
        for (oob, want) in [
            (GatherOob::Clamp, [2_u8, 2]),
            (GatherOob::Wrap, [2, 1]),
            (GatherOob::Zero, [2, 0]),
        ] {
            let call = Mgather {
                oob,
                ..mgather(
                    Coalesce::Elem,
                    tile(dtype, [1, cols], [1, 2]),
                    nd(dtype, 1, 2),
                    tile(DType::Int32, [1, 8], [1, 2]),
                )
            };
            let source = [vec![1; width], vec![2; width]].concat();
            let ran = legal(
                Call::Mgather(call),
                [source, vec![0x55; 32], bytes([1, 2, 0, 0, 0, 0, 0, 0_i32])],
            );
            let mut expected = [vec![want[0]; width], vec![want[1]; width]].concat();
            expected.resize(32, 0x55);
            assert_eq!(ran.dst::<u8>(), expected, "{dtype} {oob}");
        }
    }
}

/// MGATHER-GAP-03 and -26: an empty table gives nothing but Zero's zeros, and
/// an empty valid region is left alone.
#[test]
fn empty_tables_and_empty_tiles() {
    for oob in POLICIES {
        for mode in [Coalesce::Row, Coalesce::Elem] {
            let mut call = Mgather {
                oob,
                ..mgather(
                    mode,
                    dynamic(tile(DType::Uint32, [1, 8], [1, 1])),
                    nd(DType::Uint32, 0, 1),
                    dynamic(tile(DType::Int32, [1, 8], [1, 1])),
                )
            };
            call.table.shape[3] = Dim::Dynamic(0);
            for index in [0, -1] {
                let operands = [Vec::new(), bytes([9_u32; 8]), bytes([index; 8])];
                let readings = Readings {
                    negative_index: NegativeIndex::Signed,
                    ..Readings::default()
                };
                let ran = run(Call::Mgather(call), readings, operands);
                let want = if oob == GatherOob::Zero { 0 } else { 9 };
                assert_eq!(ran.dst::<u32>()[0], want, "{oob} {mode}");
                assert_eq!(ran.oob_accesses(), []);
            }

            call.dst.valid_col = Dim::Dynamic(0);
            let operands = [Vec::new(), bytes([9_u32; 8]), bytes([0_i32; 8])];
            let ran = run(Call::Mgather(call), Readings::default(), operands);
            assert_eq!(ran.dst::<u32>(), [9; 8]);
        }
    }
}
