//! What a case says that must be found, as written.

use std::borrow::Cow;
use std::fmt;

use ptodiff_isa::Target;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{List, Value};
use crate::expect::{ExpectedOutcome, Spelling};
use crate::word::{Answer, Count, Elements, OneOf, Pattern, Token};
use crate::yaml::Located;

/// What must be found on some targets.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Expectation")]
pub(crate) struct RawExpect {
    /// The targets it speaks of. Those of the case that `rejected`, `undefined`
    /// and `hangs` do not name unless given; with an `answer` all of the case.
    pub(crate) targets: Option<List<OneOf<Target>>>,
    /// The reading of the case's `gap` under which it holds, by its letter.
    pub(crate) answer: Option<Value<Answer>>,
    /// What comes of the call. result unless given.
    pub(crate) outcome: Option<Value<OneOf<ExpectedOutcome>>>,
    /// What the table holds after the last call.
    pub(crate) table: Option<Located<RawSlots>>,
    /// What the data tile of MSCATTER and MGATHER holds after the last call.
    pub(crate) tile: Option<Located<RawSlots>>,
    /// What the destination of TSCATTER and TGATHERB holds after the call.
    pub(crate) destination: Option<Located<RawSlots>>,
    /// What the staging area holds after the last call.
    pub(crate) scratch: Option<Located<RawSlots>>,
    /// What the source of TSCATTER and TGATHERB holds after the call.
    pub(crate) source: Option<Located<RawSlots>>,
    /// What the index operand holds after the last call.
    pub(crate) index: Option<Located<RawSlots>>,
    /// What the offsets of TGATHERB are after the call.
    pub(crate) offset: Option<Located<RawSlots>>,
    /// What is issued.
    pub(crate) trace: Option<Located<RawTrace>>,
    /// How the call is spelled.
    pub(crate) spelled: Option<Located<RawSpelled>>,
}

/// What a target issues: patterns for the lines of its trace.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Trace")]
pub(crate) struct RawTrace {
    /// Pattern to how many lines fit it.
    pub(crate) count: Option<Located<RawCounts>>,
    /// Lines that fit these follow each other, others between them allowed.
    pub(crate) order: Option<List<Pattern>>,
}

/// How a call is spelled: a pattern for each way to spell it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Spelled")]
pub(crate) struct RawSpelled {
    /// PTO-AS, synchronous.
    pub(crate) synchronous: Option<Value<Pattern>>,
    /// PTO-AS with its policies as suffixes.
    pub(crate) mode: Option<Value<Pattern>>,
    /// AS or IR level 1.
    pub(crate) level1: Option<Value<Pattern>>,
    /// AS or IR level 2.
    pub(crate) level2: Option<Value<Pattern>>,
    /// Level 1 in manual mode: one of its lines.
    pub(crate) manual: Option<Value<Pattern>>,
    /// PTO-AS with suffixes in the short types of the documents.
    pub(crate) sketch: Option<Value<Pattern>>,
    /// C++: one of its lines.
    pub(crate) cpp: Option<Value<Pattern>>,
}

impl RawTrace {
    /// Whether it has a pattern.
    pub(crate) fn says_something(&self) -> bool {
        let counted = self.count.as_ref().is_some_and(|c| !c.value.0.is_empty());
        counted || self.order.as_ref().is_some_and(|o| !o.value.is_empty())
    }
}

impl RawSpelled {
    /// The pattern for each spelling that has one.
    pub(crate) fn by_spelling(&self) -> [(Spelling, Option<&Value<Pattern>>); 7] {
        [
            (Spelling::Synchronous, self.synchronous.as_ref()),
            (Spelling::Mode, self.mode.as_ref()),
            (Spelling::Level1, self.level1.as_ref()),
            (Spelling::Level2, self.level2.as_ref()),
            (Spelling::Manual, self.manual.as_ref()),
            (Spelling::Sketch, self.sketch.as_ref()),
            (Spelling::Cpp, self.cpp.as_ref()),
        ]
    }

    /// Whether it has a pattern.
    pub(crate) fn says_something(&self) -> bool {
        self.by_spelling().iter().any(|(_, word)| word.is_some())
    }
}

/// What an operand holds, element by element.
#[derive(Clone, Debug)]
pub(crate) enum RawSlots {
    /// A token for every element of the body.
    All(Vec<Value<Token>>),
    /// Elements, or `rest`, to what they hold.
    Some(Vec<(Value<Elements>, Located<RawTokens>)>),
    /// A word or number, which says nothing of an operand as a whole.
    Word,
}

/// What elements in a row hold.
#[derive(Clone, Debug)]
pub(crate) enum RawTokens {
    /// The same. `None` for nothing, and for a word that YAML takes for it: as
    /// it was written that stands in the text of the file.
    One(Option<String>),
    /// A token each.
    Each(Vec<Value<Token>>),
}

/// Patterns and how many lines fit each.
#[derive(Clone, Debug)]
pub(crate) struct RawCounts(pub(crate) Vec<(Value<Pattern>, Value<Count>)>);

impl<'de> Deserialize<'de> for RawSlots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SeqOrMap;
        impl<'de> Visitor<'de> for SeqOrMap {
            type Value = RawSlots;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of tokens, or a mapping from elements to tokens")
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<RawSlots, E> {
                Ok(RawSlots::Word)
            }

            fn visit_unit<E: Error>(self) -> Result<RawSlots, E> {
                Ok(RawSlots::Word)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<RawSlots, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(RawSlots::All)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawSlots, A::Error> {
                pairs(map).map(RawSlots::Some)
            }
        }
        deserializer.deserialize_any(SeqOrMap)
    }
}

impl<'de> Deserialize<'de> for RawTokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrEach;
        impl<'de> Visitor<'de> for OneOrEach {
            type Value = RawTokens;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a token, or a list of them")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<RawTokens, E> {
                Ok(RawTokens::One(Some(text.to_owned())))
            }

            fn visit_unit<E: Error>(self) -> Result<RawTokens, E> {
                Ok(RawTokens::One(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<RawTokens, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(RawTokens::Each)
            }
        }
        deserializer.deserialize_any(OneOrEach)
    }
}

impl<'de> Deserialize<'de> for RawCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counts;
        impl<'de> Visitor<'de> for Counts {
            type Value = RawCounts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping from patterns to numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawCounts, A::Error> {
                pairs(map).map(RawCounts)
            }
        }
        deserializer.deserialize_map(Counts)
    }
}

/// All entries of a mapping, in their order.
pub(super) fn pairs<'de, K, V, A>(mut map: A) -> Result<Vec<(K, V)>, A::Error>
where
    K: Deserialize<'de>,
    V: Deserialize<'de>,
    A: MapAccess<'de>,
{
    let mut pairs = Vec::new();
    while let Some(pair) = map.next_entry()? {
        pairs.push(pair);
    }
    Ok(pairs)
}

impl JsonSchema for RawSlots {
    fn schema_name() -> Cow<'static, str> {
        "Slots".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let token = generator.subschema_for::<Value<Token>>();
        let each = json_schema!({ "type": "array", "items": token });
        json_schema!({
            "oneOf": [
                each.clone(),
                {
                    "type": "object",
                    "patternProperties": {
                        "^[0-9]+(-[0-9]+)?$": { "oneOf": [token.clone(), each] },
                        "^rest$": token
                    },
                    "additionalProperties": false
                }
            ]
        })
    }
}

impl JsonSchema for RawCounts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Counts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": { "type": "integer", "minimum": 0 }
        })
    }
}
