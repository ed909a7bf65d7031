//! Input of somebody who means harm: names, texts and files.
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod every;
mod page;

/// What a terminal, a table, a tag, a shell or a CI job would obey.
pub(crate) const HOSTILE: &str = "::error::%0Ax##[stop-commands]y##vso[task.complete result=x]\u{1b}[8m\u{1b}]0;owned\u{7}\r\u{9b}2J\u{202e}evil\u{2066}\u{200b}|<script>alert(1)</script>`$(touch owned)`'\"&amp;]]>";

/// Whether `c` does something to what is seen around it. Written down here
/// once more: what it is held against has a list of its own.
pub(crate) fn hides(c: char) -> bool {
    c != '\n' && c.is_control()
        || ['\u{61c}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{feff}'].contains(&c)
        || ('\u{2028}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// `text` without the colours that the command itself has.
pub(crate) fn colourless(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let own = part.strip_prefix('[').and_then(|rest| rest.split_once('m'));
        match own.filter(|(codes, _)| {
            let known = |code| ["0", "1", "2", "4"].contains(&code) || is_colour(code);
            !codes.is_empty() && codes.split(';').all(known)
        }) {
            Some((_, rest)) => out.push_str(rest),
            None => {
                out.push('\u{1b}');
                out.push_str(part);
            }
        }
    }
    out
}

/// The colours of text, bright ones too.
fn is_colour(code: &str) -> bool {
    code.parse()
        .is_ok_and(|n: u8| matches!(n, 30..=37 | 90..=97))
}

/// That nothing in `text` is obeyed by a terminal or a CI job.
#[track_caller]
pub(crate) fn is_plain(what: &str, text: &str) {
    let text = colourless(text);
    if let Some(at) = text.find(hides) {
        let from = text[..at].rfind('\n').map_or(0, |n| n + 1);
        panic!("{what}: {:?}", text[from..].lines().next());
    }
    let command = text
        .lines()
        .find(|line| line.trim_start().starts_with("::"));
    assert_eq!(command, None, "{what}");
    // A runner finds these anywhere in a line.
    for mark in ["##[", "##vso["] {
        assert_eq!(
            text.lines().find(|line| line.contains(mark)),
            None,
            "{what}"
        );
    }
}
