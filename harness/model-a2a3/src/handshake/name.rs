//! Names of handshakes: `before V->S`.

use std::{error, fmt, str::FromStr};

use ptodiff_isa::Pipe;

/// A phase of a kernel (000 and 001, the tables of A2/A3's pipe handshakes).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Ahead of the call, by its caller (MSCATTER-SYNC-01, MGATHER-SYNC-01).
    Caller,
    /// The pre-amble.
    Before,
    /// The body: after each DMA, or ahead of the only one (GM to L1, Elem).
    Body,
    /// Atomic-add reset.
    Reset,
    /// The post-amble.
    After,
}

impl Phase {
    const ALL: [Self; 5] = [
        Self::Caller,
        Self::Before,
        Self::Body,
        Self::Reset,
        Self::After,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Before => "before",
            Self::Body => "body",
            Self::Reset => "reset",
            Self::After => "after",
        }
    }
}

/// One handshake of a kernel or its caller: all `set_flag` and `wait_flag` of one pair of
/// pipes in one phase.
///
/// Prints and parses as `before V->S`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Handshake {
    /// Where in the kernel it stands.
    pub phase: Phase,
    /// The pipe that signals.
    pub from: Pipe,
    /// The pipe that waits.
    pub to: Pipe,
}

impl fmt::Display for Handshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}->{}", self.phase.name(), self.from, self.to)
    }
}

/// A text that names no handshake.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnknownHandshake;

impl fmt::Display for UnknownHandshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a handshake is written like `before V->S`: caller, before, body, reset or after, then two of the pipes S, V, MTE2, MTE3")
    }
}

impl error::Error for UnknownHandshake {}

impl FromStr for Handshake {
    type Err = UnknownHandshake;

    fn from_str(text: &str) -> Result<Self, UnknownHandshake> {
        let (phase, pipes) = text.split_once(' ').ok_or(UnknownHandshake)?;
        let (from, to) = pipes.split_once("->").ok_or(UnknownHandshake)?;
        let phase = Phase::ALL.into_iter().find(|p| p.name() == phase);
        Ok(Self {
            phase: phase.ok_or(UnknownHandshake)?,
            from: pipe(from)?,
            to: pipe(to)?,
        })
    }
}

fn pipe(name: &str) -> Result<Pipe, UnknownHandshake> {
    [Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3]
        .into_iter()
        .find(|pipe| pipe.to_string() == name)
        .ok_or(UnknownHandshake)
}
