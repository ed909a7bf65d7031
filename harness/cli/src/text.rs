//! Prose in lines of a bearable length.

use std::io::{self, Write};

use ptodiff_edge::text;

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

/// `1,234,567`
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 case`, `1,234 cases`
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn one_is_no_plural() {
        let all = [0, 1, 2, 1000].map(|n| counted(n, "case"));
        assert_eq!(all, ["0 cases", "1 case", "2 cases", "1,000 cases"]);
    }

    #[test]
    fn large_numbers_are_grouped() {
        let all = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(all, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }
}
