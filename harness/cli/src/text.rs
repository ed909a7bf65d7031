//! Prose in lines of a bearable length.

use std::io::{self, Write};

use ptodiff_edge::text;
pub(crate) use ptodiff_record::{grouped, joined};

/// Characters of a line.
const WIDTH: usize = 100;

/// `text` in lines of at most `width` columns: the first after `lead`, the others after
/// `indent`. A word that is longer stays whole.
pub(crate) fn wrapped(width: usize, lead: &str, indent: &str, text: &str) -> Vec<String> {
    let options = textwrap::Options::new(width)
        .initial_indent(lead)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines = textwrap::wrap(text, options).into_iter();
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// Writes `text` in lines of at most 100 characters, as [`wrapped`].
pub(crate) fn paragraph(
    out: &mut impl Write,
    lead: &str,
    indent: &str,
    text: &str,
) -> io::Result<()> {
    for line in wrapped(WIDTH, lead, indent, text) {
        writeln!(out, "{}", text::line(&line))?;
    }
    Ok(())
}

/// `1 case`, `1,234 cases`
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}
