//! The process groups of all implementations, so that none outlives the program.
//!
//! A program that ends in order ends them itself. One that is killed cannot: then a
//! guard does, a shell that reads which groups run and sees its input end.

use std::{
    io::{self, Write},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// What the guard does: `+ N` and `- N` say that the group N runs, and that it is no
/// more. Only the end of its input ends it, and then it ends what runs.
const GUARD: &str = r#"trap '' HUP INT QUIT TERM
all=' '
while read -r what group; do
    case $what in
        +) all="$all$group " ;;
        -) all="${all%% "$group" *} ${all#* "$group" }" ;;
    esac
done
for group in $all; do kill -s KILL -- "-$group"; done"#;

/// The processes of all implementations.
struct All {
    /// The groups of those that run.
    groups: Vec<Pid>,
    /// Whether none may start any more.
    ended: bool,
    /// Who ends them if this program cannot.
    guard: Option<ChildStdin>,
}

static ALL: Mutex<All> = Mutex::new(All {
    groups: Vec::new(),
    ended: false,
    guard: None,
});

fn all() -> MutexGuard<'static, All> {
    // Nothing panics while it holds the list.
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl All {
    /// Tells the guard of a change; one that is gone has a successor, which is told all.
    fn tell(&mut self, what: char, group: Pid) -> io::Result<()> {
        let line = format!("{what} {}\n", group.as_raw_nonzero());
        if let Some(guard) = &mut self.guard
            && guard.write_all(line.as_bytes()).is_ok()
        {
            return Ok(());
        }
        let mut guard = guard()?;
        for group in &self.groups {
            guard.write_all(format!("+ {}\n", group.as_raw_nonzero()).as_bytes())?;
        }
        self.guard = Some(guard);
        Ok(())
    }
}

/// Starts a guard, in a group of its own: what a terminal sends is not for it.
fn guard() -> io::Result<ChildStdin> {
    let mut guard = Command::new("/bin/sh")
        .args(["-c", GUARD])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let told = guard.stdin.take();
    told.ok_or_else(|| io::Error::other("the guard has no input"))
}

/// Starts `command` in a process group of its own, which bears its number.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    // Held until the process is on the list: none is started unseen.
    let mut all = all();
    if all.ended {
        return Err(io::Error::other("the program is about to end"));
    }
    let mut child = command.process_group(0).spawn()?;
    let group = Pid::from_child(&child);
    all.groups.push(group);
    if let Err(unguarded) = all.tell('+', group) {
        all.groups.pop();
        // Fails only where no process is left.
        let _ = kill_process_group(group, Signal::KILL);
        let _ = child.wait();
        return Err(unguarded);
    }
    Ok(child)
}

/// Takes a group off the list whose process is about to be waited for.
pub(crate) fn forget(group: Pid) {
    let mut all = all();
    all.groups.retain(|other| *other != group);
    // Without a guard there is no process to tell.
    if all.guard.is_some() {
        let _ = all.tell('-', group);
    }
}

/// Ends the processes of all implementations at once, with their children: for a
/// program that is about to end itself. Whoever waits for an answer sees a crash,
/// and no implementation starts again.
pub fn end_all() {
    let mut all = all();
    all.ended = true;
    for group in &all.groups {
        // Fails only where no process is left.
        let _ = kill_process_group(*group, Signal::KILL);
    }
}
