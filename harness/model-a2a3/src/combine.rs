//! How a value joins what stands in its slot.

use crate::add16;

/// One way of combining elements of `W` bytes, little-endian.
pub(crate) trait Combine<const W: usize>: 'static {
    /// Whether the old value matters, hence whether the scalar pipe reads it.
    const READS: bool;

    /// The slot's new bytes.
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W];

    /// Combines a whole burst into `slots`; both have the same length.
    #[inline]
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
        copy(slots, values);
    }
}

/// Bytes that are copied at a time, and half of them.
const CHUNK: usize = 64;
const HALF: usize = 32;

/// Copies a burst; both have the same length.
#[inline(always)]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    if !from.len().is_multiple_of(CHUNK) {
        return to.copy_from_slice(from);
    }
    // Short as bursts are, a call for each would cost as much as the copy. In
    // halves, since the compiler would make a call of a loop over whole chunks.
    let (to, _) = to.as_chunks_mut::<CHUNK>();
    let (from, _) = from.as_chunks::<CHUNK>();
    for (to, from) in to.iter_mut().zip(from) {
        to[..HALF].copy_from_slice(&from[..HALF]);
        to[HALF..].copy_from_slice(&from[HALF..]);
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
        let sum = f32::from_le_bytes(old) + f32::from_le_bytes(new);
        if sum.is_nan() {
            return quiet_nan();
        }
        sum.to_le_bytes()
    }

    fn combine_all(slots: &mut [u8], values: &[u8]) {
        let (slots, _) = slots.as_chunks_mut::<4>();
        let (values, _) = values.as_chunks::<4>();
        // A second pass where one is needed is cheaper than a choice for each sum.
        let mut nan = false;
        for (slot, &value) in slots.iter_mut().zip(values) {
            let sum = f32::from_le_bytes(*slot) + f32::from_le_bytes(value);
            nan |= sum.is_nan();
            *slot = sum.to_le_bytes();
        }
        if nan {
            for slot in slots {
                if f32::from_le_bytes(*slot).is_nan() {
                    *slot = quiet_nan();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::copy;

    /// Bytes 1, 2, 3, ... arrive whole, whatever their number.
    #[test]
    fn bursts_of_every_length_are_copied_whole() {
        for len in 0..200 {
            let from: Vec<u8> = (1..=len).collect();
            let mut to = vec![0; from.len()];
            copy(&mut to, &from);
            assert_eq!(to, from);
        }
    }
}
