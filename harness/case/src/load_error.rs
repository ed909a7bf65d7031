//! Why files were not read.

use std::{fmt, io, path::PathBuf};

use crate::code::Code;
use crate::diagnostic::{Diagnostic, SourceFile, Style, render};

/// Why no corpus was read.
#[derive(Debug)]
pub enum LoadError {
    /// Files have mistakes: bad input.
    Bad {
        /// All that could be found, in the order of files.
        diagnostics: Vec<Diagnostic>,
        /// The files that were read.
        files: Vec<SourceFile>,
    },
    /// The folders that were given hold no case file: nothing would run.
    NothingFound {
        /// What was given.
        paths: Vec<PathBuf>,
    },
    /// A file or folder cannot be read: bad input.
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl LoadError {
    /// One file has these mistakes.
    pub(crate) fn bad(file: SourceFile, diagnostics: Vec<Diagnostic>) -> Self {
        let files = vec![file];
        Self::Bad { diagnostics, files }
    }

    /// The mistakes, whatever their kind, as diagnostics.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Bad { diagnostics, .. } => diagnostics.clone(),
            Self::NothingFound { paths } => {
                let names: Vec<_> = paths.iter().map(|p| p.display().to_string()).collect();
                let message = format!("no case files in {}", names.join(", "));
                let mut diagnostic = Diagnostic::general(Code::NothingFound, message);
                let help = "case files end in `.yaml`, `.yml` or `.pto`; a file that ends in \
                            `.mlir` is read if it is named itself";
                diagnostic.help = Some(help.to_owned());
                vec![diagnostic]
            }
            Self::Io { path, source } => {
                let message = format!("cannot read {}: {source}", path.display());
                vec![Diagnostic::general(Code::Unreadable, message)]
            }
        }
    }

    /// Everything that is wrong, to be printed.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        let files: &[SourceFile] = match self {
            Self::Bad { files, .. } => files,
            Self::NothingFound { .. } | Self::Io { .. } => &[],
        };
        render(&self.diagnostics(), files, style)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.diagnostics();
        if let Some(first) = all.first() {
            f.write_str(&first.summary())?;
        }
        if all.len() > 1 {
            write!(f, " (and {} more)", all.len() - 1)?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Bad { .. } | Self::NothingFound { .. } => None,
        }
    }
}
