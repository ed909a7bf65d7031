//! How Max and Min compare; what they leave of NaN and of zeros is a matter of
//! readings (MSCATTER-GAP-03, -04).

use super::Ordered;

impl Ordered<4> for i32 {
    #[inline(always)]
    fn above(a: [u8; 4], b: [u8; 4]) -> bool {
        Self::from_le_bytes(a) > Self::from_le_bytes(b)
    }
}

impl Ordered<4> for u32 {
    #[inline(always)]
    fn above(a: [u8; 4], b: [u8; 4]) -> bool {
        Self::from_le_bytes(a) > Self::from_le_bytes(b)
    }
}

// A comparison rounds nothing, so the host's is exact. NaN is above nothing
// and below nothing, zeros are equal.
impl Ordered<4> for f32 {
    #[inline(always)]
    fn above(a: [u8; 4], b: [u8; 4]) -> bool {
        Self::from_le_bytes(a) > Self::from_le_bytes(b)
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
    #[inline(always)]
    fn above(a: [u8; 4], b: [u8; 4]) -> bool {
        magnitude(a) > magnitude(b)
    }
}

impl Ordered<4> for NanBelow {
    #[inline(always)]
    fn above(a: [u8; 4], b: [u8; 4]) -> bool {
        number(a, i32::MIN) > number(b, i32::MIN)
    }
}

impl Ordered<4> for NanAbove {
    #[inline(always)]
    fn above(a: [u8; 4], b: [u8; 4]) -> bool {
        number(a, i32::MAX) > number(b, i32::MAX)
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
