//! A document as it was written, before anything is asked of it.
//!
//! One type for every file: the library is compiled for it alone.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};

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

/// A value or a key, and where it was written. An alias stands where its anchor does.
///
/// While it is read, the library counts at most `MAX_NODES` of them and
/// `MAX_EVENTS` events that aliases repeat, `MAX_DEPTH` deep: so memory and the
/// depth of whatever goes down the tree are bounded. [`Node::settle`] holds
/// both together to `MAX_NODES`.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Where it stands.
    pub(crate) span: Span,
    /// What it is.
    pub(super) kind: Kind,
}

/// What a node is.
#[derive(Debug, Default)]
pub(super) enum Kind {
    /// Nothing, or a word for it.
    #[default]
    Null,
    /// A word, without quotes and escapes.
    Text(String),
    /// A word that YAML takes for a number or a truth value. It stands in the text as it was
    /// written: what it means is not YAML's to say. [`Node::settle`] leaves those alone
    /// that a tag such as `!!int` makes of a text.
    Plain,
    /// A sequence.
    List(Vec<Node>),
    /// A mapping in its order, no key twice.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The word that stands there; nothing where it is none.
    pub(crate) fn word(&self) -> &str {
        match &self.kind {
            Kind::Text(text) => text,
            _ => "",
        }
    }

    /// Whether it is a word, or nothing at all.
    pub(crate) fn is_scalar(&self) -> bool {
        !matches!(self.kind, Kind::List(_) | Kind::Map(_))
    }

    /// Whether it is nothing.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    /// Whether it is a list or a mapping without an entry.
    pub(crate) fn is_empty(&self) -> bool {
        self.items().is_empty() && self.pairs().is_empty()
    }

    /// The entries of a list; none where it is none.
    pub(crate) fn list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(list) => Some(list),
            _ => None,
        }
    }

    /// The entries of a list; of anything else none.
    pub(crate) fn items(&self) -> &[Self] {
        self.list().unwrap_or_default()
    }

    /// The entries of a mapping, each with its key; of anything else none.
    pub(crate) fn pairs(&self) -> &[(Self, Self)] {
        match &self.kind {
            Kind::Map(pairs) => pairs,
            _ => &[],
        }
    }

    /// A name, and what stands with it: a word by itself, or a mapping from it.
    pub(crate) fn way(&self) -> (&str, Option<&Self>) {
        match self.pairs().first() {
            Some((name, value)) => (name.word(), Some(value)),
            None => (self.word(), None),
        }
    }

    /// What a mapping has under `key`.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let mut pairs = self.pairs().iter();
        pairs.find_map(|(name, value)| (name.word() == key).then_some(value))
    }

    /// Goes to what stands at `path` below: the value of a key, or for `*` each entry.
    pub(super) fn each(&mut self, path: &[&str], visit: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = path.split_first() else {
            return visit(self);
        };
        match &mut self.kind {
            Kind::List(list) if *first == "*" => {
                list.iter_mut().for_each(|node| node.each(rest, visit));
            }
            Kind::Map(pairs) => {
                let own = |key: &Self| *first == "*" || key.word() == *first;
                let own = pairs.iter_mut().filter(|(key, _)| own(key));
                own.for_each(|(_, value)| value.each(rest, visit));
            }
            _ => {}
        }
    }

    /// Takes every word as `text` has it, whatever YAML takes it for. The place of the first
    /// value, in order, that `left` leaves no room for.
    pub(super) fn settle(&mut self, text: &str, left: &mut usize) -> Result<(), Span> {
        let Some(rest) = left.checked_sub(1) else {
            return Err(self.span.clone());
        };
        *left = rest;
        match &mut self.kind {
            Kind::Null | Kind::Text(_) => Ok(()),
            Kind::Plain => {
                let written = text.get(self.span.bytes.clone()).unwrap_or_default().trim();
                if !written.is_empty() && !written.starts_with(['"', '\'', '|', '>']) {
                    self.kind = Kind::Text(written.to_owned());
                }
                Ok(())
            }
            Kind::List(list) => list.iter_mut().try_for_each(|node| node.settle(text, left)),
            Kind::Map(pairs) => pairs.iter_mut().try_for_each(|(key, value)| {
                key.settle(text, left)?;
                value.settle(text, left)
            }),
        }
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

/// Methods of a visitor to which the value of a scalar is all the same.
macro_rules! plain {
    ($($visit:ident $kind:ty),*) => {
        $(fn $visit<E: Error>(self, _: $kind) -> Result<Kind, E> {
            Ok(Kind::Plain)
        })*
    };
}

impl<'de> Visitor<'de> for Any {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    plain!(visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64);

    fn visit_unit<E: Error>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Kind, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Kind, E> {
        Ok(Kind::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Kind, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = seq.next_element()? {
            list.push(node);
        }
        Ok(Kind::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Kind::Map(pairs))
    }
}
