//! Float sums without subnormals (`subnormals=flushed` of MSCATTER-GAP-80).

use std::marker::PhantomData;

use crate::combine::{AddBfloat16, AddFloat, AddHalf, Combine};

/// An addition of floats of `W` bytes.
pub(crate) trait Float<const W: usize>: Combine<W> {
    /// The value, or the zero of its sign if it is subnormal.
    fn flush(value: [u8; W]) -> [u8; W];
}

macro_rules! float {
    ($op:ty, $width:literal, $word:ty, $exponent:literal) => {
        impl Float<$width> for $op {
            #[inline(always)]
            fn flush(value: [u8; $width]) -> [u8; $width] {
                let bits = <$word>::from_le_bytes(value);
                let sign = bits & 1 << (<$word>::BITS - 1);
                let kept = if bits & $exponent == 0 { sign } else { bits };
                kept.to_le_bytes()
            }
        }
    };
}

float!(AddHalf, 2, u16, 0x7C00);
float!(AddBfloat16, 2, u16, 0x7F80);
float!(AddFloat, 4, u32, 0x7F80_0000);

/// `C` with operands and result flushed.
pub(crate) struct Flushed<C>(PhantomData<C>);

impl<const W: usize, C: Float<W>> Combine<W> for Flushed<C> {
    const READS: bool = C::READS;

    #[inline(always)]
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W] {
        C::flush(C::combine(C::flush(old), C::flush(new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest subnormal becomes zero, the least normal stays, both signs.
    #[test]
    fn the_border_of_each_format() {
        let half = |x: u16| u16::from_le_bytes(AddHalf::flush(x.to_le_bytes()));
        let bfloat16 = |x: u16| u16::from_le_bytes(AddBfloat16::flush(x.to_le_bytes()));
        let float = |x: u32| u32::from_le_bytes(AddFloat::flush(x.to_le_bytes()));
        assert_eq!([0x03FF, 0x0400, 0x83FF].map(half), [0, 0x0400, 0x8000]);
        assert_eq!([0x007F, 0x0080, 0x807F].map(bfloat16), [0, 0x0080, 0x8000]);
        assert_eq!(
            [0x007F_FFFF, 0x0080_0000, 0x807F_FFFF].map(float),
            [0, 0x0080_0000, 0x8000_0000]
        );
    }
}
