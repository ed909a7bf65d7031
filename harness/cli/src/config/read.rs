//! The values of a `ptodiff.toml`: how each is read, and how its JSON Schema says it.

use std::{fmt, time::Duration};

use indexmap::IndexMap;
use ptodiff_impl::Place;
use ptodiff_isa::{Target, reading::GAPS};
use ptodiff_record::reproduce::word;
use ptodiff_register::{EDITIONS, Edition};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, SeqAccess, Unexpected, Visitor},
};
use serde_json::{Map, Value, json};
use strum::VariantNames as _;

use super::{Config, Implementation};
use crate::{
    implementations,
    mistake::Mistake,
    readings,
    rules::{RULES, Rule, rule},
    values,
};

/// Reads `text`.
///
/// # Errors
/// The first mistake, in the order of the file.
pub(super) fn read(text: &str) -> Result<Config, Mistake> {
    toml::from_str(text).map_err(|wrong: toml::de::Error| {
        let (at, message) = (wrong.span().unwrap_or(0..0), wrong.message());
        let mut quoted = message.split('`').skip(1).step_by(2);
        match quoted.next() {
            Some(key) if message.starts_with("unknown field") => {
                let known: Vec<&str> = quoted.collect();
                Mistake::new(at, format!("no key is called `{key}` here")).known(key, &known)
            }
            _ if message.starts_with("invalid unquoted key") => Mistake::new(
                at,
                "such a key stands in quotes, as \"a5:GAP\" = \"CHOICE\"",
            ),
            // Serde's word for a table.
            _ => Mistake::new(at, message.replace("a map", "a table")),
        }
    })
}

/// Reads a text, or a number for one, as an option of the command line.
struct Text<T>(fn(&str) -> Result<T, String>);

impl<'de, T> DeserializeSeed<'de> for Text<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        from.deserialize_any(self)
    }
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}

/// Reads one text, or a list of them.
struct Texts<T>(fn(&str) -> Result<T, String>);

impl<'de, T> Visitor<'de> for Texts<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        Ok(vec![Text(self.0).visit_str(text)?])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = from.next_element_seed(Text(self.0))? {
            all.push(one);
        }
        Ok(all)
    }
}

/// Reads a number: what it is, and the most.
struct Number<T>(&'static str, T);

impl<T: TryFrom<i64> + PartialOrd> Visitor<'_> for Number<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        let positive = T::try_from(number).ok().filter(|_| number > 0);
        match positive.filter(|number| *number <= self.1) {
            None => Err(E::invalid_value(Unexpected::Signed(number), &self)),
            within => Ok(within),
        }
    }
}

/// The entries of `[impl]`, in the order of the file.
pub(super) fn implementations<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<Implementation>, D::Error> {
    #[derive(PartialEq, Eq, Hash)]
    struct Name(String);
    impl<'de> Deserialize<'de> for Name {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let usable = |name: &str| implementations::usable(name).map(|()| Self(name.to_owned()));
            Text(usable).deserialize(from)
        }
    }
    let all = IndexMap::<Name, Implementation>::deserialize(from)?.into_iter();
    let named = all.map(|(Name(name), own)| Implementation {
        name,
        is_in_file: true,
        ..own
    });
    Ok(named.collect())
}

/// A command line, from it or from its words.
pub(super) fn command<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum Command {
        Line(String),
        Words(Vec<String>),
    }
    let line = match Command::deserialize(from)? {
        Command::Line(line) => line,
        Command::Words(words) => {
            let quoted: Vec<String> = words.iter().map(|w| word(w)).collect();
            quoted.join(" ")
        }
    };
    ptodiff_impl::split(&line).map_err(D::Error::custom)?;
    Ok(line)
}

pub(super) fn place<'de, D: Deserializer<'de>>(from: D) -> Result<Place, D::Error> {
    let env = IndexMap::<String, String>::deserialize(from)?;
    for (name, value) in &env {
        if name.is_empty() || name.contains(['=', '\0']) {
            let why = format!("`{}` is not the name of a variable", name.escape_debug());
            return Err(D::Error::custom(why));
        }
        if value.contains('\0') {
            return Err(D::Error::custom(format!("{name} cannot hold a zero byte")));
        }
    }
    Ok(Place {
        folder: None,
        env: env.into_iter().collect(),
    })
}

pub(super) fn targets<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Target>, D::Error> {
    let all = from.deserialize_any(Texts(values::target))?;
    match all.is_empty() {
        true => Err(D::Error::custom(
            "no target is named: leave the key out for all",
        )),
        false => Ok(all),
    }
}

pub(super) fn rules<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Rule>, D::Error> {
    from.deserialize_any(Texts(rule))
}

pub(super) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    Text(values::duration).deserialize(from).map(Some)
}

pub(super) fn memory<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    from.deserialize_any(Number("a number of MiB from 1 to 1048576", 1 << 20))
}

pub(super) fn jobs<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    from.deserialize_any(Number("a number from 1 to 1024", 1024))
}

pub(super) fn edition<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<&'static Edition>, D::Error> {
    Text(readings::edition).deserialize(from).map(Some)
}

pub(super) fn readings<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(String, String)>, D::Error> {
    let all = IndexMap::<String, String>::deserialize(from)?.into_iter();
    all.map(|(gap, choice)| values::reading_choice(&format!("{gap}={choice}")))
        .collect::<Result<_, _>>()
        .map_err(D::Error::custom)
}

/// A text of this schema, or a list of at least so many of them.
fn one_or_list(one: Value, least: u32) -> Schema {
    json_schema!({"anyOf": [one, {"type": "array", "minItems": least, "items": one}]})
}

pub(super) fn schema_of_command(_: &mut SchemaGenerator) -> Schema {
    one_or_list(json!({"type": "string"}), 1)
}

pub(super) fn schema_of_targets(_: &mut SchemaGenerator) -> Schema {
    one_or_list(json!({"enum": Target::VARIANTS}), 1)
}

pub(super) fn schema_of_rules(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = RULES.iter().map(|(name, ..)| *name).collect();
    one_or_list(
        json!({"anyOf": [{"enum": names}, {"type": "string", "pattern": "^[A-Za-z0-9]+-"}]}),
        0,
    )
}

pub(super) fn schema_of_time(_: &mut SchemaGenerator) -> Schema {
    // From a second to a week.
    let seconds = "([1-9][0-9]{0,4}|[1-5][0-9]{5}|60[0-3][0-9]{3}|604[0-7][0-9]{2}|604800)s?";
    let minutes = "([1-9][0-9]{0,3}|100[0-7][0-9]|10080)m";
    let hours = "([1-9][0-9]?|1[0-5][0-9]|16[0-8])h";
    let text = format!("^0*({seconds}|{minutes}|{hours})$");
    json_schema!({"anyOf": [
        {"type": "integer", "minimum": 1, "maximum": 604_800},
        {"type": "string", "pattern": text},
    ]})
}

pub(super) fn schema_of_edition(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = EDITIONS.iter().map(|edition| edition.name).collect();
    json_schema!({"enum": names})
}

pub(super) fn schema_of_readings(_: &mut SchemaGenerator) -> Schema {
    let gaps = GAPS
        .iter()
        .map(|gap| (gap.name.to_owned(), json!({"enum": gap.choices})));
    let others = format!("^({}):|-GAP-[0-9]+$", Target::VARIANTS.join("|"));
    json_schema!({
        "type": "object",
        "properties": gaps.collect::<Map<_, _>>(),
        "patternProperties": {others: {"type": "string"}},
        "additionalProperties": false,
    })
}
