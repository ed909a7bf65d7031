//! Ctrl-C, a polite `kill`, and a terminal that is closed.
//!
//! The first of them ends the command, and with it what implementations run and the
//! files that are not complete; a command may say what was done by then, or
//! come to an end by itself. The second ends it at once, whatever it does. Other
//! signals end it as they end any process, but for the files.

use std::{
    fs,
    process::exit,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    thread,
};

use ptodiff_edge::whole::drop_unfinished;
use ptodiff_impl::end_all;
use signal_hook::{
    consts::{
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
        SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    },
    flag::register_conditional_shutdown,
    iterator::Signals,
    low_level::emulate_default_handler,
};

use crate::{
    exit::{Error, Exit},
    out,
};

/// How a command goes on at the first interrupt.
pub(crate) enum Then {
    /// It ends, and this is said.
    End(String),
    /// It ends by itself, soon; this is said.
    Wait(&'static str),
}

/// Signals that end a process, which can be heard.
const OTHERS: [i32; 10] = [
    SIGALRM, SIGPROF, SIGQUIT, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
];

type First = Box<dyn FnOnce() -> Then + Send>;

/// What the command that runs does at the first interrupt.
static FIRST: Mutex<Option<First>> = Mutex::new(None);

/// Waits for interrupts from now on.
///
/// # Errors
/// If they cannot be waited for.
pub(crate) fn wait() -> Result<(), Error> {
    let cannot = |e| Error::fault(format!("cannot wait for an interrupt: {e}"));
    // So ends who gets no memory, and after him nothing runs that could clean up.
    let always = Arc::new(AtomicBool::new(true));
    register_conditional_shutdown(SIGABRT, Exit::Fault as i32, always).map_err(cannot)?;
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(cannot)?;
    let ignored = ignored();
    for signal in OTHERS.into_iter().chain([SIGHUP]) {
        if ignored & (1 << (signal - 1)) == 0 {
            signals.add_signal(signal).map_err(cannot)?;
        }
    }
    let waits = move || {
        let mut heard = false;
        for signal in signals.forever() {
            match signal {
                // The write that was too long fails, and says so.
                SIGXFSZ => {}
                other if OTHERS.contains(&other) => {
                    end_all();
                    drop_unfinished();
                    let _ = emulate_default_handler(other);
                    exit(Exit::Fault as i32);
                }
                // Saying so may have to wait for whoever reads; the second is heard meanwhile.
                _ if !heard => {
                    heard = true;
                    if thread::Builder::new().spawn(first).is_err() {
                        first();
                    }
                }
                _ => end(),
            }
        }
    };
    thread::Builder::new().spawn(waits).map_err(cannot)?;
    Ok(())
}

/// The signals that it was started to ignore, as `nohup` does that its terminal
/// is closed: a bit for each. Only Linux tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
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
    out::say(format!("interrupted{what}"));
}

/// Ends the command, and leaves nothing behind.
fn end() {
    end_all();
    drop_unfinished();
    exit(Exit::Interrupted as i32);
}
