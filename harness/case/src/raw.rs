//! A case file as written: what serde reads and what the JSON Schema is made from.
//!
//! No flattening and no untagged or internally tagged enums: they lose spans.
//! The doc comments of this file are what editors show.

use std::borrow::Cow;
use std::fmt;

use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    BLayout, Coalesce, DType, GatherOob, Instruction, Layout, SLayout, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target, TileType,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::word::{
    CaseName, Choice, ClauseId, Count, EitherOf, Extent, Literal, OneOf, Prose, Word,
};
use crate::yaml::Located;

/// A key that is there has a value: an empty one is a mistake, not an absent key.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// One value with its place.
pub(crate) type Value<K> = Located<Word<K>>;
/// A list with its place and those of its entries.
pub(crate) type List<K> = Located<Vec<Value<K>>>;

/// A file of cases for ptodiff.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CaseFile")]
pub(crate) struct RawFile {
    /// The ST suite that these cases mirror, if they mirror one.
    #[serde(default, deserialize_with = "given")]
    pub(crate) suite: Option<Value<OneOf<Target>>>,
    /// Keys of a case, for every case of the file that does not give its own.
    #[serde(default, deserialize_with = "given")]
    pub(crate) defaults: Option<Located<RawCase>>,
    /// The cases.
    pub(crate) cases: Located<Vec<Located<RawCase>>>,
}

/// One instruction with its operands, policies, data and what is expected of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Case")]
pub(crate) struct RawCase {
    /// Unique in its file; as the ST suite has it where the case mirrors one.
    #[serde(default, deserialize_with = "given")]
    pub(crate) name: Option<Value<CaseName>>,
    /// A line about the case, for people.
    #[serde(default, deserialize_with = "given")]
    pub(crate) about: Option<Value<Prose>>,
    /// The instruction.
    #[serde(default, deserialize_with = "given")]
    pub(crate) instruction: Option<Value<OneOf<Instruction>>>,
    /// What one index selects: a row or an element. Row unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) mode: Option<Value<OneOf<Coalesce>>>,
    /// How values combine (MSCATTER). None unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) atomic: Option<Value<OneOf<ScatterAtomicOp>>>,
    /// Out-of-bounds policy: Undefined, Skip, Clamp, Wrap for MSCATTER;
    /// Undefined, Clamp, Wrap, Zero for MGATHER. Undefined unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) oob: Option<Value<EitherOf<ScatterOob, GatherOob>>>,
    /// Which of several plain writers survives (MSCATTER). Last unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) conflict: Option<Value<OneOf<ScatterConflict>>>,
    /// Element type of tile and table.
    #[serde(default, deserialize_with = "given")]
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// The tile that carries data: source of a scatter, destination of a gather.
    #[serde(default, deserialize_with = "given")]
    pub(crate) tile: Option<Located<RawTile<RawFill>>>,
    /// The index tile. Its dtype is int32_t unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) index: Option<Located<RawTile<RawPattern>>>,
    /// The tensor in GM.
    #[serde(default, deserialize_with = "given")]
    pub(crate) table: Option<Located<RawTable>>,
    /// How the kernel was launched.
    #[serde(default, deserialize_with = "given")]
    pub(crate) launch: Option<Located<RawLaunch>>,
    /// How often the call is issued, each time with the next part of the data,
    /// on one table: 1 to 4096. 1 unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) chunks: Option<Value<Count>>,
    /// Added to the run's seed, to draw other data of the same kind. 0 unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) seed: Option<Value<Count>>,
    /// The targets it runs on. All unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) targets: Option<List<OneOf<Target>>>,
    /// Answers to gaps of the documents that are in force for this case.
    #[serde(default, deserialize_with = "given")]
    pub(crate) readings: Option<Located<RawReadings>>,
    /// Targets that must refuse the call, and by which clauses.
    #[serde(default, deserialize_with = "given")]
    pub(crate) refused: Option<Located<RawExpectations>>,
    /// Targets that are promised nothing, and by which clauses.
    #[serde(default, deserialize_with = "given")]
    pub(crate) undefined: Option<Located<RawExpectations>>,
    /// Why the name and the case say different things, where they do.
    #[serde(default, deserialize_with = "given")]
    pub(crate) name_differs: Option<Value<Prose>>,
}

/// A tile operand.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "D: Deserialize<'de>"))]
#[schemars(rename = "TileOf{D}")]
pub(crate) struct RawTile<D> {
    /// Element type, where it differs from the default.
    #[serde(default, deserialize_with = "given")]
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// Padded rows and columns, always static, at least 1.
    #[schemars(length(equal = 2))]
    pub(crate) shape: List<Count>,
    /// Valid rows and columns. The shape unless given.
    #[schemars(length(equal = 2))]
    #[serde(default, deserialize_with = "given")]
    pub(crate) valid: Option<List<Extent>>,
    /// Order of elements or boxes. RowMajor unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) blayout: Option<Value<OneOf<BLayout>>>,
    /// Order inside a box. NoneBox unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) slayout: Option<Value<OneOf<SLayout>>>,
    /// Bytes of a box. 512 unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) fractal: Option<Value<Count>>,
    /// The memory it stands in. Vec unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) location: Option<Value<OneOf<TileType>>>,
    /// How its data is made.
    #[serde(default, deserialize_with = "given")]
    pub(crate) data: Option<Located<D>>,
}

/// The tensor in GM.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Table")]
pub(crate) struct RawTable {
    /// Element type, where it differs from the default.
    #[serde(default, deserialize_with = "given")]
    pub(crate) dtype: Option<Value<OneOf<DType>>>,
    /// `Shape<S0..S4>`, in elements.
    #[schemars(length(equal = 5))]
    pub(crate) shape: List<Extent>,
    /// `Stride<S0..S4>`, in elements. Dense row-major over the shape, static, unless given.
    #[schemars(length(equal = 5))]
    #[serde(default, deserialize_with = "given")]
    pub(crate) stride: Option<List<Extent>>,
    /// Layout. ND unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) layout: Option<Value<OneOf<Layout>>>,
    /// How its data is made. zeros for MSCATTER, ramp for MGATHER unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) data: Option<Located<RawFill>>,
}

/// How the kernel was launched.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Launch")]
pub(crate) struct RawLaunch {
    /// dynUBufSize in bytes; nullptr unless given.
    #[serde(default, deserialize_with = "given")]
    pub(crate) dyn_ub: Option<Value<Count>>,
}

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
    /// Element by element, as numbers.
    Values(List<Literal>),
    /// Element by element, as raw bits.
    Bits(List<Literal>),
}

/// Values of the index operand.
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
    /// One by one, as numbers.
    Values(List<Literal>),
    /// One by one, as raw bits.
    Bits(List<Literal>),
}

/// For each target, one clause or a list of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Expectations")]
pub(crate) struct RawExpectations {
    /// On the CPU simulator.
    #[serde(default, deserialize_with = "given")]
    pub(crate) cpu: Option<Located<Clauses>>,
    /// On A2/A3.
    #[serde(default, deserialize_with = "given")]
    pub(crate) a2a3: Option<Located<Clauses>>,
    /// On A5.
    #[serde(default, deserialize_with = "given")]
    pub(crate) a5: Option<Located<Clauses>>,
}

/// One clause, or a list.
#[derive(Clone, Debug)]
pub(crate) enum Clauses {
    /// One.
    One(Word<ClauseId>),
    /// Several.
    Many(Vec<Value<ClauseId>>),
}

impl<'de> Deserialize<'de> for Clauses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Clauses;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the number of a clause, or a list of them")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Clauses, E> {
                Word::deserialize(text.into_deserializer()).map(Clauses::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Clauses, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Clauses::Many)
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

impl JsonSchema for Clauses {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Clauses".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Word<ClauseId>>();
        json_schema!({
            "oneOf": [one.clone(), { "type": "array", "items": one, "minItems": 1 }]
        })
    }
}

/// Gap name to choice, as the register of readings has them.
#[derive(Clone, Debug)]
pub(crate) struct RawReadings(pub(crate) Vec<(Value<Choice>, Value<Choice>)>);

impl<'de> Deserialize<'de> for RawReadings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = RawReadings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping from gaps to readings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawReadings, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(RawReadings(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl JsonSchema for RawReadings {
    fn schema_name() -> Cow<'static, str> {
        "Readings".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let properties: serde_json::Map<_, _> = GAPS
            .iter()
            .map(|gap| {
                let about: Vec<_> = gap.clauses.iter().map(|c| c.0).collect();
                let schema = serde_json::json!({
                    "description": format!("Answers {}.", about.join(", ")),
                    "type": "string",
                    "enum": gap.choices,
                });
                (gap.name.to_owned(), schema)
            })
            .collect();
        json_schema!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false
        })
    }
}
