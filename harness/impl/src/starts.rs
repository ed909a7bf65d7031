//! Starts of an implementation's processes: how many may fail.

use crate::{Failure, StartError, Trouble};

/// Starts in a row that may fail.
pub const TRIES: u32 = 5;

/// Starts that failed since the last one that did not.
#[derive(Default)]
pub(crate) struct Starts {
    failed: u32,
    /// Why the last of them did, and what it wrote to standard error.
    why: String,
    stderr: Vec<String>,
}

impl Starts {
    /// That another start may be tried.
    pub(crate) fn allow(&self) -> Result<(), Failure> {
        if self.failed < TRIES {
            return Ok(());
        }
        Err(Failure {
            trouble: Trouble::NoStart {
                tries: self.failed,
                why: self.why.clone(),
            },
            stderr: self.stderr.clone(),
        })
    }

    /// Notes a start that failed: an error if that was one too many.
    pub(crate) fn failed(&mut self, error: StartError) -> Result<(), Failure> {
        self.failed += 1;
        self.why = error.to_string();
        self.stderr = match error {
            StartError::Failed(failure) => failure.stderr,
            _ => Vec::new(),
        };
        self.allow()
    }

    /// Notes a start that did not fail.
    pub(crate) fn succeeded(&mut self) {
        *self = Self::default();
    }
}
