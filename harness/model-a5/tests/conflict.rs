//! Who survives (CONF).

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::ScatterConflict::{Default as Any, Last};

fn by_row(count: i32, cols: i32) -> Vec<i32> {
    (0..count * cols).map(|k| k / cols).collect()
}

#[test]
fn conf_03_and_12_the_last_row_wins_whole() {
    let call = mscatter(
        Row,
        rows(Int32, 4, 64),
        tile(Int32, 8, 64),
        tile(Int32, 1, 8),
    );
    for schedule in SCHEDULES {
        let idx = [0, 0, 1, 1, 0, 1, 2, 2];
        let table = scatter_how(&call, how(schedule), &[-1; 256], &by_row(8, 64), &idx);
        // A slot without owner is kept.
        for (row, value) in table.chunks(64).zip([4, 5, 7, -1]) {
            assert_eq!(row, [value; 64], "{schedule:?}");
        }
    }
}

#[test]
fn conf_04_05_and_13_the_largest_flat_position_wins_under_every_schedule() {
    // 37 is odd, so positions 192..255 meet every slot once, as the last ones. Squares
    // modulo 16 are 0, 1, 4 and 9.
    let odd: Vec<i32> = (192..256).map(|k| 37 * k % 64).collect();
    let mut of_odd = [0; 64];
    for (slot, at) in odd.into_iter().zip(192..) {
        of_odd[slot as usize] = at;
    }
    let mut of_squares = [-1; 16];
    (of_squares[0], of_squares[1], of_squares[4], of_squares[9]) = (2044, 2047, 2046, 2045);
    let sevens = [252, 253, 254, 255, 249, 250, 251];
    for (rows, slot, expected) in [
        (8, (|i| i % 7) as fn(i32) -> i32, &sevens[..]),
        (8, |i| 37 * i % 64, &of_odd),
        (64, |i| i * i % 16, &of_squares),
    ] {
        let (data, slots) = (tile(Int32, rows, 32), expected.len());
        let call = mscatter(Elem, flat(Int32, slots as u64), data, data);
        let src = count_from(0, 32 * rows as i32);
        let idx: Vec<i32> = src.iter().map(|i| slot(*i)).collect();
        for seed in 0..20 {
            for schedule in [
                Schedule::InOrder,
                Schedule::Reversed,
                Schedule::Shuffled(seed),
            ] {
                let table = scatter_how(&call, how(schedule), &vec![-1; slots], &src, &idx);
                assert_eq!(table, expected, "{schedule:?}");
            }
        }
    }
}

#[test]
fn conf_06_and_gap_09_any_writer_may_survive_under_default() {
    let data = tile(Int32, 1, 8);
    let call = mscatter(Elem, flat(Int32, 8), data, data).with(|c| c.conflict = Any);
    let survivors: BTreeSet<i32> = (0..300)
        .map(|seed| {
            let how = how(Schedule::Shuffled(seed));
            let table = scatter_how(&call, how, &[0; 8], &count_from(10, 8), &[3; 8]);
            assert_eq!(table.iter().filter(|v| **v == 0).count(), 7);
            table[3]
        })
        .collect();
    assert_eq!(survivors, (10..18).collect());
    // A contested row may be torn. Whole warps up or down: the last or the first survives.
    let call = mscatter(
        Row,
        rows(Int32, 1, 64),
        tile(Int32, 8, 64),
        tile(Int32, 1, 8),
    );
    let call = call.with(|c| c.conflict = Any);
    let run = |schedule| scatter_how(&call, how(schedule), &[-1; 64], &by_row(8, 64), &[0; 8]);
    let table = run(Schedule::Shuffled(5));
    assert!(table.iter().all(|v| (0..8).contains(v)));
    assert!(table.iter().any(|v| *v != table[0]), "never torn");
    assert_eq!(run(Schedule::InOrder), [7; 64]);
    assert_eq!(run(Schedule::Reversed), [0; 64]);
}

#[test]
fn conf_11_and_gap_10_what_is_out_of_range_owns_nothing() {
    for (oob, expected) in [
        (ScatterOob::Skip, 1),
        (ScatterOob::Wrap, 2),
        // No slot owns it, so the Last kernels drop it.
        (ScatterOob::Undefined, 1),
    ] {
        let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 3, 8), tile(Int32, 1, 3));
        let table = scatter(
            &Mscatter { oob, ..call },
            &[-1; 32],
            &by_row(3, 8),
            &[1, 1, 9],
        );
        assert_eq!(table[8..16], [expected; 8], "{oob}");
        assert_eq!(table.iter().filter(|v| **v == -1).count(), 24);
        let data = tile(Int32, 1, 3);
        let call = mscatter(Elem, flat(Int32, 4), data, data).with(|c| c.oob = oob);
        let table = scatter(&call, &[-1; 4], &[0, 1, 2], &[1, 1, 9]);
        assert_eq!(table, [-1, expected, -1, -1], "{oob}");
    }
}

#[test]
fn gap_72_last_is_logical_in_col_major_tiles() {
    let data = col_major(tile(Int32, 8, 8));
    // Column-major images: element (r, c) stands at 8c + r.
    let (mut src, mut idx) = (vec![0; 64], count_from(64, 64));
    (src[8], idx[8]) = (1, 5);
    (src[1], idx[1]) = (2, 5);
    for conflict in [Last, Any] {
        let call = mscatter(Elem, flat(Int32, 128), data, data).with(|c| c.conflict = conflict);
        assert_eq!(scatter(&call, &[-1; 128], &src, &idx)[5], 2);
    }
}

#[test]
fn last_is_exact_on_tables_of_every_size() {
    for capacity in [1000_u64, 3000, 60_000] {
        let (src, idx) = (valid(Uint16, 4, 16, 3, 7), valid(Uint32, 4, 8, 3, 7));
        let call = mscatter(Elem, flat(Uint16, capacity), src, idx);
        let call = call.with(|c| c.oob = ScatterOob::Wrap);
        let (mut src, mut idx) = ([0_u16; 64], [0_u32; 32]);
        for flat in 0..21 {
            let (r, c) = (flat / 7, flat % 7);
            src[r * 16 + c] = 500 + flat as u16;
            // Five slots near the end, met several times, some by wrapping.
            let around = if flat % 2 == 0 { capacity as u32 } else { 0 };
            idx[r * 8 + c] = capacity as u32 - 1 - (flat as u32 % 5) + around;
        }
        let table = scatter(&call, &vec![0; capacity as usize], &src, &idx);
        let (rest, end) = table.split_at(table.len() - 5);
        // Positions 20, 16, 17, 18, 19 are the last with remainder 0..4.
        assert_eq!(end, [519, 518, 517, 516, 520]);
        assert_eq!(rest.iter().max(), Some(&0));
    }
}
