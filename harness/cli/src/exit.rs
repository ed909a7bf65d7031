//! Exit codes, and errors that know theirs.

use std::{fmt::Display, io, process::ExitCode};

use anstream::eprintln;
use ptodiff_case::{Corpus, Diagnostic, LoadError, Style};
use ptodiff_report::style::BAD;

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything conforms.
    Conforms = 0,
    /// A violation.
    Violation = 1,
    /// Wrong usage or a bad case.
    Usage = 2,
    /// Nothing ran.
    Nothing = 3,
    /// A fault of the harness or of the machine under it.
    Fault = 70,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Error {
    exit: Exit,
    message: String,
}

impl Error {
    /// Wrong usage.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self {
            exit: Exit::Usage,
            message: format!("{BAD}error{BAD:#}: {message}"),
        }
    }

    /// Mistakes in cases that read well.
    pub(crate) fn bad_cases(mistakes: &[Diagnostic], corpus: &Corpus) -> Self {
        Self {
            exit: Exit::Usage,
            message: ptodiff_case::render(mistakes, &corpus.files, Style::Coloured),
        }
    }

    /// Nothing to run.
    pub(crate) fn nothing(message: impl Display) -> Self {
        Self {
            exit: Exit::Nothing,
            message: format!("{BAD}error{BAD:#}: {message}"),
        }
    }

    /// The harness or the machine failed.
    pub(crate) fn fault(message: impl Display) -> Self {
        Self {
            exit: Exit::Fault,
            message: format!("{BAD}error{BAD:#}: {message}"),
        }
    }

    /// Says what went wrong and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        if !self.message.is_empty() {
            eprintln!("{}", self.message);
        }
        self.exit.into()
    }
}

/// Standard output is closed: whoever read it has seen enough.
fn reader_left(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        if reader_left(&error) {
            return Self {
                exit: Exit::Conforms,
                message: String::new(),
            };
        }
        Self::fault(format!("cannot write to standard output: {error}"))
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        let exit = match error {
            LoadError::NothingFound { .. } => Exit::Nothing,
            LoadError::Bad { .. } | LoadError::Io { .. } => Exit::Usage,
        };
        Self {
            exit,
            message: error.render(Style::Coloured),
        }
    }
}
