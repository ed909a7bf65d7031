//! Prose in lines of a bearable length.

use std::{
    fmt::Display,
    io::{self, Write},
};

use ptodiff_edge::text;
pub(crate) use ptodiff_record::grouped;

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
        writeln!(out, "{}", text::line(&line))?;
    }
    Ok(())
}

/// All of `all` in one text, with `sign` between two.
pub(crate) fn joined<T: Display>(all: impl IntoIterator<Item = T>, sign: &str) -> String {
    let all: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    all.join(sign)
}

/// `1 case`, `1,234 cases`
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        let all = [0, 1, 2, 1000].map(|n| counted(n, "case"));
        assert_eq!(all, ["0 cases", "1 case", "2 cases", "1,000 cases"]);
    }
}
