//! What an index is held against (CAP, INDEX, GAP-15).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

fn pair(dtype: DType) -> Tile {
    valid(dtype, 1, 8, 1, 2)
}

#[test]
fn cap_01_rows_or_elements() {
    let skip = |mode, src, idx| Mscatter {
        oob: ScatterOob::Skip,
        ..mscatter(mode, rows(Int32, 4, 8), src, idx)
    };
    let call = skip(Row, tile(Int32, 2, 8), tile(Int32, 1, 2));
    let table = scatter(&call, &[0; 32], &[[1; 8], [2; 8]].concat(), &[3, 4]);
    assert_eq!(table[..24], [0; 24]);
    assert_eq!(table[24..], [1; 8]);
    let call = skip(Elem, pair(Int32), pair(Int32));
    let table = scatter(&call, &[0; 32], &[7, 8, 0, 0, 0, 0, 0, 0], &[31, 32]);
    assert_eq!(table[..31], [0; 31]);
    assert_eq!(table[31], 7);
}

#[test]
fn cap_02_elem_capacity_is_the_five_fold_product() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let call = Mscatter {
            oob: ScatterOob::Skip,
            conflict,
            ..mscatter(
                Elem,
                packed(Int32, [2, 1, 3, 4, 8]),
                pair(Int32),
                pair(Int32),
            )
        };
        let table = scatter(&call, &[0; 192], &[7, 8, 0, 0, 0, 0, 0, 0], &[191, 192]);
        assert_eq!(table[191], 7);
        assert_eq!(table[..191], [0; 191]);
    }
}

#[test]
fn cap_04_and_gap_15_row_capacity_is_shape_3() {
    let call = Mscatter {
        oob: ScatterOob::Clamp,
        ..mscatter(
            Row,
            packed(Float, [2, 1, 1, 4, 8]),
            tile(Float, 1, 8),
            tile(Int32, 1, 1),
        )
    };
    let table = scatter(&call, &[0.0; 64], &[1.0; 8], &[6]);
    assert_eq!(table[..24], [0.0; 24]);
    assert_eq!(table[24..32], [1.0; 8]);
    assert_eq!(table[32..], [0.0; 32]);
}

#[test]
fn gather_cap_03_row_capacity_is_shape_3() {
    let table: Vec<f32> = (1..41).map(|v| v as f32).collect();
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(Row, rows(Float, 5, 8), tile(Float, 2, 8), tile(Int32, 1, 2))
    };
    assert_eq!(gather(&call, &[-1.0; 16], &table, &[5, 9]), [0.0; 16]);
    assert_eq!(
        gather(&call, &[-1.0; 16], &table, &[4, 5])[..8],
        table[32..]
    );
    let wide = Mgather {
        oob: GatherOob::Clamp,
        ..mgather(
            Row,
            packed(Float, [1, 1, 2, 3, 8]),
            tile(Float, 1, 8),
            tile(Int32, 1, 1),
        )
    };
    let table: Vec<f32> = (0..48).map(|v| v as f32).collect();
    assert_eq!(gather(&wide, &[-1.0; 8], &table, &[4]), table[16..24]);
}

#[test]
fn gather_cap_04_elem_capacity_is_the_five_fold_product() {
    let table: Vec<f32> = (100..130).map(|v| v as f32).collect();
    for shape in [[1, 1, 1, 3, 10], [1, 2, 1, 3, 5]] {
        let call = Mgather {
            oob: GatherOob::Zero,
            ..mgather(Elem, packed(Float, shape), pair(Float), pair(Int32))
        };
        let dst = gather(&call, &[-1.0; 8], &table, &[29, 30]);
        assert_eq!(dst, [129.0, 0.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    }
}

#[test]
fn gap_02_an_empty_table_takes_nothing_and_gives_zero_only() {
    let mut table = rows(Int32, 0, 8);
    table.shape[3] = Dim::Dynamic(0);
    for (mode, src, idx) in [
        (Row, tile(Int32, 2, 8), tile(Int32, 1, 2)),
        (Elem, pair(Int32), pair(Int32)),
        (Elem, valid(Int32, 1, 8, 1, 1), valid(Int32, 1, 8, 1, 1)),
    ] {
        for negative_index in [NegativeIndex::Unsigned, NegativeIndex::Signed] {
            let mut how = How::default();
            how.readings.negative_index = negative_index;
            let len = (src.rows * src.cols) as usize;
            for oob in [
                ScatterOob::Undefined,
                ScatterOob::Skip,
                ScatterOob::Clamp,
                ScatterOob::Wrap,
            ] {
                for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
                    let call = mscatter(mode, table, src, idx);
                    let call = Mscatter {
                        oob,
                        conflict,
                        ..call
                    };
                    scatter_how(&call, how, &[], &vec![1; len], &[-1, 0]);
                }
            }
            for oob in [
                GatherOob::Undefined,
                GatherOob::Clamp,
                GatherOob::Wrap,
                GatherOob::Zero,
            ] {
                let call = Mgather {
                    oob,
                    ..mgather(mode, table, src, idx)
                };
                let dst = gather_how(&call, how, &vec![9; len], &[], &[-1, 0]);
                let given = if oob == GatherOob::Zero { 0 } else { 9 };
                assert_eq!(dst[0], given, "{mode} {oob}");
            }
        }
    }
}

#[test]
fn gap_02_lanes_of_an_empty_table_are_idle() {
    let mut table = flat(Int32, 0);
    table.shape[4] = Dim::Dynamic(0);
    let events = |valid_col, conflict, dispatch| {
        let data = valid(Int32, 1, 8, 1, valid_col);
        let call = Mscatter {
            oob: ScatterOob::Skip,
            conflict,
            ..mscatter(Elem, table, data, data)
        };
        let call = Mscatter {
            launch: Launch {
                dispatch,
                ..call.launch
            },
            ..call
        };
        let mut memory = memory(&[
            (Role::Table, vec![]),
            (Role::Source, vec![0; 32]),
            (Role::Index, vec![0; 32]),
        ]);
        execute(Call::Mscatter(call), &mut memory, How::default())
            .trace
            .expect("a trace")
    };
    use ScatterConflict::{Default as Any, Last};
    let launched = events(2, Any, Dispatch::Standard);
    assert!(matches!(launched[..], [Event::Launch { .. }]));
    // Where lanes own slots, there is none to launch.
    assert_eq!(events(2, Last, Dispatch::Standard), []);
    assert_eq!(events(2, Last, Dispatch::Direct), []);
    // The scalar path looks at its index first.
    let scalar = events(1, Any, Dispatch::Standard);
    assert_eq!(count(&scalar, is_index_load), 1);
}
