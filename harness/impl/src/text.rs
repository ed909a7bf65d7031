//! Text that an implementation wrote, made fit to be shown.

use std::collections::VecDeque;

use ptodiff_edge::text::push;

/// Lines of standard error that are kept.
pub(crate) const LINES: usize = 64;

/// Bytes of one line of standard error that are kept.
const LINE: usize = 512;

/// The first `most` characters of `bytes` as one line: what could move a
/// cursor, turn text around or break a line is escaped.
pub(crate) fn one_line(bytes: &[u8], most: usize) -> String {
    // No character has more than four bytes.
    let beginning = &bytes[..bytes.len().min(most.saturating_mul(4))];
    let text = String::from_utf8_lossy(beginning);
    let mut out = String::new();
    text.chars().take(most).for_each(|c| push(&mut out, c));
    if beginning.len() < bytes.len() || text.chars().nth(most).is_some() {
        out.push_str("...");
    }
    out
}

/// The last lines of a stream.
#[derive(Default)]
pub(crate) struct Tail {
    ended: VecDeque<Vec<u8>>,
    open: Vec<u8>,
}

impl Tail {
    /// Takes in what came next.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|b| *b == b'\n') {
            let (text, ends) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            // One more than is shown, so that a cut line is seen to be cut.
            let room = (LINE + 1).saturating_sub(self.open.len());
            self.open.extend_from_slice(&text[..text.len().min(room)]);
            if ends {
                if self.ended.len() == LINES {
                    self.ended.pop_front();
                }
                self.ended.push_back(std::mem::take(&mut self.open));
            }
        }
    }

    /// The last lines, escaped.
    pub(crate) fn lines(&self) -> Vec<String> {
        let open = Some(&self.open).filter(|open| !open.is_empty());
        let all = self.ended.iter().chain(open);
        let skipped = (self.ended.len() + open.iter().len()).saturating_sub(LINES);
        all.skip(skipped)
            .map(|line| one_line(line.strip_suffix(b"\r").unwrap_or(line), LINE))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_one_line_without_tricks() {
        let shown = |text: &str, most| one_line(text.as_bytes(), most);
        assert_eq!(shown("plain \u{e9} \\ \"q\"", 40), "plain \u{e9} \\ \"q\"");
        assert_eq!(shown("a\n\t\u{1b}[31m", 40), "a\\n\\t\\u{1b}[31m");
        assert_eq!(shown("x\u{202e}y\u{feff}", 40), "x\\u{202e}y\\u{feff}");
        assert_eq!(shown("abcdef", 6), "abcdef");
        assert_eq!(shown("abcdefg", 6), "abcdef...");
        assert_eq!(shown(&"a".repeat(100), 2), "aa...");
        assert_eq!(one_line(b"\xff!", 9), "\u{fffd}!");
    }

    #[test]
    fn the_last_lines_are_kept() {
        let mut tail = Tail::default();
        assert_eq!(tail.lines(), [""; 0]);
        tail.take(b"one\r\ntw");
        tail.take(b"o\nthr");
        assert_eq!(tail.lines(), ["one", "two", "thr"]);
        for n in 0..100 {
            tail.take(format!("{n}\n").as_bytes());
        }
        let lines = tail.lines();
        assert_eq!(
            (lines.len(), &lines[0][..], &lines[63][..]),
            (64, "36", "99")
        );
        tail.take(b"open");
        let lines = tail.lines();
        assert_eq!(
            (lines.len(), &lines[0][..], &lines[63][..]),
            (64, "37", "open")
        );
    }

    #[test]
    fn a_line_without_an_end_takes_little_room() {
        let mut tail = Tail::default();
        for _ in 0..1000 {
            tail.take(&[b'a'; 1000]);
        }
        assert_eq!(tail.open.len(), LINE + 1);
        assert_eq!(tail.lines(), [format!("{}...", "a".repeat(LINE))]);
    }
}
