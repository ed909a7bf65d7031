//! Prose in lines of a bearable length.

use std::io::{self, Write};

/// Characters of a line.
const WIDTH: usize = 100;

/// Writes `text` in lines of at most 100 characters: the first after `lead`,
/// the others after `indent`. A word that is longer stays whole.
pub(crate) fn paragraph(
    out: &mut impl Write,
    lead: &str,
    indent: &str,
    text: &str,
) -> io::Result<()> {
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(lead)
        .subsequent_indent(indent)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    for line in textwrap::wrap(text, options) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
