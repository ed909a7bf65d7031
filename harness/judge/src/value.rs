//! One element: bits, and what they mean in their dtype.

use half::{bf16, f16};
use ptodiff_isa::DType;

/// The bits of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// Its element type.
    pub dtype: DType,
    /// Its bits, in the low `8 * dtype.size()` bits.
    pub bits: u64,
}

impl Value {
    /// Reads one element stored little-endian; bytes beyond the dtype's size are left alone.
    #[must_use]
    pub fn read(dtype: DType, bytes: &[u8]) -> Self {
        let size = dtype.size();
        let bits = match (size, bytes.first_chunk::<4>()) {
            (4, Some(four)) => u32::from_le_bytes(*four).into(),
            _ => {
                let least_last = bytes.iter().take(size).rev();
                least_last.fold(0, |bits, byte| bits << 8 | u64::from(*byte))
            }
        };
        Self { dtype, bits }
    }

    /// Whether it is a NaN of its dtype.
    #[must_use]
    pub const fn is_nan(self) -> bool {
        match self.dtype {
            DType::Half => self.bits & 0x7fff > 0x7c00,
            DType::Bfloat16 => self.bits & 0x7fff > 0x7f80,
            DType::Float => self.bits & 0x7fff_ffff > 0x7f80_0000,
            DType::Float8E4M3 => self.bits & 0x7f == 0x7f,
            DType::Float8E5M2 => self.bits & 0x7f > 0x7c,
            DType::Hifloat8 => self.bits == 0x80,
            _ => false,
        }
    }

    /// Its bits as `0x` and all hexadecimal digits of the dtype.
    #[must_use]
    pub fn hex(self) -> String {
        format!("0x{:0width$x}", self.bits, width = 2 * self.dtype.size())
    }

    /// Its value in decimal; none for `hifloat8_t`, whose encoding no document gives.
    #[must_use]
    pub fn text(self) -> Option<String> {
        Some(match self.dtype {
            DType::Hifloat8 => return None,
            DType::Half => format!("{:?}", f16::from_bits(self.bits as u16).to_f32()),
            DType::Bfloat16 => format!("{:?}", bf16::from_bits(self.bits as u16).to_f32()),
            DType::Float => format!("{:?}", f32::from_bits(self.bits as u32)),
            DType::Float8E4M3 => format!("{:?}", e4m3(self.bits as u8)),
            // E5M2 is the upper byte of a binary16.
            DType::Float8E5M2 => format!("{:?}", f16::from_bits((self.bits as u16) << 8).to_f32()),
            _ => self.integer().to_string(),
        })
    }

    /// A number that orders values of one dtype as the dtype does, -0.0 below
    /// +0.0; none for a NaN and for eight-bit floats, which nothing adds.
    pub(crate) fn order(self) -> Option<i128> {
        match self.dtype {
            DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => None,
            _ if self.is_nan() => None,
            DType::Half | DType::Bfloat16 | DType::Float => {
                // Sign and magnitude: the magnitude's bits grow with its value.
                let sign = 1 << (8 * self.dtype.size() - 1);
                let magnitude = i128::from(self.bits & (sign - 1));
                Some(if self.bits & sign == 0 {
                    magnitude
                } else {
                    -magnitude - 1
                })
            }
            _ => Some(self.integer()),
        }
    }

    /// How many values of the type there are from this one to `high`, both
    /// included; none where they have no order.
    #[must_use]
    pub fn values_to(self, high: Self) -> Option<u64> {
        u64::try_from(high.order()? - self.order()? + 1).ok()
    }

    /// Its bits as a whole number, with a sign where the dtype is an integer with one.
    #[must_use]
    pub fn integer(self) -> i128 {
        let unused = 64 - 8 * self.dtype.size();
        if self.dtype.is_signed_integer() {
            i128::from((self.bits << unused).cast_signed() >> unused)
        } else {
            i128::from(self.bits)
        }
    }
}

/// Exponent bias 7, three bits of fraction, no infinities.
fn e4m3(bits: u8) -> f32 {
    let (exponent, fraction) = (bits >> 3 & 0xf, f32::from(bits & 7));
    let magnitude = match exponent {
        0xf if bits & 7 == 7 => f32::NAN,
        0 => fraction / 512.0,
        _ => (8.0 + fraction) * f32::powi(2.0, i32::from(exponent) - 10),
    };
    if bits & 0x80 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// Whether `got` lies between two bounds, which it may be equal to.
pub(crate) fn between(low: Value, high: Value, got: Value) -> bool {
    match (low.order(), high.order(), got.order()) {
        (Some(low), Some(high), Some(got)) => (low..=high).contains(&got),
        _ => low.is_nan() && high.is_nan() && got.is_nan(),
    }
}
