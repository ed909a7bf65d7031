//! Shapes known at run time only (DYN).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

fn dynamic_table(table: GlobalTensor) -> GlobalTensor {
    GlobalTensor {
        shape: table.shape.map(|dim| Dim::Dynamic(dim.get())),
        stride: table.stride.map(|dim| Dim::Dynamic(dim.get())),
        ..table
    }
}

#[test]
fn dyn_06_the_documented_example() {
    let part = |dtype| dynamic(valid(dtype, 1, 16, 1, 9));
    let call = Mscatter {
        oob: ScatterOob::Skip,
        ..mscatter(
            Elem,
            dynamic_table(rows(Float, 3, 10)),
            part(Float),
            part(Int32),
        )
    };
    let src: Vec<f32> = (1..17).map(|v| v as f32).collect();
    let idx = [0, 3, 6, 9, 12, 15, 18, 21, 24, 29, 29, 29, 29, 29, 29, 29];
    let table = scatter(&call, &[0.0; 30], &src, &idx);
    for (slot, value) in table.iter().enumerate() {
        let expected = if slot % 3 == 0 && slot <= 24 {
            (slot / 3 + 1) as f32
        } else {
            0.0
        };
        assert_eq!(*value, expected, "slot {slot}");
    }
}

#[test]
fn dyn_02_and_03_run_time_sizes_enter_the_capacity() {
    for oob in [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap] {
        let part = |dtype| valid(dtype, 1, 8, 1, 2);
        let fixed = Mscatter {
            oob,
            ..mscatter(Elem, rows(Int32, 3, 10), part(Int32), part(Int32))
        };
        let free = Mscatter {
            table: dynamic_table(fixed.table),
            ..fixed
        };
        let run = |call: &Mscatter| scatter(call, &[0; 30], &[1, 2, 0, 0, 0, 0, 0, 0], &[28, 31]);
        let changed: Vec<usize> = (0..30).filter(|k| run(&free)[*k] == 2).collect();
        let expected = match oob {
            ScatterOob::Skip => vec![],
            ScatterOob::Clamp => vec![29],
            _ => vec![1],
        };
        assert_eq!(changed, expected);
        assert_eq!(run(&fixed), run(&free));
    }
}

#[test]
fn dyn_07_static_and_dynamic_forms_agree() {
    let fixed = Mscatter {
        oob: ScatterOob::Wrap,
        ..mscatter(
            Row,
            rows(Int32, 4, 3),
            valid(Int32, 4, 8, 3, 3),
            tile(Int32, 1, 3),
        )
    };
    let free = Mscatter {
        table: dynamic_table(fixed.table),
        src: dynamic(fixed.src),
        idx: dynamic(fixed.idx),
        ..fixed
    };
    let src: Vec<i32> = (0..32).collect();
    for call in [fixed, free] {
        let table = scatter(&call, &[-1; 12], &src, &[2, 4, 3]);
        assert_eq!(table, [8, 9, 10, -1, -1, -1, 0, 1, 2, 16, 17, 18]);
    }
}

#[test]
fn gather_dyn_01_the_run_time_extents_of_the_destination_count() {
    let part = |dtype| dynamic(valid(dtype, 4, 16, 3, 9));
    let call = mgather(
        Elem,
        dynamic_table(flat(Float, 64)),
        part(Float),
        part(Int32),
    );
    let table: Vec<f32> = (0..64).map(|v| v as f32).collect();
    let idx: Vec<i32> = (0..64).collect();
    let dst = gather(&call, &[-1.0; 64], &table, &idx);
    assert_eq!(dst.iter().filter(|v| **v >= 0.0).count(), 27);
    assert_eq!(
        dst[32..42],
        [32., 33., 34., 35., 36., 37., 38., 39., 40., -1.]
    );
}

#[test]
fn gap_14_a_run_time_width_does_not_change_the_pitch() {
    let mut table = rows(Int32, 4, 16);
    table.shape[4] = Dim::Dynamic(16);
    let call = mscatter(Row, table, tile(Int32, 1, 8), tile(Int32, 1, 1));
    let after = scatter(&call, &[0; 64], &[1; 8], &[1]);
    assert_eq!(after[8..16], [1; 8]);
    assert_eq!(after.iter().sum::<i32>(), 8);
}

#[test]
fn gap_38_a_run_time_extent_of_0_does_nothing() {
    for (rows_, cols) in [(0, 8), (8, 0), (0, 0)] {
        let none = |dtype| dynamic(valid(dtype, 8, 8, rows_, cols));
        for mode in [Row, Elem] {
            let call = mscatter(mode, rows(Int32, 4, 8), none(Int32), none(Int32));
            assert_eq!(scatter(&call, &[5; 32], &[1; 64], &[0; 64]), [5; 32]);
            let call = mgather(mode, rows(Int32, 4, 8), none(Int32), none(Int32));
            assert_eq!(gather(&call, &[5; 64], &[1; 32], &[0; 64]), [5; 64]);
        }
    }
}

#[test]
fn gap_37_the_source_extents_drive_the_loops() {
    // Nine source elements, an index tile valid for eight: the ninth index is padding.
    let call = mscatter(
        Elem,
        flat(Int32, 30),
        dynamic(valid(Int32, 1, 16, 1, 9)),
        dynamic(valid(Int32, 1, 16, 1, 8)),
    );
    let src: Vec<i32> = (1..17).collect();
    let idx: Vec<i32> = (10..26).collect();
    let table = scatter(&call, &[0; 30], &src, &idx);
    assert_eq!(table[10..20], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
}
