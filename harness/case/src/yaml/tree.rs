//! A document as it was written, before anything is asked of it.
//!
//! One type for every file: the library is compiled for it alone.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Span;

/// A value or a key of the text `'t`.
///
/// While it is read, the library counts at most `MAX_NODES` of them and
/// `MAX_EVENTS` events that aliases repeat, `MAX_DEPTH` deep: so memory and the
/// depth of whatever goes down the tree are bounded. [`Node::beyond`] holds
/// both together to `MAX_NODES`.
#[derive(Debug)]
pub(super) struct Node<'t> {
    /// Where it stands.
    pub(super) span: Span,
    /// What it is.
    pub(super) kind: Kind<'t>,
}

/// A key, which is [`Kind::Text`]: the library rejects every other.
pub(super) struct Key<'t>(pub(super) Node<'t>);

/// The text of a key.
pub(super) struct KeyText<'t>(pub(super) Cow<'t, str>);

/// What a node is.
#[derive(Debug)]
pub(super) enum Kind<'t> {
    /// Nothing, or a word for it.
    Null,
    /// A word that is text to YAML, without quotes and escapes.
    Text(Cow<'t, str>),
    /// A word that YAML takes for a number or a truth value. It stands in the
    /// text as it was written: what it means is not YAML's to say.
    Plain,
    /// A sequence.
    List(Vec<Node<'t>>),
    /// A mapping in its order, no key twice.
    Map(Vec<(Node<'t>, Node<'t>)>),
}

impl Node<'_> {
    /// What stands there, where YAML takes it for text.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text() == Some(text)
    }

    /// Goes to the entries of a list; to none of anything else.
    pub(super) fn each_item(&mut self, visit: impl FnMut(&mut Self)) {
        if let Kind::List(list) = &mut self.kind {
            list.iter_mut().for_each(visit);
        }
    }

    /// Goes to the values of a mapping; to none of anything else.
    pub(super) fn each_value(&mut self, mut visit: impl FnMut(&mut Self)) {
        if let Kind::Map(pairs) = &mut self.kind {
            pairs.iter_mut().for_each(|(_, value)| visit(value));
        }
    }

    /// Goes to the value that a mapping has under `key`.
    pub(super) fn each_entry(&mut self, key: &str, mut visit: impl FnMut(&mut Self)) {
        if let Kind::Map(pairs) = &mut self.kind {
            let own = pairs.iter_mut().filter(|(name, _)| name.is(key));
            own.for_each(|(_, value)| visit(value));
        }
    }

    /// The first value, in order, for which `left` leaves no place.
    pub(super) fn beyond(&self, left: &mut usize) -> Option<&Self> {
        let Some(rest) = left.checked_sub(1) else {
            return Some(self);
        };
        *left = rest;
        match &self.kind {
            Kind::Null | Kind::Text(_) | Kind::Plain => None,
            Kind::List(list) => list.iter().find_map(|node| node.beyond(left)),
            Kind::Map(pairs) => pairs
                .iter()
                .find_map(|(key, value)| key.beyond(left).or_else(|| value.beyond(left))),
        }
    }
}

impl<'t> Deserialize<'t> for Kind<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

/// Methods of a visitor to which the value of a scalar is all the same.
macro_rules! plain {
    ($($visit:ident $kind:ty),*) => {
        $(fn $visit<E: Error>(self, _: $kind) -> Result<Kind<'t>, E> {
            Ok(Kind::Plain)
        })*
    };
}

impl<'t> Visitor<'t> for Any {
    type Value = Kind<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    plain!(visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64);

    fn visit_unit<E: Error>(self) -> Result<Kind<'t>, E> {
        Ok(Kind::Null)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<Kind<'t>, E> {
        Ok(Kind::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Kind<'t>, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Kind<'t>, E> {
        Ok(Kind::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut seq: A) -> Result<Kind<'t>, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = seq.next_element()? {
            list.push(node);
        }
        Ok(Kind::List(list))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Kind<'t>, A::Error> {
        let mut pairs = Vec::new();
        while let Some((Key(key), value)) = map.next_entry()? {
            pairs.push((key, value));
        }
        Ok(Kind::Map(pairs))
    }
}

impl<'t> Deserialize<'t> for KeyText<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneKey)
    }
}

struct OneKey;

impl<'t> Visitor<'t> for OneKey {
    type Value = KeyText<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<KeyText<'t>, E> {
        Ok(KeyText(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<KeyText<'t>, E> {
        Ok(KeyText(Cow::Owned(text.to_owned())))
    }
}
