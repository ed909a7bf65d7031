//! How Max and Min compare; what they leave of NaN and of zeros is a matter of
//! readings (MSCATTER-GAP-03, -04).

use super::Ordered;

impl Ordered<4> for i32 {
    type Key = i32;
    #[inline(always)]
    fn key(bits: [u8; 4]) -> i32 {
        Self::from_le_bytes(bits)
    }
}

impl Ordered<4> for u32 {
    type Key = u32;
    #[inline(always)]
    fn key(bits: [u8; 4]) -> u32 {
        Self::from_le_bytes(bits)
    }
}

// A comparison rounds nothing, so the host's is exact. NaN is above nothing
// and below nothing, zeros are equal.
impl Ordered<4> for f32 {
    type Key = f32;
    #[inline(always)]
    fn key(bits: [u8; 4]) -> f32 {
        Self::from_le_bytes(bits)
    }
}

/// Binary32 by its bits as signed magnitude: -0.0 is below +0.0, a NaN lies
/// beyond the infinity of its sign.
pub(super) struct ByBits;
/// Binary32 with every NaN below the numbers, -0.0 below +0.0.
pub(super) struct NanBelow;
/// Binary32 with every NaN above the numbers, -0.0 below +0.0.
pub(super) struct NanAbove;

impl Ordered<4> for ByBits {
    type Key = i32;
    #[inline(always)]
    fn key(bits: [u8; 4]) -> i32 {
        magnitude(bits)
    }
}

impl Ordered<4> for NanBelow {
    type Key = i32;
    #[inline(always)]
    fn key(bits: [u8; 4]) -> i32 {
        number(bits, i32::MIN)
    }
}

impl Ordered<4> for NanAbove {
    type Key = i32;
    #[inline(always)]
    fn key(bits: [u8; 4]) -> i32 {
        number(bits, i32::MAX)
    }
}

/// Signed magnitude as an integer that compares like it.
#[inline(always)]
fn magnitude(bits: [u8; 4]) -> i32 {
    let bits = i32::from_le_bytes(bits);
    if bits < 0 { bits ^ i32::MAX } else { bits }
}

/// The same where a number has these bits, else `nan`.
#[inline(always)]
fn number(bits: [u8; 4], nan: i32) -> i32 {
    if f32::from_le_bytes(bits).is_nan() {
        nan
    } else {
        magnitude(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Combine, Max, Min};
    use super::*;

    #[test]
    fn the_slot_stays_where_neither_is_larger() {
        fn stays<T: Ordered<4>>(old: u32, new: u32) {
            let [old, new] = [old, new].map(u32::to_le_bytes);
            assert_eq!(Max::<T>::combine(old, new), old);
            assert_eq!(Min::<T>::combine(old, new), old);
        }
        let (zero, minus_zero) = (0, 0x8000_0000);
        let nans = [0x7FC0_0000, 0x7F80_0001, 0xFFC0_0000];
        stays::<f32>(zero, minus_zero);
        stays::<f32>(minus_zero, zero);
        for (old, new) in [(nans[0], nans[1]), (nans[1], nans[2]), (nans[2], nans[0])] {
            stays::<f32>(old, new);
            stays::<NanBelow>(old, new);
            stays::<NanAbove>(old, new);
        }
    }
}
