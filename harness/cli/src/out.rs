//! Standard output and standard error, which may take nothing: their reader has
//! left, or a disk is full. A command does its work all the same.

use std::{
    fmt::Display,
    io::{self, ErrorKind, StdoutLock, Write},
    sync::OnceLock,
};

use anstream::AutoStream;
use ptodiff_edge::whole;

use crate::{
    exit::{Error, Exit},
    plain,
};

/// Why standard output was lost, other than to a reader who has seen enough and left.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Standard output. Once it takes no more, what is written is let go: a command
/// goes on, and [`ended`] says what came of it.
pub(crate) struct Out<W> {
    to: W,
    left: bool,
}

/// Says `what` in lines on standard error. Who does not hear it loses nothing else.
pub(crate) fn say(what: impl Display) {
    say_as_it_is(format!("{what}\n"));
}

/// As [`say`], with no line break at the end.
pub(crate) fn say_as_it_is(what: impl Display) {
    let _ = anstream::stderr().write_all(what.to_string().as_bytes());
}

/// How a command ends that came to `exit`: where something of its result was
/// lost on standard output, that is a fault of the machine.
pub(crate) fn ended(exit: Exit) -> Exit {
    tell_removed();
    // Nothing else sees what standard output holds back.
    let _ = stdout().flush();
    match (LOST.get(), exit) {
        (Some(why), Exit::Conforms | Exit::Violation | Exit::Nothing) => {
            Error::fault(format!("cannot write to standard output: {why}")).report()
        }
        _ => exit,
    }
}

/// Standard output for text, with colours where it is a terminal.
pub(crate) fn stdout() -> Out<AutoStream<StdoutLock<'static>>> {
    Out::new(AutoStream::auto(io::stdout().lock()))
}

/// Standard output for bytes as they are.
pub(crate) fn stdout_bytes() -> Out<StdoutLock<'static>> {
    Out::new(io::stdout().lock())
}

/// Says which files were removed that nobody will complete.
fn tell_removed() {
    let removed = whole::removed();
    let more = match removed.len().saturating_sub(1) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    if let Some(first) = removed.first() {
        say(format!(
            "removed {}{more}, left incomplete by a ptodiff that was killed",
            plain::path(first)
        ));
    }
}

impl<W: Write> Out<W> {
    const fn new(to: W) -> Self {
        Self { to, left: false }
    }

    /// What `done` is where it is taken, and `let_go` where it is not.
    fn unless_left<T>(
        &mut self,
        let_go: T,
        done: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.left || LOST.get().is_some() {
            return Ok(let_go);
        }
        match done(&mut self.to) {
            // Whoever writes all tries again.
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.left = true;
                if error.kind() != ErrorKind::BrokenPipe {
                    // Only the first says why.
                    let _ = LOST.set(error);
                }
                Ok(let_go)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_left(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_left((), Write::flush)
    }
}
