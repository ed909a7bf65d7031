//! The wall around the YAML library: the only file that names it.
//!
//! It reads a text into a tree of one type, which is all that the library is
//! compiled for, and checks that against a [`Shape`]. Everything else sees a tree
//! of [`Node`]s and, for what is wrong, a [`Fault`].

mod fault;
mod recover;
mod renamed;
mod shape;
mod tree;

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Deserializer};
use serde_yaml::{Error, Location, Spanned, budget::BudgetBreach};

pub(crate) use fault::Fault;
pub(crate) use shape::{Any, Definitions, Key, Shape, keys};
pub(crate) use tree::Node;
pub use tree::Span;

use crate::code::Code;
use crate::limits::{MAX_DEPTH, MAX_EVENTS, MAX_NODES};
use crate::old_words::OldWord;
use tree::{KeyNode, Kind};

/// Reads one document of this `shape`, and lists the old words in it.
pub(crate) fn read(file: &Path, text: &str, shape: &Shape) -> (Result<Node, Fault>, Vec<OldWord>) {
    let mut root = match tree(text) {
        Ok(root) => root,
        Err(fault) => return (Err(fault), Vec::new()),
    };
    let old = renamed::renew(&mut root, file, text);
    (check(&root, shape).map(|()| root), old)
}

fn check(root: &Node, shape: &Shape) -> Result<(), Fault> {
    let of_list = root.list().is_some();
    let checked = shape.check(root);
    checked.map_err(|fault| Fault { of_list, ..*fault })
}

/// Mistakes of one document that are looked for.
const MISTAKES: usize = 50;

/// Reads as much of a document of this `shape` as can be read, and lists its mistakes and its
/// old words.
pub(crate) fn read_all(
    file: &Path,
    text: &str,
    shape: &Shape,
) -> (Option<Node>, Vec<Fault>, Vec<OldWord>) {
    let mut faults = Vec::new();
    let read = tree(text).or_else(|fault| {
        let left = recover::without_broken(text, &fault);
        faults.push(fault);
        tree(&left.unwrap_or_default())
    });
    let Ok(mut root) = read else {
        return (None, faults, Vec::new());
    };
    let old = renamed::renew(&mut root, file, text);
    while let Err(fault) = check(&root, shape) {
        let recovered = faults.len() < MISTAKES && recover::recover(&mut root, &fault);
        faults.push(fault);
        if !recovered {
            return (None, faults, old);
        }
    }
    (Some(root), faults, old)
}

/// The old words of a document, whatever else may be wrong with it.
pub(crate) fn old_words(file: &Path, text: &str) -> Result<Vec<OldWord>, Fault> {
    let mut root = tree(text)?;
    Ok(renamed::renew(&mut root, file, text))
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
        return Err(*Fault::at(
            Code::MissingKey,
            "the file is empty",
            &root.span,
        ));
    }
    let mut left = MAX_NODES;
    // The library counts what is written and what is repeated apart.
    let settled = root.settle(text, &mut left);
    settled.map_err(|beyond| Fault {
        span: Some(beyond),
        ..Fault::too_large()
    })?;
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
    let span = error.location().and_then(|at| span_in(at, text));
    let limit = |fault: Fault| (fault.code, fault.message);
    let (code, message) = match error {
        Error::AliasError { error, .. } => {
            return Fault {
                span,
                ..fault(*error, text)
            };
        }
        Error::WithSnippet { error, .. } => return fault(*error, text),
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
        Error::Budget {
            breach: BudgetBreach::Depth { .. },
            ..
        }
        | Error::AliasReplayStackDepthExceeded { .. } => limit(Fault::too_deep()),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => limit(Fault::too_large()),
        // The scanner looks ahead of the budget and has no error of its own for this.
        Error::ExternalMessage { ref msg, .. } if msg == "recursion limit exceeded" => {
            limit(Fault::too_deep())
        }
        // A word that is not what its tag says.
        Error::InvalidScalar { .. }
        | Error::InvalidBooleanStrict { .. }
        | Error::TaggedScalarCannotDeserializeIntoString { .. } => (
            Code::WrongKind,
            format!("the wrong kind of value: {}", plain(&error)),
        ),
        // A key; of a value nothing is asked while the tree is read.
        Error::Unexpected { .. } | Error::NullIntoString { .. } => {
            (Code::WrongKind, format!("{} is expected here", shape::WORD))
        }
        _ => {
            let why = plain(&error);
            let lines = if why.contains("found a tab") { 2 } else { 1 };
            let tab = span.as_ref().and_then(|at| indenting_tab(at, lines, text));
            if let Some(tab) = tab {
                let message = "YAML is indented with spaces, this is a tab";
                return *Fault::at(Code::Syntax, message, &tab);
            }
            (Code::Syntax, format!("this is no valid YAML: {why}"))
        }
    };
    Fault {
        span,
        ..Fault::new(code, message)
    }
}

/// The library's message without position and snippet: the diagnostic has its own.
fn plain(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(" at line ").next().unwrap_or(line);
    line.trim_start_matches("error: ").trim().to_owned()
}
