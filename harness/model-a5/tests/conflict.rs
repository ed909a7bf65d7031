//! Who survives (CONF).

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::ScatterConflict::{Default as Any, Last};
use ptodiff_isa::*;

fn by_row(count: usize, cols: usize) -> Vec<f32> {
    (0..count * cols).map(|k| (k / cols) as f32).collect()
}

#[test]
fn conf_03_the_last_row_wins_whole() {
    let call = mscatter(
        Row,
        rows(Float, 4, 64),
        tile(Float, 8, 64),
        tile(Int32, 1, 8),
    );
    for schedule in SCHEDULES {
        let table = scatter_how(
            &call,
            how(schedule),
            &[-1.0; 256],
            &by_row(8, 64),
            &[0, 0, 1, 1, 0, 1, 2, 2],
        );
        for (row, value) in [(0, 4.0), (1, 5.0), (2, 7.0), (3, -1.0)] {
            assert_eq!(table[row * 64..row * 64 + 64], [value; 64], "{schedule:?}");
        }
    }
}

#[test]
fn conf_04_the_largest_flat_position_wins() {
    let call = mscatter(Elem, flat(Int32, 7), tile(Int32, 8, 32), tile(Int32, 8, 32));
    let src: Vec<i32> = (0..256).collect();
    let idx: Vec<i32> = (0..256).map(|i| i % 7).collect();
    for schedule in SCHEDULES {
        let table = scatter_how(&call, how(schedule), &[-1; 7], &src, &idx);
        assert_eq!(table, [252, 253, 254, 255, 249, 250, 251]);
    }
}

#[test]
fn conf_05_last_depends_on_no_schedule() {
    let call = mscatter(
        Elem,
        flat(Int32, 16),
        tile(Int32, 64, 32),
        tile(Int32, 64, 32),
    );
    let src: Vec<i32> = (0..2048).collect();
    let idx: Vec<i32> = (0..2048).map(|i| i * i % 16).collect();
    for seed in 0..100 {
        let table = scatter_how(&call, how(Schedule::Shuffled(seed)), &[-1; 16], &src, &idx);
        // Squares modulo 16 are 0, 1, 4 and 9.
        let expected = [
            2044, 2047, -1, -1, 2046, -1, -1, -1, -1, 2045, -1, -1, -1, -1, -1, -1,
        ];
        assert_eq!(table, expected);
    }
}

#[test]
fn conf_06_any_writer_may_survive_under_default() {
    let call = Mscatter {
        conflict: Any,
        ..mscatter(Elem, flat(Int32, 8), tile(Int32, 1, 8), tile(Int32, 1, 8))
    };
    let src: Vec<i32> = (10..18).collect();
    let survivors: BTreeSet<i32> = (0..300)
        .map(|seed| {
            let how = how(Schedule::Shuffled(seed));
            let table = scatter_how(&call, how, &[0; 8], &src, &[3; 8]);
            assert_eq!(table.iter().filter(|v| **v == 0).count(), 7);
            table[3]
        })
        .collect();
    assert_eq!(survivors, (10..18).collect());
}

#[test]
fn gap_09_a_contested_row_may_be_torn() {
    let call = Mscatter {
        conflict: Any,
        ..mscatter(
            Row,
            rows(Float, 1, 64),
            tile(Float, 8, 64),
            tile(Int32, 1, 8),
        )
    };
    let run = |schedule| scatter_how(&call, how(schedule), &[-1.0; 64], &by_row(8, 64), &[0; 8]);
    let table = run(Schedule::Shuffled(5));
    assert!(
        table
            .iter()
            .all(|v| (0.0..8.0).contains(v) && v.fract() == 0.0)
    );
    assert!(table.iter().any(|v| *v != table[0]), "never torn");
    // Whole warps up or down: the last or the first row survives.
    assert_eq!(run(Schedule::InOrder), [7.0; 64]);
    assert_eq!(run(Schedule::Reversed), [0.0; 64]);
}

#[test]
fn conf_07_default_equals_last_without_collisions() {
    let idx: Vec<i32> = (0..256).map(|i| i * 91 % 256).collect();
    let src: Vec<i32> = (1000..1256).collect();
    for conflict in [Last, Any] {
        let call = Mscatter {
            conflict,
            ..mscatter(
                Elem,
                flat(Int32, 256),
                tile(Int32, 8, 32),
                tile(Int32, 8, 32),
            )
        };
        for schedule in SCHEDULES {
            let table = scatter_how(&call, how(schedule), &[0; 256], &src, &idx);
            for i in 0..256 {
                assert_eq!(table[i * 91 % 256], 1000 + i as i32);
            }
        }
    }
}

#[test]
fn conf_11_skipped_rows_own_nothing() {
    let run = |oob| {
        let call = Mscatter {
            oob,
            ..mscatter(Row, rows(Float, 4, 8), tile(Float, 3, 8), tile(Int32, 1, 3))
        };
        scatter(&call, &[-1.0; 32], &by_row(3, 8), &[1, 1, 9])[8]
    };
    assert_eq!(run(ScatterOob::Skip), 1.0);
    assert_eq!(run(ScatterOob::Wrap), 2.0);
}

#[test]
fn conf_12_a_slot_without_owner_is_kept() {
    let call = mscatter(
        Row,
        rows(Float, 16, 8),
        tile(Float, 8, 8),
        tile(Int32, 1, 8),
    );
    let before: Vec<f32> = (0..128).map(|k| k as f32 + 100.0).collect();
    let table = scatter(&call, &before, &by_row(8, 8), &[3; 8]);
    assert_eq!(table[..24], before[..24]);
    assert_eq!(table[24..32], [7.0; 8]);
    assert_eq!(table[32..], before[32..]);
}

#[test]
fn conf_13_last_in_row_major_order_wins() {
    let call = mscatter(
        Elem,
        flat(Int32, 64),
        tile(Int32, 8, 32),
        tile(Int32, 8, 32),
    );
    let src: Vec<i32> = (0..256).collect();
    let idx: Vec<i32> = (0..256).map(|i| 37 * i % 64).collect();
    let table = scatter(&call, &[-1; 64], &src, &idx);
    // 37 is odd, so positions 192..255 meet every slot once, as the last ones.
    for i in 192..256 {
        assert_eq!(table[(37 * i % 64) as usize], i);
    }
}

#[test]
fn gap_10_the_last_kernels_drop_what_no_slot_owns() {
    let call = mscatter(Row, rows(Float, 4, 8), tile(Float, 2, 8), tile(Int32, 1, 2));
    let table = scatter(&call, &[-1.0; 32], &[[5.0; 8], [6.0; 8]].concat(), &[1, 9]);
    assert_eq!(table[8..16], [5.0; 8]);
    assert_eq!(table.iter().filter(|v| **v == -1.0).count(), 24);
    let pair = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = mscatter(Elem, flat(Int32, 8), pair(Int32), pair(Int32));
    let table = scatter(&call, &[0; 8], &[5, 6, 0, 0, 0, 0, 0, 0], &[1, 9]);
    assert_eq!(table, [0, 5, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn gap_72_last_is_logical_in_col_major_tiles() {
    let call = mscatter(
        Elem,
        flat(Int32, 128),
        col_major(tile(Int32, 8, 8)),
        col_major(tile(Int32, 8, 8)),
    );
    // Column-major images: element (r, c) stands at 8c + r.
    let mut src = vec![0; 64];
    let mut idx: Vec<i32> = (64..128).collect();
    (src[8], idx[8]) = (1, 5);
    (src[1], idx[1]) = (2, 5);
    for call in [
        call,
        Mscatter {
            conflict: Any,
            ..call
        },
    ] {
        assert_eq!(scatter(&call, &[-1; 128], &src, &idx)[5], 2);
    }
}

#[test]
fn last_is_exact_on_tables_of_every_size() {
    for capacity in [1000_u64, 3000, 60_000] {
        let call = Mscatter {
            oob: ScatterOob::Wrap,
            ..mscatter(
                Elem,
                flat(Uint16, capacity),
                valid(Uint16, 4, 16, 3, 7),
                valid(Uint32, 4, 8, 3, 7),
            )
        };
        let mut src = [0_u16; 64];
        let mut idx = [0_u32; 32];
        for r in 0..3 {
            for c in 0..7 {
                let flat = r * 7 + c;
                src[r * 16 + c] = 500 + flat as u16;
                // Five slots near the end, met several times, some by wrapping.
                let around = if flat % 2 == 0 { capacity as u32 } else { 0 };
                idx[r * 8 + c] = capacity as u32 - 1 - (flat as u32 % 5) + around;
            }
        }
        let table = scatter(&call, &vec![0_u16; capacity as usize], &src, &idx);
        let end = table.len();
        // Positions 20, 16, 17, 18, 19 are the last with remainder 0..4.
        assert_eq!(table[end - 5..], [519, 518, 517, 516, 520]);
        assert_eq!(table[..end - 5].iter().max(), Some(&0));
    }
}
