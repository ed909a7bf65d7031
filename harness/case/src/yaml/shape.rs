//! What may stand at a place of a document: checked before anything is read from it, and
//! told to editors as a JSON Schema.

use serde_json::{Map as Object, Value as Json, json};

use super::Fault;
use super::tree::{Kind, Node};
use crate::code::Code;

/// What may stand at a place of a document.
pub(crate) enum Shape {
    /// Nothing but the name that it stands behind.
    Nothing,
    /// One word or number, of which a JSON Schema says this.
    Word(fn() -> Json),
    /// A list of these; how many at least and at most, only a JSON Schema says.
    List(&'static Self, Option<[usize; 2]>),
    /// A mapping with these keys, of which some have to be there. One that is there has a
    /// value: an empty one is a mistake.
    Map(&'static [Key], &'static [&'static str]),
    /// A mapping from any words to these, of which a JSON Schema says more.
    Pairs(&'static Self, fn(&mut Definitions) -> Json),
    /// The name of one of these, where it is all there is, or a mapping from it to that.
    Way(&'static [Key]),
    /// A word, or what else may stand in its place.
    Any(&'static Any),
    /// This, with a name and a text in a JSON Schema.
    Named(&'static str, &'static str, &'static Self),
}

/// A key, and what stands under it.
pub(crate) struct Key {
    /// The key.
    pub(crate) name: &'static str,
    /// What editors show, in lines that begin with a space.
    pub(crate) about: &'static str,
    /// What stands there.
    pub(crate) shape: Shape,
}

/// What may stand in the place of a word.
pub(crate) struct Any {
    /// All of it, for a message.
    pub(crate) wanted: &'static str,
    /// Whether nothing may.
    pub(crate) null: bool,
    /// Whether a list may, and of what.
    pub(crate) list: Option<&'static Shape>,
    /// Whether a mapping may.
    pub(crate) map: Option<&'static Shape>,
    /// What a JSON Schema says.
    pub(crate) schema: fn(&mut Definitions) -> Json,
}

/// The shapes with names, in a JSON Schema.
pub(crate) type Definitions = Object<String, Json>;

/// Keys, each with what editors show of it and what stands under it.
macro_rules! keys {
    ($($(#[doc = $about:literal])+ $name:literal: $shape:expr),* $(,)?) => {
        &[$($crate::yaml::Key {
            name: $name,
            about: concat!($($about, "\n"),+),
            shape: $shape,
        }),*]
    };
}
pub(crate) use keys;

pub(super) const WORD: &str = "one word or number";
const LIST: &str = "a list, `[a, b]`,";
const WAY: &str = "one word, or a mapping with one key,";
const MAP: &str = "a mapping, `key: value` or `{key: value}`,";

type Checked = Result<(), Box<Fault>>;

impl Shape {
    /// The first thing, in the order of the text, that may not stand in `node`.
    pub(super) fn check(&self, node: &Node) -> Checked {
        match self {
            Self::Named(_, _, shape) => shape.check(node),
            Self::Nothing if node.is_null() => Ok(()),
            Self::Nothing => Err(Fault::expected("nothing", &node.span)),
            Self::Word(_) => word(node),
            Self::List(shape, _) => {
                let list = node.list();
                let list = list.ok_or_else(|| Fault::expected(LIST, &node.span))?;
                list.iter().try_for_each(|item| {
                    shape.check(item).map_err(|mut fault| {
                        let is_it = fault.span.as_ref() == Some(&item.span);
                        fault.in_list |= is_it && item.list().is_some();
                        fault
                    })
                })
            }
            Self::Map(keys, needed) => {
                let pairs = mapping(node)?;
                for (name, value) in pairs {
                    let own = keys.iter().find(|key| key.name == name.word());
                    let own = own.ok_or_else(|| Fault::unknown_key(name, keys))?;
                    own.shape.check(value)?;
                }
                match needed.iter().find(|key| node.get(key).is_none()) {
                    None => Ok(()),
                    Some(key) => {
                        // At the last one, after which another fits.
                        let end = pairs.last().map_or(&node.span, |(key, _)| &key.span);
                        let message = format!("the key `{key}` is missing");
                        Err(Fault::at(Code::MissingKey, message, end))
                    }
                }
            }
            Self::Pairs(shape, _) => {
                let mut values = mapping(node)?.iter();
                values.try_for_each(|(_, value)| shape.check(value))
            }
            Self::Way(ways) => way(ways, node),
            Self::Any(any) => any.check(node),
        }
    }

    /// What a JSON Schema says of it.
    pub(crate) fn schema(&self, named: &mut Definitions) -> Json {
        match self {
            Self::Nothing => json!({}),
            Self::Word(schema) => schema(),
            Self::List(shape, len) => {
                let mut schema = json!({ "type": "array", "items": shape.schema(named) });
                if let Some([least, most]) = len {
                    schema["minItems"] = json!(least);
                    schema["maxItems"] = json!(most);
                }
                schema
            }
            Self::Map(keys, needed) => {
                let property = |key: &Key| {
                    let mut schema = key.shape.schema(named);
                    if schema.get("type").is_none() {
                        schema = json!({ "anyOf": [schema] });
                    }
                    schema["description"] = json!(lines(key.about));
                    (key.name.to_owned(), schema)
                };
                let properties: Object<_, _> = keys.iter().map(property).collect();
                object(properties, needed)
            }
            Self::Pairs(_, schema) => schema(named),
            Self::Way(ways) => {
                let way = |way: &Key| {
                    let mut schema = match way.shape {
                        Self::Nothing => json!({ "type": "string", "const": way.name }),
                        _ => {
                            let own = (way.name.to_owned(), way.shape.schema(named));
                            object([own].into_iter().collect(), &[way.name])
                        }
                    };
                    schema["description"] = json!(lines(way.about));
                    schema
                };
                json!({ "oneOf": ways.iter().map(way).collect::<Vec<_>>() })
            }
            Self::Any(any) => (any.schema)(named),
            Self::Named(name, about, shape) => {
                if !named.contains_key(*name) {
                    let mut schema = shape.schema(named);
                    if !about.is_empty() {
                        schema["description"] = json!(about);
                    }
                    named.insert((*name).to_owned(), schema);
                }
                json!({ "$ref": format!("#/definitions/{name}") })
            }
        }
    }

    /// A JSON Schema of documents of this shape, which has a name.
    pub(crate) fn document(&self) -> Json {
        let Self::Named(name, about, shape) = self else {
            return json!({});
        };
        let mut named = Definitions::new();
        let mut schema = shape.schema(&mut named);
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema["title"] = json!(name);
        schema["description"] = json!(about);
        schema["definitions"] = Json::Object(named);
        schema
    }
}

impl Any {
    fn check(&self, node: &Node) -> Checked {
        let (other, shape) = match node.kind {
            Kind::Null if self.null => return Ok(()),
            Kind::Null => ("unit value", None),
            Kind::Text(_) | Kind::Plain => return word(node),
            Kind::List(_) => ("sequence", self.list),
            Kind::Map(_) => ("map", self.map),
        };
        match shape {
            Some(shape) => shape.check(node),
            None => {
                let message = format!("invalid type: {other}, expected {}", self.wanted);
                let message = format!("the wrong kind of value: {message}");
                Err(Fault::at(Code::WrongKind, message, &node.span))
            }
        }
    }
}

fn word(node: &Node) -> Checked {
    match node.kind {
        Kind::Text(_) => Ok(()),
        Kind::Plain => {
            let wanted = "one word or number without a tag";
            Err(Fault::expected(wanted, &node.span))
        }
        Kind::Null | Kind::List(_) | Kind::Map(_) => Err(Fault::expected(WORD, &node.span)),
    }
}

fn mapping(node: &Node) -> Result<&[(Node, Node)], Box<Fault>> {
    match &node.kind {
        Kind::Map(pairs) => Ok(pairs),
        _ => Err(Fault::expected(MAP, &node.span)),
    }
}

fn way(ways: &'static [Key], node: &Node) -> Checked {
    let nothing = Node {
        span: node.span.clone(),
        kind: Kind::Null,
    };
    let (name, value, more) = match &node.kind {
        Kind::Map(pairs) => match pairs.as_slice() {
            [] => return Err(Fault::expected(WAY, &node.span)),
            [(name, value), more @ ..] => (name, value, more.first()),
        },
        Kind::List(_) => return Err(Fault::expected(WAY, &node.span)),
        Kind::Null => return Err(Fault::unknown_name("~", &node.span, ways)),
        Kind::Text(_) | Kind::Plain => {
            word(node)?;
            (node, &nothing, None)
        }
    };
    let own = ways.iter().find(|way| way.name == name.word());
    let own = own.ok_or_else(|| Fault::unknown_name(name.word(), &name.span, ways))?;
    own.shape.check(value)?;
    match more {
        None => Ok(()),
        Some((key, _)) => {
            let message = "data is made in one way, so this mapping has one key";
            Err(Fault::at(Code::WrongKind, message, &key.span))
        }
    }
}

fn object(properties: Object<String, Json>, needed: &[&str]) -> Json {
    let mut schema = json!({
        "type": "object", "properties": properties, "additionalProperties": false
    });
    if !needed.is_empty() {
        schema["required"] = json!(needed);
    }
    schema
}

/// Lines without the spaces around them.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    lines.join("\n")
}
