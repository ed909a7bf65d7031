//! MSCATTER on ND tables: SEM, CONF, INDEX, TABLE, DYN, ALIGN, CAP.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, Layout, Mscatter, Role, ScatterConflict, ScatterOob,
};

use crate::common::{bytes, dynamic, legal, mgather, mscatter, nd, padded, table, tile};

/// MSCATTER-SEM-01.
#[test]
fn row_replaces_table_rows() {
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Float, 4, 8),
        tile(DType::Float, [2, 8], [2, 8]),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    let src = (10..18).chain(20..28).map(|v| v as f32);
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([0_f32; 32]),
            bytes(src),
            bytes([3, 0, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let got = ran.table::<f32>();
    assert_eq!(got[24..], [10., 11., 12., 13., 14., 15., 16., 17.]);
    assert_eq!(got[..8], [20., 21., 22., 23., 24., 25., 26., 27.]);
    assert_eq!(got[8..24], [0.; 16]);
}

/// MSCATTER-SEM-02.
#[test]
fn elem_indices_count_flat_slots() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Float, 1, 8),
        tile(DType::Float, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([0_f32; 8]),
            bytes([1., 2., 3., 4., 5., 6., 7., 8_f32]),
            bytes([7, 6, 5, 4, 3, 2, 1, 0_i32]),
        ],
    );
    assert_eq!(ran.table::<f32>(), [8., 7., 6., 5., 4., 3., 2., 1.]);
}

/// MSCATTER-SEM-05 and MSCATTER-ALIGN-03: padding has no effect.
#[test]
fn elem_takes_the_valid_region_only() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Int32, 1, 32),
        tile(DType::Int32, [3, 8], [3, 3]),
        tile(DType::Int32, [3, 8], [3, 3]),
    );
    let src = padded(&[1, 2, 3, 4, 5, 6, 7, 8, 9], 3, 8, 0xDEAD_i32);
    let idx = padded(&[9, 10, 11, 12, 13, 14, 15, 16, 17], 3, 8, 0_i32);
    let ran = legal(Call::Mscatter(call), [bytes([-1_i32; 32]), src, idx]);
    let got = ran.table::<i32>();
    assert_eq!(got[..9], [-1; 9]);
    assert_eq!(got[9..18], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(got[18..], [-1; 14]);
}

/// MSCATTER-SEM-04 and -06: one row, the others keep their bits.
#[test]
fn one_row_writes_one_row() {
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Uint32, 4, 8),
        tile(DType::Uint32, [1, 8], [1, 8]),
        tile(DType::Uint32, [1, 8], [1, 1]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes((0..32).map(|k| 0x7FA0_0000_u32 + k)),
            bytes([5_u32; 8]),
            bytes([2_u32, 9, 9, 9, 9, 9, 9, 9]),
        ],
    );
    let got = ran.table::<u32>();
    for (k, value) in got.into_iter().enumerate() {
        let kept = 0x7FA0_0000 + k as u32;
        assert_eq!(value, if (16..24).contains(&k) { 5 } else { kept });
    }
}

/// MSCATTER-SEM-07 and MSCATTER-API: the (1, 1) example.
#[test]
fn one_element() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Float, 1, 32),
        tile(DType::Float, [1, 8], [1, 1]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([0.5_f32; 32]),
            bytes([42_f32, 1., 1., 1., 1., 1., 1., 1.]),
            bytes([5, 0, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let mut want = [0.5; 32];
    want[5] = 42.;
    assert_eq!(ran.table::<f32>(), want);
}

/// MSCATTER-SEM-08, the documented 1x9 shape.
#[test]
fn one_dimensional_source() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Float, 3, 10),
        tile(DType::Float, [1, 16], [1, 9]),
        tile(DType::Int32, [1, 16], [1, 9]),
    );
    let idx = padded(&[29, 0, 1, 2, 3, 4, 5, 6, 7], 9, 16, 20_i32);
    let src = padded(&[1., 2., 3., 4., 5., 6., 7., 8., 9_f32], 9, 16, 99.);
    let ran = legal(Call::Mscatter(call), [bytes([0_f32; 30]), src, idx]);
    let got = ran.table::<f32>();
    assert_eq!(got[29], 1.);
    assert_eq!(got[..8], [2., 3., 4., 5., 6., 7., 8., 9.]);
    assert_eq!(got[8..29], [0.; 21]);
}

/// MSCATTER-SEM-09: no conversion, payloads survive.
#[test]
fn bits_are_stored_as_they_are() {
    for mode in [Coalesce::Row, Coalesce::Elem] {
        let call = mscatter(
            mode,
            nd(DType::Half, 1, 16),
            tile(DType::Half, [1, 16], [1, 1]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        let ran = legal(
            Call::Mscatter(call),
            [
                bytes([0x3C00_u16; 16]),
                bytes([0x7C01_u16; 16]),
                bytes([0_i32; 8]),
            ],
        );
        let got = ran.table::<u16>();
        assert_eq!(got[0], 0x7C01);
        assert_eq!(got[1..], [0x3C00; 15]);
    }
}

/// MSCATTER-SEM-10: the way there and back.
#[test]
fn a_gather_undoes_a_scatter() {
    let data = tile(DType::Uint32, [8, 32], [8, 32]);
    let idx = tile(DType::Uint32, [8, 32], [8, 32]);
    let flat = nd(DType::Uint32, 1, 256);
    // 97 and 256 have no common divisor.
    let indices = || bytes((0..256).map(|k: u32| k * 97 % 256));
    let source: Vec<u32> = (0..256).map(|k| 0xF00D_0000 + k).collect();
    let there = legal(
        Call::Mscatter(mscatter(Coalesce::Elem, flat, data, idx)),
        [bytes([0_u32; 256]), bytes(source.clone()), indices()],
    );
    let back = legal(
        Call::Mgather(mgather(Coalesce::Elem, data, flat, idx)),
        [there.read(Role::Table), bytes([1_u32; 256]), indices()],
    );
    assert_eq!(back.dst::<u32>(), source);
}

/// MSCATTER-CONF-01: the greatest row wins; the conflict policy is not looked at.
#[test]
fn the_last_row_wins() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let call = Mscatter {
            conflict,
            ..mscatter(
                Coalesce::Row,
                nd(DType::Float, 4, 8),
                tile(DType::Float, [3, 8], [3, 8]),
                tile(DType::Int32, [1, 8], [1, 3]),
            )
        };
        let src = [[1_f32; 8], [2.; 8], [3.; 8]].concat();
        let ran = legal(
            Call::Mscatter(call),
            [bytes([0_f32; 32]), bytes(src), bytes([2_i32; 8])],
        );
        assert_eq!(ran.table::<f32>()[16..24], [3.; 8]);
    }
}

/// MSCATTER-CONF-02.
#[test]
fn the_last_element_wins() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Int32, 1, 8),
        tile(DType::Int32, [2, 8], [2, 8]),
        tile(DType::Int32, [2, 8], [2, 8]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [bytes([-1_i32; 8]), bytes(0..16_i32), bytes([5_i32; 16])],
    );
    assert_eq!(ran.table::<i32>(), [-1, -1, -1, -1, -1, 15, -1, -1]);
}

/// MSCATTER-TABLE-04, -05: the row pitch is the stride, gaps are kept.
#[test]
fn padded_rows_keep_their_gaps() {
    let padded_table = table(
        DType::Float,
        [1, 1, 1, 4, 8],
        [64, 64, 64, 16, 1],
        Layout::ND,
    );
    let call = mscatter(
        Coalesce::Row,
        padded_table,
        tile(DType::Float, [4, 8], [4, 8]),
        tile(DType::Int32, [1, 8], [1, 4]),
    );
    let src: Vec<f32> = (0..32).map(|k| (k / 8) as f32).collect();
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([-1_f32; 56]),
            bytes(src),
            bytes([3, 2, 1, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let got = ran.table::<f32>();
    for (start, row) in [(0, 3.), (16, 2.), (32, 1.), (48, 0.)] {
        assert_eq!(got[start..start + 8], [row; 8]);
    }
    for start in [8, 24, 40] {
        assert_eq!(got[start..start + 8], [-1.; 8]);
    }
}

/// MSCATTER-GAP-18: Elem does not see strides.
#[test]
fn elem_on_a_padded_table_is_flat() {
    let padded_table = table(
        DType::Float,
        [1, 1, 1, 4, 8],
        [64, 64, 64, 16, 1],
        Layout::ND,
    );
    let call = mscatter(
        Coalesce::Elem,
        padded_table,
        tile(DType::Float, [1, 8], [1, 1]),
        tile(DType::Int32, [1, 8], [1, 1]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [bytes([0_f32; 56]), bytes([7_f32; 8]), bytes([8_i32; 8])],
    );
    assert_eq!(ran.table::<f32>().iter().position(|&v| v == 7.), Some(8));
}

/// MSCATTER-GAP-17: a narrower tile leaves the rest of the row.
#[test]
fn a_narrow_tile_moves_part_of_a_row() {
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Float, 4, 16),
        tile(DType::Float, [2, 8], [2, 8]),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([0_f32; 64]),
            bytes([7_f32; 16]),
            bytes([1, 3, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let got = ran.table::<f32>();
    assert_eq!(got[16..24], [7.; 8]);
    assert_eq!(got[24..32], [0.; 8]);
    assert_eq!(got[48..56], [7.; 8]);
    assert_eq!(got[56..], [0.; 8]);
    assert_eq!(got[..16], [0.; 16]);
}

/// MSCATTER-GAP-28: a burst writes exactly its length.
#[test]
fn a_burst_is_not_rounded_up() {
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Int8, 4, 5),
        tile(DType::Int8, [2, 32], [2, 5]),
        tile(DType::Int32, [1, 8], [1, 2]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([0_i8; 20]),
            bytes([9_i8; 64]),
            bytes([0, 2, 0, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let want = [[9_i8; 5], [0; 5], [9; 5], [0; 5]].concat();
    assert_eq!(ran.table::<i8>(), want);
}

/// MSCATTER-CAP-01 to -03 through Skip: `(mode, shape, index, slot written)`.
#[test]
fn capacities() {
    let cases = [
        (Coalesce::Row, [1, 1, 1, 4, 8], 3, Some(24)),
        (Coalesce::Row, [1, 1, 1, 4, 8], 4, None),
        (Coalesce::Elem, [1, 1, 1, 4, 8], 31, Some(31)),
        (Coalesce::Elem, [1, 1, 1, 4, 8], 32, None),
        (Coalesce::Elem, [2, 1, 3, 4, 8], 191, Some(191)),
        (Coalesce::Elem, [2, 1, 3, 4, 8], 192, None),
        (Coalesce::Row, [2, 1, 1, 4, 8], 7, Some(56)),
        (Coalesce::Row, [2, 1, 1, 4, 8], 8, None),
    ];
    for (mode, shape, index, want) in cases {
        let size: u64 = shape.iter().product();
        let strides = [32, 32, 32, 8, 1];
        let call = Mscatter {
            oob: ScatterOob::Skip,
            ..mscatter(
                mode,
                table(DType::Uint8, shape, strides, Layout::ND),
                tile(DType::Uint8, [1, 32], [1, 1]),
                tile(DType::Int32, [1, 8], [1, 1]),
            )
        };
        let ran = legal(
            Call::Mscatter(call),
            [
                vec![0; size as usize],
                vec![1; 32],
                bytes([index, 0, 0, 0, 0, 0, 0, 0_i32]),
            ],
        );
        let written = ran.table::<u8>().iter().position(|&v| v == 1);
        assert_eq!(written, want, "{mode} {shape:?} {index}");
    }
}

/// MSCATTER-DYN-02, -03, -06, -07: the documented dynamic example.
#[test]
fn run_time_shapes_act_as_static_ones() {
    let fixed = Mscatter {
        oob: ScatterOob::Skip,
        ..mscatter(
            Coalesce::Elem,
            nd(DType::Float, 3, 10),
            tile(DType::Float, [1, 16], [1, 9]),
            tile(DType::Int32, [1, 16], [1, 9]),
        )
    };
    let mut loose = fixed;
    loose.table.shape[3] = Dim::Dynamic(3);
    loose.table.shape[4] = Dim::Dynamic(10);
    loose.table.stride[3] = Dim::Dynamic(10);
    loose.src = dynamic(loose.src);
    loose.idx = dynamic(loose.idx);
    for call in [fixed, loose] {
        let idx = padded(&[0, 3, 6, 9, 12, 15, 18, 30, 29], 9, 16, 1_i32);
        let src = padded(&[1., 2., 3., 4., 5., 6., 7., 8., 9_f32], 9, 16, 99.);
        let ran = legal(Call::Mscatter(call), [bytes([0_f32; 30]), src, idx]);
        let mut want = [0.; 30];
        for (slot, value) in [
            (0, 1.),
            (3, 2.),
            (6, 3.),
            (9, 4.),
            (12, 5.),
            (15, 6.),
            (18, 7.),
        ] {
            want[slot] = value;
        }
        want[29] = 9.;
        assert_eq!(ran.table::<f32>(), want);
    }
}

/// MSCATTER-DTYPE-12 and MSCATTER-SHAPE-09: index dtype and width are free.
#[test]
fn index_tiles_have_their_own_width() {
    for dtype in [DType::Int32, DType::Uint32] {
        let call = mscatter(
            Coalesce::Elem,
            nd(DType::Half, 1, 15),
            tile(DType::Half, [3, 16], [3, 5]),
            tile(dtype, [3, 8], [3, 5]),
        );
        let values: Vec<u16> = (100..115).collect();
        let slots: Vec<u32> = (0..15).rev().collect();
        let ran = legal(
            Call::Mscatter(call),
            [
                bytes([0_u16; 15]),
                padded(&values, 5, 16, 7),
                padded(&slots, 5, 8, 3),
            ],
        );
        let want: Vec<u16> = (100..115).rev().collect();
        assert_eq!(ran.table::<u16>(), want);
    }
}

/// MSCATTER-ALIGN-06: bytes at odd places, neighbours kept.
#[test]
fn elem_has_no_alignment() {
    let call = mscatter(
        Coalesce::Elem,
        nd(DType::Int8, 1, 32),
        tile(DType::Int8, [1, 32], [1, 7]),
        tile(DType::Int32, [1, 8], [1, 7]),
    );
    let ran = legal(
        Call::Mscatter(call),
        [
            bytes([0_i8; 32]),
            padded(&[1, 2, 3, 4, 5, 6, 7_i8], 7, 32, 99),
            bytes([31, 1, 29, 3, 27, 5, 25, 0_i32]),
        ],
    );
    let mut want = [0_i8; 32];
    (want[31], want[1], want[29], want[3]) = (1, 2, 3, 4);
    (want[27], want[5], want[25]) = (5, 6, 7);
    assert_eq!(ran.table::<i8>(), want);
}

/// MSCATTER-MODE-04: for (1, 1) the mode alone decides.
#[test]
fn the_mode_is_never_guessed() {
    for (mode, slot) in [(Coalesce::Row, 24), (Coalesce::Elem, 3)] {
        let call = mscatter(
            mode,
            nd(DType::Float, 4, 8),
            tile(DType::Float, [1, 8], [1, 1]),
            tile(DType::Int32, [1, 8], [1, 1]),
        );
        let ran = legal(
            Call::Mscatter(call),
            [bytes([0_f32; 32]), bytes([1_f32; 8]), bytes([3_i32; 8])],
        );
        let mut want = [0.; 32];
        want[slot] = 1.;
        assert_eq!(ran.table::<f32>(), want);
    }
}

/// MSCATTER-GAP-38: a run-time extent of 0 does nothing.
#[test]
fn nothing_valid_does_nothing() {
    for valid in [[0, 8], [8, 0]] {
        for mode in [Coalesce::Row, Coalesce::Elem] {
            let call = mscatter(
                mode,
                nd(DType::Float, 4, 8),
                dynamic(tile(DType::Float, [8, 8], valid)),
                dynamic(tile(DType::Int32, [8, 8], valid)),
            );
            let operands = [bytes([1_f32; 32]), bytes([2_f32; 64]), bytes([0_i32; 64])];
            let ran = table_after(call, operands);
            assert_eq!(ran, [1.; 32]);
        }
    }
}

/// MSCATTER-GAP-02: an empty table takes no write.
#[test]
fn an_empty_table_takes_nothing() {
    for oob in [
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ] {
        for mode in [Coalesce::Row, Coalesce::Elem] {
            let mut call = Mscatter {
                oob,
                ..mscatter(
                    mode,
                    nd(DType::Float, 0, 8),
                    tile(DType::Float, [1, 8], [1, 1]),
                    tile(DType::Int32, [1, 8], [1, 1]),
                )
            };
            call.table.shape[3] = Dim::Dynamic(0);
            let operands = [Vec::new(), bytes([2_f32; 8]), bytes([0_i32; 8])];
            assert_eq!(table_after(call, operands), [0_f32; 0]);
        }
    }
}

/// The table after a call that must not touch anything outside.
fn table_after(call: Mscatter, operands: [Vec<u8>; 3]) -> Vec<f32> {
    legal(Call::Mscatter(call), operands).table()
}
