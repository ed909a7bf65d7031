//! Ctrl-C, a polite `kill`, and a terminal that is closed.
//!
//! The first of them ends the command, and with it what implementations run and the
//! files that are not complete; a command may say what was done by then, or
//! come to an end by itself. The second ends it at once, whatever it does. Other
//! signals end it as they end any process, but for the files.

#[cfg(unix)]
mod signals;

use std::{
    mem,
    process::exit,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

use ptodiff_edge::whole::drop_unfinished;
use ptodiff_impl::end_all;

use crate::{exit::Exit, out};

#[cfg(unix)]
pub(crate) use signals::wait;

/// How a command goes on at the first interrupt.
pub(crate) enum Then {
    /// It ends, and this is said.
    End(String),
    /// It ends by itself, soon, and says so.
    Wait,
}

/// Whether there was an interrupt.
static HEARD: AtomicBool = AtomicBool::new(false);

/// Whether there was an interrupt: implementations are ended then.
pub(crate) fn was_heard() -> bool {
    HEARD.load(Ordering::SeqCst)
}

type First = Box<dyn FnOnce() -> Then + Send>;

/// What the command that runs does at the first interrupt.
static FIRST: Mutex<Option<First>> = Mutex::new(None);

/// Waits for Ctrl-C from now on.
#[cfg(windows)]
pub(crate) fn wait() -> Result<(), crate::exit::Error> {
    use std::time::Duration;
    let cannot = |e| crate::exit::Error::fault(format!("cannot wait for an interrupt: {e}"));
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag)).map_err(cannot)?;
    let waits = move || {
        let mut before = false;
        loop {
            // A console only sets a flag.
            thread::sleep(Duration::from_millis(50));
            if flag.swap(false, Ordering::Relaxed) {
                heard(&mut before);
            }
        }
    };
    thread::Builder::new().spawn(waits).map_err(cannot)?;
    Ok(())
}

/// Does what an interrupt asks for, and notes that there was one `before`.
fn heard(before: &mut bool) {
    HEARD.store(true, Ordering::SeqCst);
    if mem::replace(before, true) {
        return end();
    }
    // The write may block; the second interrupt is handled meanwhile.
    if thread::Builder::new().spawn(first).is_err() {
        first();
    }
}

/// Does this at the first interrupt. It must not wait for the command's threads.
pub(crate) fn at_first(act: impl FnOnce() -> Then + Send + 'static) {
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

/// A counter of what is done of all that `of` names: the first interrupt says how far it is.
pub(crate) fn counter(of: String) -> Arc<AtomicU64> {
    let done = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&done);
    at_first(move || {
        let done = told.load(Ordering::Relaxed);
        Then::End(format!(" after {done} of {of}"))
    });
    done
}

fn first() {
    let act = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    match act.map_or_else(|| Then::End(String::new()), |act| act()) {
        Then::End(said) => {
            end_all();
            drop_unfinished();
            out::say(format!("interrupted{said}"));
            exit(Exit::Interrupted as i32);
        }
        // An answer would take too long.
        Then::Wait => end_all(),
    }
}

/// Ends the command, and leaves nothing behind.
fn end() {
    end_all();
    drop_unfinished();
    exit(Exit::Interrupted as i32);
}
