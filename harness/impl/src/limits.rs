//! What an implementation may use.

use std::time::Duration;

/// What an implementation may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// For a whole question and its answer.
    pub time: Duration,
    /// From the start of a process to its answer to the greeting.
    pub start: Duration,
    /// Bytes of memory that a process may hold together with its children.
    /// Looked at now and then, so what is held for a moment may pass. Windows
    /// tells of the process alone, macOS of none.
    pub memory: u64,
    /// Most processes that it has at once. If not given as many as it says when it
    /// is greeted, and one if it says nothing: a board is one.
    pub jobs: Option<usize>,
    /// How often a call that fails is asked again, alone.
    pub retries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(10),
            start: Duration::from_secs(60),
            memory: 2048 << 20,
            jobs: None,
            retries: 1,
        }
    }
}
