//! What every model answers.

use serde::{Deserialize, Serialize};

use crate::{Call, Clause, Event, Memory, Readings, Role, Target};

/// One documented static check that rejects a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The clause that states the check.
    pub clause: Clause,
    /// What was found, in one line: `Add with uint8_t`.
    pub why: String,
}

/// Which order a target's concurrent lanes take effect in. Sequential targets ignore it.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum Schedule {
    /// Warps and lanes in increasing order.
    #[default]
    #[strum(to_string = "in order")]
    InOrder,
    /// Warps and lanes in decreasing order.
    Reversed,
    /// Memory operations of different lanes interleaved by a stream with this seed;
    /// one lane's own operations keep their order.
    #[strum(to_string = "shuffled {0}")]
    Shuffled(u64),
}

/// Under which circumstances a call is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// Order of concurrent lanes.
    pub schedule: Schedule,
    /// Readings in force.
    pub readings: Readings,
}

/// One access outside an operand's body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct OobAccess {
    /// The operand that the address was formed from.
    pub role: Role,
    /// First byte of the access, from the start of the operand's body.
    pub offset: i64,
    /// Bytes accessed.
    pub len: u64,
    /// Whether it was a write.
    pub write: bool,
}

/// The out-of-bounds accesses of one run: all are counted, the first few are kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OobAccesses {
    /// The first ones, in the order they happened.
    pub first: Vec<OobAccess>,
    /// How many there were.
    pub count: u64,
}

impl OobAccesses {
    /// How many out-of-bounds accesses are kept.
    pub const KEPT: usize = 64;

    /// Records one.
    #[inline]
    pub fn push(&mut self, oob_access: OobAccess) {
        if self.first.len() < Self::KEPT {
            self.first.push(oob_access);
        }
        self.count = self.count.saturating_add(1);
    }
}

/// What a model notes while it runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// Accesses outside operands.
    pub oob_accesses: OobAccesses,
    /// What was issued, if asked for.
    pub trace: Option<Vec<Event>>,
}

/// How a call that a target accepted came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum End {
    /// It returned.
    Finished,
    /// It would wait forever; the memory is as it was when it began to wait
    /// (000 and 001, Runtime Dispatch Requirement).
    Hung,
}

/// The model could not run a call that it had accepted: a fault of the harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault(pub String);

/// An executable account of one target.
pub trait Model: Send + Sync {
    /// The target it speaks for.
    fn target(&self) -> Target;

    /// What this target's own static checks reject, as documented, and no
    /// more: all rejections found, none when the call is accepted. Checks on a
    /// dimension given at run time do not fire.
    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection>;

    /// Runs one accepted call in place on `memory`.
    ///
    /// An access outside an operand's body goes to `log.oob_accesses`. An out-of-bounds write
    /// that lies in the guard zone is carried out there, further out it is
    /// dropped; an out-of-bounds read delivers the guard zone's byte, further out 0xEE.
    ///
    /// # Errors
    /// If the memory lacks an operand of the call.
    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault>;
}

impl<M: Model + ?Sized> Model for &M {
    fn target(&self) -> Target {
        (**self).target()
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        (**self).check(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        (**self).execute(call, memory, how, log)
    }
}
