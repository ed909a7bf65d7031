//! Atomic accumulation (ATOM).

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::ScatterAtomicOp::{Add, Max, Min};

/// A scatter of a line of elements into eight slots.
fn line(atomic: ScatterAtomicOp, dtype: DType, len: u64) -> Mscatter {
    let part = |dtype| valid(dtype, 1, 16, 1, len);
    mscatter(Elem, flat(dtype, 8), part(dtype), part(Int32)).with(|c| c.atomic = atomic)
}

/// What slot 2 of eight holds after `src` went there in order; the others stay.
fn slot<T: Item>(atomic: ScatterAtomicOp, dtype: DType, old: T, src: &[T]) -> T {
    let mut padded = src.to_vec();
    // Padding that would show.
    padded.resize(16, src[0]);
    let call = line(atomic, dtype, src.len() as u64);
    let after = scatter(&call, &[old; 8], &padded, &[2; 16]);
    assert_eq!((&after[..2], &after[3..]), (&[old; 2][..], &[old; 5][..]));
    after[2]
}

#[test]
fn atom_01_to_05_and_21_and_25_integers() {
    for (atomic, old, src, expected) in [
        (Add, 100, &[1, 2, 3, 4, 5, 6, 7, 8][..], 136),
        (Max, 5, &[3, 9, -4], 9),
        (Max, 5, &[3, 1, -4], 5),
        (Min, 5, &[3, 9, -4], -4),
        (Min, 5, &[7, 9, 6], 5),
        (Max, 1, &[i32::MIN, i32::MIN], 1),
        (Min, 1, &[i32::MIN, i32::MIN], i32::MIN),
        // GAP-05: sums wrap.
        (Add, i32::MAX, &[1], i32::MIN),
        // GAP-35: the scalar path accumulates too.
        (Add, 5, &[7], 12),
        (Max, 5, &[7], 7),
        (Min, 5, &[7], 5),
    ] {
        assert_eq!(slot(atomic, Int32, old, src), expected, "{atomic} {src:?}");
    }
    assert_eq!(slot(Max, Uint32, 1, &[1 << 31, 0]), 1 << 31);
    assert_eq!(slot(Min, Uint32, 1, &[1 << 31, 2]), 1);
    assert_eq!(slot(Add, Uint32, u32::MAX, &[1, 1]), 1);
}

#[test]
fn gap_06_and_80_floats_round_at_every_step_and_keep_subnormals() {
    assert_eq!(slot(Max, Float, -1.5, &[-2.0, -1.75]), -1.5);
    assert_eq!(slot(Min, Float, -1.5, &[-2.0, -1.75]), -2.0);
    assert_eq!(slot(Max, Float, -1.5, &[0.25, -2.0]), 0.25);
    for (dtype, old, src, expected) in [
        // 2048 + 1 ties down to 2048 at every step; a wide accumulator would reach 2051.
        (Half, 0x6800_u16, &[0x3C00; 3][..], 0x6800),
        // 256 + 1 ties down to 256 with 8 significant bits. Exact: 1 + 1 + 1 + 1.
        (Bfloat16, 0x4380, &[0x3F80; 3], 0x4380),
        (Bfloat16, 0x3F80, &[0x3F80; 3], 0x4080),
        (Half, 1, &[1], 2),
    ] {
        assert_eq!(slot(Add, dtype, old, src), expected);
    }
    assert_eq!(slot(Add, Float, 1_u32, &[1]), 2);
}

#[test]
fn atom_06_conf_09_and_api_12_nothing_is_lost_whatever_schedule_and_policy() {
    let data = tile(Int32, 64, 32);
    for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
        for schedule in SCHEDULES {
            let call = mscatter(Elem, flat(Int32, 4), data, data);
            let call = call.with(|c| (c.atomic, c.conflict) = (Add, conflict));
            let table = scatter_how(&call, how(schedule), &[0; 4], &[1; 2048], &[0; 2048]);
            assert_eq!(table, [2048, 0, 0, 0]);
            // Rows aggregate: src[k] + src[k + 4], 64 elements further on.
            let call = mscatter(
                Row,
                rows(Int32, 4, 16),
                tile(Int32, 8, 16),
                tile(Int32, 1, 8),
            );
            let call =
                call.with(|c| (c.atomic, c.conflict, c.oob) = (Add, conflict, ScatterOob::Wrap));
            let (src, idx) = (count_from(0, 128), count_from(0, 8));
            let table = scatter_how(&call, how(schedule), &[0; 64], &src, &idx);
            assert!(table.into_iter().eq((0..64).map(|k| 2 * k + 64)));
        }
    }
}

#[test]
fn atom_22_float_sums_follow_the_schedule() {
    let mut src = [0_f32; 16];
    src[..3].copy_from_slice(&[1e8, 1.0, -1e8]);
    let sum = |schedule| {
        let call = line(Add, Float, 3);
        scatter_how(&call, how(schedule), &[0.0; 8], &src, &[0; 16])[0].to_bits()
    };
    let sums: BTreeSet<u32> = (0..60).map(|seed| sum(Schedule::Shuffled(seed))).collect();
    assert_eq!(sums, BTreeSet::from([0, 1.0_f32.to_bits()]));
    // 1e8 + 1 rounds to 1e8.
    assert_eq!(sum(Schedule::InOrder), 0);
}

#[test]
fn row_atomics_work_on_col_major_sources() {
    let src = col_major(valid(Int32, 8, 3, 2, 3));
    let call = mscatter(Row, rows(Int32, 2, 3), src, tile(Int32, 1, 2));
    // Columns of 8: rows 0 and 1 are (1, 3, 5) and (2, 4, 6).
    let mut src = [50; 24];
    for (at, value) in [(0, 1), (1, 2), (8, 3), (9, 4), (16, 5), (17, 6)] {
        src[at] = value;
    }
    let call = call.with(|c| c.atomic = Max);
    let got = scatter(&call, &[0, 9, 0, 0, 0, 0], &src, &[0, 0]);
    assert_eq!(got, [2, 9, 6, 0, 0, 0]);
}
