//! MSCATTER: what extremes are under each choice.

use crate::common::{one_slot::*, *};
use ptodiff_isa::*;

use ScatterAtomicOp::{Max, Min};
use Target::{A5, Cpu};

const NAN: u32 = 0x7FC0_0001;
const MINUS_NAN: u32 = 0xFFC0_0002;
const PLUS_ZERO: u32 = 0;
const MINUS_ZERO: u32 = 0x8000_0000;

fn best(atomic: ScatterAtomicOp, old: u32, new: &[u32], choices: &[(&str, &str)]) -> Slot {
    let mut all = choices.to_vec();
    all.push(("cpu-form", "templated"));
    let r = with(&all);
    let [a5, cpu] = [A5, Cpu].map(|target| {
        let p = to_one_slot(
            DType::Float,
            Coalesce::Elem,
            atomic,
            old,
            &[new],
            target,
            &r,
        );
        slot_of(DType::Float, &p)
    });
    // The CPU has the same rules, but for subnormals.
    if !choices.contains(&("subnormals", "flushed")) {
        assert_eq!(a5, cpu);
    }
    a5
}

#[test]
fn extremes_of_nans() {
    // MSCATTER-GAP-03.
    let [one_, two, three] = [1_f32, 2.0, 3.0].map(f32::to_bits);
    let f = |v| one(DType::Float, v);
    let nans = several(DType::Float, &[NAN, MINUS_NAN]);
    let ignored = [("max-min-nan", "ignored")];
    let passed_on = [("max-min-nan", "passed-on")];
    let by_bits = [("max-min-nan", "by-bits")];
    assert_eq!(best(Max, one_, &[NAN], &[]), Slot::Anything);

    assert_eq!(best(Max, one_, &[NAN], &ignored), f(one_));
    assert_eq!(best(Max, NAN, &[two, three], &ignored), f(three));
    assert_eq!(best(Min, MINUS_NAN, &[NAN, two, three], &ignored), f(two));
    assert_eq!(best(Min, NAN, &[MINUS_NAN, NAN], &ignored), nans);
    assert_eq!(best(Min, NAN, &[NAN, NAN], &ignored), f(NAN));
    assert_eq!(
        best(Max, NAN, &[PLUS_ZERO, MINUS_ZERO], &ignored),
        several(DType::Float, &[PLUS_ZERO, MINUS_ZERO])
    );

    assert_eq!(best(Max, one_, &[NAN, three], &passed_on), f(NAN));
    assert_eq!(best(Min, MINUS_NAN, &[one_], &passed_on), f(MINUS_NAN));
    assert_eq!(best(Max, one_, &[NAN, three, MINUS_NAN], &passed_on), nans);
    assert_eq!(best(Max, one_, &[two], &passed_on), f(two));

    assert_eq!(best(Max, one_, &[NAN, MINUS_NAN], &by_bits), f(NAN));
    assert_eq!(best(Min, one_, &[NAN, MINUS_NAN], &by_bits), f(MINUS_NAN));
    assert_eq!(best(Max, MINUS_NAN, &[one_], &by_bits), f(one_));
    assert_eq!(
        best(Max, 0xC000_0000, &[0xBF80_0000], &by_bits),
        f(0xBF80_0000)
    );
    assert_eq!(best(Max, MINUS_ZERO, &[PLUS_ZERO], &by_bits), f(PLUS_ZERO));
    assert_eq!(best(Min, PLUS_ZERO, &[MINUS_ZERO], &by_bits), f(MINUS_ZERO));
}

#[test]
fn extremes_of_zeros() {
    // MSCATTER-GAP-04.
    let ordered = [("max-min-zero", "ordered")];
    for (old, new) in [(PLUS_ZERO, MINUS_ZERO), (MINUS_ZERO, PLUS_ZERO)] {
        let either = several(DType::Float, &[PLUS_ZERO, MINUS_ZERO]);
        assert_eq!(best(Max, old, &[new], &[]), either);
        assert_eq!(
            best(Max, old, &[new], &ordered),
            one(DType::Float, PLUS_ZERO)
        );
        assert_eq!(
            best(Min, old, &[new], &ordered),
            one(DType::Float, MINUS_ZERO)
        );
    }
    // No zero wins where a number does.
    let three = 3_f32.to_bits();
    assert_eq!(
        best(Max, MINUS_ZERO, &[PLUS_ZERO, three], &ordered),
        one(DType::Float, three)
    );
}

#[test]
fn flushed_extremes() {
    // MSCATTER-GAP-80 with -03 and -04.
    let f = |v| one(DType::Float, v);
    let flushed = ("subnormals", "flushed");
    let ordered = ("max-min-zero", "ordered");
    assert_eq!(best(Max, 5, &[7], &[flushed]), f(PLUS_ZERO));
    assert_eq!(best(Max, 5, &[7], &[]), f(7));
    assert_eq!(
        best(Min, 0x8000_0005, &[0x8000_0009], &[flushed]),
        f(MINUS_ZERO)
    );
    let either = several(DType::Float, &[PLUS_ZERO, MINUS_ZERO]);
    assert_eq!(best(Min, 0x8000_0005, &[5], &[flushed]), either);
    assert_eq!(
        best(Min, 0x8000_0005, &[5], &[flushed, ordered]),
        f(MINUS_ZERO)
    );
    let ignored = ("max-min-nan", "ignored");
    assert_eq!(best(Max, 5, &[NAN], &[flushed, ignored]), f(PLUS_ZERO));
    let by_bits = ("max-min-nan", "by-bits");
    assert_eq!(
        best(Max, 0x8000_0005, &[MINUS_NAN, 7], &[flushed, by_bits]),
        f(PLUS_ZERO)
    );
    let passed_on = ("max-min-nan", "passed-on");
    assert_eq!(
        best(Max, 5, &[0x7F80_0001], &[flushed, passed_on]),
        f(0x7F80_0001)
    );
}
