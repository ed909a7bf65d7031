//! How one slot combines its old content with its contributions.

use ptodiff_isa::{Clause, DType, ScatterAtomicOp};

use crate::{
    arithmetic::Arithmetic,
    float::{BFLOAT16, Format, HALF, SINGLE},
    runs::Why,
};

mod integer;
mod real;

use integer::Integer;

/// What a slot may hold, by bit patterns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// This element.
    Exactly(u32),
    /// One of these elements, at least two.
    OneOf(Vec<u32>),
    /// A value between the first two of the elements, or some NaN if they are NaNs, or one of
    /// those after them. Whether it is wide, too: not all of them are known to be reached.
    Between(Vec<u32>, bool),
    /// Anything.
    Anything,
}

/// What a slot may hold, and the clauses.
pub(crate) type Settled = (Held, Why);

/// A contribution: an element of the sources, and the call that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contribution {
    /// Its bit pattern.
    pub(crate) bits: u32,
    /// Number of the call.
    pub(crate) step: u32,
}

/// A way of combining elements of one type: the greatest or least of them, or else their sum.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Combine {
    Integers(Integer, Option<Extreme>),
    Floats(Format, Option<Extreme>),
}

/// Which of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extreme {
    Max,
    Min,
}

impl Combine {
    /// That of an atomic operation, if a target has it for such elements.
    pub(crate) fn of(op: ScatterAtomicOp, dtype: DType) -> Option<Self> {
        use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint32};
        let extreme = match op {
            ScatterAtomicOp::None => return None,
            ScatterAtomicOp::Add => None,
            ScatterAtomicOp::Max => Some(Extreme::Max),
            ScatterAtomicOp::Min => Some(Extreme::Min),
        };
        let integers = |size, signed| Some(Self::Integers(Integer { size, signed }, extreme));
        let floats = |format| Some(Self::Floats(format, extreme));
        match dtype {
            Int32 => integers(4, true),
            Uint32 => integers(4, false),
            Float => floats(SINGLE),
            _ if extreme.is_some() => None,
            Int8 => integers(1, true),
            Int16 => integers(2, true),
            Half => floats(HALF),
            Bfloat16 => floats(BFLOAT16),
            _ => None,
        }
    }

    /// Settles a slot that held the element `old`; contributions, at least one, come in the
    /// order of effect, so call by call.
    pub(crate) fn settle(self, old: u32, all: &[Contribution], how: &Arithmetic) -> Settled {
        match self {
            Self::Integers(integer, Some(which)) => integer.extreme(which, old, all, how),
            Self::Integers(integer, None) if how.saturates => integer.saturating_sum(old, all, how),
            Self::Integers(integer, None) => integer.sum(old, all, how),
            Self::Floats(format, which) => format.noted(how, |format| match which {
                Some(which) => format.extreme(which, old, all, how),
                None => format.sum(old, all, how),
            }),
        }
    }
}

/// A single answer that a gap decides, where targets answer it alike.
fn decided(bits: u32, gap: &'static str, how: &Arithmetic) -> Settled {
    (Held::Exactly(bits), how.one.rather(Some(Clause(gap))))
}
