//! Atomics that flush subnormals (MSCATTER-GAP-80).

use std::marker::PhantomData;

use rustc_apfloat::ieee::{BFloat, Half};

use super::Combine;

/// `C` over format `F`, where a subnormal counts as zero of its sign, as
/// operand and as result.
pub(super) struct Flushed<C, F>(PhantomData<(C, F)>);

/// A binary floating-point format.
pub(super) trait Format<const W: usize> {
    /// A subnormal as zero of its sign, anything else as it is.
    fn flush(bits: [u8; W]) -> [u8; W];
}

impl<C: Combine<W>, F: Format<W>, const W: usize> Combine<W> for Flushed<C, F> {
    const INTRINSIC: Option<&'static str> = C::INTRINSIC;
    #[inline(always)]
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W] {
        F::flush(C::combine(F::flush(old), F::flush(new)))
    }
}

impl Format<4> for f32 {
    #[inline(always)]
    fn flush(bits: [u8; 4]) -> [u8; 4] {
        let word = u32::from_le_bytes(bits);
        if word & 0x7F80_0000 == 0 {
            (word & 0x8000_0000).to_le_bytes()
        } else {
            bits
        }
    }
}

impl Format<2> for Half {
    #[inline(always)]
    fn flush(bits: [u8; 2]) -> [u8; 2] {
        flush_16(bits, 0x7C00)
    }
}

impl Format<2> for BFloat {
    #[inline(always)]
    fn flush(bits: [u8; 2]) -> [u8; 2] {
        flush_16(bits, 0x7F80)
    }
}

/// Flushes where the bits of `exponent` are all clear.
#[inline(always)]
fn flush_16(bits: [u8; 2], exponent: u16) -> [u8; 2] {
    let word = u16::from_le_bytes(bits);
    if word & exponent == 0 {
        (word & 0x8000).to_le_bytes()
    } else {
        bits
    }
}
