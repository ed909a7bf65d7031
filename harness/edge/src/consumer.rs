//! Texts of others in what is written for another program: JSON, XML, HTML,
//! Markdown, annotations of a CI job. One function for each place that a text may stand in.
//!
//! Whoever prints such a file prints it into the log of a job: so none has
//! a line that a runner obeys. On the page of a run the template escapes all it
//! is given.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::text::{self, cut, is_hidden, marks};

/// Writes `value` as a line of JSON in which nothing is hidden and nothing
/// a command: what would be is escaped, and is the same to a JSON parser.
///
/// # Errors
/// What the writer gives.
pub fn json(mut to: impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut to, Escaping))?;
    writeln!(to)
}

/// JSON as it is made otherwise, with escapes for what is hidden or a mark.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        to: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut all = marks(fragment).peekable();
        let mut done = 0;
        for (at, c) in fragment.char_indices() {
            while all.next_if(|mark| mark.end <= at).is_some() {}
            if !is_hidden(c) && !all.peek().is_some_and(|mark| mark.contains(&at)) {
                continue;
            }
            to.write_all(&fragment.as_bytes()[done..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(to, "\\u{unit:04x}")?;
            }
            done = at + c.len_utf8();
        }
        to.write_all(&fragment.as_bytes()[done..])
    }
}

/// A text of XML in one line, without what XML cannot hold. The writer of
/// the XML escapes its signs.
#[must_use]
pub fn xml(own: &str) -> String {
    let shown: String = own.chars().map(|c| replaced(c, !in_xml(c))).collect();
    text::line(&shown).into_owned()
}

/// As [`xml`], with its lines.
#[must_use]
pub fn xml_lines(own: &str) -> String {
    let lines: Vec<String> = own.lines().map(xml).collect();
    lines.join("\n")
}

/// Whether XML 1.0 can hold the character, escaped or not.
const fn in_xml(c: char) -> bool {
    !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// A text of HTML in one line.
#[must_use]
pub fn html(own: &str) -> String {
    let mut out = String::with_capacity(own.len());
    for c in text::unmarked(own).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(replaced(c, false)),
        }
    }
    out
}

/// A text of Markdown as a code span, in one line, also within a table.
#[must_use]
pub fn code(own: &str) -> String {
    let line: String = own
        .chars()
        .map(|c| match c.is_whitespace() {
            true => ' ',
            false => replaced(c, false),
        })
        .collect();
    // A table is cut into cells before code is looked for.
    let line = text::unmarked(&cut(line.trim(), LONGEST)).replace('|', "\\|");
    if line.is_empty() {
        return "(nothing)".to_owned();
    }
    let fence = "`".repeat(longest_run(&line) + 1);
    match line.starts_with('`') || line.ends_with('`') {
        true => format!("{fence} {line} {fence}"),
        false => format!("{fence}{line}{fence}"),
    }
}

/// These lines as a block of Markdown with a language.
#[must_use]
pub fn block<T: AsRef<str>>(language: &str, lines: &[T]) -> String {
    let longest = lines.iter().map(|line| longest_run(line.as_ref()));
    let fence = "`".repeat(longest.max().unwrap_or(0).max(2) + 1);
    let mut out = format!("{fence}{language}\n");
    for line in lines {
        let shown: String = line.as_ref().chars().map(|c| replaced(c, false)).collect();
        out.push_str(&text::line(&shown));
        out.push('\n');
    }
    out + &fence + "\n"
}

/// Characters of a code span: more is a name gone wild.
const LONGEST: usize = 400;

/// How many backticks stand together in `text` at most.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// The message of an annotation of a GitHub check: a line break would end it.
#[must_use]
pub fn message(own: &str) -> String {
    escaped(own, false)
}

/// A property of an annotation of a GitHub check: `:` and `,` would end it too.
#[must_use]
pub fn property(own: &str) -> String {
    escaped(own, true)
}

fn escaped(own: &str, property: bool) -> String {
    let own: Cow<'_, str> = text::unmarked(own);
    let mut out = String::with_capacity(own.len());
    for c in own.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            ':' if property => out.push_str("%3A"),
            ',' if property => out.push_str("%2C"),
            c => out.push(replaced(c, false)),
        }
    }
    out
}

/// `c`, or the sign for what cannot be shown, where it is hidden or `bad`.
fn replaced(c: char, bad: bool) -> char {
    match bad || is_hidden(c) {
        true => '\u{FFFD}',
        false => c,
    }
}
