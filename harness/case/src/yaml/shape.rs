//! What may stand at a place of a document: checked before anything is read from it, and
//! told to editors as a JSON Schema.

use ptodiff_isa::{Form, Instruction};
use serde_json::{Map as Object, Value as Json, json};

use super::Span;
use super::tree::{Kind, Node};
use crate::code::Code;
use crate::form::takes;
use crate::notes::Notes;
use crate::suggest;

/// What may stand at a place of a document.
pub(crate) enum Shape {
    /// Nothing but the name that it stands behind.
    Nothing,
    /// One word or number, of which a JSON Schema says this.
    Word(fn() -> Json),
    /// A list of these; how many at least and at most, only a JSON Schema says.
    List(&'static Self, Option<[usize; 2]>),
    /// A list of these, each by itself: those with a mistake are left out.
    Entries(&'static Self),
    /// A mapping with these keys, of which some have to be there. One that is there has a
    /// value: an empty one is a mistake.
    Map(&'static [Key], &'static [&'static str]),
    /// A mapping from any words to these, of which a JSON Schema says more.
    Pairs(&'static Self, fn(&mut Definitions) -> Json),
    /// The name of one of these, where it is all there is, or a mapping from it to that.
    Way(&'static [Key]),
    /// A word, or what else may stand in its place, of different kinds: all of it, for a
    /// message, and each.
    Or(&'static str, &'static [Self]),
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

/// Nothing where something stands that may not: it was noted.
type Checked = Option<()>;

/// Mistakes of one document that are looked for.
const MISTAKES: usize = 50;

impl Shape {
    /// Notes the first thing, in the order of the text, that may not stand in `node`. A key is
    /// read as the one that was meant, and so is what stands behind it.
    pub(super) fn check(&self, node: &mut Node, notes: &mut Notes<'_>) -> Checked {
        match self {
            Self::Named(_, _, shape) => shape.check(node, notes),
            Self::Nothing if node.is_null() => Some(()),
            Self::Nothing => {
                let message = "the word before stands alone, without a value";
                wrong(notes, Code::WrongKind, message, &node.span)
            }
            Self::Word(_) => word(node, notes),
            Self::List(shape, _) => {
                let mut items = list(node, notes)?.iter_mut();
                items.try_for_each(|item| entry(shape, item, notes))
            }
            Self::Entries(shape) => {
                let list = list(node, notes)?;
                let given = list.len();
                list.retain_mut(|item| {
                    notes.found.len() < MISTAKES && entry(shape, item, notes).is_some()
                });
                (given == 0 || !list.is_empty()).then_some(())
            }
            Self::Map(keys, needed) => {
                let pairs = mapping(node, notes)?;
                for at in 0..pairs.len() {
                    let own = keys.iter().find(|key| key.name == pairs[at].0.word());
                    let own = own.or_else(|| meant(pairs, at, keys, notes))?;
                    own.shape.check(&mut pairs[at].1, notes)?;
                }
                // At the last one, after which another fits.
                let end = pairs.last().map(|(key, _)| key.span.clone());
                let missing = needed.iter().filter(|key| node.get(key).is_none());
                let missing: Vec<String> = missing.map(|key| format!("`{key}`")).collect();
                let message = match &missing[..] {
                    [] => return Some(()),
                    [key] => format!("the key {key} is missing"),
                    keys => format!("the keys {} are missing", keys.join(", ")),
                };
                let end = end.as_ref().unwrap_or(&node.span);
                wrong(notes, Code::MissingKey, message, end)
            }
            Self::Pairs(shape, _) => {
                let mut values = mapping(node, notes)?.iter_mut();
                values.try_for_each(|(_, value)| shape.check(value, notes))
            }
            Self::Way(ways) => way(ways, node, notes),
            Self::Or(wanted, shapes) => {
                if let Kind::Text(_) | Kind::Plain = node.kind {
                    return word(node, notes);
                }
                match shapes.iter().find(|shape| shape.is_for(&node.kind)) {
                    Some(own) => own.check(node, notes),
                    None => expected(notes, wanted, &node.span),
                }
            }
        }
    }

    /// Whether what is of this kind may be of this shape.
    fn is_for(&self, kind: &Kind) -> bool {
        match self {
            Self::Named(_, _, shape) => shape.is_for(kind),
            Self::Nothing => matches!(kind, Kind::Null),
            Self::List(..) => matches!(kind, Kind::List(_)),
            Self::Map(..) | Self::Pairs(..) => matches!(kind, Kind::Map(_)),
            _ => false,
        }
    }

    /// What a JSON Schema says of it.
    pub(crate) fn schema(&self, named: &mut Definitions) -> Json {
        match self {
            Self::Nothing => json!({}),
            Self::Word(schema) => schema(),
            Self::List(shape, len) => {
                let mut schema = json!({ "type": "array", "items": shape.schema(named) });
                // No name stands twice in a list.
                if schema["items"]["enum"].is_array() {
                    schema["uniqueItems"] = json!(true);
                }
                if let Some([least, most]) = len {
                    schema["minItems"] = json!(least);
                    if *most < usize::MAX {
                        schema["maxItems"] = json!(most);
                    }
                }
                schema
            }
            Self::Entries(shape) => json!({ "type": "array", "items": shape.schema(named) }),
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
            Self::Or(_, shapes) => {
                let all = shapes
                    .iter()
                    .filter(|shape| !matches!(shape, Self::Nothing));
                json!({ "oneOf": all.map(|shape| shape.schema(named)).collect::<Vec<_>>() })
            }
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

/// Notes what is wrong at `span`.
fn wrong<T>(
    notes: &mut Notes<'_>,
    code: Code,
    message: impl Into<String>,
    span: &Span,
) -> Option<T> {
    notes.add(code, span, message, "");
    None
}

/// Notes that something else is `wanted` at `span`.
fn expected<T>(notes: &mut Notes<'_>, wanted: &str, span: &Span) -> Option<T> {
    let message = format!("{wanted} is expected here");
    wrong(notes, Code::WrongKind, message, span)
}

fn word(node: &Node, notes: &mut Notes<'_>) -> Checked {
    match node.kind {
        Kind::Text(_) => Some(()),
        Kind::Plain => expected(notes, "one word or number without a tag", &node.span),
        Kind::Null | Kind::List(_) | Kind::Map(_) => expected(notes, WORD, &node.span),
    }
}

fn list<'n>(node: &'n mut Node, notes: &mut Notes<'_>) -> Option<&'n mut Vec<Node>> {
    match &mut node.kind {
        Kind::List(list) => Some(list),
        _ => expected(notes, LIST, &node.span),
    }
}

/// An entry of a list, which holds no other.
fn entry(shape: &Shape, item: &mut Node, notes: &mut Notes<'_>) -> Checked {
    let checked = shape.check(item, notes);
    if let (None, Some(_), Some(last)) = (checked, item.list(), notes.found.last_mut()) {
        let help = "a list holds no other here: write its entries one after another";
        last.help = Some(help.to_owned());
    }
    checked
}

fn mapping<'n>(node: &'n mut Node, notes: &mut Notes<'_>) -> Option<&'n mut Vec<(Node, Node)>> {
    let Kind::Map(pairs) = &mut node.kind else {
        return expected(notes, MAP, &node.span);
    };
    pairs.iter().try_for_each(|(key, _)| word(key, notes))?;
    Some(pairs)
}

/// Notes that the key `at` is none of `keys`. The one that was meant, as which it is read: a
/// key that is like no other or like several may be any that would then be missing.
fn meant<'k>(
    pairs: &mut [(Node, Node)],
    at: usize,
    keys: &'k [Key],
    notes: &mut Notes<'_>,
) -> Option<&'k Key> {
    let (name, span) = (pairs[at].0.word(), &pairs[at].0.span);
    // What the ISA has elsewhere is no slip of the keys.
    let none = match name {
        "predicate" => Some("ptodiff has no predicate operand: its documents have none"),
        "cores" => Some("ptodiff has one core: a case cannot say what several do"),
        _ => None,
    };
    if let Some(none) = none {
        return wrong(notes, Code::NotHere, none, span);
    }
    let message = format!("there is no key `{name}` here");
    let mut known = names(keys);
    // Of those of a case its instruction has not all.
    let named = pairs.iter().find(|(key, _)| key.word() == "instruction");
    let named = named.and_then(|(_, value)| value.word().parse::<Instruction>().ok());
    let forms = || {
        Form::ALL
            .iter()
            .filter(|form| named == Some(form.instruction()))
    };
    let near = suggest::closest(name, &known).into_iter();
    let own: Vec<_> = near
        .filter(|key| forms().any(|form| takes(*form, key)))
        .collect();
    if !own.is_empty() {
        known = own;
    }
    notes.add(Code::UnknownKey, span, message, "").help = suggest::help(name, &known);
    let [one] = suggest::closest(name, &known)[..] else {
        return None;
    };
    if pairs.iter().any(|(key, _)| key.word() == one) {
        return None;
    }
    pairs[at].0.kind = Kind::Text(one.to_owned());
    keys.iter().find(|key| key.name == one)
}

fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}

fn way(ways: &'static [Key], node: &mut Node, notes: &mut Notes<'_>) -> Checked {
    let mut nothing = Node::default();
    let (name, span, value, more) = match &mut node.kind {
        Kind::Map(pairs) => match pairs.as_mut_slice() {
            [] => return expected(notes, WAY, &node.span),
            [(name, value), more @ ..] => {
                word(name, notes)?;
                (name.word(), &name.span, value, more.first())
            }
        },
        Kind::List(_) => {
            let message = format!("{WAY} is expected here");
            notes.add(Code::WrongKind, &node.span, message, "").help =
                Some("data that is written down is `{values: [a, b]}`".to_owned());
            return None;
        }
        Kind::Null => ("~", &node.span, &mut nothing, None),
        Kind::Text(_) | Kind::Plain => {
            word(node, notes)?;
            nothing.span = node.span.clone();
            (node.word(), &node.span, &mut nothing, None)
        }
    };
    let Some(own) = ways.iter().find(|way| way.name == name) else {
        let message = format!("`{name}` is not a name that is known here");
        notes.add(Code::UnknownName, span, message, "").help = suggest::help(name, &names(ways));
        return None;
    };
    own.shape.check(value, notes)?;
    match more {
        None => Some(()),
        Some((key, _)) => {
            let message = "data is made in one way, so this mapping has one key";
            wrong(notes, Code::WrongKind, message, &key.span)
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
