//! What a case asks for besides its call, as written.

use std::borrow::Cow;
use std::fmt;

use ptodiff_isa::reading::GAPS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Value;
use crate::word::{Choice, ClauseId, Word};
use crate::yaml::Located;

/// For each target, one clause or a list of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Expectations")]
pub(crate) struct RawExpectations {
    /// On the CPU simulator.
    pub(crate) cpu: Option<Located<Clauses>>,
    /// On A2/A3.
    pub(crate) a2a3: Option<Located<Clauses>>,
    /// On A5.
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
        // Those of one target, as in `cpu:scope`.
        let of_one = properties
            .iter()
            .map(|(name, schema)| (format!("^(cpu|a2a3|a5):{name}$"), schema.clone()));
        let of_one: serde_json::Map<_, _> = of_one.collect();
        json_schema!({
            "type": "object",
            "patternProperties": of_one,
            "properties": properties,
            "additionalProperties": false
        })
    }
}
