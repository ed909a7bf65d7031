//! Signals of Unix.

use std::{
    fs,
    process::exit,
    sync::{Arc, atomic::AtomicBool},
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

use super::heard;
use crate::exit::{Error, Exit};

/// Signals that end a process, which can be heard.
const OTHERS: [i32; 10] = [
    SIGALRM, SIGPROF, SIGQUIT, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
];

/// Waits for interrupts from now on.
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
        let mut before = false;
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
                _ => heard(&mut before),
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
