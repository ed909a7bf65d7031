//! What can go wrong with an implementation.

use std::{fmt, sync::Mutex, time::Duration};

use crate::{pool::lock, system::name_of_end};

/// How a process came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Not at all: it closed its input or its output and went on.
    Closed,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            // Windows tells of a crash by one.
            Self::Code(code @ ..0) => write!(f, "ended with code {code:#010X}")?,
            Self::Code(code) => write!(f, "ended with code {code}")?,
            Self::Signal(number) => write!(f, "was ended by signal {number}")?,
            Self::Closed => f.write_str("closed its standard input or output and went on")?,
        }
        match name_of_end(*self) {
            Some(name) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trouble {
    /// It ended before it began to answer.
    #[error("the implementation {0}")]
    Crash(Ended),
    /// It ended in the middle of an answer.
    #[error("the implementation {ended} in the middle of an answer, after {held} bytes of it")]
    Half {
        /// Bytes that had come.
        held: usize,
        /// How it ended.
        ended: Ended,
    },
    /// The time limit passed.
    #[error("no whole answer within {limit:?}: {held} bytes of one had come")]
    Time {
        /// The limit.
        limit: Duration,
        /// Bytes of an answer that had come.
        held: usize,
    },
    /// Its processes held more memory than they may.
    #[error(
        "the implementation held {} MiB of memory, and may hold {} (--impl-memory)",
        held.div_ceil(1 << 20), limit >> 20
    )]
    Memory {
        /// Bytes held when that was seen.
        held: u64,
        /// The limit, whole MiB in bytes.
        limit: u64,
    },
    /// Its answer makes no sense: why.
    #[error("an answer that makes no sense: {0}")]
    Garbage(String),
    /// It answers a question that it answered before; what it says, as one line.
    #[error("an answer to the question before: {said}")]
    Late {
        /// The beginning of the answer, escaped.
        said: String,
    },
    /// It wrote more than an answer can have: what.
    #[error("more output than an answer can have: {0}")]
    Flood(String),
    /// The machine could not go on: it has no more files, processes or memory.
    /// No implementation is to blame.
    #[error("{0}")]
    Machine(String),
    /// It did not start, several times in a row: why, the last time.
    #[error("the implementation did not start {tries} times in a row; the last time: {why}")]
    NoStart {
        /// How many times.
        tries: u32,
        /// Why, the last time.
        why: String,
    },
}

/// A question without an answer. The process that was asked is gone.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{trouble}")]
pub struct Failure {
    /// What happened.
    pub trouble: Trouble,
    /// The last lines that the process wrote to standard error, at most 64,
    /// escaped.
    pub stderr: Vec<String>,
}

/// Why an implementation cannot be used at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The name.
    #[error(
        "`{0}` is no name for an implementation: up to 32 letters, digits, `-`, `_` and `.`, a letter first"
    )]
    Name(String),
    /// The command is empty, or a quote in it does not end.
    #[error("`{0}` is no command: it is empty, or a quote does not end")]
    Command(String),
    /// The program cannot be run.
    #[error("`{program}` cannot be run: {why}")]
    Program {
        /// The program.
        program: String,
        /// What the system says.
        why: String,
    },
    /// The machine cannot run one more: it has no more files, processes or memory.
    #[error("the machine cannot start it: {0}")]
    Machine(String),
    /// It answers that it cannot take part: why.
    #[error("the implementation is sorry: {0}")]
    Sorry(String),
    /// It speaks another version of the protocol.
    #[error("the implementation speaks version {0} of the protocol, not {oldest} to {newest}", oldest = crate::OLDEST, newest = crate::PROTOCOL)]
    Version(u32),
    /// It did not come to greet.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// An answer too many, which came after the one that was waited for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extra {
    /// Whose question it was that was answered twice, as the asker calls it.
    pub of: String,
    /// The beginning of what came, escaped.
    pub said: String,
}

/// Processes that ended otherwise than they should, though no question was open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// How many.
    pub times: u64,
    /// How the last of them did.
    pub last: Failure,
}

impl Ends {
    /// Counts one more.
    pub(crate) fn note(ends: &Mutex<Option<Self>>, last: Failure) {
        let mut ends = lock(ends);
        let times = ends.take().map_or(0, |before| before.times) + 1;
        *ends = Some(Self { times, last });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_in_words() {
        assert_eq!(Ended::Code(3).to_string(), "ended with code 3");
        let crash = Ended::Code(0xC000_0005_u32.cast_signed()).to_string();
        assert!(crash.starts_with("ended with code 0xC0000005"), "{crash}");
        #[cfg(windows)]
        assert_eq!(crash, "ended with code 0xC0000005 (access violation)");
        #[cfg(unix)]
        assert_eq!(
            Ended::Signal(9).to_string(),
            "was ended by signal 9 (SIGKILL)"
        );
        assert_eq!(Ended::Signal(63).to_string(), "was ended by signal 63");
    }
}
