//! What a slot holds after a scattered value reached it.

use std::marker::PhantomData;

use half::{bf16, f16};

use crate::half_sum;

/// Combines the slot's old element of `W` bytes with the scattered one.
pub(crate) trait Combine<const W: usize> {
    /// Whether the old element counts.
    const READS: bool;
    /// Whether it may take so little that to load what is combined takes longer.
    const BRIEF: bool;

    /// The slot's new element.
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W];

    /// The same for a whole row of elements.
    fn combine_row(old: &mut [u8], new: &[u8]);
}

/// Plain store: bytes are copied, whatever they mean (MSCATTER-SEM-09, MSCATTER-GAP-44).
pub(crate) struct Replace;

impl<const W: usize> Combine<W> for Replace {
    const READS: bool = false;
    const BRIEF: bool = true;

    #[inline]
    fn combine(_old: [u8; W], new: [u8; W]) -> [u8; W] {
        new
    }

    #[inline]
    fn combine_row(old: &mut [u8], new: &[u8]) {
        old.copy_from_slice(new);
    }
}

/// Read, operate, write.
pub(crate) struct Fold<O, N>(PhantomData<(O, N)>);

impl<const W: usize, O: Operation, N: Number<W>> Combine<W> for Fold<O, N> {
    const READS: bool = true;
    const BRIEF: bool = O::BRIEF;

    #[inline]
    fn combine(old: [u8; W], new: [u8; W]) -> [u8; W] {
        O::apply(N::read(old), N::read(new)).write()
    }

    #[inline]
    fn combine_row(old: &mut [u8], new: &[u8]) {
        O::apply_row::<W, N>(old.as_chunks_mut().0, new.as_chunks().0);
    }
}

/// An operation of `ScatterAtomicOp`.
pub(crate) trait Operation {
    /// Whether it may take so little that to load its operands takes longer.
    const BRIEF: bool;

    /// The slot's new value.
    fn apply<const W: usize, N: Number<W>>(old: N, new: N) -> N;

    /// The same for a whole row of slots.
    #[inline]
    fn apply_row<const W: usize, N: Number<W>>(old: &mut [[u8; W]], new: &[[u8; W]]) {
        each(old, new, Self::apply::<W, N>);
    }
}

/// Applies an operation to a row of slots, one by one.
#[inline]
fn each<const W: usize, N: Number<W>>(
    old: &mut [[u8; W]],
    new: &[[u8; W]],
    apply: impl Fn(N, N) -> N,
) {
    for (old, &new) in old.iter_mut().zip(new) {
        *old = apply(N::read(*old), N::read(new)).write();
    }
}

/// Sum: integers wrap, floats round to the storage type (MSCATTER-GAP-05, -06).
pub(crate) struct Add;

impl Operation for Add {
    const BRIEF: bool = true;

    #[inline]
    fn apply<const W: usize, N: Number<W>>(old: N, new: N) -> N {
        old.sum(new)
    }

    #[inline]
    fn apply_row<const W: usize, N: Number<W>>(old: &mut [[u8; W]], new: &[[u8; W]]) {
        N::sum_row(old, new);
    }
}

/// A dtype with arithmetic.
pub(crate) trait Number<const W: usize>: Copy + PartialOrd {
    /// From its little-endian bytes.
    fn read(bytes: [u8; W]) -> Self;
    /// To its little-endian bytes.
    fn write(self) -> [u8; W];
    /// The sum.
    fn sum(self, other: Self) -> Self;
    /// The sums of a row, in place of what it holds.
    #[inline]
    fn sum_row(row: &mut [[u8; W]], others: &[[u8; W]]) {
        each(row, others, Self::sum);
    }
    /// Whether its bits, taken as a signed-magnitude integer, are below those
    /// of `other`: -0.0 below +0.0, and a NaN beyond the infinity of its sign.
    /// Integers have one order only.
    fn below_by_bits(self, other: Self) -> bool;

    /// Whether it is no number, so that it does not even compare with itself.
    #[inline]
    fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }
}

macro_rules! number {
    ($sum:expr, $total_order:ident => $($type:ty: $width:literal $(rows $sum_row:path)?),+) => {$(
        impl Number<$width> for $type {
            #[inline]
            fn read(bytes: [u8; $width]) -> Self {
                Self::from_le_bytes(bytes)
            }

            #[inline]
            fn write(self) -> [u8; $width] {
                self.to_le_bytes()
            }

            #[inline]
            fn sum(self, other: Self) -> Self {
                let sum: fn(Self, Self) -> Self = $sum;
                sum(self, other)
            }

            $(
                #[inline]
                fn sum_row(row: &mut [[u8; $width]], others: &[[u8; $width]]) {
                    $sum_row(row, others);
                }
            )?

            #[inline]
            fn below_by_bits(self, other: Self) -> bool {
                self.$total_order(&other).is_lt()
            }
        }
    )+};
}

number!(Self::wrapping_add, cmp => i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, i64: 8, u64: 8);
number!(|a, b| a + b, total_cmp => bf16: 2, f32: 4);
number!(half_sum::sum, total_cmp => f16: 2 rows half_sum::sum_row);

#[cfg(test)]
mod tests {
    use super::*;

    fn add<const W: usize, N: Number<W>>(old: [u8; W], new: [u8; W]) -> [u8; W] {
        Fold::<Add, N>::combine(old, new)
    }

    #[test]
    fn integer_sums_wrap() {
        assert_eq!(add::<1, i8>([0x7f], [1]), [0x80]);
        assert_eq!(add::<2, u16>([0xff, 0xff], [2, 0]), [1, 0]);
        assert_eq!(
            add::<4, i32>(0x7fff_ffff_i32.to_le_bytes(), 0x7fff_ffff_i32.to_le_bytes()),
            (-2_i32).to_le_bytes()
        );
    }

    #[test]
    fn half_sums_round_to_nearest_even_at_the_storage_type() {
        // binary16 steps by 2 from 2048 on: 2049 is a tie and goes to 2048,
        // 2051 is a tie and goes to 2052.
        let half = |bits: u16| bits.to_le_bytes();
        assert_eq!(add::<2, f16>(half(0x6800), half(0x3c00)), half(0x6800));
        assert_eq!(add::<2, f16>(half(0x6801), half(0x3c00)), half(0x6802));
        // 65504 + 65504 overflows; the least subnormals add exactly.
        assert_eq!(add::<2, f16>(half(0x7bff), half(0x7bff)), half(0x7c00));
        assert_eq!(add::<2, f16>(half(0x0001), half(0x0001)), half(0x0002));
    }

    #[test]
    fn bfloat16_sums_round_to_nearest_even_at_the_storage_type() {
        // bfloat16 steps by 2 from 256 on.
        let bf = |bits: u16| bits.to_le_bytes();
        assert_eq!(add::<2, bf16>(bf(0x4380), bf(0x3f80)), bf(0x4380));
        assert_eq!(add::<2, bf16>(bf(0x4381), bf(0x3f80)), bf(0x4382));
    }
}
