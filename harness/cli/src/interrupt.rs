//! Ctrl-C, a polite `kill`, and a terminal that is closed.
//!
//! The first of them ends the command, and with it what implementations run and the
//! files that are not complete; a command may say what was done by then, or
//! come to an end by itself. The second ends it at once, whatever it does.

use std::{
    fs,
    io::Write,
    process::exit,
    sync::{Mutex, PoisonError},
    thread,
};

use anstream::stderr;
use ptodiff_edge::whole::drop_unfinished;
use ptodiff_impl::end_all;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::exit::{Error, Exit};

/// How a command goes on at the first interrupt.
pub(crate) enum Then {
    /// It ends, and this is said.
    End(String),
    /// It ends by itself, soon; this is said.
    Wait(&'static str),
}

type First = Box<dyn FnOnce() -> Then + Send>;

/// What the command that runs does at the first interrupt.
static FIRST: Mutex<Option<First>> = Mutex::new(None);

/// Waits for interrupts from now on.
///
/// # Errors
/// If they cannot be waited for.
pub(crate) fn wait() -> Result<(), Error> {
    let cannot = |e| Error::fault(format!("cannot wait for an interrupt: {e}"));
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(cannot)?;
    if !outlives_its_terminal() {
        signals.add_signal(SIGHUP).map_err(cannot)?;
    }
    let waits = move || {
        let mut all = signals.forever();
        if all.next().is_some() {
            // It may have to wait for whoever reads; the second is heard meanwhile.
            thread::spawn(first);
        }
        if all.next().is_some() {
            end();
        }
    };
    thread::Builder::new().spawn(waits).map_err(cannot)?;
    Ok(())
}

/// Whether it was started to ignore that its terminal is closed, as `nohup` does.
/// Only Linux tells.
fn outlives_its_terminal() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// Does this at the first interrupt. It must not wait for the command's threads.
pub(crate) fn at_first(act: impl FnOnce() -> Then + Send + 'static) {
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

fn first() {
    let act = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    match act.map_or_else(|| Then::End(String::new()), |act| act()) {
        Then::End(said) => {
            end_all();
            drop_unfinished();
            say(&said);
            exit(Exit::Interrupted as i32);
        }
        Then::Wait(said) => {
            // Whoever waits for an answer would wait too long.
            end_all();
            say(&format!(": {said}"));
        }
    }
}

fn say(what: &str) {
    // The terminal may be gone.
    let _ = writeln!(stderr(), "interrupted{what}");
}

/// Ends the command, and leaves nothing behind.
fn end() {
    end_all();
    drop_unfinished();
    exit(Exit::Interrupted as i32);
}
