//! Operands as written, and which keys of one say what a tile or a tensor is.

use std::borrow::Cow;
use std::fmt;

use ptodiff_isa::{BLayout, DType, Layout, SLayout, TileType};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{List, RawFill, RawPattern, Value};
use crate::word::{Count, Extent, OneOf, Word};
use crate::yaml::{Located, Span};

/// A tile operand.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "D: Deserialize<'de>"))]
#[schemars(rename = "TileOf{D}")]
pub(crate) struct RawTile<D> {
    /// Element type, where it differs from the default.
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// Padded rows and columns, always static, at least 1.
    #[schemars(length(equal = 2))]
    pub(crate) shape: Option<List<Count>>,
    /// Valid rows and columns. The shape unless given.
    #[schemars(length(equal = 2))]
    pub(crate) valid: Option<List<Extent>>,
    /// Order of elements or boxes. RowMajor unless given, ColMajor in L1.
    pub(crate) blayout: Option<Value<OneOf<BLayout>>>,
    /// Order inside a box. NoneBox unless given, RowMajor in L1.
    pub(crate) slayout: Option<Value<OneOf<SLayout>>>,
    /// Bytes of a box. 512 unless given.
    pub(crate) fractal: Option<Value<Count>>,
    /// The memory it stands in. Vec unless given.
    pub(crate) location: Option<Value<OneOf<TileType>>>,
    /// How its data is made.
    pub(crate) data: Option<Located<D>>,
}

/// A tensor in GM.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "D: Deserialize<'de>"))]
#[schemars(rename = "TensorOf{D}")]
pub(crate) struct RawTensor<D> {
    /// Element type, where it differs from the default.
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// `Shape<S0..S4>`, in elements.
    #[schemars(length(equal = 5))]
    pub(crate) shape: Option<List<Extent>>,
    /// `Stride<S0..S4>`, in elements. Dense row-major over the shape, static, unless given.
    #[schemars(length(equal = 5))]
    pub(crate) stride: Option<List<Extent>>,
    /// Layout. ND unless given.
    pub(crate) layout: Option<Value<OneOf<Layout>>>,
    /// How its data is made. A table: zeros for MSCATTER, ramp for MGATHER
    /// unless given; a scratch: poison.
    pub(crate) data: Option<Located<D>>,
}

/// The index operand: a tile, or for MGATHER to L1 a tensor in GM. Which of
/// the two the instruction says, not the keys, so both kinds are read here.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Index")]
pub(crate) struct RawIndex {
    /// Element type. int32_t unless given.
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// A tile: padded rows and columns, static, at least 1; the source's
    /// unless given (TSCATTER). A tensor: five extents; those that the tile needs unless given.
    #[schemars(length(min = 2, max = 5))]
    pub(crate) shape: Option<List<Extent>>,
    /// Valid rows and columns of a tile. The shape unless given.
    #[schemars(length(equal = 2))]
    pub(crate) valid: Option<List<Extent>>,
    /// Order of a tile's elements or boxes. RowMajor unless given.
    pub(crate) blayout: Option<Value<OneOf<BLayout>>>,
    /// Order inside a box of a tile. NoneBox unless given.
    pub(crate) slayout: Option<Value<OneOf<SLayout>>>,
    /// Bytes of a box of a tile. 512 unless given.
    pub(crate) fractal: Option<Value<Count>>,
    /// The memory a tile stands in. Vec unless given.
    pub(crate) location: Option<Value<OneOf<TileType>>>,
    /// Strides of a tensor, in elements. Dense row-major over the shape, static, unless given.
    #[schemars(length(equal = 5))]
    pub(crate) stride: Option<List<Extent>>,
    /// Layout of a tensor. ND unless given.
    pub(crate) layout: Option<Value<OneOf<Layout>>>,
    /// How its data is made. random unless given.
    pub(crate) data: Option<Located<RawPattern>>,
}

/// A scratch operand, or that there is none.
#[derive(Clone, Debug)]
pub(crate) enum RawScratch {
    /// One word: `none`.
    Word(Word<OneOf<NoScratch>>),
    /// A tensor.
    Tensor(Box<RawTensor<RawFill>>),
}

/// What stands in place of a scratch operand that is not there.
#[derive(Clone, Copy, Debug, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum NoScratch {
    /// The call has three operands.
    None,
}

impl<'de> Deserialize<'de> for RawScratch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrMap;
        impl<'de> Visitor<'de> for WordOrMap {
            type Value = RawScratch;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scratch tensor, or `none`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RawScratch, E> {
                Word::deserialize(text.into_deserializer()).map(RawScratch::Word)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawScratch, A::Error> {
                RawTensor::deserialize(MapAccessDeserializer::new(map))
                    .map(|tensor| RawScratch::Tensor(Box::new(tensor)))
            }
        }
        deserializer.deserialize_any(WordOrMap)
    }
}

impl JsonSchema for RawScratch {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Scratch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let none = generator.subschema_for::<Word<OneOf<NoScratch>>>();
        let tensor = generator.subschema_for::<RawTensor<RawFill>>();
        json_schema!({ "oneOf": [none, tensor] })
    }
}

/// The keys that say what a tile is. An operand that is not there has none.
#[derive(Clone, Copy)]
pub(crate) struct TileKeys<'a, K> {
    pub(crate) span: &'a Span,
    pub(crate) dtype: Option<&'a Value<OneOf<DType>>>,
    pub(crate) shape: Option<&'a List<K>>,
    pub(crate) valid: Option<&'a List<Extent>>,
    pub(crate) blayout: Option<&'a Value<OneOf<BLayout>>>,
    pub(crate) slayout: Option<&'a Value<OneOf<SLayout>>>,
    pub(crate) fractal: Option<&'a Value<Count>>,
    pub(crate) location: Option<&'a Value<OneOf<TileType>>>,
}

/// The keys that say what a tensor is. An operand that is not there has none.
#[derive(Clone, Copy)]
pub(crate) struct TensorKeys<'a> {
    pub(crate) span: &'a Span,
    pub(crate) dtype: Option<&'a Value<OneOf<DType>>>,
    pub(crate) shape: Option<&'a List<Extent>>,
    pub(crate) stride: Option<&'a List<Extent>>,
    pub(crate) layout: Option<&'a Value<OneOf<Layout>>>,
}

impl<'a, K> TileKeys<'a, K> {
    /// Those of an operand that is not given by the case at `span`.
    pub(crate) fn absent(span: &'a Span) -> Self {
        Self {
            span,
            dtype: None,
            shape: None,
            valid: None,
            blayout: None,
            slayout: None,
            fractal: None,
            location: None,
        }
    }
}

impl<'a> TensorKeys<'a> {
    /// Those of an operand that is not given by the case at `span`.
    pub(crate) fn absent(span: &'a Span) -> Self {
        Self {
            span,
            dtype: None,
            shape: None,
            stride: None,
            layout: None,
        }
    }
}

/// The named keys of `$raw` as a view of them.
macro_rules! view {
    ($view:ident, $raw:expr, $span:expr; $($key:ident),*) => {
        $view { span: $span, $($key: $raw.$key.as_ref()),* }
    };
}

impl<D> RawTile<D> {
    pub(crate) fn keys<'a>(&'a self, span: &'a Span) -> TileKeys<'a, Count> {
        view!(TileKeys, self, span; dtype, shape, valid, blayout, slayout, fractal, location)
    }
}

impl<D> RawTensor<D> {
    pub(crate) fn keys<'a>(&'a self, span: &'a Span) -> TensorKeys<'a> {
        view!(TensorKeys, self, span; dtype, shape, stride, layout)
    }
}

/// The named keys of `$raw`, each with its place where it is given.
macro_rules! places {
    ($raw:expr; $($key:ident),*) => {
        [$((stringify!($key), $raw.$key.as_ref().map(|value| &value.span))),*]
    };
}

impl RawIndex {
    pub(crate) fn tile_keys<'a>(&'a self, span: &'a Span) -> TileKeys<'a, Extent> {
        view!(TileKeys, self, span; dtype, shape, valid, blayout, slayout, fractal, location)
    }

    pub(crate) fn tensor_keys<'a>(&'a self, span: &'a Span) -> TensorKeys<'a> {
        view!(TensorKeys, self, span; dtype, shape, stride, layout)
    }

    /// Keys that only a tile has.
    pub(crate) fn of_tile(&self) -> [(&'static str, Option<&Span>); 5] {
        places!(self; valid, blayout, slayout, fractal, location)
    }

    /// Keys that only a tensor has.
    pub(crate) fn of_tensor(&self) -> [(&'static str, Option<&Span>); 2] {
        places!(self; stride, layout)
    }
}
