//! Names and texts of others, without what a terminal would obey.

use std::{
    io::{self, Write},
    path::Path,
};

use ptodiff_edge::text::{self, is_hidden};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// `text` in one line: what is hidden is spelled out.
pub(crate) fn text(own: &str) -> String {
    text::line(own).into_owned()
}

/// A path as [`text()`].
pub(crate) fn path(own: &Path) -> String {
    text::path(own)
}

/// Writes `value` as a line of JSON in which nothing is hidden: what would be
/// is escaped, and is the same to whoever reads JSON.
///
/// # Errors
/// What the writer gives.
pub(crate) fn json(mut to: impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut to, Escaping))?;
    writeln!(to)
}

/// JSON as it is made otherwise, with escapes for what is hidden.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for part in fragment.split_inclusive(is_hidden) {
            match part.chars().next_back().filter(|c| is_hidden(*c)) {
                None => to.write_all(part.as_bytes())?,
                Some(c) => {
                    to.write_all(&part.as_bytes()[..part.len() - c.len_utf8()])?;
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(to, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_hides_nothing_and_says_the_same() {
        let own = [
            "a\u{202e}b",
            "\u{1b}[31m\n\u{9b}\u{7f}",
            "\u{e0041}x",
            "\u{e9} \"q\" \\",
        ];
        let mut out = Vec::new();
        json(&mut out, &own).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert!(!shown.trim_end().chars().any(is_hidden), "{shown}");
        assert!(shown.starts_with("[\"a\\u202eb\","), "{shown}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), own);
    }
}
