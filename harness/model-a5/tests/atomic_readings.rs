//! What atomics do under each reading of overflow, of subnormals, of NaN and of zeros
//! (MSCATTER-GAP-05, -80, -03, -04).

use std::collections::BTreeSet;

use crate::common::*;
use crate::first::scattered;
use ptodiff_isa::ScatterAtomicOp::{Add, Max, Min};

/// Columns of a row of every tile and table here.
const WIDTH: usize = 16;

/// A NaN that signals.
const NAN: u32 = 0x7F80_0001;
const ONE: u32 = 0x3F80_0000;
const TWO: u32 = 0x4000_0000;
const NEG_ONE: u32 = 0xBF80_0000;
const NEG_ZERO: u32 = 0x8000_0000;

/// What a slot may hold after `sources` on every path: lanes in Elem and in Row
/// mode of both revisions under every schedule, the scalar path where there is
/// one source. No other slot changes.
fn outcomes<T: Item + Ord>(
    (atomic, dtype): (ScatterAtomicOp, DType),
    readings: Readings,
    slot: T,
    sources: &[T],
) -> BTreeSet<T> {
    let count = sources.len();
    let table = rows(dtype, 3, WIDTH as u64);
    let before = vec![slot; 3 * WIDTH];
    let by_row: Vec<T> = sources.iter().flat_map(|value| [*value; WIDTH]).collect();
    // The first revision takes whole tiles: each source goes to slots 16 to 23.
    let each: Vec<T> = sources.iter().flat_map(|value| [*value; 8]).collect();
    let slots: Vec<i32> = (0..8 * count as i32).map(|k| 16 + k % 8).collect();
    let mut line = by_row[..WIDTH].to_vec();
    line[..count].copy_from_slice(sources);
    let src = tile(dtype, count as u64, WIDTH as u64);
    let part = |dtype| valid(dtype, 1, WIDTH as u64, 1, count as u64);
    let elem = mscatter(Elem, table, part(dtype), part(Int32));
    let row = mscatter(Row, table, src, tile(Int32, 1, count as u64));
    let idx = tile(Int32, count as u64, 1);
    let first_row = mscatter_first(table, src, idx);
    let whole = |dtype| tile(dtype, count as u64, 8);
    let first_elem = mscatter_first(table, whole(dtype), whole(Int32));
    let mut found = BTreeSet::new();
    let mut take = |after: Vec<T>, changed: std::ops::Range<usize>| {
        assert_eq!(after[..changed.start], before[..changed.start]);
        assert_eq!(after[changed.end..], before[changed.end..]);
        found.extend(&after[changed]);
    };
    let ones = vec![1; count];
    for schedule in SCHEDULES {
        let how = How { schedule, readings };
        let elem = Mscatter { atomic, ..elem };
        take(
            scatter_how(&elem, how, &before, &line, &[WIDTH as i32 + 3; WIDTH]),
            19..20,
        );
        let row = Mscatter { atomic, ..row };
        take(scatter_how(&row, how, &before, &by_row, &ones), 16..32);
        // Types that the first revision has no such atomic for (MSCATTER0-ATOM-03 to -05).
        let newer = dtype == Bfloat16 || (dtype == Uint32 && atomic != Add);
        if !newer {
            let call = first_row.with(|c| c.atomic = atomic);
            take(scattered(&call, how, &before, &by_row, &ones), 16..32);
            let call = first_elem.with(|c| c.atomic = atomic);
            take(scattered(&call, how, &before, &each, &slots), 16..24);
        }
    }
    found
}

/// The one outcome.
fn outcome<T: Item + Ord>(
    op: (ScatterAtomicOp, DType),
    readings: Readings,
    slot: T,
    sources: &[T],
) -> T {
    let found = outcomes(op, readings, slot, sources);
    assert_eq!(found.len(), 1, "{found:?}");
    *found.first().expect("an outcome")
}

#[test]
fn gap_05_under_saturate_every_sum_stops_at_the_ends() {
    let of = |add_overflow| Readings::default().with(|c| c.add_overflow = add_overflow);
    let saturates = of(AddOverflow::Saturate);
    let signed = |slot, sources: &[i32]| outcomes((Add, Int32), saturates, slot, sources);
    let (low, high) = (i32::MIN, i32::MAX);
    assert_eq!(signed(high - 1, &[1, 1, 1]), [high].into());
    assert_eq!(signed(low + 1, &[-2]), [low].into());
    assert_eq!(signed(-5, &[3, 9]), [7].into());
    // Up, then down by one; or down first, and the sum fits.
    assert_eq!(signed(high, &[1, -1]), [high - 1, high].into());
    let unsigned = |slot, sources: &[u32]| outcomes((Add, Uint32), saturates, slot, sources);
    assert_eq!(unsigned(u32::MAX - 1, &[1, 1]), [u32::MAX].into());
    // No sign bit: 2^31 and 2^31 - 1 have a sum.
    assert_eq!(unsigned(1 << 31, &[i32::MAX as u32]), [u32::MAX].into());
    assert_eq!(unsigned(u32::MAX, &[u32::MAX]), [u32::MAX].into());
}

fn flushed() -> Readings {
    Readings::default().with(|c| c.subnormals = Subnormals::Flushed)
}

#[test]
fn gap_80_under_flushed_max_and_min_know_no_subnormals() {
    use MaxMinNan::{Anything, ByBits, Ignored, PassedOn};
    for max_min_nan in [Anything, Ignored, PassedOn, ByBits] {
        let readings = flushed().with(|c| c.max_min_nan = max_min_nan);
        let max = |slot, sources: &[u32]| outcome((Max, Float), readings, slot, sources);
        let min = |slot, sources: &[u32]| outcome((Min, Float), readings, slot, sources);
        assert_eq!(max(NEG_ONE, &[0x8000_0001]), NEG_ZERO);
        assert_eq!(min(ONE, &[0x0000_0001, TWO]), 0);
        // A slot that an atomic addresses ends flushed though it stays.
        assert_eq!(max(0x007F_FFFF, &[NEG_ONE]), 0);
        assert_eq!(min(0x807F_FFFF, &[ONE]), NEG_ZERO);
        assert_eq!(max(0x0000_0001, &[0x0080_0000]), 0x0080_0000);
        assert_eq!(min(ONE, &[0x0080_0000]), 0x0080_0000);
    }
    // Together: the slot is a zero and no NaN.
    let ignored = flushed().with(|c| c.max_min_nan = Ignored);
    let got = outcome((Max, Float), ignored, 0x8000_0001, &[NAN]);
    assert_eq!(got, NEG_ZERO);
    assert_eq!(outcome((Max, Float), ignored, NAN, &[0x0000_0001]), 0);
    let passed_on = flushed().with(|c| c.max_min_nan = PassedOn);
    assert_eq!(outcome((Min, Float), passed_on, 1, &[NAN]), NAN);
    let ordered = flushed().with(|c| c.max_min_zero = MaxMinZero::Ordered);
    let got = outcome((Max, Float), ordered, 0x8000_0001_u32, &[0x0000_0001]);
    assert_eq!(got, 0);
}
