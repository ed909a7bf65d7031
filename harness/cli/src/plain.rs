//! Names and texts of others, without what a terminal would obey.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

use ptodiff_record::{CaseRecord, Header};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// `text` in one line: control characters are spelled out.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

/// A path as [`text`].
pub(crate) fn path(path: &Path) -> String {
    text(&path.to_string_lossy())
}

/// A header for a terminal.
pub(crate) fn header(header: &Header) -> Cow<'_, Header> {
    cleaned(header, serde_json::to_value(header).ok())
}

/// Cases for a terminal: all of their texts as [`text`]. Their details, which
/// no terminal shows, are left out where anything had to be spelled out.
pub(crate) fn cases(cases: &[CaseRecord]) -> Cow<'_, [CaseRecord]> {
    match cases.iter().any(may_obey) {
        false => Cow::Borrowed(cases),
        true => cases.iter().map(|c| case(c).into_owned()).collect(),
    }
}

/// One case as [`cases`].
pub(crate) fn case(case: &CaseRecord) -> Cow<'_, CaseRecord> {
    if !may_obey(case) {
        return Cow::Borrowed(case);
    }
    let bare = CaseRecord {
        detail: None,
        ..case.clone()
    };
    cleaned(case, serde_json::to_value(&bare).ok())
}

/// Whether a text of the case may have a control character. Line breaks are
/// looked for where a text from outside stands: a case's own text has many.
fn may_obey(case: &CaseRecord) -> bool {
    let findings = case.targets.values().flat_map(|t| &t.findings);
    let mut lines = [&case.id, &case.file]
        .into_iter()
        .chain(findings.flat_map(|f| [&f.what, &f.signature]));
    let mut search = Search::default();
    // A search takes all that is written to it.
    let _ = serde_json::to_writer(&mut search, case);
    search.found || lines.any(|line| line.contains('\n'))
}

/// Looks for control characters other than line breaks in JSON.
#[derive(Default)]
struct Search {
    found: bool,
    last: u8,
}

impl Write for Search {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.found |= match (self.last, byte) {
                (b'\\', b'u' | b'b' | b'f' | b'r' | b't') | (_, 0x7f) => true,
                // U+0080 to U+009F.
                (0xc2, 0x80..=0x9f) => true,
                _ => false,
            };
            self.last = *byte;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn cleaned<T: Clone + Serialize + DeserializeOwned>(own: &T, value: Option<Value>) -> Cow<'_, T> {
    let clean = value.and_then(|mut value| clean(&mut value).then_some(value));
    let clean = clean.and_then(|value| serde_json::from_value(value).ok());
    clean.map_or(Cow::Borrowed(own), Cow::Owned)
}

/// Spells out what is in `value`; whether there was anything.
fn clean(value: &mut Value) -> bool {
    let mut found = false;
    match value {
        Value::String(own) => {
            found = own.chars().any(char::is_control);
            if found {
                *own = text(own);
            }
        }
        Value::Array(all) => {
            for value in all {
                found |= clean(value);
            }
        }
        Value::Object(all) => {
            if all.keys().any(|key| key.chars().any(char::is_control)) {
                found = true;
                *all = std::mem::take(all)
                    .into_iter()
                    .map(|(key, value)| (text(&key), value))
                    .collect();
            }
            for value in all.values_mut() {
                found |= clean(value);
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
    fn control_characters_are_spelled_out() {
        assert_eq!(text("a\u{1b}[31m\nb\u{9b}é"), "a\\u{1b}[31m\\nb\\u{9b}é");
        assert_eq!(path(Path::new("x/\u{7}.jsonl")), "x/\\u{7}.jsonl");
    }

    #[test]
    fn a_search_finds_what_json_spells_out_and_what_it_does_not() {
        let found = |text: &str| {
            let mut search = Search::default();
            serde_json::to_writer(&mut search, text).unwrap();
            search.found
        };
        for bad in ["\u{1b}[31m", "a\rb", "\u{8}", "\u{7f}", "\u{9b}"] {
            assert!(found(bad), "{bad:?}");
        }
        for good in ["", "a\nb", "\"é\"", "\\U0000001B"] {
            assert!(!found(good), "{good:?}");
        }
    }

    #[test]
    fn keys_and_values_at_any_depth_are_cleaned() {
        let mut value = serde_json::json!({"a\u{1b}": [{"b": "c\u{1b}"}], "d": 1});
        assert!(clean(&mut value));
        let clean_one = serde_json::json!({"a\\u{1b}": [{"b": "c\\u{1b}"}], "d": 1});
        assert_eq!(value, clean_one);
        assert!(!clean(&mut value));
    }
}
