//! Formats without subnormals (MSCATTER-GAP-80).

use std::marker::PhantomData;

use crate::float::{Format, Rounding};

/// The format `F` where subnormals, read or computed, become a zero of their sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flushed<F>(PhantomData<F>);

impl<F: Format> Format for Flushed<F> {
    const SIZE: usize = F::SIZE;
    const PRECISION: u32 = F::PRECISION;
    const LARGEST: f64 = F::LARGEST;
    const NORMAL: f64 = F::NORMAL;
    const LEAST: f64 = F::NORMAL;
    const NAN: u32 = F::NAN;

    fn decode(bits: u32) -> f64 {
        let x = F::decode(bits);
        if x.abs() < F::NORMAL {
            0.0_f64.copysign(x)
        } else {
            x
        }
    }

    fn round(x: f64) -> f64 {
        let x = F::round(x);
        if x.abs() < F::NORMAL {
            0.0_f64.copysign(x)
        } else {
            x
        }
    }

    fn encode(x: f64, rounding: Rounding) -> u32 {
        let bits = F::encode(x, rounding);
        if F::decode(bits).abs() < F::NORMAL {
            F::encode(0.0_f64.copysign(x), rounding)
        } else {
            bits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::Half;

    #[test]
    fn subnormals_and_nothing_else_become_zeros_of_their_sign() {
        for bits in 0..=0xFFFF_u32 {
            let x = Half::decode(bits);
            let subnormal = bits & 0x7C00 == 0;
            let expected = if subnormal { bits & 0x8000 } else { bits };
            if x.is_nan() {
                assert!(Flushed::<Half>::decode(bits).is_nan());
                continue;
            }
            let flushed = Flushed::<Half>::decode(bits);
            assert_eq!(Half::encode(flushed, Rounding::Nearest), expected);
            for rounding in [Rounding::Nearest, Rounding::Down, Rounding::Up] {
                assert_eq!(Flushed::<Half>::encode(x, rounding), expected);
            }
        }
    }
}
