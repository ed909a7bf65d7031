//! The process groups of all implementations, so that none outlives the program.

use std::{
    io,
    os::unix::process::CommandExt,
    process::{Child, Command},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// The processes of all implementations.
struct All {
    /// The groups of those that run.
    groups: Vec<Pid>,
    /// Whether none may start any more.
    ended: bool,
}

static ALL: Mutex<All> = Mutex::new(All {
    groups: Vec::new(),
    ended: false,
});

fn all() -> MutexGuard<'static, All> {
    // Nothing panics while it holds the list.
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts `command` in a process group of its own, which bears its number.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    // Held until the process is on the list: none is started unseen.
    let mut all = all();
    if all.ended {
        return Err(io::Error::other("the program is about to end"));
    }
    let child = command.process_group(0).spawn()?;
    all.groups.push(Pid::from_child(&child));
    Ok(child)
}

/// Takes a group off the list whose process is about to be waited for.
pub(crate) fn forget(group: Pid) {
    all().groups.retain(|other| *other != group);
}

/// Ends the processes of all implementations at once, with their children: for a
/// program that is about to end itself. Whoever waits for an answer sees a crash,
/// and no implementation starts again.
pub fn end_all() {
    let mut all = all();
    all.ended = true;
    for group in &all.groups {
        // Fails only where nobody is left.
        let _ = kill_process_group(*group, Signal::KILL);
    }
}
