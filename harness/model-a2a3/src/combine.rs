//! How a value joins what stands in its slot.

use pulp::bytemuck::cast;

use crate::{
    add16,
    groups::{GROUP, nth},
};

/// Four floats that one load gives, where the machine is known to have such.
// As integers: their registers are taken apart with fewer moves.
#[cfg(target_arch = "x86_64")]
type Four = std::arch::x86_64::__m128i;
#[cfg(not(target_arch = "x86_64"))]
type Four = [f32; 4];

/// One way of combining elements of `W` bytes, little-endian.
pub(crate) trait Combine<const W: usize>: 'static {
    /// Whether the old value matters, hence whether the scalar pipe reads it.
    const READS: bool;

    /// The slot's new bytes.
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W];

    /// The `k`th of a group of values.
    #[inline(always)]
    fn value(values: &[[u8; W]; GROUP], k: usize) -> [u8; W] {
        nth(values, k)
    }

    /// [`Combine::combine`] where it is in haste: what it gives may have to be
    /// settled before anyone but this looks at it.
    #[inline(always)]
    fn rough(old: [u8; W], new: [u8; W]) -> [u8; W] {
        Self::combine(old, new)
    }

    /// Whether any of what [`Combine::rough`] gave must be settled.
    #[inline(always)]
    fn unsettled(_rough: &[[u8; W]]) -> bool {
        false
    }

    /// What [`Combine::combine`] would have given instead.
    #[inline(always)]
    fn settled(rough: [u8; W]) -> [u8; W] {
        rough
    }

    /// Combines a whole burst into `slots`; both have the same length.
    #[inline(always)]
    fn combine_all(slots: &mut [u8], values: &[u8]) {
        let (slots, _) = slots.as_chunks_mut::<W>();
        let (values, _) = values.as_chunks::<W>();
        for (slot, &value) in slots.iter_mut().zip(values) {
            *slot = Self::combine(*slot, value);
        }
    }
}

/// ScatterAtomicOp::None, and every gather: bits are copied.
pub(crate) struct Replace;

impl<const W: usize> Combine<W> for Replace {
    const READS: bool = false;

    #[inline(always)]
    fn combine(_old: [u8; W], new: [u8; W]) -> [u8; W] {
        new
    }

    #[inline(always)]
    fn combine_all(slots: &mut [u8], values: &[u8]) {
        slots.copy_from_slice(values);
    }
}

/// Add on `int8_t`, `int16_t`, `int32_t` that wraps (MSCATTER-GAP-05).
pub(crate) struct AddWrapping;

/// The same, but a sum out of range is the end of the range (MSCATTER-GAP-05).
pub(crate) struct AddSaturating;

/// Add on `half`.
pub(crate) struct AddHalf;

/// Add on `bfloat16_t`.
pub(crate) struct AddBfloat16;

/// Add on `float`.
pub(crate) struct AddFloat;

macro_rules! add {
    ($op:ty, $width:literal, $word:ty, $sum:path) => {
        impl Combine<$width> for $op {
            const READS: bool = true;

            #[inline(always)]
            fn combine(old: [u8; $width], new: [u8; $width]) -> [u8; $width] {
                $sum(<$word>::from_le_bytes(old), <$word>::from_le_bytes(new)).to_le_bytes()
            }
        }
    };
}

add!(AddWrapping, 1, i8, i8::wrapping_add);
add!(AddWrapping, 2, i16, i16::wrapping_add);
add!(AddWrapping, 4, i32, i32::wrapping_add);
add!(AddSaturating, 1, i8, i8::saturating_add);
add!(AddSaturating, 2, i16, i16::saturating_add);
add!(AddSaturating, 4, i32, i32::saturating_add);
add!(AddHalf, 2, u16, add16::add::<10>);
add!(AddBfloat16, 2, u16, add16::add::<7>);

/// NaN sums are made one pattern, since the host's choice of payload depends
/// on how the code was compiled.
///
/// Cold, so that a sum that is none waits for no choice.
#[cold]
const fn quiet_nan() -> [u8; 4] {
    0x7FC0_0000_u32.to_le_bytes()
}

impl Combine<4> for AddFloat {
    const READS: bool = true;

    #[inline(always)]
    fn combine(old: [u8; 4], new: [u8; 4]) -> [u8; 4] {
        Self::settled(Self::rough(old, new))
    }

    // A core loads fewer floats at a time than words.
    #[inline(always)]
    fn value(values: &[[u8; 4]; GROUP], k: usize) -> [u8; 4] {
        let fours: [Four; GROUP / 4] = cast(*values);
        let four: [[u8; 4]; 4] = cast(fours[k / 4]);
        four[k % 4]
    }

    #[inline(always)]
    fn rough(old: [u8; 4], new: [u8; 4]) -> [u8; 4] {
        (f32::from_le_bytes(old) + f32::from_le_bytes(new)).to_le_bytes()
    }

    // By two: one comparison finds either.
    #[inline(always)]
    fn unsettled(rough: &[[u8; 4]]) -> bool {
        let nan = |bytes: [u8; 4]| f32::from_le_bytes(bytes).is_nan();
        let (twos, rest) = rough.as_chunks::<2>();
        let mut any = false;
        for &[one, other] in twos {
            any |= nan(one) | nan(other);
        }
        any | rest.iter().any(|&last| nan(last))
    }

    #[inline(always)]
    fn settled(rough: [u8; 4]) -> [u8; 4] {
        if f32::from_le_bytes(rough).is_nan() {
            return quiet_nan();
        }
        rough
    }

    #[inline(always)]
    fn combine_all(slots: &mut [u8], values: &[u8]) {
        let (slots, _) = slots.as_chunks_mut::<4>();
        let (values, _) = values.as_chunks::<4>();
        // A second pass where one is needed is cheaper than a choice for each sum.
        let mut nan = false;
        for (slot, &value) in slots.iter_mut().zip(values) {
            *slot = Self::rough(*slot, value);
            nan |= f32::from_le_bytes(*slot).is_nan();
        }
        if nan {
            for slot in slots {
                *slot = Self::settled(*slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of any bits, those of a NaN that signals among them.
    #[test]
    fn each_value_is_itself() {
        let floats: [[u8; 4]; GROUP] =
            std::array::from_fn(|k| (0x7F80_0001_u32 + 0x0111_1111 * k as u32).to_le_bytes());
        let words = floats.map(|bytes| [bytes, bytes].concat().try_into().expect("eight"));
        for k in 0..GROUP {
            assert_eq!(AddFloat::value(&floats, k), floats[k]);
            assert_eq!(<AddWrapping as Combine<4>>::value(&floats, k), floats[k]);
            assert_eq!(<Replace as Combine<8>>::value(&words, k), words[k]);
        }
    }
}
