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

/// The threads that files are read with: this one alone where no other can be started.
pub(crate) fn start() {
    if ThreadPoolBuilder::new().build_global().is_err() {
        let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        // Whoever asks first starts them where this fails, too, and says so.
        let _ = alone.build_global();
    }
}
