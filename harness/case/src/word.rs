//! Scalars of a case file: kept as written, with the kind of word that is expected.
//!
//! Nothing is converted while reading, so that no parser rounds a literal and
//! so that every bad word of a file is reported, not only the first.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// A scalar as written, of which a `K` is expected.
#[derive(Debug)]
pub(crate) struct Word<K> {
    /// Its characters.
    pub(crate) text: String,
    kind: PhantomData<K>,
}

impl<K> Clone for Word<K> {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            kind: PhantomData,
        }
    }
}

impl<'de, K> Deserialize<'de> for Word<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = String;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one word or number")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
                Ok(text.to_owned())
            }

            fn visit_string<E: Error>(self, text: String) -> Result<String, E> {
                Ok(text)
            }
        }
        Ok(Self {
            text: deserializer.deserialize_str(Text)?,
            kind: PhantomData,
        })
    }
}

/// What a word may be, as a JSON Schema says it.
pub(crate) trait Kind {
    /// The schema of such a word.
    fn schema() -> Schema;
}

impl<K: Kind> JsonSchema for Word<K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn schema_id() -> Cow<'static, str> {
        std::any::type_name::<K>().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        K::schema()
    }
}

/// An enumeration with its names.
pub(crate) trait Named: Copy + std::str::FromStr + 'static {
    /// Every name it has.
    fn names() -> Vec<&'static str>;
}

impl<T> Named for T
where
    T: Copy + std::str::FromStr + strum::VariantArray + Into<&'static str> + 'static,
{
    fn names() -> Vec<&'static str> {
        T::VARIANTS.iter().map(|v| (*v).into()).collect()
    }
}

/// One of the names of `T`.
#[derive(Debug)]
pub(crate) struct OneOf<T>(PhantomData<T>);

impl<T: Named> Kind for OneOf<T> {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "enum": T::names() })
    }
}

/// One of the names of `A` or of `B`; which, another key decides.
#[derive(Debug)]
pub(crate) struct EitherOf<A, B>(PhantomData<(A, B)>);

impl<A: Named, B: Named> Kind for EitherOf<A, B> {
    fn schema() -> Schema {
        let mut names = A::names();
        for name in B::names() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        json_schema!({ "type": "string", "enum": names })
    }
}

/// A whole number, 0 or more.
#[derive(Debug)]
pub(crate) struct Count;

impl Kind for Count {
    fn schema() -> Schema {
        json_schema!({ "type": "integer", "minimum": 0 })
    }
}

/// An extent or stride: a static one as a plain number, a dynamic one as `dyn 9`.
#[derive(Debug)]
pub(crate) struct Extent;

impl Kind for Extent {
    fn schema() -> Schema {
        json_schema!({
            "oneOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "pattern": "^dyn +[0-9]+$" }
            ]
        })
    }
}

/// An element's value, or the bits of one.
#[derive(Debug)]
pub(crate) struct Literal;

impl Kind for Literal {
    fn schema() -> Schema {
        json_schema!({ "type": ["number", "string"] })
    }
}

/// The number of a clause.
#[derive(Debug)]
pub(crate) struct ClauseId;

impl Kind for ClauseId {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+-[0-9]+$" })
    }
}

/// A name of at most 200 characters.
#[derive(Debug)]
pub(crate) struct CaseName;

impl Kind for CaseName {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 200 })
    }
}

/// A hole: kind, targets, clauses, place.
#[derive(Debug)]
pub(crate) struct HoleText;

impl Kind for HoleText {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^[a-z-]+ [a-z0-9/]+ [A-Z0-9+-]+ [a-z-]+$" })
    }
}

/// A line for people.
#[derive(Debug)]
pub(crate) struct Prose;

impl Kind for Prose {
    fn schema() -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A file below the folder of the case file.
#[derive(Debug)]
pub(crate) struct NpyPath;

impl Kind for NpyPath {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "minLength": 1 })
    }
}

/// The choice of a reading.
#[derive(Debug)]
pub(crate) struct Choice;

impl Kind for Choice {
    fn schema() -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// The letter of a gap's reading.
#[derive(Debug)]
pub(crate) struct Answer;

impl Kind for Answer {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^[a-z]$" })
    }
}

/// What an element holds.
#[derive(Debug)]
pub(crate) struct Token;

impl Kind for Token {
    fn schema() -> Schema {
        json_schema!({ "type": ["number", "string"] })
    }
}

/// An element's number, a range of them, or `rest`.
#[derive(Debug)]
pub(crate) struct Elements;

impl Kind for Elements {
    fn schema() -> Schema {
        json_schema!({ "type": ["integer", "string"] })
    }
}

/// A text with `*` for any text.
#[derive(Debug)]
pub(crate) struct Pattern;

impl Kind for Pattern {
    fn schema() -> Schema {
        json_schema!({ "type": "string", "minLength": 1 })
    }
}
