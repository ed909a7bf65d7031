//! Text of others inside Markdown: always code, so that nothing in it is markup.

use ptodiff_edge::text::is_hidden;

/// `text` as a code span, in one line, also within a table.
pub(crate) fn code(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| match c {
            c if c.is_whitespace() => ' ',
            c if is_hidden(c) => '\u{FFFD}',
            c => c,
        })
        .collect();
    // A table is cut into cells before code is looked for.
    let line = cut(line.trim(), LONGEST).replace('|', "\\|");
    if line.is_empty() {
        return "(nothing)".to_owned();
    }
    let fence = "`".repeat(longest_run(&line) + 1);
    match line.starts_with('`') || line.ends_with('`') {
        true => format!("{fence} {line} {fence}"),
        false => format!("{fence}{line}{fence}"),
    }
}

/// `text` as a block of code with a language.
pub(crate) fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let clean = |c: char| if is_hidden(c) { '\u{FFFD}' } else { c };
    let line: String = text.chars().map(clean).collect();
    format!("{fence}{language}\n{line}\n{fence}\n")
}

/// As [`block`], with these lines.
pub(crate) fn lines(all: &[String]) -> String {
    let text = all.join(" ");
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let clean = |c: char| if is_hidden(c) { '\u{FFFD}' } else { c };
    let mut out = format!("{fence}text\n");
    for line in all {
        out.extend(line.chars().map(clean));
        out.push('\n');
    }
    out + &fence + "\n"
}

/// Characters of a code span: more is a name gone wild.
const LONGEST: usize = 400;

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}\u{2026}", &text[..at]),
        None => text.to_owned(),
    }
}

/// How many backticks stand together in `text` at most.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Markdown of at most so many bytes: what does not fit is left out whole.
pub(crate) struct Sheet {
    text: String,
    most: usize,
    /// Whether something was left out.
    pub(crate) full: bool,
}

/// A step's summary of GitHub holds 1 MiB; the rest is for what is said at the end.
pub(crate) const MOST: usize = (1 << 20) - 4096;

impl Sheet {
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            text: String::new(),
            most,
            full: false,
        }
    }

    /// Adds `piece` if it fits and nothing was left out before; whether it did.
    pub(crate) fn push(&mut self, piece: &str) -> bool {
        self.full |= self.text.len() + piece.len() > self.most;
        if !self.full {
            self.text.push_str(piece);
        }
        !self.full
    }

    /// All of it, and `note` where something was left out.
    pub(crate) fn finish(self, note: &str) -> String {
        match self.full {
            true => format!("{}\n{note}\n", self.text),
            false => self.text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_holds_any_text() {
        assert_eq!(code("a_b*c*<b>"), "`a_b*c*<b>`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a|b\nc\u{1b}[0m"), "`a\\|b c\u{FFFD}[0m`");
        assert_eq!(code(" "), "(nothing)");
        assert_eq!(code(&"\u{e9}".repeat(500)).chars().count(), LONGEST + 3);
    }

    #[test]
    fn a_block_is_not_ended_by_what_it_holds() {
        let text = block("sh", "echo ```` '\n```'");
        assert_eq!(text, "`````sh\necho ```` '\u{FFFD}```'\n`````\n");
    }

    #[test]
    fn a_sheet_that_is_full_says_so() {
        let mut sheet = Sheet::new(10);
        assert!(sheet.push("12345"));
        assert!(!sheet.push("123456"));
        assert!(!sheet.push("1"), "the order would be another");
        assert_eq!(sheet.finish("more"), "12345\nmore\n");
        assert_eq!(Sheet::new(0).finish("more"), "");
    }
}
