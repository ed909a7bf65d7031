//! Element types.

use crate::words;

words! {
    /// An element type, spelled as the documents spell it. All are stored little-endian.
    ///
    /// `int64_t` and `uint64_t` appear in no dtype list of the documents; the ST
    /// suites use them, so they have a name here.
    #[derive(Default)]
    pub enum DType {
        /// 8-bit signed integer.
        #[serde(rename = "int8_t")]
        #[strum(serialize = "int8_t")]
        Int8,
        /// 8-bit unsigned integer.
        #[serde(rename = "uint8_t")]
        #[strum(serialize = "uint8_t")]
        Uint8,
        /// 16-bit signed integer.
        #[serde(rename = "int16_t")]
        #[strum(serialize = "int16_t")]
        Int16,
        /// 16-bit unsigned integer.
        #[serde(rename = "uint16_t")]
        #[strum(serialize = "uint16_t")]
        Uint16,
        /// 32-bit signed integer.
        #[serde(rename = "int32_t")]
        #[strum(serialize = "int32_t")]
        Int32,
        /// 32-bit unsigned integer.
        #[serde(rename = "uint32_t")]
        #[strum(serialize = "uint32_t")]
        Uint32,
        /// 64-bit signed integer.
        #[serde(rename = "int64_t")]
        #[strum(serialize = "int64_t")]
        Int64,
        /// 64-bit unsigned integer.
        #[serde(rename = "uint64_t")]
        #[strum(serialize = "uint64_t")]
        Uint64,
        /// IEEE 754 binary16.
        #[serde(rename = "half")]
        #[strum(serialize = "half")]
        Half,
        /// bfloat16: the upper half of a binary32.
        #[serde(rename = "bfloat16_t")]
        #[strum(serialize = "bfloat16_t")]
        Bfloat16,
        /// IEEE 754 binary32.
        #[default]
        #[serde(rename = "float")]
        #[strum(serialize = "float")]
        Float,
        /// OCP E4M3: no infinities, one NaN pattern a sign.
        #[serde(rename = "float8_e4m3_t")]
        #[strum(serialize = "float8_e4m3_t")]
        Float8E4M3,
        /// OCP E5M2.
        #[serde(rename = "float8_e5m2_t")]
        #[strum(serialize = "float8_e5m2_t")]
        Float8E5M2,
        /// HiFloat8, tapered precision.
        #[serde(rename = "hifloat8_t")]
        #[strum(serialize = "hifloat8_t")]
        Hifloat8,
    }
}

impl DType {
    /// Bytes of one element: 1, 2, 4 or 8.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 | Self::Float8E4M3 | Self::Float8E5M2 | Self::Hifloat8 => 1,
            Self::Int16 | Self::Uint16 | Self::Half | Self::Bfloat16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float => 4,
            Self::Int64 | Self::Uint64 => 8,
        }
    }

    /// Whether this is an integer type, of either sign.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        self.is_signed_integer()
            || matches!(
                self,
                Self::Uint8 | Self::Uint16 | Self::Uint32 | Self::Uint64
            )
    }

    /// Whether this is a signed integer type.
    #[must_use]
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64)
    }
}
