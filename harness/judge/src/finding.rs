//! One thing that a target did wrong.

use ptodiff_isa::{Clause, OobAccess, Role, Schedule};

use crate::{Coordinate, InputChanged, Value};

/// The kind of place where something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Place {
    /// An element of the table, or of the valid region of the destination.
    Valid,
    /// A slot of the output that counts for nothing.
    Padding,
    /// A guard zone, of any operand.
    Guard,
    /// An operand that is only read.
    Input,
    /// The staging area of a gather to L1.
    Scratch,
    /// An out-of-bounds access.
    #[strum(serialize = "out-of-bounds")]
    OutOfBounds,
    /// A rejection that should not be, or that is missing.
    Rejection,
    /// The number, roles or lengths of the operands that came back.
    Shape,
    /// The target could not run what it had accepted.
    Fault,
    /// A wait without end that should not be, or that is missing.
    Hang,
    /// What the case expects of the target did not happen.
    Expectation,
    /// An implementation ended instead of answering.
    Crash,
    /// An implementation gave no answer in time.
    Timeout,
    /// An implementation took more memory than it may.
    Memory,
    /// An implementation's answer makes no sense.
    Protocol,
    /// An implementation would not start.
    Start,
}

/// One thing that a target did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// The clause that is violated, or by which no result is due where no answer came; none
    /// where no clause is about it (faults, lengths).
    pub clause: Option<Clause>,
    /// The schedule it ran under, if it ran.
    pub schedule: Option<Schedule>,
    /// What was found.
    pub detail: Detail,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// A slot holds what no permit allows.
    Slot(Box<SlotFinding>),
    /// A guard zone changed.
    Guard {
        /// The operand it guards.
        role: Role,
        /// First byte that changed, from the start of the operand's body:
        /// negative in the zone before it.
        offset: i64,
        /// What that byte was.
        before: u8,
        /// What it is.
        got: u8,
        /// Bytes of this zone that changed.
        bytes: u64,
    },
    /// An operand of an earlier step changed though it is only read.
    Input(InputChanged),
    /// There were out-of-bounds accesses.
    OutOfBounds {
        /// The first of them, if it was kept.
        first: Option<OobAccess>,
        /// How many there were.
        count: u64,
    },
    /// Anything else, in one line.
    Text(String),
}

/// A slot that holds what no permit allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotFinding {
    /// The operand.
    pub role: Role,
    /// Byte offset in the operand's body.
    pub offset: usize,
    /// Its number: elements from the start of the body.
    pub element: usize,
    /// Its logical place, if it has one.
    pub coordinate: Option<Coordinate>,
    /// What it held before the case.
    pub before: Value,
    /// What it holds.
    pub got: Value,
    /// What it may hold.
    pub permitted: Permitted,
    /// The clause that gives this slot freedom, if one does.
    pub freedom: Option<Clause>,
    /// The clause by which it may also hold what it held before, if one says so.
    pub or_kept: Option<Clause>,
}

/// What a slot may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Permitted {
    /// What it held before: nothing may write there.
    Kept(Value),
    /// This.
    Exactly(Value),
    /// One of several.
    OneOf {
        /// The first of them.
        first: Vec<Value>,
        /// How many candidates there are.
        count: usize,
    },
    /// Anything between two bounds, inclusive, or a single value.
    Between {
        /// Lower bound.
        low: Value,
        /// Upper bound.
        high: Value,
        /// The single values.
        more: Vec<Value>,
    },
}

/// One that is in words alone, and under no schedule.
#[must_use]
pub const fn finding(place: Place, clause: Option<Clause>, text: String) -> Finding {
    Finding {
        place,
        clause,
        schedule: None,
        detail: Detail::Text(text),
    }
}
