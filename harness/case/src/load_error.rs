//! Why files were not read.

use std::{fmt, io, path::Path};

use crate::code::Code;
use crate::diagnostic::{Diagnostic, SourceFile, Style, render};
use crate::yaml::Span;

/// Why no corpus was read: bad input.
#[derive(Debug)]
pub struct LoadError {
    /// All mistakes that could be found, in the order of files; never none.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that were read.
    pub files: Vec<SourceFile>,
}

impl LoadError {
    /// One file has these mistakes.
    pub(crate) fn bad(file: SourceFile, diagnostics: Vec<Diagnostic>) -> Self {
        let files = vec![file];
        Self { diagnostics, files }
    }

    /// A file or folder cannot be read, as the system says.
    pub(crate) fn unreadable(path: &Path, why: &io::Error) -> Self {
        let message = format!("cannot read {}: {why}", path.display());
        Self::general(Diagnostic::at(
            Code::Unreadable,
            path,
            Span::default(),
            message,
        ))
    }

    /// What is wrong is in no file that was read.
    pub(crate) fn general(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostics: vec![diagnostic],
            files: Vec::new(),
        }
    }

    /// Everything that is wrong, to be printed.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        render(&self.diagnostics, &self.files, style)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = self.diagnostics.first() {
            f.write_str(&first.summary())?;
        }
        match self.diagnostics.len() {
            0 | 1 => Ok(()),
            all => write!(f, " (and {} more)", all - 1),
        }
    }
}

impl std::error::Error for LoadError {}
