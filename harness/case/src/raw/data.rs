//! How data is asked for.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{List, Value, expect::pairs};
use crate::word::{Count, Literal, NpyPath};
use crate::yaml::Located;

/// Values of a data operand.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "Fill")]
pub(crate) enum RawFill {
    /// All bits zero.
    Zeros,
    /// 1 + ((1 + k) mod 251) at flat position k: the suites' ramp.
    Ramp,
    /// The ramp as raw bits of the element.
    RampBits,
    /// 0.125 * (1 + ((1 + k) mod 31)).
    Eighths,
    /// A different bit pattern for each position, as far as the dtype has room.
    Distinct,
    /// Any bits.
    RandomBits,
    /// Values that arithmetic goes wrong on.
    Special,
    /// Bytes that no other fill makes.
    Poison,
    /// Whole numbers drawn from 1 to below 100, converted.
    SmallInts,
    /// Drawn from 0 to below 100 and converted: with a fraction for floats.
    Percent,
    /// 0, 1, 2, ... converted; integers wrap.
    Arange,
    /// Element by element, as numbers.
    Values(List<Literal>),
    /// Element by element, as raw bits.
    Bits(List<Literal>),
    /// An array of the operand's extents and type in a file beside this one.
    Npy(Value<NpyPath>),
    /// Of a table: rows by their numbers, each with its first elements. All other
    /// bytes are zero, and take no memory.
    Rows(Located<RawRows>),
}

/// Numbers of rows, and the first elements of each.
#[derive(Clone, Debug)]
pub(crate) struct RawRows(pub(crate) Vec<(Value<Count>, List<Literal>)>);

impl<'de> Deserialize<'de> for RawRows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows;
        impl<'de> Visitor<'de> for Rows {
            type Value = RawRows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping from numbers of rows to lists of elements")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawRows, A::Error> {
                pairs(map).map(RawRows)
            }
        }
        deserializer.deserialize_map(Rows)
    }
}

impl JsonSchema for RawRows {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Rows".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let elements = generator.subschema_for::<List<Literal>>();
        json_schema!({
            "type": "object",
            "patternProperties": { "^[0-9]+$": elements },
            "additionalProperties": false
        })
    }
}

/// Values of the index operand. TGATHERB stores them times the bytes of what
/// one offset serves; literals stand for themselves.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "IndexPattern")]
pub(crate) enum RawPattern {
    /// Uniform below the capacity, repeats possible.
    Random,
    /// All capacity / 2.
    Same,
    /// 0, 1, 2, ... modulo capacity.
    Seq,
    /// A random permutation: no repeats.
    Permutation,
    /// In range but for half, which are from capacity to below 2 * capacity.
    OutOfBounds,
    /// As out-of-bounds, the in-range rest without repeats.
    OutOfBoundsNoDup,
    /// All from capacity to below 2 * capacity.
    AllOutOfBounds,
    /// 0, capacity - 1, capacity, 2 * capacity, 2^31 - 1, 2^31, 2^32 - 1 between draws.
    Edges,
    /// In-range draws between -1, -2, -capacity, -2^31.
    Negative,
    /// In range, all on few slots.
    Hot {
        /// How many different slots, at least 1.
        slots: Value<Count>,
    },
    /// In column c of the destination's first or second row, which is drawn:
    /// c or c + Cols. The suites' TSCATTER pattern.
    TwoRows,
    /// One by one, as numbers.
    Values(List<Literal>),
    /// One by one, as raw bits.
    Bits(List<Literal>),
    /// An array of the operand's extents and type in a file beside this one.
    Npy(Value<NpyPath>),
}
