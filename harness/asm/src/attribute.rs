//! The dictionary that ends a form.

use std::{borrow::Cow, fmt, str::FromStr};

use strum::VariantNames;

use crate::{
    cursor::Cursor,
    error::{At, Fault, Read},
    form::Level,
    types::{self, Type},
};

/// More entries than any call has.
const MOST: usize = 16;

/// A dictionary being written.
#[derive(Default)]
pub(crate) struct Dictionary(Vec<String>);

impl Dictionary {
    pub(crate) fn put(&mut self, key: &str, value: impl fmt::Display) {
        self.0.push(format!("{key} = {value}"));
    }
}

impl fmt::Display for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, " {{{}}}", self.0.join(", "))
    }
}

/// What an entry is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key<'t> {
    /// The call.
    Word(&'t str),
    /// The run-time values of the operand of this name.
    Operand(&'t str),
}

enum Value<'t> {
    Word(&'t str),
    Number(u64),
    List(Vec<u64>),
    Type(Type),
}

struct Entry<'t> {
    key: At<Key<'t>>,
    value: At<Value<'t>>,
}

/// A dictionary that was read. Taking an entry removes it, so that
/// [`finish`](Self::finish) finds those that were not read.
pub(crate) struct Attributes<'t>(Vec<Entry<'t>>);

impl<'t> Attributes<'t> {
    /// Reads the dictionary, if there is one.
    pub(crate) fn read(cursor: &mut Cursor<'t>, level: Level) -> Read<Self> {
        let mut entries: Vec<Entry<'t>> = Vec::new();
        if !cursor.eat("{") {
            return Ok(Self(entries));
        }
        loop {
            let key = read_key(cursor)?;
            if entries.len() == MOST {
                return Err(Fault::new(key.at, format!("at most {MOST} attributes")));
            }
            if entries.iter().any(|entry| entry.key.value == key.value) {
                return Err(Fault::new(key.at, "an attribute that was not given before"));
            }
            cursor.expect("=")?;
            let value = read_value(cursor, level)?;
            entries.push(Entry { key, value });
            if !cursor.eat(",") {
                break;
            }
        }
        if !cursor.eat("}") {
            return Err(Fault::new(cursor.here(), "`,` or `}`"));
        }
        Ok(Self(entries))
    }

    fn take(&mut self, key: Key<'_>) -> Option<At<Value<'t>>> {
        let entry = self.0.iter().position(|entry| entry.key.value == key)?;
        Some(self.0.swap_remove(entry).value)
    }

    /// What `read` makes of the value of `key`, which must be as `expected`.
    fn take_as<T>(
        &mut self,
        key: Key<'_>,
        expected: impl Into<Cow<'static, str>>,
        read: impl FnOnce(Value<'t>) -> Option<T>,
    ) -> Read<Option<At<T>>> {
        let Some(At { value, at }) = self.take(key) else {
            return Ok(None);
        };
        let value = read(value).ok_or_else(|| Fault::new(at, expected))?;
        Ok(Some(At { value, at }))
    }

    /// The value of `key` as a word, which must be one of these.
    pub(crate) fn take_one(
        &mut self,
        key: &str,
        words: &'static [&'static str],
    ) -> Read<Option<&'static str>> {
        let taken = self.take_as(Key::Word(key), one_of(words), |value| match value {
            Value::Word(word) => words.iter().find(|own| **own == word).copied(),
            _ => None,
        })?;
        Ok(taken.map(|word| word.value))
    }

    /// The same, as what it names.
    pub(crate) fn take_word<T: FromStr + VariantNames>(&mut self, key: &str) -> Read<Option<T>> {
        let word = self.take_one(key, T::VARIANTS)?;
        Ok(word.and_then(|word| word.parse().ok()))
    }

    pub(crate) fn take_number(&mut self, key: &str) -> Read<Option<u64>> {
        let taken = self.take_as(Key::Word(key), "a number", |value| match value {
            Value::Number(number) => Some(number),
            _ => None,
        })?;
        Ok(taken.map(|number| number.value))
    }

    pub(crate) fn take_type(&mut self, key: &str) -> Read<Option<At<Type>>> {
        self.take_as(Key::Word(key), "a type", |value| match value {
            Value::Type(ty) => Some(ty),
            _ => None,
        })
    }

    /// The run-time values of the operand called `name`.
    pub(crate) fn take_run_time(&mut self, name: &str) -> Read<Option<At<Vec<u64>>>> {
        let expected = "a list of run-time values, `[1, 9]`";
        self.take_as(Key::Operand(name), expected, |value| match value {
            Value::List(values) => Some(values),
            _ => None,
        })
    }

    /// Makes sure that nothing is left.
    pub(crate) fn finish(self) -> Read<()> {
        let first = self.0.iter().map(|entry| entry.key.at).min();
        first.map_or(Ok(()), |at| {
            Err(Fault::new(at, "an attribute that this form has"))
        })
    }
}

fn read_key<'t>(cursor: &mut Cursor<'t>) -> Read<At<Key<'t>>> {
    if cursor.sees("%") {
        let At { value, at } = cursor.name()?;
        let value = Key::Operand(value);
        return Ok(At { value, at });
    }
    let At { value, at } = cursor.word("an attribute's name")?;
    let value = Key::Word(value);
    Ok(At { value, at })
}

fn read_value<'t>(cursor: &mut Cursor<'t>, level: Level) -> Read<At<Value<'t>>> {
    let at = cursor.here();
    let value = if cursor.eat("[") {
        Value::List(read_list(cursor)?)
    } else if cursor.sees("!") {
        Value::Type(types::read(cursor, level)?.value)
    } else {
        let word = cursor.word("a value")?;
        // A word of digits alone is a number, and one that may be too large.
        if word.value.bytes().all(|b| b.is_ascii_digit()) {
            let number = word.value.parse();
            Value::Number(number.map_err(|_| Fault::new(at, "a number below 2^64"))?)
        } else {
            Value::Word(word.value)
        }
    };
    Ok(At { value, at })
}

fn read_list(cursor: &mut Cursor<'_>) -> Read<Vec<u64>> {
    let mut values = vec![cursor.number()?.value];
    while cursor.eat(",") {
        values.push(cursor.number()?.value);
    }
    if !cursor.eat("]") {
        return Err(Fault::new(cursor.here(), "`,` or `]`"));
    }
    Ok(values)
}

/// That one of these is expected.
pub(crate) fn one_of(words: &[impl fmt::Display]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
