//! How Add sums.

use std::num::Saturating;

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Half};

use super::{ADD, Add, Combine, Sum};

// Of both signs: sums wrap (MSCATTER-GAP-05).
impl Sum<4> for u32 {
    #[inline(always)]
    fn sum(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
        Self::from_le_bytes(a)
            .wrapping_add(Self::from_le_bytes(b))
            .to_le_bytes()
    }
}

impl Sum<4> for Saturating<i32> {
    #[inline(always)]
    fn sum(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
        let [a, b] = [a, b].map(i32::from_le_bytes);
        a.saturating_add(b).to_le_bytes()
    }
}

impl Sum<4> for Saturating<u32> {
    #[inline(always)]
    fn sum(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
        let [a, b] = [a, b].map(u32::from_le_bytes);
        a.saturating_add(b).to_le_bytes()
    }
}

// The host's binary32 addition rounds to nearest even and keeps subnormals;
// the test below holds it against `rustc_apfloat`. Which NaN it gives is the
// host's affair, so one stands for all.
impl Combine<4> for Add<f32> {
    const INTRINSIC: Option<&'static str> = Some(ADD);
    #[inline(always)]
    fn combine(old: [u8; 4], new: [u8; 4]) -> [u8; 4] {
        Self::settle(Self::draft(old, new))
    }
    #[inline(always)]
    fn draft(old: [u8; 4], new: [u8; 4]) -> [u8; 4] {
        (f32::from_le_bytes(old) + f32::from_le_bytes(new)).to_le_bytes()
    }
    #[inline(always)]
    fn unsettled(drafts: &[[u8; 4]]) -> bool {
        let nan = |sum: &[u8; 4]| f32::from_le_bytes(*sum).is_nan();
        // One comparison tells of two sums, and no branch is taken between them.
        let (pairs, last) = drafts.as_chunks::<2>();
        let pairs = pairs.iter().map(|[a, b]| nan(a) | nan(b));
        pairs.fold(false, |any, one| any | one) || last.iter().any(nan)
    }
    #[inline(always)]
    fn settle(draft: [u8; 4]) -> [u8; 4] {
        if f32::from_le_bytes(draft).is_nan() {
            QUIET_NAN.to_le_bytes()
        } else {
            draft
        }
    }
}

const QUIET_NAN: u32 = 0x7FC0_0000;

// One addition rounded to the storage type, ties to even (MSCATTER-GAP-06).
// Finite numbers take the way by binary32: its 24 bits are two more than twice
// those of either type, so that a sum rounded twice is a sum rounded once.

impl Sum<2> for Half {
    #[inline(always)]
    fn sum(a: [u8; 2], b: [u8; 2]) -> [u8; 2] {
        let [x, y] = [a, b].map(u16::from_le_bytes);
        if x & HALF_INFINITY < HALF_INFINITY && y & HALF_INFINITY < HALF_INFINITY {
            half(single(x) + single(y)).to_le_bytes()
        } else {
            sum_in_storage::<Self>(a, b)
        }
    }
}

impl Sum<2> for BFloat {
    #[inline(always)]
    fn sum(a: [u8; 2], b: [u8; 2]) -> [u8; 2] {
        // The upper half of binary32.
        let [x, y] = [[0, 0, a[0], a[1]], [0, 0, b[0], b[1]]].map(f32::from_le_bytes);
        let sum = x + y;
        if sum.is_finite() {
            let bits = sum.to_bits();
            let rounded = bits + 0x7FFF + ((bits >> 16) & 1);
            ((rounded >> 16) as u16).to_le_bytes()
        } else {
            sum_in_storage::<Self>(a, b)
        }
    }
}

const HALF_INFINITY: u16 = 0x7C00;

/// A finite half as binary32.
#[inline(always)]
fn single(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    // The exponents' biases are 15 and 127.
    let two_to_112 = f32::from_bits((127 + 112) << 23);
    f32::from_bits(sign | (u32::from(half & 0x7FFF) << 13)) * two_to_112
}

/// A sum of two finite halves, rounded to half.
#[inline(always)]
fn half(sum: f32) -> u16 {
    let sign = (sum.to_bits() >> 16) as u16 & 0x8000;
    let bits = sum.to_bits() & 0x7FFF_FFFF;
    let magnitude = if bits < (127 - 14) << 23 {
        // Below the normal halves a sum is a multiple of their last place, 2^-24.
        (f32::from_bits(bits) * 16_777_216.0) as u16
    } else {
        let rounded = bits + 0xFFF + ((bits >> 13) & 1);
        ((rounded >> 13) - (112 << 10)).min(HALF_INFINITY.into()) as u16
    };
    sign | magnitude
}

/// The same for any numbers.
#[cold]
fn sum_in_storage<F: Float>(a: [u8; 2], b: [u8; 2]) -> [u8; 2] {
    let [a, b] = [a, b].map(|bytes| F::from_bits(u16::from_le_bytes(bytes).into()));
    let [low, high, ..] = (a + b).value.to_bits().to_le_bytes();
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::SplitMix;
    use rustc_apfloat::ieee::Single;

    fn same_sum(a: u32, b: u32) {
        let host = u32::from_le_bytes(Add::<f32>::combine(a.to_le_bytes(), b.to_le_bytes()));
        let exact = (Single::from_bits(a.into()) + Single::from_bits(b.into())).value;
        if exact.is_nan() {
            assert_eq!(host, QUIET_NAN, "{a:08x} + {b:08x}");
        } else {
            assert_eq!(u128::from(host), exact.to_bits(), "{a:08x} + {b:08x}");
        }
    }

    #[test]
    fn the_hosts_float_addition_is_that_of_apfloat() {
        let mut bits = SplitMix(7);
        for _ in 0..200_000 {
            let word = bits.next();
            let (a, b) = (word as u32, (word >> 32) as u32);
            same_sum(a, b);
            // Near exponents: carries, cancellations and ties.
            same_sum(a, a ^ (b & 0x80FF_FFFF));
            // Subnormals on both sides.
            same_sum(a & 0x807F_FFFF, b & 0x80FF_FFFF);
            // Half a unit in the last place: a tie.
            let exponent = 24 + (b % 200);
            let tie = (exponent - 24) << 23;
            same_sum((exponent << 23) | (a & 0x007F_FFFF), tie);
        }
    }

    #[test]
    fn a_draft_that_is_no_number_is_found_wherever_it_stands() {
        for count in 0..=8 {
            let numbers = vec![1.5_f32.to_le_bytes(); count];
            assert!(!Add::<f32>::unsettled(&numbers));
            for at in 0..count {
                let mut drafts = numbers.clone();
                drafts[at] = 0xFFA1_2345_u32.to_le_bytes();
                assert!(Add::<f32>::unsettled(&drafts), "{at} of {count}");
            }
        }
    }

    /// Holds the sums of `x` and `y`, and what is near them, against `rustc_apfloat`.
    fn same_in_storage<F: Float + Sum<2>>(x: u16, y: u16) {
        let [a, b] = [x, y].map(u16::to_le_bytes);
        let (got, exact) = (F::sum(a, b), sum_in_storage::<F>(a, b));
        assert_eq!(got, exact, "{x:04x} + {y:04x}");
    }

    #[test]
    fn sums_by_way_of_binary32_are_those_of_apfloat() {
        let mut bits = SplitMix(11);
        // Zeros, the least, the greatest, infinities, NaNs; a half unit in the last place of 1.
        let edges = [
            0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7C01,
            0x7E00, 0x007F, 0x0080, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7F81, 0x1000, 0x3B80,
        ];
        for x in 0..=u16::MAX {
            let word = bits.next();
            let (other, flip) = (word as u16, (word >> 16) as u16);
            let near = x ^ (flip & 0x81FF);
            let edge = edges[(word >> 32) as usize % edges.len()];
            for y in [other, near, edge, x ^ 0x8000] {
                same_in_storage::<Half>(x, y);
                same_in_storage::<BFloat>(x, y);
            }
        }
    }

    #[test]
    fn half_and_bfloat16_round_ties_to_even_at_every_step() {
        let half = |a: u16, b: u16| {
            u16::from_le_bytes(<Half as Sum<2>>::sum(a.to_le_bytes(), b.to_le_bytes()))
        };
        // 2048 + 1 is a tie and stays; 2050 + 1 is a tie and goes up to 2052.
        assert_eq!(half(0x6800, 0x3C00), 0x6800);
        assert_eq!(half(0x6801, 0x3C00), 0x6802);
        assert_eq!(half(0x0001, 0x0001), 0x0002);
        assert_eq!(half(0x7BFF, 0x7BFF), 0x7C00);
        let bfloat = |a: u16, b: u16| {
            u16::from_le_bytes(<BFloat as Sum<2>>::sum(a.to_le_bytes(), b.to_le_bytes()))
        };
        // 256 + 1 is a tie and stays; 258 + 1 goes up to 260.
        assert_eq!(bfloat(0x4380, 0x3F80), 0x4380);
        assert_eq!(bfloat(0x4381, 0x3F80), 0x4382);
        assert_eq!(bfloat(0x0001, 0x0001), 0x0002);
    }
}
