//! The mistakes found in one file so far, and the checks on single words that find them.

use std::{path::Path, str::FromStr};

use ptodiff_isa::{Dim, Form};
use strum::VariantNames;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Related, Spot};
use crate::form::{instead, owners, title};
use crate::limits::{MAX_EXPECTED_OF_FILE, MAX_LOADED_OF_FILE};
use crate::literal;
use crate::old_words::OldWord;
use crate::suggest;
use crate::yaml::{Node, Span};

/// Collects the mistakes of one file.
pub(crate) struct Notes<'a> {
    /// The file.
    pub(crate) file: &'a Path,
    /// Its text.
    pub(crate) text: &'a str,
    /// The folder that files named in it are below; none of a text by itself.
    pub(crate) folder: Option<&'a Path>,
    /// What was found.
    pub(crate) found: Vec<Diagnostic>,
    /// Its old words, in the order of the text.
    pub(crate) old_words: Vec<OldWord>,
    /// Expected elements and values so far.
    expected: u64,
    /// Bytes of other files so far.
    loaded: u64,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(file: &'a Path, text: &'a str) -> Self {
        Self {
            file,
            text,
            folder: None,
            found: Vec::new(),
            old_words: Vec::new(),
            expected: 0,
            loaded: 0,
        }
    }

    /// What stands at `span`.
    pub(crate) fn text(&self, span: &Span) -> &'a str {
        self.text.get(span.bytes.clone()).unwrap_or_default()
    }

    /// Counts elements and values that are expected against what a file may
    /// have of them; whether it may have so many.
    pub(crate) fn expect(&mut self, more: u64, span: &Span) -> bool {
        let sum = self.expected.saturating_add(more);
        if sum > MAX_EXPECTED_OF_FILE {
            let message =
                format!("a file expects something of at most {MAX_EXPECTED_OF_FILE} elements");
            self.add(Code::TooLarge, span, message, "one too many").help = Some(
                "split the file, or use smaller operands; `_` and `any` count nothing".to_owned(),
            );
            return false;
        }
        self.expected = sum;
        true
    }

    /// Counts bytes that are read from other files against what a case file
    /// may have of them; whether it may have so many.
    pub(crate) fn load(&mut self, more: u64, span: &Span) -> bool {
        let sum = self.loaded.saturating_add(more);
        if sum > MAX_LOADED_OF_FILE {
            let most = MAX_LOADED_OF_FILE >> 20;
            let message = format!("the cases of a file read at most {most} MiB from other files");
            self.add(Code::TooLarge, span, message, "too much").help =
                Some("split the file, or use smaller operands".to_owned());
            return false;
        }
        self.loaded = sum;
        true
    }

    /// Records a `key` that `form` does not take.
    pub(crate) fn not_of(&mut self, form: Form, key: &str, span: &Span) {
        let message = format!("{} has no `{key}`", title(form));
        let label = format!("belongs to {}", owners(key));
        self.add(Code::NotApplicable, span, message, label).help =
            instead(form, key).map(str::to_owned);
    }

    /// Records a mistake; its label and help may be added to what is returned.
    pub(crate) fn add(
        &mut self,
        code: Code,
        span: &Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        let mut diagnostic = Diagnostic::at(code, self.file, span.clone(), message.into());
        diagnostic.label = label.into();
        let last = self.found.len();
        self.found.push(diagnostic);
        &mut self.found[last]
    }

    /// Records a list that has no entry.
    pub(crate) fn not_empty(&mut self, code: Code, list: &Node, message: &str) {
        if list.list().is_some_and(<[_]>::is_empty) {
            self.add(code, &list.span, message, "an empty list");
        }
    }

    /// Puts `value`, which stands at `span`, behind `all` the others; records one that is there.
    pub(crate) fn once<T: PartialEq>(
        &mut self,
        all: &mut Vec<T>,
        value: T,
        (code, span, message): (Code, &Span, String),
    ) {
        match all.contains(&value) {
            true => {
                self.add(code, span, message, "again");
            }
            false => all.push(value),
        }
    }

    /// Another place in this file.
    pub(crate) fn related(&self, span: &Span, label: impl Into<String>) -> Related {
        Related {
            spot: Spot {
                file: self.file.to_owned(),
                span: span.clone(),
            },
            label: label.into(),
        }
    }

    /// One of the names of `T`.
    pub(crate) fn name<T: FromStr + VariantNames>(&mut self, what: &str, word: &Node) -> Option<T> {
        let text = word.word();
        if let Ok(value) = text.parse() {
            return Some(value);
        }
        self.no_name(what, word, T::VARIANTS);
        None
    }

    /// Records a word that is none of these names.
    pub(crate) fn no_name(&mut self, what: &str, word: &Node, names: &[&str]) {
        let text = word.word();
        let message = format!("there is no {what} `{text}`");
        self.add(Code::UnknownName, &word.span, message, "not known")
            .help = suggest::help(text, names);
    }

    /// Makes `own` what stands under `key` in a mapping, where that is one of the names of `T`.
    pub(crate) fn put<T: FromStr + VariantNames>(
        &mut self,
        own: &mut T,
        key: &str,
        map: Option<&Node>,
    ) {
        let word = map.and_then(|map| map.get(key));
        if let Some(value) = word.and_then(|word| self.name(key, word)) {
            *own = value;
        }
    }

    /// A whole number from `low` to `high`.
    pub(crate) fn count(&mut self, what: &str, word: &Node, low: u64, high: u64) -> Option<u64> {
        let number = self.number(what, word.word(), low, &word.span)?;
        self.within(what, number, low, high, &word.span)
    }

    /// An extent or a stride of at most `high`; a static one of at least `low`.
    pub(crate) fn extent(&mut self, what: &str, word: &Node, low: u64, high: u64) -> Option<Dim> {
        let text = word.word().trim();
        match text.strip_prefix("dyn") {
            Some(rest) if rest.starts_with(' ') => {
                let number = self.number(what, rest.trim(), 0, &word.span)?;
                self.within(what, number, 0, high, &word.span)
                    .map(Dim::Dynamic)
            }
            _ => {
                let number = self.number(what, text, low, &word.span);
                let within =
                    number.and_then(|number| self.within(what, number, low, high, &word.span));
                let help = match text {
                    "0" => "an extent that turns out 0 at run time is `dyn 0`",
                    "-1" => "a template argument of -1, known at run time to be 9, is `dyn 9`",
                    _ => return within.map(Dim::Static),
                };
                if within.is_none()
                    && let Some(last) = self.found.last_mut()
                {
                    last.help = Some(help.into());
                }
                within.map(Dim::Static)
            }
        }
    }

    /// A list of exactly `N` entries, each converted; one that is wrong or lacks is `unknown`.
    pub(crate) fn array<T: Copy, const N: usize>(
        &mut self,
        what: &str,
        list: &Node,
        unknown: T,
        mut convert: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> [T; N] {
        let words = list.items();
        let entries: Vec<_> = words.iter().map(|word| convert(self, word)).collect();
        if words.len() != N {
            let message = format!("{what} has {N} entries, this has {}", words.len());
            let label = format!("{N} entries are expected");
            self.add(Code::WrongLength, &list.span, message, label);
        }
        std::array::from_fn(|at| entries.get(at).copied().flatten().unwrap_or(unknown))
    }

    /// That the case has no `key`, `nor` where else it may stand.
    pub(crate) fn missing(&mut self, key: &str, nor: &str, owner: &Span) {
        let message = format!("the case has no `{key}`{nor}");
        self.add(Code::MissingKey, owner, message, format!("needs `{key}`"));
    }

    fn number(&mut self, what: &str, text: &str, low: u64, span: &Span) -> Option<u64> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let (code, message, label) = match text.parse() {
            _ if literal::maybe_octal(text) => (
                Code::NotANumber,
                format!("{what} cannot be `{text}`"),
                literal::MAYBE_OCTAL.to_owned(),
            ),
            Ok(number) if digits(text) => return Some(number),
            _ if digits(text) => (
                Code::OutOfLimits,
                format!("{what} {text} is beyond any limit"),
                "too large".to_owned(),
            ),
            _ if text.strip_prefix('-').is_some_and(digits) => (
                Code::OutOfLimits,
                format!("{what} cannot be {text}"),
                format!("at least {low}"),
            ),
            _ => (
                Code::NotANumber,
                format!("{what} is a whole number, {low} or more, not `{text}`"),
                "not a whole number".to_owned(),
            ),
        };
        self.add(code, span, message, label);
        None
    }

    fn within(&mut self, what: &str, number: u64, low: u64, high: u64, span: &Span) -> Option<u64> {
        if (low..=high).contains(&number) {
            return Some(number);
        }
        let label = if high == u64::MAX {
            format!("at least {low}")
        } else {
            format!("from {low} to {high}")
        };
        self.add(
            Code::OutOfLimits,
            span,
            format!("{what} cannot be {number}"),
            label,
        );
        None
    }
}
