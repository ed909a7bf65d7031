//! Where strays and trace events go.
//!
//! Generic, so that a run without a trace contains no trace code at all.

use ptodiff_isa::{Event, Role, Space, Stray, Strays};

/// Notes what a run does.
pub(crate) trait Scribe {
    /// Whether events are kept.
    const TRACES: bool;

    /// An access outside an operand's body.
    fn stray(&mut self, stray: Stray);

    /// Something issued; the event is built only if somebody reads it.
    fn note(&mut self, event: impl FnOnce() -> Event);

    /// A scalar load of `len` bytes at byte `offset` of an operand's body.
    #[inline(always)]
    fn load(&mut self, space: Space, role: Role, offset: i64, len: usize) {
        self.note(|| Event::Load {
            space,
            role,
            offset,
            len: len as u64,
        });
    }

    /// A scalar store of `len` bytes at byte `offset` of an operand's body.
    #[inline(always)]
    fn store(&mut self, space: Space, role: Role, offset: i64, len: usize) {
        self.note(|| Event::Store {
            space,
            role,
            offset,
            len: len as u64,
        });
    }
}

/// Keeps strays, drops events.
pub(crate) struct Quiet<'l> {
    /// The strays of the run.
    pub(crate) strays: &'l mut Strays,
}

impl Scribe for Quiet<'_> {
    const TRACES: bool = false;

    fn stray(&mut self, stray: Stray) {
        self.strays.push(stray);
    }

    #[inline(always)]
    fn note(&mut self, _event: impl FnOnce() -> Event) {}
}

/// Keeps strays and events.
pub(crate) struct Tracing<'l> {
    /// The strays of the run.
    pub(crate) strays: &'l mut Strays,
    /// The events of the run, in the order of issue.
    pub(crate) events: &'l mut Vec<Event>,
}

impl Scribe for Tracing<'_> {
    const TRACES: bool = true;

    fn stray(&mut self, stray: Stray) {
        self.strays.push(stray);
    }

    fn note(&mut self, event: impl FnOnce() -> Event) {
        self.events.push(event());
    }
}
