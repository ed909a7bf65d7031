//! What some fills repeat, made once for each element type.

use std::sync::OnceLock;

use ptodiff_isa::DType;
use strum::VariantArray;

use crate::number;

/// Steps before the suites' ramp starts over.
const RAMP: u16 = 251;

/// Steps before the eighths start over.
const EIGHTHS: u16 = 31;

/// A list of elements.
#[derive(Clone, Copy, VariantArray)]
pub(crate) enum Period {
    /// The suites' ramp: 2, 3, ..., 251, 1.
    Ramp,
    /// The same as raw bits.
    RampBits,
    /// 2, 3, ..., 31, 1 eighths.
    Eighths,
    /// What arithmetic goes wrong on.
    Special,
    /// 0, 1, ..., 99.
    Small,
}

impl Period {
    /// Its bytes as elements of `dtype`, little-endian.
    pub(crate) fn of(self, dtype: DType) -> &'static [u8] {
        const TYPES: usize = <DType as VariantArray>::VARIANTS.len();
        const KINDS: usize = <Period as VariantArray>::VARIANTS.len();
        static MADE: [[OnceLock<Vec<u8>>; TYPES]; KINDS] =
            [const { [const { OnceLock::new() }; TYPES] }; KINDS];
        MADE[self as usize][dtype as usize].get_or_init(|| self.make(dtype))
    }

    fn make(self, dtype: DType) -> Vec<u8> {
        let from_two = |end: u16| (2..=end).chain([1]);
        let eighths = |eighths: u16| number::eighths(dtype, eighths);
        match self {
            Self::Ramp => bytes(dtype, from_two(RAMP).map(|value| eighths(8 * value))),
            Self::RampBits => bytes(dtype, from_two(RAMP).map(u64::from)),
            Self::Eighths => bytes(dtype, from_two(EIGHTHS).map(eighths)),
            Self::Special => bytes(dtype, number::special(dtype).into_iter()),
            Self::Small => bytes(
                dtype,
                (0..crate::fill::SMALL).map(|value| eighths(8 * value)),
            ),
        }
    }
}

/// Elements of `dtype`, cut off where they do not fit.
fn bytes(dtype: DType, values: impl Iterator<Item = u64>) -> Vec<u8> {
    let size = dtype.size();
    values
        .flat_map(|v| v.to_le_bytes().into_iter().take(size))
        .collect()
}
