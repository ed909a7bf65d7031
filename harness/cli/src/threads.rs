//! The threads of a command.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exit::Error;

/// So many threads, or as many as the machine has cores.
///
/// # Errors
/// If they cannot be started.
pub(crate) fn pool(jobs: Option<usize>) -> Result<ThreadPool, Error> {
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|e| Error::fault(format!("cannot start {jobs} threads: {e}")))
}
