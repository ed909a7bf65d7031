//! Records of others, without what a terminal or a reader would obey.
//!
//! The other faces spell out or replace such characters where they write them;
//! what goes to a terminal and into the page is made plain first, by these.

use std::borrow::Cow;

use ptodiff_edge::text;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A header, a case or a diagnosis whose every text is one line, those of details lines.
#[must_use]
pub fn cleaned<T: Clone + Serialize + DeserializeOwned>(own: &T) -> Cow<'_, T> {
    let value = serde_json::to_value(own).ok();
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
