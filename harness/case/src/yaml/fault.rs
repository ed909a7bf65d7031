//! What keeps a text from being read into its type.

use std::fmt;

use serde::de;

use super::Span;
use crate::code::Code;
use crate::limits::{MAX_DEPTH, MAX_NODES};

/// What keeps a text from being read into its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// Kind of mistake.
    pub(crate) code: Code,
    /// What is wrong, in one line.
    pub(crate) message: String,
    /// Where, if it is known.
    pub(crate) span: Option<Span>,
    /// The word that was not known, and those that are.
    pub(crate) unknown: Option<(String, &'static [&'static str])>,
    /// Whether the document is a list, which no document may be.
    pub(crate) of_list: bool,
    /// Whether it is a list in another, which none may be.
    pub(crate) in_list: bool,
}

impl Fault {
    /// One without a place.
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span: None,
            unknown: None,
            of_list: false,
            in_list: false,
        }
    }

    /// A document with too many values.
    pub(super) fn too_large() -> Self {
        let message = format!("the document has more than {MAX_NODES} values, aliases expanded");
        Self::new(Code::TooComplex, message)
    }

    /// A document with containers in too many others.
    pub(super) fn too_deep() -> Self {
        let message = format!("containers nest deeper than {MAX_DEPTH} levels");
        Self::new(Code::TooComplex, message)
    }

    /// A value that is not of the kind that is wanted at `span`.
    pub(super) fn expected(wanted: &str, span: &Span) -> Box<Self> {
        let fault = Self::new(Code::WrongKind, format!("{wanted} is expected here"));
        Box::new(fault).at(span)
    }

    /// The same at `span`, if it has no place yet.
    pub(super) fn at(mut self: Box<Self>, span: &Span) -> Box<Self> {
        self.span.get_or_insert_with(|| span.clone());
        self
    }

    fn unknown(code: Code, message: String, word: &str, known: &'static [&'static str]) -> Self {
        Self {
            unknown: Some((word.to_owned(), known)),
            ..Self::new(code, message)
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// In a box, so that what is read well does not carry the room for it.
impl de::Error for Box<Fault> {
    #[cold]
    fn custom<T: fmt::Display>(what: T) -> Self {
        let message = format!("the wrong kind of value: {what}");
        Self::new(Fault::new(Code::WrongKind, message))
    }

    #[cold]
    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        // What the ISA has elsewhere is no slip of the keys.
        let none = match field {
            "predicate" => Some("ptodiff has no predicate operand: its documents have none"),
            "cores" => Some("ptodiff has one core: a case cannot say what several do"),
            _ => None,
        };
        if let Some(none) = none {
            return Self::new(Fault::new(Code::NotHere, none));
        }
        let message = format!("there is no key `{field}` here");
        Self::new(Fault::unknown(Code::UnknownKey, message, field, known))
    }

    #[cold]
    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        let message = format!("`{variant}` is not a name that is known here");
        Self::new(Fault::unknown(Code::UnknownName, message, variant, known))
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        let message = format!("the key `{field}` is missing");
        Self::new(Fault::new(Code::MissingKey, message))
    }
}
