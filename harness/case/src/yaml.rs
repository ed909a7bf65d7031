//! The wall around the YAML library: the only file that names it.
//!
//! It reads a text into a tree of one type, which is all that the library is
//! compiled for, and checks that against a [`Shape`]. Everything else sees a tree
//! of [`Node`]s and, for what is wrong, a [`Fault`].

mod recover;
mod renamed;
mod shape;
mod tree;

use std::ops::Range;

use serde::{Deserialize, Deserializer};
use serde_yaml::{Error, Location, Spanned, budget::BudgetBreach};

pub(crate) use shape::{Definitions, Key, Shape, keys};
pub(crate) use tree::Node;
pub use tree::Span;

use crate::code::Code;
use crate::limits::{MAX_DEPTH, MAX_EVENTS, MAX_NODES};
use crate::notes::Notes;
use tree::{KeyNode, Kind};

/// Reads as much of a document of this `shape` as can be read: what is left of it has the
/// shape. The list that it is for stands under `key`.
pub(crate) fn read(notes: &mut Notes<'_>, shape: &Shape, key: &str) -> Option<Node> {
    let mut root = document(notes)?;
    let checked = shape.check(&mut root, notes);
    if let (None, Some(_), Some(last)) = (checked, root.list(), notes.found.last_mut()) {
        last.help = Some(format!("write `{key}:` before the list"));
    }
    checked.map(|()| root)
}

/// Reads a document, whatever stands in it; its old words are noted and replaced.
pub(crate) fn document(notes: &mut Notes<'_>) -> Option<Node> {
    let read = tree(notes.text).or_else(|fault| {
        let left = recover::without_broken(notes.text, &fault.span);
        notes.add(fault.code, &fault.span, fault.message, "");
        tree(&left.unwrap_or_default())
    });
    let mut root = read.ok()?;
    renamed::renew(&mut root, notes);
    Some(root)
}

/// Why a text is no document, and where.
struct Fault {
    code: Code,
    message: String,
    span: Span,
}

impl Fault {
    fn new(code: Code, message: impl Into<String>, span: Span) -> Self {
        let message = message.into();
        Self {
            code,
            message,
            span,
        }
    }

    fn too_large(span: Span) -> Self {
        let message = format!("the document has more than {MAX_NODES} values, aliases expanded");
        Self::new(Code::TooComplex, message, span)
    }

    fn too_deep(span: Span) -> Self {
        let message = format!("containers nest deeper than {MAX_DEPTH} levels");
        Self::new(Code::TooComplex, message, span)
    }
}

/// One document as it was written.
fn tree(text: &str) -> Result<Node, Fault> {
    let options = serde_yaml::options! {
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
        // Where YAML sees a number, what it means is not YAML's to say.
        non_finite_float_policy: serde_yaml::options::NonFiniteFloatPolicy::PassThrough,
        duplicate_keys: serde_yaml::options::DuplicateKeyPolicy::Error,
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: MAX_EVENTS,
            max_replay_stack_depth: MAX_DEPTH,
        },
        budget: serde_yaml::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: MAX_EVENTS,
            max_documents: 2,
            // A shared operand may well be used by hundreds of cases; what it
            // costs is counted above and below.
            max_aliases: MAX_EVENTS,
            max_anchors: MAX_NODES,
            max_merge_keys: MAX_NODES,
            enforce_alias_anchor_ratio: false,
        },
    };
    let mut root: Node =
        serde_yaml::from_str_with_options(text, options).map_err(|error| fault(error, text))?;
    if root.is_null() && root.span.bytes.is_empty() {
        return Err(Fault::new(Code::MissingKey, "the file is empty", root.span));
    }
    let mut left = MAX_NODES;
    // The library counts what is written and what is repeated apart.
    let settled = root.settle(text, &mut left);
    settled.map_err(Fault::too_large)?;
    Ok(root)
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Kind>::deserialize(deserializer)?;
        Ok(Self {
            span: span_of_node(spanned.defined, spanned.referenced),
            kind: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for KeyNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<String>::deserialize(deserializer)?;
        Ok(Self(Node {
            span: span_of_node(spanned.defined, spanned.referenced),
            kind: Kind::Text(spanned.value),
        }))
    }
}

fn span_of_node(defined: Location, referenced: Location) -> Span {
    span_of(defined)
        .or_else(|| span_of(referenced))
        .unwrap_or_default()
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

/// A tab that indents the line on which YAML is broken, or the first of so many
/// `lines` from there: the parser may take it for more of the word before it.
fn indenting_tab(span: &Span, lines: usize, text: &str) -> Option<Span> {
    let mut start = 0;
    let placed = text.split_inclusive('\n').zip(1..).map(|(line, number)| {
        let at = start;
        start += line.len();
        (line, number, at)
    });
    let near = placed.filter(|(line, number, _)| *number >= span.line && !line.trim().is_empty());
    near.take(lines).find_map(|(line, number, at)| {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let tab = line[..indent].find('\t')?;
        Some(Span {
            line: number,
            column: tab as u32 + 1,
            bytes: at + tab..at + tab + 1,
        })
    })
}

fn fault(error: Error, text: &str) -> Fault {
    let at = error.location().and_then(|at| span_in(at, text));
    let span = at.clone().unwrap_or_default();
    match error {
        Error::AliasError { error, .. } => Fault {
            span,
            ..fault(*error, text)
        },
        Error::WithSnippet { error, .. } => fault(*error, text),
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.map_or("a key".to_owned(), |key| format!("the key `{key}`"));
            let message = format!("{key} is given twice");
            Fault::new(Code::DuplicateKey, message, span)
        }
        Error::MultipleDocuments { .. } => {
            let message = "a file is one document, this text has more";
            Fault::new(Code::ManyDocuments, message, span)
        }
        Error::Budget {
            breach: BudgetBreach::Depth { .. },
            ..
        }
        | Error::AliasReplayStackDepthExceeded { .. } => Fault::too_deep(span),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => Fault::too_large(span),
        // The scanner looks ahead of the budget and has no error of its own for this.
        Error::ExternalMessage { ref msg, .. } if msg == "recursion limit exceeded" => {
            Fault::too_deep(span)
        }
        // A word that is not what its tag says.
        Error::InvalidScalar { .. }
        | Error::InvalidBooleanStrict { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. } => {
            let message = format!("the wrong kind of value: {}", plain(&error));
            Fault::new(Code::WrongKind, message, span)
        }
        // A key; of a value nothing is asked while the tree is read.
        Error::Unexpected { .. } | Error::NullIntoString { .. } => {
            let message = format!("{} is expected here", shape::WORD);
            Fault::new(Code::WrongKind, message, span)
        }
        _ => {
            let why = plain(&error);
            let lines = if why.contains("found a tab") { 2 } else { 1 };
            match at.and_then(|at| indenting_tab(&at, lines, text)) {
                Some(tab) => {
                    let message = "YAML is indented with spaces, this is a tab";
                    Fault::new(Code::Syntax, message, tab)
                }
                None => Fault::new(Code::Syntax, format!("this is no valid YAML: {why}"), span),
            }
        }
    }
}

/// The library's message without position and snippet: the diagnostic has its own.
fn plain(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(" at line ").next().unwrap_or(line);
    line.trim_start_matches("error: ").trim().to_owned()
}
