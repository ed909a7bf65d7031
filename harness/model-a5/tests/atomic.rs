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
fn gap_03_and_04_by_default_a_slot_stays_where_nothing_is_larger() {
    const NAN: u32 = 0x7FC0_0000;
    const ONE: u32 = 0x3F80_0000;
    const NEG_ZERO: u32 = 0x8000_0000;
    for (old, value) in [(NAN, ONE), (ONE, NAN), (0, NEG_ZERO), (NEG_ZERO, 0)] {
        for atomic in [Max, Min] {
            assert_eq!(slot(atomic, Float, old, &[value]), old, "{atomic}");
        }
    }
}

#[test]
fn gap_81_a_sum_that_is_no_number_is_the_one_nan() {
    for (old, value) in [(0xFFA1_2345_u32, 0x3F80_0000), (0x7F80_0000, 0xFF80_0000)] {
        assert_eq!(slot(Add, Float, old, &[value]), 0x7FC0_0000);
    }
    for (dtype, old, value, sum) in [
        (Half, 0x7C01_u16, 0x3C00, 0x7E00),
        (Half, 0xFC00, 0x7C00, 0x7E00),
        (Bfloat16, 0x3F80, 0xFFFF, 0x7FC0),
        (Bfloat16, 0x7F80, 0x7F80, 0x7F80),
    ] {
        assert_eq!(slot(Add, dtype, old, &[value]), sum, "{dtype}");
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
