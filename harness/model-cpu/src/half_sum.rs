//! Sums of binary16.
//!
//! A binary32 with the fields of a half is that half times 2^-112, also where
//! it is subnormal, so there is nothing to convert: the fields are moved, added
//! as binary32 and moved back. The sum is rounded to 24 significant bits and
//! then to nearest even at the storage type (MSCATTER-GAP-05); the first
//! rounding does not show, as 24 bits are twice the 11 of a half and two more.
//! `half` adds the numbers themselves by the same two roundings, so that its
//! bits are these.

use std::array;

use half::f16;

const SIGN: u32 = 1 << 31;
/// The fields of infinity.
const INFINITY: u32 = 0x1f << 23;
/// What tells a quiet NaN from a signalling one.
const QUIET: u32 = 1 << 22;

/// The sum of two elements.
#[inline]
pub(crate) fn sum(old: f16, new: f16) -> f16 {
    let (old, new) = (fields(old.to_bits()), fields(new.to_bits()));
    f16::from_bits(if is_large(old, new) {
        cold_sum(old, new)
    } else {
        small_sum(old, new)
    })
}

/// The sums of a whole row of elements, in place of the old ones.
pub(crate) fn sum_row(old: &mut [[u8; 2]], new: &[[u8; 2]]) {
    let lanes = old.len().min(new.len());
    let (eights, rest) = old[..lanes].as_chunks_mut::<8>();
    let (others, last) = new[..lanes].as_chunks::<8>();
    // One choice for eight of them; either way the compiler then adds them together.
    for (old, new) in eights.iter_mut().zip(others) {
        let [a, b] = [&*old, new].map(|eight| eight.map(|it| fields(u16::from_le_bytes(it))));
        let large = (0..8).fold(false, |large, k| large | is_large(a[k], b[k]));
        *old = if large {
            array::from_fn(|k| any_sum(a[k], b[k]).to_le_bytes())
        } else {
            array::from_fn(|k| small_sum(a[k], b[k]).to_le_bytes())
        };
    }
    for (old, &new) in rest.iter_mut().zip(last) {
        *old = sum(f16::from_le_bytes(*old), f16::from_le_bytes(new)).to_le_bytes();
    }
}

/// Sign, exponent and fraction of a half where a binary32 has them.
#[inline]
fn fields(half: u16) -> u32 {
    // The sign comes along three times more, where a binary32 has more exponent.
    (i32::from(half.cast_signed()) << 13).cast_unsigned() & (SIGN | 0x7fff << 13)
}

/// The half of such fields, rounded to nearest even.
#[inline]
fn rounded(fields: u32) -> u16 {
    let rounded = fields + 0xfff + (fields >> 13 & 1);
    // Of sixteen bits each, several halves are put together quickly.
    let sign = (rounded.cast_signed() >> 31 << 15) as u16;
    sign | (rounded >> 13) as u16
}

#[inline]
fn added(old: u32, new: u32) -> u32 {
    (f32::from_bits(old) + f32::from_bits(new)).to_bits()
}

/// Whether an operand is 2^15 or more, an infinity or NaN.
#[inline]
fn is_large(old: u32, new: u32) -> bool {
    ((old + (2 << 23)) | (new + (2 << 23))) & (1 << 28) != 0
}

/// The sum of operands below 2^15: it does not overflow.
#[inline]
fn small_sum(old: u32, new: u32) -> u16 {
    rounded(added(old, new))
}

/// The sum of any operands.
#[inline]
fn any_sum(old: u32, new: u32) -> u16 {
    let [a, b] = [old & !SIGN, new & !SIGN];
    // The NaN of an operation on numbers, and which of two is passed on, as x86-64 has it.
    rounded(if a > INFINITY {
        old | QUIET
    } else if b > INFINITY {
        new | QUIET
    } else if a == INFINITY && new == old ^ SIGN {
        SIGN | INFINITY | QUIET
    } else if a == INFINITY {
        old
    } else if b == INFINITY {
        new
    } else {
        let sum = added(old, new);
        sum & SIGN | (sum & !SIGN).min(INFINITY)
    })
}

/// The same, out of the way of others.
#[cold]
#[inline(never)]
fn cold_sum(old: u32, new: u32) -> u16 {
    any_sum(old, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(old: u16, new: u16) -> u16 {
        sum(f16::from_bits(old), f16::from_bits(new)).to_bits()
    }

    fn row(old: &[u16], new: &[u16]) -> Vec<u16> {
        let bytes = |row: &[u16]| -> Vec<_> { row.iter().map(|it| it.to_le_bytes()).collect() };
        let (mut old, new) = (bytes(old), bytes(new));
        sum_row(&mut old, &new);
        old.into_iter().map(u16::from_le_bytes).collect()
    }

    // From 2048 on, halves are 2 apart.
    #[test]
    fn ties_go_to_even() {
        assert_eq!(bits(0x6800, 0x3c00), 0x6800); // 2048 + 1
        assert_eq!(bits(0x6801, 0x3c00), 0x6802); // 2050 + 1
        assert_eq!(bits(0x6800, 0x3c01), 0x6801); // 2048 + 1.0009765625
        assert_eq!(bits(0xe801, 0xbc00), 0xe802); // -2050 - 1
        assert_eq!(bits(0x6800, 0xb400), 0x6800); // 2048 - 0.25, of halves 1 apart
        assert_eq!(bits(0x6800, 0xbc00), 0x67ff); // 2048 - 1
        assert_eq!(bits(0x6bff, 0x3c00), 0x6c00); // 4094 + 1, to the next power of two
    }

    // 65504 is the greatest half; 65520 would tie with 65536.
    #[test]
    fn sums_from_65520_on_are_infinite() {
        assert_eq!(bits(0x7bff, 0x4bff), 0x7bff); // 65504 + 15.9921875
        assert_eq!(bits(0x7bff, 0x4c00), 0x7c00); // 65504 + 16
        assert_eq!(bits(0xfbff, 0xcc00), 0xfc00);
        assert_eq!(bits(0x7bff, 0x7bff), 0x7c00);
        assert_eq!(bits(0x7800, 0x7800), 0x7c00); // 32768 twice
        assert_eq!(bits(0x77ff, 0x77ff), 0x7bff); // 32752 twice
        assert_eq!(bits(0x7bff, 0xfbff), 0x0000);
        assert_eq!(bits(0x7bff, 0xf800), 0x77fe); // 65504 - 32768 = 32736
    }

    #[test]
    fn subnormals_add_exactly() {
        assert_eq!(bits(0x0001, 0x0001), 0x0002);
        assert_eq!(bits(0x03ff, 0x0001), 0x0400); // the least normal
        assert_eq!(bits(0x0400, 0x8001), 0x03ff);
        assert_eq!(bits(0x83ff, 0x83ff), 0x87fe);
        assert_eq!(bits(0x0001, 0x8002), 0x8001);
        assert_eq!(bits(0x3c00, 0x0001), 0x3c00); // 1 + 2^-24
    }

    #[test]
    fn only_negative_zeros_add_up_to_one() {
        assert_eq!(bits(0x8000, 0x8000), 0x8000);
        assert_eq!(bits(0x8000, 0x0000), 0x0000);
        assert_eq!(bits(0x0000, 0x8000), 0x0000);
        assert_eq!(bits(0xbc00, 0x3c00), 0x0000);
    }

    #[test]
    fn infinities_stay_and_opposite_ones_are_no_number() {
        assert_eq!(bits(0x7c00, 0x7c00), 0x7c00);
        assert_eq!(bits(0xfc00, 0x7bff), 0xfc00);
        assert_eq!(bits(0x0001, 0x7c00), 0x7c00);
        assert_eq!(bits(0x7c00, 0xfc00), 0xfe00);
        assert_eq!(bits(0xfc00, 0x7c00), 0xfe00);
    }

    #[test]
    fn the_first_nan_is_passed_on_quiet() {
        assert_eq!(bits(0x7e01, 0x3c00), 0x7e01);
        assert_eq!(bits(0x3c00, 0xfd23), 0xff23);
        assert_eq!(bits(0xfc00, 0x7c01), 0x7e01);
        assert_eq!(bits(0x7c01, 0xfe02), 0x7e01);
        assert_eq!(bits(0xfe02, 0x7c01), 0xfe02);
    }

    // All halves, each with both neighbours of each power of two, of zero and infinity.
    #[test]
    fn the_library_has_the_same_bits() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        let is_nan = |half: u16| half & 0x7fff > 0x7c00;
        let near = |power: u16| [power.wrapping_sub(1), power, power + 1];
        for new in (0..64).flat_map(|exponent| near(exponent << 10)) {
            for (&old, sum) in all.iter().zip(row(&all, &vec![new; all.len()])) {
                let wanted = (f16::from_bits(old) + f16::from_bits(new)).to_bits();
                // Which NaN the library's sum is, compiler and machine choose.
                let wanted = match (is_nan(wanted), is_nan(old), is_nan(new)) {
                    (false, ..) => wanted,
                    (_, true, _) => old | 0x0200,
                    (_, _, true) => new | 0x0200,
                    _ => 0xfe00,
                };
                assert_eq!(sum, wanted, "{old:#06x} {new:#06x}");
                assert_eq!(bits(old, new), sum, "{old:#06x} {new:#06x}");
            }
        }
    }

    // Rows of any length, of which one element is large, or none.
    #[test]
    fn a_row_is_its_elements() {
        for len in 0..=40 {
            for large in 0..=len {
                let mut old: Vec<u16> = (0..len).map(|k| 0x3c00 + 0x123 * k as u16).collect();
                let new: Vec<u16> = (0..len).map(|k| 0xb800 - 0x101 * k as u16).collect();
                if let Some(old) = old.get_mut(large) {
                    *old = 0x7bff;
                }
                let wanted: Vec<_> = old.iter().zip(&new).map(|(&a, &b)| bits(a, b)).collect();
                assert_eq!(row(&old, &new), wanted, "{large} of {len}");
            }
        }
    }
}
