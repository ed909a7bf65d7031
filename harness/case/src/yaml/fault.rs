//! What keeps a document from being read.

use super::shape::Key;
use super::tree::{Node, Span};
use crate::code::Code;
use crate::limits::{MAX_DEPTH, MAX_NODES};

/// What keeps a document from being read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// Kind of mistake.
    pub(crate) code: Code,
    /// What is wrong, in one line.
    pub(crate) message: String,
    /// Where, if it is known.
    pub(crate) span: Option<Span>,
    /// The word that was not known, and those that are.
    pub(crate) unknown: Option<(String, Vec<&'static str>)>,
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

    /// One at `span`; in a box, so that what is read well does not carry the room for it.
    pub(super) fn at(code: Code, message: impl Into<String>, span: &Span) -> Box<Self> {
        Box::new(Self {
            span: Some(span.clone()),
            ..Self::new(code, message)
        })
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
        Self::at(Code::WrongKind, format!("{wanted} is expected here"), span)
    }

    /// A key that is none of these.
    pub(super) fn unknown_key(key: &Node, known: &[Key]) -> Box<Self> {
        let name = key.word();
        // What the ISA has elsewhere is no slip of the keys.
        let none = match name {
            "predicate" => Some("ptodiff has no predicate operand: its documents have none"),
            "cores" => Some("ptodiff has one core: a case cannot say what several do"),
            _ => None,
        };
        if let Some(none) = none {
            return Self::at(Code::NotHere, none, &key.span);
        }
        let message = format!("there is no key `{name}` here");
        Self::unknown(Code::UnknownKey, message, name, &key.span, known)
    }

    /// A name that is none of these.
    pub(super) fn unknown_name(name: &str, span: &Span, known: &[Key]) -> Box<Self> {
        let message = format!("`{name}` is not a name that is known here");
        Self::unknown(Code::UnknownName, message, name, span, known)
    }

    fn unknown(code: Code, message: String, word: &str, span: &Span, known: &[Key]) -> Box<Self> {
        let known = known.iter().map(|key| key.name).collect();
        Box::new(Self {
            unknown: Some((word.to_owned(), known)),
            ..*Self::at(code, message, span)
        })
    }
}
