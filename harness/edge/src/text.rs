//! Names and texts of others, without what a terminal or a reader would obey.

use std::{borrow::Cow, path::Path};

/// Whether `c` is not seen where it stands and does something to what is: it
/// moves a cursor, begins an escape sequence, breaks a line, turns text around,
/// or hides in a name that looks like another.
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    matches!(c,
        // Controls: C0, DEL, C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Marks and overrides of direction, isolates, breaks of lines and paragraphs.
        | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // What has no width, or stands for itself only in another script's text.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        // Tags: letters that nobody sees.
        | '\u{e0000}'..='\u{e007f}')
}

/// Adds `c` to `out`, spelled out (`\n`, `\u{1b}`) if it [is hidden](is_hidden).
pub fn push(out: &mut String, c: char) {
    match c {
        '\n' | '\r' | '\t' => out.extend(c.escape_default()),
        c if is_hidden(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

/// Whether a line that begins so is a command to a runner of GitHub, which
/// looks for them in all that is printed.
#[must_use]
pub fn commands(line: &str) -> bool {
    line.trim_start().starts_with("::")
}

/// `text` in one line: what is hidden is spelled out, and so is the first `:`
/// of a command.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if !commands(text) && !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    spell(&mut out, text);
    Cow::Owned(out)
}

/// `text` in the lines that it has, each as [`line()`].
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c == '\n' || !is_hidden(c);
    if text.chars().all(plain) && !text.lines().any(commands) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        spell(&mut out, line);
    }
    Cow::Owned(out)
}

/// A path in one line.
#[must_use]
pub fn path(path: &Path) -> String {
    line(&path.to_string_lossy()).into_owned()
}

fn spell(out: &mut String, line: &str) {
    let mut colons = u8::from(commands(line));
    for c in line.chars() {
        match c {
            ':' if colons > 0 => {
                colons -= 1;
                out.extend(c.escape_unicode());
            }
            c => push(out, c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_spelled_out() {
        for (text, shown) in [
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("a\r\n\tb", "a\\r\\n\\tb"),
            ("\u{0}\u{7}\u{7f}\u{9b}", "\\u{0}\\u{7}\\u{7f}\\u{9b}"),
            (
                "x\u{202e}y\u{2066}z\u{feff}",
                "x\\u{202e}y\\u{2066}z\\u{feff}",
            ),
            (
                "\u{2028}\u{61c}\u{200d}\u{e0041}",
                "\\u{2028}\\u{61c}\\u{200d}\\u{e0041}",
            ),
        ] {
            assert_eq!(line(text), shown);
            assert!(!shown.chars().any(is_hidden));
        }
    }

    #[test]
    fn what_is_seen_stays_and_costs_nothing() {
        for text in [
            "",
            "plain \\ \"q\" \\u{1b}",
            "\u{e9}\u{4e2d}\u{5d0}\u{1f980} \u{a0}x",
        ] {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn lines_keep_their_ends_and_nothing_else() {
        assert_eq!(lines("a\nb\r\n\u{1b}c"), "a\nb\\r\n\\u{1b}c");
        assert!(matches!(lines("a\nb\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn no_line_is_a_command() {
        assert_eq!(line("::error::x"), "\\u{3a}:error::x");
        assert_eq!(line("  ::error::x"), "  \\u{3a}:error::x");
        assert_eq!(lines("a\n ::b\n"), "a\n \\u{3a}:b\n");
        for text in ["Coalesce::Row", ":x", "a ::b", "\n\u{1b}::x"] {
            assert!(!commands(&line(text)), "{text:?}");
        }
        assert!(matches!(line("Coalesce::Row"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_path_is_one_line() {
        assert_eq!(path(Path::new("x/\u{7}\n.jsonl")), "x/\\u{7}\\n.jsonl");
    }

    /// Every control character, whatever the list above looks like.
    #[test]
    fn no_control_character_is_forgotten() {
        for c in '\0'..=char::MAX {
            assert!(is_hidden(c) || !c.is_control(), "{c:?}");
        }
    }
}
