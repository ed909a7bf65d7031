//! Standard output, whose reader may leave before all is said.

use std::io::{self, ErrorKind, StdoutLock, Write};

use anstream::AutoStream;

/// Standard output. Once its reader has seen enough and left, what is written is
/// let go: a command goes on, and its exit code says what came of it.
pub(crate) struct Out<W> {
    to: W,
    left: bool,
}

/// Standard output for text, with colours where it is a terminal.
pub(crate) fn stdout() -> Out<AutoStream<StdoutLock<'static>>> {
    Out::new(AutoStream::auto(io::stdout().lock()))
}

/// Standard output for bytes as they are.
pub(crate) fn stdout_bytes() -> Out<StdoutLock<'static>> {
    Out::new(io::stdout().lock())
}

impl<W: Write> Out<W> {
    const fn new(to: W) -> Self {
        Self { to, left: false }
    }

    /// What `done` is where the reader is there, and `let_go` where he has left.
    fn unless_left<T>(
        &mut self,
        let_go: T,
        done: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.left {
            return Ok(let_go);
        }
        match done(&mut self.to) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.left = true;
                Ok(let_go)
            }
            other => other,
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
