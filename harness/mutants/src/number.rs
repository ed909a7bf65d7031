//! What elements are worth, and back.

use half::{bf16, f16};
use ptodiff_isa::{DType, ScatterAtomicOp};

use crate::bytes::Element;

/// The integer that `element` is, of a dtype without fraction.
pub(crate) fn integer(dtype: DType, element: Element) -> i64 {
    let shift = 64 - 8 * dtype.size() as u32;
    let raw = u64::from_le_bytes(element) << shift;
    if dtype.is_signed_integer() {
        raw.cast_signed() >> shift
    } else {
        (raw >> shift).cast_signed()
    }
}

/// The number that `element` is, of a dtype with a fraction.
pub(crate) fn real(dtype: DType, element: Element) -> f64 {
    let [a, b, c, d, ..] = element;
    match dtype {
        DType::Half => f16::from_le_bytes([a, b]).to_f64(),
        DType::Bfloat16 => bf16::from_le_bytes([a, b]).to_f64(),
        _ => f32::from_le_bytes([a, b, c, d]).into(),
    }
}

/// The element nearest to `value`.
pub(crate) fn nearest(dtype: DType, value: f64) -> Element {
    match dtype {
        DType::Half => padded(&f16::from_f64(value).to_le_bytes()),
        DType::Bfloat16 => padded(&bf16::from_f64(value).to_le_bytes()),
        _ => padded(&(value as f32).to_le_bytes()),
    }
}

/// The element nearest to `value` and no further from zero than it.
fn towards_zero(dtype: DType, value: f64) -> Element {
    let element = nearest(dtype, value);
    if real(dtype, element).abs() > value.abs() {
        // One step down in magnitude is one less in the bits.
        (u64::from_le_bytes(element) - 1).to_le_bytes()
    } else {
        element
    }
}

fn padded(bytes: &[u8]) -> Element {
    let mut element = Element::default();
    element.iter_mut().zip(bytes).for_each(|(to, b)| *to = *b);
    element
}

/// The sum, rounded once to the element type; integers wrap.
pub(crate) fn sum(dtype: DType, old: Element, new: Element) -> Element {
    if dtype.is_integer() {
        let sum = integer(dtype, old).wrapping_add(integer(dtype, new));
        sum.to_le_bytes()
    } else {
        nearest(dtype, real(dtype, old) + real(dtype, new))
    }
}

/// The sum, rounded toward zero; integers wrap.
pub(crate) fn truncated_sum(dtype: DType, old: Element, new: Element) -> Element {
    if dtype.is_integer() {
        return sum(dtype, old, new);
    }
    towards_zero(dtype, real(dtype, old) + real(dtype, new))
}

/// Whether `a` is below `b`.
pub(crate) fn below(dtype: DType, a: Element, b: Element) -> bool {
    if dtype.is_integer() {
        integer(dtype, a) < integer(dtype, b)
    } else {
        real(dtype, a) < real(dtype, b)
    }
}

/// What `atomic` leaves of `old` and `new`.
pub(crate) fn combined(
    atomic: ScatterAtomicOp,
    dtype: DType,
    old: Element,
    new: Element,
) -> Element {
    match atomic {
        ScatterAtomicOp::None => new,
        ScatterAtomicOp::Add => sum(dtype, old, new),
        ScatterAtomicOp::Max if below(dtype, old, new) => new,
        ScatterAtomicOp::Min if below(dtype, new, old) => new,
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(bits: u16) -> Element {
        padded(&bits.to_le_bytes())
    }

    #[test]
    fn sums_round_as_asked() {
        // binary16 steps by 2 from 2048 on: 2050 + 1 is halfway to 2052, which is even.
        let [large, one] = [half(0x6801), half(0x3c00)];
        assert_eq!(sum(DType::Half, large, one), half(0x6802));
        assert_eq!(truncated_sum(DType::Half, large, one), half(0x6801));
        let [a, b] = [padded(&[0x7f]), padded(&[1])];
        assert_eq!(sum(DType::Int8, a, b)[0], 0x80);
    }

    #[test]
    fn extremes_compare_in_the_element_type() {
        let [minus, one] = [padded(&[0xff; 4]), padded(&[1])];
        let max = |dtype| combined(ScatterAtomicOp::Max, dtype, one, minus);
        assert_eq!(max(DType::Int32), one);
        assert_eq!(max(DType::Uint32), minus);
    }
}
