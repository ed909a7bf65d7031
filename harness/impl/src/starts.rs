//! Starts of an implementation's processes: how many may fail.

use std::time::Duration;

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

    /// Notes a start that failed, and says how long to wait before the next, for a device that
    /// needs a moment: an error if that was one too many.
    pub(crate) fn failed(&mut self, error: StartError) -> Result<Duration, Failure> {
        self.failed += 1;
        self.why = error.to_string();
        self.stderr = match error {
            StartError::Failed(failure) => failure.stderr,
            _ => Vec::new(),
        };
        self.allow()?;
        Ok(Duration::from_millis(100) * 3_u32.pow(self.failed - 1))
    }

    /// Notes a start that did not fail.
    pub(crate) fn succeeded(&mut self) {
        *self = Self::default();
    }
}
