//! Names and texts of others, without what a terminal or a reader would obey.

use std::{
    borrow::Cow,
    iter,
    ops::Range,
    path::{MAIN_SEPARATOR, Path},
};

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
        // Tags: invisible letters.
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

/// Where `text` has marks of commands that runners of CI jobs obey anywhere in
/// a line: `##[error]`, `##vso[task.complete]`. Of each all `#` but the last,
/// as ranges of bytes in order.
pub fn marks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    iter::from_fn(move || {
        loop {
            let start = from + text[from..].find("##")?;
            let after = text[start..].trim_start_matches('#');
            let end = text.len() - after.len();
            from = end;
            let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if after.trim_start_matches(word).starts_with('[') {
                return Some(start..end - 1);
            }
        }
    })
}

/// `text` with the [marks](marks()) of commands spelled out, and nothing else.
#[must_use]
pub fn unmarked(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    for mark in marks(text) {
        out.push_str(&text[done..mark.start]);
        out.push_str(&"\\u{23}".repeat(mark.len()));
        done = mark.end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Characters that a message quotes of what it got.
pub const MOST_QUOTED: usize = 80;

/// Between these a message quotes.
pub const QUOTES: &[char] = &['`', '"'];

/// Characters of a line of a message, which has a sentence or two of its own.
const MOST_SAID: usize = 1000;

/// A message that quotes at most [`MOST_QUOTED`] characters of what it got in
/// one place, between two of `quotes`, and whose lines have an end whatever it got.
#[must_use]
pub fn short<'a>(message: &'a str, quotes: &[char]) -> Cow<'a, str> {
    if message.len() <= MOST_QUOTED {
        return Cow::Borrowed(message);
    }
    let lines = message.split('\n');
    let short = lines.map(|line| without_middle(&quoting_less(line, quotes)));
    Cow::Owned(short.collect::<Vec<String>>().join("\n"))
}

/// At most [`MOST_SAID`] characters of `line`: those of both ends, since why
/// a file cannot be read stands behind its path.
fn without_middle(line: &str) -> String {
    let count = line.chars().count();
    let nth = |n: usize| line.char_indices().nth(n).map_or(line.len(), |(at, _)| at);
    match count.checked_sub(MOST_SAID) {
        None | Some(0) => line.to_owned(),
        Some(more) => {
            let kept = MOST_SAID / 2;
            format!(
                "{}\u{2026}{}",
                &line[..nth(kept)],
                &line[nth(kept + more)..]
            )
        }
    }
}

fn quoting_less(line: &str, quotes: &[char]) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    // Behind the first that has no partner there is no quotation.
    while let Some(at) = rest.find(quotes) {
        let (before, own) = rest.split_at(at + 1);
        let sign = &before[at..];
        out.push_str(before);
        rest = own;
        let Some(end) = own.find(sign) else { break };
        out.push_str(&cut(&own[..end], MOST_QUOTED));
        out.push_str(sign);
        rest = &own[end + 1..];
    }
    out.push_str(rest);
    out
}

/// At most `most` characters of `text`.
pub(crate) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((at, _)) => Cow::Owned(format!("{}\u{2026}", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

/// `text` in one line: what is hidden is spelled out, and so are the first `:`
/// of a command and the [marks](marks()) of others.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if !commands(text) && !text.chars().any(is_hidden) && marks(text).next().is_none() {
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
    if text.chars().all(plain) && !text.lines().any(commands) && marks(text).next().is_none() {
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

/// A path in one line, with `/` on every system: a record says the same on each.
#[must_use]
pub fn path(path: &Path) -> String {
    let name = line(&path.to_string_lossy()).into_owned();
    match MAIN_SEPARATOR {
        '/' => name,
        own => name.replace(own, "/"),
    }
}

fn spell(out: &mut String, line: &str) {
    let mut colons = u8::from(commands(line));
    for c in unmarked(line).chars() {
        match c {
            ':' if colons > 0 => {
                colons -= 1;
                out.extend(c.escape_unicode());
            }
            c => push(out, c),
        }
    }
}
