//! MSCATTER: sums and extremes.

use crate::common::{one_slot::*, said::*, scatters::*, *};
use ptodiff_contract::{Permit, Run};
use ptodiff_isa::*;

use Coalesce::Elem;
use DType::{Bfloat16, Float, Half, Int16, Int32, Uint32};
use ScatterAtomicOp::{Add, Max, Min};
use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];

/// What becomes of elements that all meet in one slot, by the default readings.
fn met(dtype: DType, atomic: ScatterAtomicOp, old: u32, new: &[u32], target: Target) -> Slot {
    let r = Readings::default();
    let p = to_one_slot(dtype, Elem, atomic, old, &[new], target, &r);
    slot_of(dtype, &p)
}

#[test]
fn integer_atomics() {
    // MSCATTER-ATOM-01, -18: 100 and 1 to 8, but 8 on a CPU that only replaces.
    let new: Vec<u32> = (1..9).collect();
    for (target, form, sum, freedom) in [
        (A2a3, "documented", 136, None),
        (A5, "documented", 136, None),
        (Cpu, "documented", 8, Some("MSCATTER-ATOM-18")),
        (Cpu, "templated", 136, None),
    ] {
        let r = with(&[("cpu-form", form)]);
        let p = to_one_slot(Int32, Elem, Add, 100, &[&new], target, &r);
        assert_eq!(slot_of(Int32, &p), one(Int32, sum));
        assert_eq!(first_run(&p).freedom.map(|c| c.0), freedom);
    }
    // MSCATTER-ATOM-02, -03: old 5 with 3, 9, -4; and by sign.
    let minus = |n: u32| n.wrapping_neg();
    for (dtype, atomic, old, new, best) in [
        (Int32, Max, 5, [3, 9, minus(4)], 9),
        (Int32, Min, 5, [3, 9, minus(4)], minus(4)),
        (Int32, Max, 1, [0x8000_0000; 3], 1),
        (Uint32, Max, 1, [0x8000_0000; 3], 0x8000_0000),
    ] {
        assert_eq!(met(dtype, atomic, old, &new, A5), one(dtype, best));
    }
    // MSCATTER-ATOM-05: int16, 16 ones.
    assert_eq!(met(Int16, Add, 0, &[1; 16], A2a3), one(Int16, 16));
}

#[test]
fn policies_come_before_atomics() {
    // MSCATTER-OOB-14.
    let mut call = Mscatter {
        atomic: Add,
        ..rows_of_eight(2)
    };
    (call.src.dtype, call.table.dtype) = (Int32, Int32);
    for target in NPUS {
        for (oob, expected) in [
            (ScatterOob::Skip, [None, Some(1), None, None]),
            (ScatterOob::Clamp, [None, Some(1), None, Some(1)]),
            (ScatterOob::Wrap, [None, Some(2), None, None]),
        ] {
            call.oob = oob;
            let said = into_zeros(&call, &words(&[1; 16]), &[1, 5], target, &[]);
            for (row, sum) in said.slots.chunks(8).zip(expected) {
                assert_eq!(row, vec![sum.map_or(Slot::Kept, Slot::word); 8]);
            }
        }
    }
}

#[test]
fn float_sums() {
    let sums = |src: [f32; 3], target| met(Float, Add, 0, &src.map(f32::to_bits), target);
    // MSCATTER-ATOM-26 and -22.
    assert_eq!(sums([1e8, 1.0, -1e8], A2a3), Slot::float(0.0));
    assert_eq!(sums([1e8, -1e8, 1.0], A2a3), Slot::float(1.0));
    let both = Slot::any_of(&[0_f32, 1.0].map(f32::to_le_bytes));
    assert_eq!(sums([1e8, 1.0, -1e8], A5), both);
    assert_eq!(sums([1.0, 2.0, 3.5], A5), Slot::float(6.5));
    // MSCATTER-GAP-81: some NaN where every order gives one.
    let (inf, nan) = (f32::INFINITY, f32::NAN.to_bits());
    let nan = between(Float, nan, nan);
    let up_or_nan = Slot::any_of(&[inf, f32::NAN].map(f32::to_le_bytes));
    for (src, a2a3, a5) in [
        ([1.0, f32::NAN, 3.5], &nan, &nan),
        ([inf, 1.0, -inf], &nan, &nan),
        ([inf, -3e38, -3e38], &Slot::float(inf), &up_or_nan),
        ([-3e38, -3e38, inf], &nan, &up_or_nan),
        ([inf, 1.0, 2.0], &Slot::float(inf), &Slot::float(inf)),
    ] {
        let found = NPUS.map(|target| sums(src, target));
        assert_eq!([&found[0], &found[1]], [a2a3, a5], "{src:?}");
    }
    // MSCATTER-GAP-06, -60: 2048 + 1 + 1 + 1 in half, 256 + 1 in bfloat16.
    for target in NPUS {
        let found = met(Half, Add, 0x6800, &[0x3C00; 3], target);
        assert_eq!(found, one(Half, 0x6800));
    }
    let found = met(Bfloat16, Add, 0x4380, &[0x3F80, 0, 0], A2a3);
    assert_eq!(found, one(Bfloat16, 0x4380));
    // Many writers that are all alike have one sum; of different ones there are
    // bounds, which say that they are wide.
    let alike = (0..16).fold(0.0, |sum, _| sum + 0.1_f32);
    let found = met(Float, Add, 0, &[0.1_f32.to_bits(); 16], A5);
    assert_eq!(found, Slot::float(alike));
    let tenths: Vec<u32> = (1..17).map(|i| (i as f32 / 10.0).to_bits()).collect();
    let p = to_one_slot(Float, Elem, Add, 0, &[&tenths], A5, &Readings::default());
    let wide = |run: &Run| matches!(run.permit, Permit::Between { wide: true, .. });
    assert!(wide(first_run(&p)));
    let Slot::Between(low, high) = slot_of(Float, &p) else {
        panic!("{:?}", first_run(&p));
    };
    let [low, high] = [low, high].map(|b| f32::from_le_bytes(b.try_into().unwrap()));
    assert!(low > 13.599 && low < 13.6, "{low}");
    assert!(high > 13.6 && high < 13.601, "{high}");
}

#[test]
fn float_extremes() {
    let max = |old: f32, x: f32| met(Float, Max, old.to_bits(), &[x.to_bits()], A5);
    assert_eq!(max(1.0, 2.0), Slot::float(2.0));
    assert_eq!(max(-1.0, f32::NEG_INFINITY), Slot::float(-1.0));
    // MSCATTER-GAP-03, -04.
    assert_eq!(max(1.0, f32::NAN), Slot::Anything);
    assert_eq!(max(f32::NAN, 1.0), Slot::Anything);
    assert_eq!(max(-0.0, -0.0), Slot::float(-0.0));
    let zeros = Slot::any_of(&[0_f32, -0.0].map(f32::to_le_bytes));
    assert_eq!(max(-0.0, 0.0), zeros);
    assert_eq!(max(-0.0, 3.0), Slot::float(3.0));
}
