//! Atomic accumulation (ATOM).

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::ScatterAtomicOp::{Add, Max, Min};
use ptodiff_isa::*;

fn line(atomic: ScatterAtomicOp, dtype: DType, len: u64, padded: u64) -> Mscatter {
    Mscatter {
        atomic,
        ..mscatter(
            Elem,
            flat(dtype, 8),
            valid(dtype, 1, padded, 1, len),
            valid(Int32, 1, padded, 1, len),
        )
    }
}

#[test]
fn atom_01_add_accumulates_on_the_old_value() {
    let mut table = [0; 8];
    table[2] = 100;
    let after = scatter(
        &line(Add, Int32, 8, 8),
        &table,
        &[1, 2, 3, 4, 5, 6, 7, 8],
        &[2; 8],
    );
    assert_eq!(after, [0, 0, 136, 0, 0, 0, 0, 0]);
}

#[test]
fn atom_02_and_03_max_and_min() {
    let run = |atomic, src: [i32; 3]| {
        let mut padded = [99, 99, 99, -99, -99, 99, 99, 99];
        padded[..3].copy_from_slice(&src);
        scatter(&line(atomic, Int32, 3, 8), &[5; 8], &padded, &[0; 8])[0]
    };
    assert_eq!(run(Max, [3, 9, -4]), 9);
    assert_eq!(run(Max, [3, 1, -4]), 5);
    assert_eq!(run(Min, [3, 9, -4]), -4);
    assert_eq!(run(Min, [7, 9, 6]), 5);
}

#[test]
fn atom_06_nothing_is_lost() {
    let call = Mscatter {
        atomic: Add,
        ..mscatter(
            Elem,
            flat(Int32, 4),
            tile(Int32, 64, 32),
            tile(Int32, 64, 32),
        )
    };
    for schedule in SCHEDULES {
        let table = scatter_how(&call, how(schedule), &[0; 4], &[1; 2048], &[0; 2048]);
        assert_eq!(table, [2048, 0, 0, 0]);
    }
}

#[test]
fn conf_09_atomics_ignore_the_conflict_policy() {
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        let call = Mscatter {
            conflict,
            ..line(Add, Int32, 8, 8)
        };
        assert_eq!(scatter(&call, &[0; 8], &[1; 8], &[2; 8])[2], 8);
    }
}

#[test]
fn atom_21_max_and_min_compare_in_the_element_type() {
    let run = |atomic, dtype| {
        let src = [0x8000_0000_u32; 8];
        scatter(&line(atomic, dtype, 2, 8), &[1; 8], &src, &[0; 8])[0]
    };
    assert_eq!(run(Max, Uint32), 0x8000_0000);
    assert_eq!(run(Max, Int32), 1);
    assert_eq!(run(Min, Uint32), 1);
    assert_eq!(run(Min, Int32), 0x8000_0000);
    let float =
        |atomic, src: f32| scatter(&line(atomic, Float, 2, 8), &[-1.5; 8], &[src; 8], &[4; 8])[4];
    assert_eq!(float(Max, -2.0), -1.5);
    assert_eq!(float(Min, -2.0), -2.0);
    assert_eq!(float(Max, 0.25), 0.25);
}

#[test]
fn atom_22_float_sums_follow_the_schedule() {
    let call = line(Add, Float, 3, 8);
    let src = [1e8, 1.0, -1e8, 0., 0., 0., 0., 0.];
    let sums: BTreeSet<u32> = (0..60)
        .map(|seed| {
            let how = how(Schedule::Shuffled(seed));
            scatter_how(&call, how, &[0.0; 8], &src, &[0; 8])[0].to_bits()
        })
        .collect();
    assert_eq!(sums, BTreeSet::from([0, 1.0_f32.to_bits()]));
}

#[test]
fn atom_25_the_table_is_neither_cleared_nor_preloaded() {
    let call = line(Add, Int32, 8, 8);
    let table: Vec<i32> = (1000..1008).collect();
    let after = scatter(&call, &table, &[1; 8], &[0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(after, (1001..1009).collect::<Vec<i32>>());
}

#[test]
fn gap_05_integer_sums_wrap() {
    let call = line(Add, Int32, 2, 8);
    let after = scatter(&call, &[i32::MAX; 8], &[1; 8], &[0, 1]);
    assert_eq!(after[..3], [i32::MIN, i32::MIN, i32::MAX]);
    let call = line(Add, Uint32, 2, 8);
    assert_eq!(scatter(&call, &[u32::MAX; 8], &[1; 8], &[0, 0])[0], 1);
}

#[test]
fn gap_06_half_and_bfloat16_round_at_every_step() {
    // 2048 + 1 ties down to 2048 at every step; a wide accumulator would reach 2052.
    let after = scatter(
        &line(Add, Half, 3, 16),
        &[0x6800_u16; 8],
        &[0x3C00; 16],
        &[0; 16],
    );
    assert_eq!(after[..2], [0x6800, 0x6800]);
    // 256 + 1 ties down to 256 with 8 significant bits.
    let call = line(Add, Bfloat16, 3, 16);
    let after = scatter(&call, &[0x4380_u16; 8], &[0x3F80; 16], &[0; 16]);
    assert_eq!(after[0], 0x4380);
    // Exact sums: 1 + 1 + 1 + 1.
    let after = scatter(&call, &[0x3F80_u16; 8], &[0x3F80; 16], &[0; 16]);
    assert_eq!(after[0], 0x4080);
}

#[test]
fn gap_80_subnormals_are_kept() {
    let after = scatter(&line(Add, Half, 2, 16), &[1_u16; 8], &[1; 16], &[0, 1]);
    assert_eq!(after[..3], [2, 2, 1]);
    let tiny = f32::from_bits(1);
    let after = scatter(&line(Add, Float, 2, 8), &[tiny; 8], &[tiny; 8], &[0, 1]);
    assert_eq!(after[0].to_bits(), 2);
}

#[test]
fn api_12_row_add_aggregates() {
    let call = Mscatter {
        atomic: Add,
        oob: ScatterOob::Wrap,
        ..mscatter(
            Row,
            rows(Float, 4, 16),
            tile(Float, 8, 16),
            tile(Int32, 1, 8),
        )
    };
    let src: Vec<f32> = (0..128).map(|k| k as f32).collect();
    for schedule in SCHEDULES {
        let idx = [0, 1, 2, 3, 4, 5, 6, 7];
        let table = scatter_how(&call, how(schedule), &[0.0; 64], &src, &idx);
        // src[k] + src[k + 4]: 64 elements further on.
        for (k, sum) in table.iter().enumerate() {
            assert_eq!(*sum, (2 * k + 64) as f32);
        }
    }
}

#[test]
fn gap_35_the_scalar_path_accumulates_too() {
    for (atomic, value) in [(Add, 12), (Max, 7), (Min, 5)] {
        let call = line(atomic, Int32, 1, 8);
        let after = scatter(&call, &[5; 8], &[7; 8], &[6; 8]);
        assert_eq!(after, [5, 5, 5, 5, 5, 5, value, 5]);
    }
}

#[test]
fn row_atomics_work_on_col_major_sources() {
    let call = Mscatter {
        atomic: Max,
        ..mscatter(
            Row,
            rows(Int32, 2, 3),
            col_major(valid(Int32, 8, 3, 2, 3)),
            tile(Int32, 1, 2),
        )
    };
    // Columns of 8: rows 0 and 1 are (1, 3, 5) and (2, 4, 6).
    let mut src = [50; 24];
    for (at, value) in [(0, 1), (1, 2), (8, 3), (9, 4), (16, 5), (17, 6)] {
        src[at] = value;
    }
    let after = scatter(&call, &[0, 9, 0, 0, 0, 0], &src, &[0, 0]);
    assert_eq!(after, [2, 9, 6, 0, 0, 0]);
}
