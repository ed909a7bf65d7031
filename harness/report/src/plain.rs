//! Records of others, without what a terminal or a reader would obey.
//!
//! The other faces spell out or replace such characters where they write them;
//! what goes to a terminal and into the page is made plain first, by these.

use std::borrow::Cow;

use ptodiff_edge::text::{self, is_hidden};
use ptodiff_record::{CaseRecord, Diagnosis, Header};
use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A header whose every text is one line.
#[must_use]
pub fn header(header: &Header) -> Cow<'_, Header> {
    cleaned(header, serde_json::to_value(header).ok())
}

/// Cases whose every text is one line, those of their details lines.
#[must_use]
pub fn cases(cases: &[CaseRecord]) -> Cow<'_, [CaseRecord]> {
    match cases.par_iter().any(has_hidden) {
        false => Cow::Borrowed(cases),
        true => cases.iter().map(|c| case(c).into_owned()).collect(),
    }
}

/// One case as [`cases`].
#[must_use]
pub fn case(case: &CaseRecord) -> Cow<'_, CaseRecord> {
    match has_hidden(case) {
        false => Cow::Borrowed(case),
        true => cleaned(case, serde_json::to_value(case).ok()),
    }
}

/// A diagnosis whose every text is one line.
#[must_use]
pub fn diagnosis(diagnosis: &Diagnosis) -> Cow<'_, Diagnosis> {
    cleaned(diagnosis, serde_json::to_value(diagnosis).ok())
}

/// What is hidden in the texts of some JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Hidden {
    /// Whether there is anything but line breaks.
    any: bool,
    /// How many line breaks there are.
    breaks: usize,
}

impl Hidden {
    fn of(value: &impl Serialize) -> Self {
        // What a record holds can be written.
        let json = serde_json::to_string(value).unwrap_or_default();
        let mut found = Self::default();
        // Nearly all texts are such that no character of theirs needs a look.
        let plain = |b: u8| (b' '..=b'~').contains(&b) && b != b'\\';
        if json.bytes().all(plain) && !json.contains("::") && !json.contains("##") {
            return found;
        }
        found.any = text::marks(&json).next().is_some();
        let mut chars = json.chars().peekable();
        let mut begins = false;
        while let Some(c) = chars.next() {
            match c {
                // A text that begins with a command; after a key stands one colon.
                ':' if begins => found.any |= chars.peek() == Some(&':'),

                '\\' => match chars.next() {
                    Some('n') => found.breaks += 1,
                    Some('u' | 'b' | 'f' | 'r' | 't') => found.any = true,
                    _ => {}
                },
                c => found.any |= is_hidden(c),
            }
            begins = c == '"' || begins && c.is_whitespace();
        }
        found
    }
}

/// Whether anything has to be spelled out. Details are of many lines.
fn has_hidden(case: &CaseRecord) -> bool {
    let all = Hidden::of(case);
    all.any || all.breaks > 0 && all.breaks != Hidden::of(&case.detail).breaks
}

fn cleaned<T: Clone + Serialize + DeserializeOwned>(own: &T, value: Option<Value>) -> Cow<'_, T> {
    let clean = value.and_then(|mut value| clean(&mut value, false).then_some(value));
    let clean = clean.and_then(|value| serde_json::from_value(value).ok());
    clean.map_or(Cow::Borrowed(own), Cow::Owned)
}

/// Spells out what is hidden in `value`; whether there was anything.
fn clean(value: &mut Value, of_lines: bool) -> bool {
    let shown = |own: &str| match of_lines {
        true => text::lines(own).into_owned(),
        false => text::line(own).into_owned(),
    };
    let mut found = false;
    match value {
        Value::String(own) => {
            let plain = shown(own);
            found = plain != *own;
            *own = plain;
        }
        Value::Array(all) => {
            for value in all {
                found |= clean(value, of_lines);
            }
        }
        Value::Object(all) => {
            if all.keys().any(|key| text::line(key) != *key) {
                found = true;
                let own = std::mem::take(all).into_iter();
                *all = own
                    .map(|(key, value)| (text::line(&key).into_owned(), value))
                    .collect();
            }
            for (key, value) in all {
                found |= clean(value, of_lines || key == "detail");
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_spells_out_is_found_and_what_it_does_not() {
        let found = |text: &str| Hidden::of(&text);
        for bad in [
            "\u{1b}[31m",
            "a\rb",
            "\u{8}",
            "\u{7f}",
            "\u{9b}",
            "\u{202e}",
            "\\\u{1b}",
            " ::error::",
            "a ##[error]",
        ] {
            assert!(found(bad).any, "{bad:?}");
        }
        for good in [
            "",
            "\"\u{e9}\"",
            "\\U0000001B",
            "\\u001b",
            "C:\\new\\\\r",
            ":x",
            "a::b",
        ] {
            assert_eq!(found(good), Hidden::default(), "{good:?}");
        }
        assert_eq!(
            found("a\nb\n"),
            Hidden {
                any: false,
                breaks: 2
            }
        );
    }

    #[test]
    fn keys_and_values_at_any_depth_are_cleaned_and_details_keep_their_lines() {
        let mut value = serde_json::json!({"a\u{1b}": [{"b": "c\n\u{1b}"}], "d": 1,
            "detail": {"yaml": "a\n\u{1b}"}});
        assert!(clean(&mut value, false));
        let clean_one = serde_json::json!({"a\\u{1b}": [{"b": "c\\n\\u{1b}"}], "d": 1,
            "detail": {"yaml": "a\n\\u{1b}"}});
        assert_eq!(value, clean_one);
        assert!(!clean(&mut value, false));
    }
}
