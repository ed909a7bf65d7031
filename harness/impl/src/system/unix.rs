//! A process of its own process group, asked and watched with `poll`.

use std::{
    io::{self, IoSlice, Read, Write},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, ioctl_fionbio, ioctl_fionread},
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};

use super::{Ready, groups, resident};
use crate::Ended;

/// A running process, the leader of its group.
pub(crate) struct Peer {
    child: Child,
    group: Pid,
    /// Closed to tell it the end.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: ChildStderr,
}

impl Peer {
    /// Starts `command`, whose three streams are pipes.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = groups::start(command)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let started = Self {
            group: Pid::from_child(&child),
            child,
            stdin: Some(stdin),
            stdout,
            stderr,
        };
        // One thread sends, receives and listens in turn, so it must not wait
        // in any of the three.
        if let Some(stdin) = &started.stdin {
            ioctl_fionbio(stdin, true)?;
        }
        ioctl_fionbio(&started.stdout, true)?;
        ioctl_fionbio(&started.stderr, true)?;
        Ok(started)
    }

    /// Waits until something that is wanted can be done, at most `long`, which is below
    /// a second.
    pub(crate) fn wait(&mut self, wanted: Ready, long: Duration) -> Ready {
        let stdin = self.stdin.as_ref().filter(|_| wanted.send);
        let mut fds = Vec::with_capacity(3);
        if wanted.receive {
            fds.push(PollFd::new(&self.stdout, PollFlags::IN));
        }
        if wanted.listen {
            fds.push(PollFd::new(&self.stderr, PollFlags::IN));
        }
        if let Some(stdin) = stdin {
            fds.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let long = Timespec {
            tv_sec: 0,
            tv_nsec: long.subsec_nanos().into(),
        };
        // Interrupted or failed: nothing is ready, and the caller looks at its clock.
        let _ = poll(&mut fds, Some(&long));
        let mut events = fds.iter().map(|fd| !fd.revents().is_empty());
        let mut of = |polled: bool| polled && events.next().unwrap_or(false);
        Ready {
            receive: of(wanted.receive),
            listen: of(wanted.listen),
            send: of(stdin.is_some()),
        }
    }

    /// Sends as much as there is room for.
    pub(crate) fn send(&mut self, bytes: &[IoSlice<'_>]) -> io::Result<usize> {
        match &mut self.stdin {
            Some(stdin) => stdin.write_vectored(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Takes what stands in its output.
    pub(crate) fn receive(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stdout.read(into)
    }

    /// Takes what it wrote to standard error.
    pub(crate) fn listen(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stderr.read(into)
    }

    /// Whether all of the last `sent` bytes stand in the pipe.
    pub(crate) fn has_read_nothing(&self, sent: u64) -> bool {
        let unread = self.stdin.as_ref().map(ioctl_fionread);
        unread.is_some_and(|unread| unread.is_ok_and(|bytes| bytes >= sent))
    }

    /// Tells it that nothing more will come.
    pub(crate) fn say_end(&mut self) {
        self.stdin = None;
    }

    /// How it ended, if it did. It stays a zombie, which keeps its number, and
    /// with it that of its group, from being given to others.
    pub(crate) fn end(&mut self) -> Option<Ended> {
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.group), how).ok()??;
        let signal = status.terminating_signal().map(Ended::Signal);
        status.exit_status().map(Ended::Code).or(signal)
    }

    /// Bytes of memory that it and its children hold, where that exceeds `limit`.
    pub(crate) fn beyond(&self, limit: u64) -> Option<u64> {
        resident::beyond(self.group, limit)
    }

    /// Ends it and its children.
    pub(crate) fn kill(&mut self) {
        // Fails only where no process is left.
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The group first: its number is ours only until the child was waited for.
        self.kill();
        groups::forget(self.group);
        let _ = self.child.wait();
    }
}

/// Whether an error of the system says that the machine has no more of something,
/// whoever asks for it.
pub(crate) fn is_of_the_machine(error: &io::Error) -> bool {
    let scarce = [
        Errno::MFILE,
        Errno::NFILE,
        Errno::AGAIN,
        Errno::NOMEM,
        Errno::NOSPC,
        Errno::NOBUFS,
    ];
    Errno::from_io_error(error).is_some_and(|errno| scarce.contains(&errno))
}

/// What a crash is called that shows as this.
pub(crate) fn name_of_end(ended: Ended) -> Option<&'static str> {
    let Ended::Signal(number) = ended else {
        return None;
    };
    let known = [
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::TERM, "SIGTERM"),
        (Signal::TRAP, "SIGTRAP"),
    ];
    let mut all = known.iter();
    all.find(|(s, _)| s.as_raw() == number).map(|(_, n)| *n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_machine_lacks_is_its_fault() {
        let of = |errno: Errno| is_of_the_machine(&io::Error::from(errno));
        assert!(of(Errno::MFILE) && of(Errno::AGAIN) && of(Errno::NOMEM));
        assert!(!of(Errno::NOENT) && !of(Errno::ACCESS) && !of(Errno::NOEXEC));
        assert!(!is_of_the_machine(&io::Error::other("a pipe is missing")));
    }
}
