//! The wall around the YAML library: the only file that names it.
//!
//! Everything else sees [`Located`] values and, for what serde finds wrong, a [`Fault`].

use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_yaml::{Error, Location, Spanned};

use crate::code::Code;
use crate::limits::{MAX_DEPTH, MAX_EVENTS, MAX_NODES};

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

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        let span = span_of(spanned.defined)
            .or_else(|| span_of(spanned.referenced))
            .unwrap_or_default();
        Ok(Self {
            value: spanned.value,
            span,
        })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// What keeps a text from being read into its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// Kind of mistake.
    pub(crate) code: Code,
    /// What is wrong, in one line.
    pub(crate) message: String,
    /// Where, if the library knows.
    pub(crate) span: Option<Span>,
    /// The word that was not known, and those that are.
    pub(crate) unknown: Option<(String, Vec<&'static str>)>,
}

/// Reads one document.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let options = serde_yaml::options! {
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
        // Where YAML sees a number, what it means is not YAML's to say.
        non_finite_float_policy: serde_yaml::options::NonFiniteFloatPolicy::PassThrough,
        duplicate_keys: serde_yaml::options::DuplicateKeyPolicy::Error,
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: MAX_EVENTS / 4,
            max_replay_stack_depth: MAX_DEPTH,
        },
        budget: serde_yaml::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: MAX_EVENTS,
            max_documents: 2,
            // A shared operand may well be used by hundreds of cases; replayed
            // events are what costs, and they are counted above.
            enforce_alias_anchor_ratio: false,
        },
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| fault(error, text))
}

fn span_of(location: Location) -> Option<Span> {
    if location == Location::UNKNOWN {
        return None;
    }
    let bytes = bytes_of(location).unwrap_or(0..0);
    Some(Span {
        line: u32::try_from(location.line()).ok()?,
        column: u32::try_from(location.column()).ok()?,
        bytes,
    })
}

fn bytes_of(location: Location) -> Option<Range<usize>> {
    let start = usize::try_from(location.span().byte_offset()?).ok()?;
    let len = usize::try_from(location.span().byte_len()?).ok()?;
    Some(start..start.saturating_add(len))
}

/// The span of an error. The parser's own errors count characters only.
fn span_in(location: Location, text: &str) -> Option<Span> {
    let mut span = span_of(location)?;
    if bytes_of(location).is_none() {
        let skip = usize::try_from(location.span().offset()).ok()?;
        let at = text
            .char_indices()
            .nth(skip)
            .map_or(text.len(), |(at, _)| at);
        span.bytes = at..at;
    }
    Some(span)
}

fn fault(error: Error, text: &str) -> Fault {
    let span = error.location().and_then(|at| span_in(at, text));
    let mut unknown = None;
    let (code, message) = match error {
        Error::AliasError { error, .. } => {
            return Fault {
                span,
                ..fault(*error, text)
            };
        }
        Error::WithSnippet { error, .. } => return fault(*error, text),
        Error::SerdeUnknownField {
            field, expected, ..
        } => {
            let message = format!("there is no key `{field}` here");
            unknown = Some((field, expected));
            (Code::UnknownKey, message)
        }
        Error::SerdeUnknownVariant {
            variant, expected, ..
        } => {
            let message = format!("`{variant}` is not a name that is known here");
            unknown = Some((variant, expected));
            (Code::UnknownName, message)
        }
        Error::SerdeMissingField { field, .. } => {
            (Code::MissingKey, format!("the key `{field}` is missing"))
        }
        Error::DuplicateMappingKey { key, .. } => (
            Code::DuplicateKey,
            match key {
                Some(key) => format!("the key `{key}` is given twice"),
                None => "a key is given twice".to_owned(),
            },
        ),
        Error::MultipleDocuments { .. } => (
            Code::ManyDocuments,
            "a file is one document, this text has more".to_owned(),
        ),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => (
            Code::TooComplex,
            format!(
                "the document is larger or deeper than it may be: {}",
                plain(&error)
            ),
        ),
        Error::Unexpected { expected, .. } => {
            let wanted = match expected {
                "string scalar" => "one word or number",
                "mapping start" => "a mapping, `key: value` or `{key: value}`,",
                "sequence start" => "a list, `[a, b]`,",
                other => other,
            };
            (Code::WrongKind, format!("{wanted} is expected here"))
        }
        Error::Eof { .. } => (Code::MissingKey, "the file is empty".to_owned()),
        Error::ExpectedMappingEndAfterEnumVariantValue { .. } => (
            Code::WrongKind,
            "data is made in one way, so this mapping has one key".to_owned(),
        ),
        // The scanner looks ahead of the budget and has no error of its own for this.
        Error::ExternalMessage { ref msg, .. } if msg == "recursion limit exceeded" => (
            Code::TooComplex,
            format!("containers nest deeper than {MAX_DEPTH} levels"),
        ),
        Error::Message { .. }
        | Error::NullIntoString { .. }
        | Error::SerdeInvalidType { .. }
        | Error::SerdeInvalidValue { .. }
        | Error::SerdeInvalidLength { .. }
        | Error::InvalidScalar { .. }
        | Error::UnexpectedValueForUnit { .. }
        | Error::UnexpectedValueForUnitEnumVariant { .. }
        | Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. }
        | Error::ExpectedStringKeyForExternallyTaggedEnum { .. }
        | Error::UnexpectedSequenceEnd { .. }
        | Error::UnexpectedMappingEnd { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. } => (
            Code::WrongKind,
            format!("the wrong kind of value: {}", plain(&error)),
        ),
        _ => (
            Code::Syntax,
            format!("this is no valid YAML: {}", plain(&error)),
        ),
    };
    Fault {
        code,
        message,
        span,
        unknown,
    }
}

/// The library's message without position and snippet: the diagnostic has its own.
fn plain(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(" at line ").next().unwrap_or(line);
    line.trim_start_matches("error: ").trim().to_owned()
}
