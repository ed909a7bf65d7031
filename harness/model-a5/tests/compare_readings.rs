//! What Max and Min leave under each reading of NaN and of zeros (MSCATTER-GAP-03, -04).

use crate::atomic_readings::{outcome, outcomes};
use crate::common::With;
use ptodiff_isa::DType::*;
use ptodiff_isa::ScatterAtomicOp::{Max, Min};
use ptodiff_isa::*;

/// Positive and negative NaNs; the first of them signals.
pub(crate) const NAN: [u32; 2] = [0x7F80_0001, 0x7FC0_0002];
const NEG_NAN: [u32; 2] = [0xFF80_0003, 0xFFC0_0004];
const INF: u32 = 0x7F80_0000;
const NEG_INF: u32 = 0xFF80_0000;
pub(crate) const ONE: u32 = 0x3F80_0000;
pub(crate) const TWO: u32 = 0x4000_0000;
pub(crate) const NEG_ONE: u32 = 0xBF80_0000;
const NEG_TWO: u32 = 0xC000_0000;
pub(crate) const NEG_ZERO: u32 = 0x8000_0000;

fn compared(max_min_nan: MaxMinNan, max_min_zero: MaxMinZero) -> Readings {
    Readings::default().with(|c| (c.max_min_nan, c.max_min_zero) = (max_min_nan, max_min_zero))
}

const ZEROS: [MaxMinZero; 2] = [MaxMinZero::Either, MaxMinZero::Ordered];

#[test]
fn gap_03_under_ignored_the_numbers_decide() {
    for zero in ZEROS {
        let readings = compared(MaxMinNan::Ignored, zero);
        for nan in [NAN, NEG_NAN].concat() {
            for (atomic, best) in [(Max, TWO), (Min, ONE)] {
                let of = |slot, sources: &[u32]| outcome((atomic, Float), readings, slot, sources);
                assert_eq!(of(ONE, &[nan]), ONE);
                assert_eq!(of(nan, &[ONE]), ONE);
                assert_eq!(of(nan, &[TWO, nan, ONE]), best);
                assert_eq!(of(ONE, &[nan, TWO]), best);
                for inf in [INF, NEG_INF] {
                    assert_eq!(of(nan, &[inf]), inf);
                    assert_eq!(of(inf, &[nan]), inf);
                }
                // Where there is no number, one of the NaNs stays.
                let all = outcomes((atomic, Float), readings, nan, &[NAN[1], NEG_NAN[0]]);
                assert!(all.is_subset(&[nan, NAN[1], NEG_NAN[0]].into()), "{all:x?}");
            }
        }
    }
}

#[test]
fn gap_03_under_passed_on_a_nan_stays() {
    for zero in ZEROS {
        let readings = compared(MaxMinNan::PassedOn, zero);
        for nan in [NAN, NEG_NAN].concat() {
            for (atomic, best) in [(Max, TWO), (Min, NEG_ONE)] {
                let of = |slot, sources: &[u32]| outcome((atomic, Float), readings, slot, sources);
                assert_eq!(of(nan, &[ONE]), nan);
                assert_eq!(of(ONE, &[nan]), nan);
                assert_eq!(of(ONE, &[INF, nan, NEG_INF]), nan);
                assert_eq!(of(nan, &[INF, NEG_INF, ONE]), nan);
                assert_eq!(of(ONE, &[TWO, NEG_ONE]), best);
                let two = outcomes((atomic, Float), readings, ONE, &[nan, NAN[0]]);
                assert!(two.is_subset(&[nan, NAN[0]].into()), "{two:x?}");
            }
        }
    }
}

#[test]
fn gap_03_under_by_bits_the_sign_of_a_nan_decides() {
    for zero in ZEROS {
        let readings = compared(MaxMinNan::ByBits, zero);
        let max = |slot, sources: &[u32]| outcome((Max, Float), readings, slot, sources);
        let min = |slot, sources: &[u32]| outcome((Min, Float), readings, slot, sources);
        assert_eq!(max(INF, &[NAN[0]]), NAN[0]);
        assert_eq!(min(INF, &[NAN[0]]), INF);
        assert_eq!(max(NEG_INF, &[NEG_NAN[0]]), NEG_INF);
        assert_eq!(min(NEG_INF, &[NEG_NAN[0]]), NEG_NAN[0]);
        // Among NaNs of one sign the larger payload is farther out.
        assert_eq!(max(NAN[1], &[ONE, NAN[0]]), NAN[1]);
        assert_eq!(min(NEG_NAN[0], &[NEG_NAN[1], ONE]), NEG_NAN[1]);
        assert_eq!(max(NEG_TWO, &[NEG_ONE]), NEG_ONE);
        assert_eq!(min(NEG_TWO, &[NEG_ONE, ONE]), NEG_TWO);
        // Zeros are ordered whatever GAP-04 says.
        assert_eq!(max(NEG_ZERO, &[0]), 0);
        assert_eq!(max(0, &[NEG_ZERO]), 0);
        assert_eq!(min(NEG_ZERO, &[0]), NEG_ZERO);
        assert_eq!(min(0, &[NEG_ZERO]), NEG_ZERO);
    }
}

#[test]
fn gap_04_under_ordered_minus_zero_is_the_smaller() {
    use MaxMinNan::{Anything, ByBits, Ignored, PassedOn};
    for nan in [Anything, Ignored, PassedOn, ByBits] {
        let readings = compared(nan, MaxMinZero::Ordered);
        for (atomic, left) in [(Max, 0), (Min, NEG_ZERO)] {
            let of = |slot, sources: &[u32]| outcome((atomic, Float), readings, slot, sources);
            assert_eq!(of(0, &[NEG_ZERO]), left);
            assert_eq!(of(NEG_ZERO, &[0]), left);
            assert_eq!(of(0, &[0, NEG_ZERO, 0]), left);
        }
        // Numbers compare as they do.
        let readings = compared(nan, MaxMinZero::Ordered);
        let max = |slot, sources: &[u32]| outcome((Max, Float), readings, slot, sources);
        assert_eq!(max(NEG_TWO, &[NEG_INF, NEG_ONE]), NEG_ONE);
        assert_eq!(max(NEG_ZERO, &[NEG_ONE, ONE]), ONE);
        let got = outcome((Min, Float), readings, ONE, &[NEG_ONE, NEG_TWO]);
        assert_eq!(got, NEG_TWO);
    }
}
