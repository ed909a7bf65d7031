//! The threads of a command.

use ptodiff_runner::Options;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exit::Error;

/// So many threads, or as many as a run has that is not told.
pub(crate) fn pool(jobs: Option<usize>) -> Result<ThreadPool, Error> {
    let jobs = jobs.unwrap_or_else(|| Options::default().jobs);
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|e| Error::fault(format!("cannot start {jobs} threads: {e}")))
}
