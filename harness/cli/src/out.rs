//! Standard output and standard error, which may take nothing: their reader has
//! left, or a disk is full. A command does its work all the same.

use std::{
    fmt::Display,
    io::{self, BufWriter, ErrorKind, StdoutLock, Write},
    sync::OnceLock,
};

use anstream::AutoStream;

/// Why standard output was lost, other than to a reader who has seen enough and left.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Standard output. Once it takes no more, what is written is let go: a command
/// goes on, and [`lost`] says what came of it.
pub(crate) struct Out<W>(W);

/// Writes `what` as lines to standard error; a failure of that is ignored.
pub(crate) fn say(what: impl Display) {
    say_as_it_is(format!("{what}\n"));
}

/// As [`say`], with no line break at the end.
pub(crate) fn say_as_it_is(what: impl Display) {
    let _ = anstream::stderr().write_all(what.to_string().as_bytes());
}

/// Why standard output was lost, if it was.
pub(crate) fn lost() -> Option<&'static io::Error> {
    LOST.get()
}

/// Standard output for text, with colours where it is a terminal. What it holds back is
/// written when it is dropped.
pub(crate) fn stdout() -> BufWriter<Out<AutoStream<StdoutLock<'static>>>> {
    BufWriter::new(Out(AutoStream::auto(io::stdout().lock())))
}

/// Standard output for bytes as they are.
pub(crate) fn stdout_bytes() -> Out<StdoutLock<'static>> {
    Out(io::stdout().lock())
}

impl<W: Write> Out<W> {
    /// What `done` is where it is taken, and `let_go` where it is not.
    fn unless_left<T>(
        &mut self,
        let_go: T,
        done: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if LOST.get().is_some() {
            return Ok(let_go);
        }
        match done(&mut self.0) {
            // `write_all` tries again.
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
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
