//! Starts of an implementation's processes: how many may fail.

use crate::{Failure, StartError, Trouble};

/// Starts in a row that may fail.
pub const TRIES: u32 = 5;

/// Starts that failed since the last one that did not.
#[derive(Default)]
pub(crate) struct Starts {
    failed: u32,
    why: String,
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
            stderr: Vec::new(),
        })
    }

    /// Notes a start that failed: an error if that was one too many.
    pub(crate) fn failed(&mut self, error: StartError) -> Result<(), Failure> {
        self.failed += 1;
        self.why = error.to_string();
        let stderr = match error {
            StartError::Failed(failure) => failure.stderr,
            _ => Vec::new(),
        };
        self.allow()
            .map_err(|failure| Failure { stderr, ..failure })
    }

    /// Notes a start that did not fail.
    pub(crate) fn succeeded(&mut self) {
        *self = Self::default();
    }
}
