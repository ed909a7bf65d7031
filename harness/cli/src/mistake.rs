//! A mistake in a text that the user wrote, shown with a caret under its place.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use ptodiff_case::did_you_mean;
use ptodiff_edge::text::{QUOTES, is_hidden, line, short, unmarked};

use crate::exit::Error;

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mistake {
    /// What is wrong.
    pub(crate) message: String,
    /// Bytes of the text.
    pub(crate) at: Range<usize>,
    /// What to do.
    pub(crate) help: Option<String>,
}

impl Mistake {
    /// A mistake without advice.
    pub(crate) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at,
            help: None,
        }
    }

    /// With advice.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// With the known words that are near to `word`, or with all of them where none is.
    #[must_use]
    pub(crate) fn known(self, word: &str, known: &[&str]) -> Self {
        match did_you_mean(word, known.iter().copied()) {
            Some(meant) => self.help(meant),
            None if known.len() <= 20 => self.help(format!("there are {}", known.join(", "))),
            None => self,
        }
    }

    /// The mistake as an error, in the text `source` that is called `name`.
    pub(crate) fn error(&self, name: &str, source: &str) -> Error {
        let end = self.at.end.min(source.len());
        let at = self.at.start.min(end)..end;
        let message = line(&short(&self.message, QUOTES)).into_owned();
        let source: String = source.chars().map(shown).collect();
        let mut group = Group::with_title(Level::ERROR.primary_title(&*message)).element(
            Snippet::source(source)
                .path(name)
                .annotation(AnnotationKind::Primary.span(at)),
        );
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(line(&short(help, QUOTES)).into_owned()));
        }
        Error::mistake(unmarked(&Renderer::styled().render(&[group])).into_owned())
    }
}

/// What stands for `c` on a terminal, in as many bytes: places stay.
fn shown(c: char) -> String {
    match c {
        '\n' | '\t' => c.to_string(),
        c if is_hidden(c) => "?".repeat(c.len_utf8()),
        c => c.to_string(),
    }
}
