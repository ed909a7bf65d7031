//! Typed values from a tree.

use std::slice;

use serde::de::value::U128Deserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::fault::Fault;
use super::located::{LOCATED, Place, Span};
use super::tree::{Kind, Node};
use crate::code::Code;

type Rejected = Box<Fault>;

pub(super) const WORD: &str = "one word or number";
const LIST: &str = "a list, `[a, b]`,";
const WAY: &str = "one word, or a mapping with one key,";
const MAP: &str = "a mapping, `key: value` or `{key: value}`,";

/// Reads what a node holds. Words are read as they were written, whatever YAML
/// takes them for; a key that is there has a value, so `null` is no option.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    node: &'a Node<'a>,
    /// Of the whole document.
    text: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(node: &'a Node<'a>, text: &'a str) -> Self {
        Self { node, text }
    }

    fn of(self, node: &'a Node<'a>) -> Self {
        Self { node, ..self }
    }

    fn expected(self, wanted: &str) -> Rejected {
        Fault::expected(wanted, &self.node.span)
    }

    fn word(self) -> Result<&'a str, Rejected> {
        match &self.node.kind {
            Kind::Text(text) => Ok(text),
            Kind::Plain => self.written(),
            Kind::Null | Kind::List(_) | Kind::Map(_) => Err(self.expected(WORD)),
        }
    }

    /// What stands in the text. It is without quotes, unless a tag such as
    /// `!!int` makes a number of a text.
    fn written(self) -> Result<&'a str, Rejected> {
        let bytes = self.node.span.bytes.clone();
        match self.text.get(bytes).map(str::trim) {
            Some(word) if !word.is_empty() && !word.starts_with(['"', '\'', '|', '>']) => Ok(word),
            _ => Err(self.expected("one word or number without a tag")),
        }
    }

    fn items(self) -> Result<Items<'a>, Rejected> {
        match &self.node.kind {
            Kind::List(nodes) => Ok(Items {
                reader: self,
                nodes: nodes.iter(),
            }),
            _ => Err(self.expected(LIST)),
        }
    }

    fn pairs(self) -> Result<Pairs<'a>, Rejected> {
        match &self.node.kind {
            Kind::Map(pairs) => Ok(Pairs {
                reader: self,
                pairs: pairs.iter(),
                value: None,
            }),
            _ => Err(self.expected(MAP)),
        }
    }

    /// Where a mapping lacks a key: at its last one, after which another fits.
    fn end(self) -> &'a Span {
        match &self.node.kind {
            Kind::Map(pairs) => pairs.last().map_or(&self.node.span, |(key, _)| &key.span),
            _ => &self.node.span,
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Rejected;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        let read = match &self.node.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Text(_) | Kind::Plain => visitor.visit_str(self.word()?),
            Kind::List(_) => visitor.visit_seq(self.items()?),
            Kind::Map(_) => visitor.visit_map(self.pairs()?),
        };
        read.map_err(|fault| fault.at(&self.node.span))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        visitor
            .visit_str(self.word()?)
            .map_err(|fault: Rejected| fault.at(&self.node.span))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        debug_assert_eq!(name, LOCATED, "the format has no other");
        visitor.visit_enum(Placed(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        visitor
            .visit_map(self.pairs()?)
            .map_err(|fault| fault.at(self.end()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        let alone = |kind| Node {
            span: self.node.span.clone(),
            kind,
        };
        // No name is spelt like this, so the answer is the list of those that are.
        let unnamed = alone(Kind::Text("~".into()));
        let nothing = alone(Kind::Null);
        let (name, value, second) = match &self.node.kind {
            Kind::Map(pairs) => match pairs.as_slice() {
                [] => return Err(self.expected(WAY)),
                [(name, value), more @ ..] => (name, value, more.first()),
            },
            Kind::List(_) => return Err(self.expected(WAY)),
            _ => (self.node, &nothing, None),
        };
        let name = match name.kind {
            Kind::Null => &unnamed,
            _ => name,
        };
        let (name, value) = (Reader::new(name, self.text), Reader::new(value, self.text));
        let read = visitor.visit_enum(Way { name, value })?;
        let Some((key, _)) = second else {
            return Ok(read);
        };
        let message = "data is made in one way, so this mapping has one key";
        let fault = Fault::new(Code::WrongKind, message);
        Err(Box::new(fault).at(&key.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string
        bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}

/// The entries of a list.
struct Items<'a> {
    reader: Reader<'a>,
    nodes: slice::Iter<'a, Node<'a>>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Rejected;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Rejected> {
        let Some(node) = self.nodes.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(self.reader.of(node)).map(Some);
        read.map_err(|mut fault| {
            let is_it = fault.span.as_ref() == Some(&node.span);
            fault.in_list |= is_it && matches!(node.kind, Kind::List(_));
            fault
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.nodes.len())
    }
}

/// The entries of a mapping.
struct Pairs<'a> {
    reader: Reader<'a>,
    pairs: slice::Iter<'a, (Node<'a>, Node<'a>)>,
    /// Of the key that was read last.
    value: Option<&'a Node<'a>>,
}

impl<'de> MapAccess<'de> for Pairs<'_> {
    type Error = Rejected;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Rejected> {
        let Some((key, value)) = self.pairs.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(self.reader.of(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Rejected> {
        match self.value.take() {
            Some(value) => seed.deserialize(self.reader.of(value)),
            None => Err(Rejected::custom("a value without a key")),
        }
    }
}

/// One way of several: its name, and what stands there with it.
struct Way<'a> {
    name: Reader<'a>,
    value: Reader<'a>,
}

impl<'de, 'a> EnumAccess<'de> for Way<'a> {
    type Error = Rejected;
    type Variant = Content<'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'a>), Rejected> {
        Ok((seed.deserialize(self.name)?, Content(self.value)))
    }
}

/// A value with its place, which to serde is the name of its one variant.
struct Placed<'a>(Reader<'a>);

impl<'de, 'a> EnumAccess<'de> for Placed<'a> {
    type Error = Rejected;
    type Variant = Content<'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'a>), Rejected> {
        let place: U128Deserializer<Rejected> =
            Place::pack(&self.0.node.span).0.into_deserializer();
        Ok((seed.deserialize(place)?, Content(self.0)))
    }
}

/// What stands behind a name.
struct Content<'a>(Reader<'a>);

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = Rejected;

    fn unit_variant(self) -> Result<(), Rejected> {
        match self.0.node.kind {
            Kind::Null => Ok(()),
            _ => Err(self.0.expected("nothing")),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Rejected> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Rejected> {
        self.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        self.0.deserialize_map(visitor)
    }
}
