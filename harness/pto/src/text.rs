//! Places in the text of a file, and its parts between brackets.

use std::ops::Range;
use std::path::Path;

use ptodiff_case::{Code, Diagnostic, Related, Span, Spot};

/// The text of a file.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    /// The file.
    pub(crate) path: &'t Path,
    /// What it says.
    pub(crate) text: &'t str,
    /// Where each line begins.
    pub(crate) lines: &'t [usize],
}

/// Where the lines of `text` begin.
pub(crate) fn lines(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(after).collect()
}

/// Bytes of the longest type or attribute that is looked at: none of the dialect comes
/// near, and a name may stand for one over and over.
pub(crate) const LONGEST: usize = 4096;

/// A part of the text, and the byte where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part<'t> {
    /// What stands there.
    pub(crate) text: &'t str,
    /// From where.
    pub(crate) at: usize,
}

impl<'t> Part<'t> {
    /// Its bytes.
    pub(crate) fn range(self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Without white space around it.
    pub(crate) fn trim(self) -> Self {
        let begin = self.text.len() - self.text.trim_start().len();
        Self {
            text: self.text.trim(),
            at: self.at + begin,
        }
    }

    /// The bytes from `from` to `to` of it.
    fn slice(self, range: Range<usize>) -> Self {
        Self {
            at: self.at + range.start,
            text: &self.text[range],
        }
    }

    /// What follows `prefix`, if it begins so.
    pub(crate) fn after(self, prefix: &str) -> Option<Self> {
        let rest = self.text.strip_prefix(prefix)?;
        Some(self.slice(self.text.len() - rest.len()..self.text.len()))
    }

    /// What stands between `open` at its start and `close` at its end.
    pub(crate) fn between(self, open: &str, close: &str) -> Option<Self> {
        let inner = self.after(open)?;
        let length = inner.text.strip_suffix(close)?.len();
        Some(inner.slice(0..length))
    }

    /// What stands before and after the first `sign` outside brackets and quotes.
    pub(crate) fn split_once(self, sign: char) -> Option<(Self, Self)> {
        let at = self.signs().find(|(_, c)| *c == sign)?.0;
        let after = at + sign.len_utf8()..self.text.len();
        Some((self.slice(0..at).trim(), self.slice(after).trim()))
    }

    /// Its parts between the commas outside brackets and quotes; none if it is empty.
    pub(crate) fn list(self) -> Vec<Self> {
        if self.text.trim().is_empty() {
            return Vec::new();
        }
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, _) in self.signs().filter(|(_, c)| *c == ',') {
            parts.push(self.slice(from..at).trim());
            from = at + 1;
        }
        parts.push(self.slice(from..self.text.len()).trim());
        parts
    }

    /// Every character outside brackets and quotes, with its place.
    fn signs(self) -> impl Iterator<Item = (usize, char)> + 't {
        let (mut depth, mut quoted, mut before) = (0_usize, false, ' ');
        self.text.char_indices().filter(move |(_, c)| {
            let last = std::mem::replace(&mut before, *c);
            if quoted {
                quoted = *c != '"' || last == '\\';
                return false;
            }
            match c {
                '"' => quoted = true,
                '<' | '(' | '[' | '{' => depth += 1,
                // The head of an arrow closes nothing.
                '>' if last == '-' => {}
                '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
    }
}

/// A mistake, before anybody needs its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) help: Option<String>,
    pub(crate) related: Option<(Range<usize>, String)>,
}

/// What a reader of the text answers.
pub(crate) type Read<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(crate) fn new(code: Code, at: Range<usize>, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            code,
            at,
            message: message.into(),
            label: String::new(),
            help: None,
            related: None,
        })
    }

    /// That `second` is said again.
    pub(crate) fn twice(second: Part<'_>, first: Part<'_>) -> Box<Self> {
        let message = format!("`{}` is given twice", second.text);
        let mut fault = Self::new(Code::DuplicateKey, second.range(), message).label("the second");
        fault.related = Some((first.range(), "the first".to_owned()));
        fault
    }

    /// With what is said at the caret.
    pub(crate) fn label(mut self: Box<Self>, label: impl Into<String>) -> Box<Self> {
        self.label = label.into();
        self
    }

    /// With advice.
    pub(crate) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }
}

impl Source<'_> {
    /// Where `bytes` stand.
    pub(crate) fn span(self, bytes: Range<usize>) -> Span {
        let line = self.lines.partition_point(|begin| *begin <= bytes.start);
        let begin = self.lines[line.saturating_sub(1)];
        let before = &self.text[begin..bytes.start];
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            line: count(line),
            column: count(before.chars().count() + 1),
            bytes,
        }
    }

    /// Where `bytes` stand, with the file.
    pub(crate) fn spot(self, bytes: Range<usize>) -> Spot {
        Spot {
            file: self.path.to_owned(),
            span: self.span(bytes),
        }
    }

    /// A mistake in full.
    pub(crate) fn tell(self, fault: Fault) -> Diagnostic {
        let mut told = Diagnostic::at(fault.code, self.path, self.span(fault.at), fault.message);
        told.label = fault.label;
        told.help = fault.help;
        told.related
            .extend(fault.related.map(|(at, label)| Related {
                spot: self.spot(at),
                label,
            }));
        told
    }
}
