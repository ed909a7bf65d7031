//! The wall around the YAML library: the only file that names it.
//!
//! It reads a text into a tree of one type, which is all that the library is
//! compiled for, and checks that against a [`Shape`]. Everything else sees a tree
//! of [`Node`]s; what is wrong is in the [`Notes`].

mod recover;
mod renamed;
mod shape;
mod tree;

use serde::{Deserialize, Deserializer};
use serde_yaml::{Error, Location, Spanned, budget::BudgetBreach};

pub(crate) use shape::{Definitions, Key, Shape, keys};
pub(crate) use tree::Node;
pub use tree::Span;

use crate::code::Code;
use crate::limits::{MAX_DEPTH, MAX_EVENTS, MAX_NODES};
use crate::notes::Notes;
use tree::Kind;

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
    let fault = |(code, message), span| Fault {
        code,
        message,
        span,
    };
    let read = serde_yaml::from_str_with_options(text, options);
    let mut root: Node = read.map_err(|error| {
        let span = error.location().map(|at| span_of(at, text));
        let (why, span) = (why(&error), span.unwrap_or_default());
        match indenting_tab(&why, &span, text) {
            Some(tab) => {
                let message = "YAML is indented with spaces, this is a tab";
                fault((Code::Syntax, message.to_owned()), tab)
            }
            None => fault(why, span),
        }
    })?;
    if root.is_null() && root.span.bytes.is_empty() {
        let why = (Code::MissingKey, "the file is empty".to_owned());
        return Err(fault(why, root.span));
    }
    let mut left = MAX_NODES;
    // The library counts what is written and what is repeated apart.
    let settled = root.settle(text, &mut left);
    settled.map_err(|beyond| fault(too_large(), beyond))?;
    Ok(root)
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Kind>::deserialize(deserializer)?;
        let location = match spanned.defined {
            Location::UNKNOWN => spanned.referenced,
            known => known,
        };
        Ok(Self {
            span: span_of(location, ""),
            kind: spanned.value,
        })
    }
}

/// A place in `text`. The parser's own errors count characters only.
fn span_of(location: Location, text: &str) -> Span {
    let own = location.span();
    let start = own.byte_offset().map(|at| at as usize).unwrap_or_else(|| {
        let mut chars = text.char_indices();
        let at = chars.nth(own.offset() as usize);
        at.map_or(text.len(), |(at, _)| at)
    });
    Span {
        line: location.line() as u32,
        column: location.column() as u32,
        bytes: start..start + own.byte_len().unwrap_or(0) as usize,
    }
}

/// A tab that indents the line on which YAML is broken, or the next: the parser may take it for
/// more of the word before it.
fn indenting_tab((code, why): &(Code, String), span: &Span, text: &str) -> Option<Span> {
    let lines = match code {
        Code::Syntax if span.line > 0 => 1 + usize::from(why.contains("found a tab")),
        _ => 0,
    };
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

fn too_large() -> (Code, String) {
    let message = format!("the document has more than {MAX_NODES} values, aliases expanded");
    (Code::TooComplex, message)
}

/// What keeps a text from being a document.
fn why(error: &Error) -> (Code, String) {
    let too_deep = format!("containers nest deeper than {MAX_DEPTH} levels");
    match error {
        Error::AliasError { error, .. } | Error::WithSnippet { error, .. } => why(error),
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_ref().map(|key| format!("the key `{key}`"));
            let key = key.unwrap_or("a key".to_owned());
            (Code::DuplicateKey, format!("{key} is given twice"))
        }
        Error::MultipleDocuments { .. } => {
            let message = "a file is one document, this text has more";
            (Code::ManyDocuments, message.to_owned())
        }
        Error::Budget {
            breach: BudgetBreach::Depth { .. },
            ..
        }
        | Error::AliasReplayStackDepthExceeded { .. } => (Code::TooComplex, too_deep),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => too_large(),
        // The scanner looks ahead of the budget and has no error of its own for this.
        Error::ExternalMessage { msg, .. } if msg == "recursion limit exceeded" => {
            (Code::TooComplex, too_deep)
        }
        // A word that is not what its tag says.
        Error::InvalidScalar { .. }
        | Error::InvalidBooleanStrict { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. } => {
            let message = format!("the wrong kind of value: {}", plain(error));
            (Code::WrongKind, message)
        }
        _ => {
            let message = format!("this is no valid YAML: {}", plain(error));
            (Code::Syntax, message)
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
