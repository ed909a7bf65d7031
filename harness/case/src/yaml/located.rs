//! Values with their places.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{EnumAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Where a value stands in the text of its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// Line, from 1; 0 where it is not known.
    pub line: u32,
    /// Column in characters, from 1; 0 where it is not known.
    pub column: u32,
    /// Its bytes. A mapping or sequence has its first byte only.
    pub bytes: Range<usize>,
}

/// A value and where it was written. An alias stands where its anchor does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// The name under which a [`Located`] value asks for its place.
pub(super) const LOCATED: &str = "Located";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PlaceAndValue<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for PlaceAndValue<T> {
            type Value = Located<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with its place")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Located<T>, A::Error> {
                let (place, content) = data.variant::<Place>()?;
                let value = content.newtype_variant()?;
                let span = place.span();
                Ok(Located { value, span })
            }
        }
        deserializer.deserialize_newtype_struct(LOCATED, PlaceAndValue(PhantomData))
    }
}

/// A span as one number, in which serde hands it over. A file is far smaller
/// than what 32 bits count.
pub(super) struct Place(pub(super) u128);

impl Place {
    pub(super) fn pack(span: &Span) -> Self {
        let at = |at| u32::try_from(at).unwrap_or(u32::MAX);
        let numbers = [
            span.line,
            span.column,
            at(span.bytes.start),
            at(span.bytes.end),
        ];
        Self(
            numbers
                .iter()
                .fold(0, |all, one| all << 32 | u128::from(*one)),
        )
    }

    fn span(&self) -> Span {
        let number = |at: u32| (self.0 >> (32 * at)) as u32;
        Span {
            line: number(3),
            column: number(2),
            bytes: number(1) as usize..number(0) as usize,
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(deserializer).map(Self)
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
