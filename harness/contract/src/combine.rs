//! How one slot combines its old content with its contributions.

use ptodiff_isa::{Clause, DType, ScatterAtomicOp};

use crate::{
    arithmetic::Arithmetic,
    float::{BFLOAT16, HALF, SINGLE},
    runs::Why,
};

mod integer;
mod real;

use integer::Integer;
use real::Real;

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

/// A way of combining elements of one type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Combine {
    IntegerSum(Integer),
    IntegerExtreme(Integer, Extreme),
    FloatSum(Real),
    FloatExtreme(Real, Extreme),
}

/// Which of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extreme {
    Max,
    Min,
}

impl Combine {
    /// That of an atomic operation, if a target has it for such elements.
    pub(crate) const fn of(op: ScatterAtomicOp, dtype: DType) -> Option<Self> {
        const fn integer(size: usize, signed: bool) -> Integer {
            Integer { size, signed }
        }
        use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint32};
        let extreme = match op {
            ScatterAtomicOp::None => return None,
            ScatterAtomicOp::Add => {
                return Some(match dtype {
                    Int8 => Self::IntegerSum(integer(1, true)),
                    Int16 => Self::IntegerSum(integer(2, true)),
                    Int32 => Self::IntegerSum(integer(4, true)),
                    Uint32 => Self::IntegerSum(integer(4, false)),
                    Half => Self::FloatSum(Real(HALF)),
                    Bfloat16 => Self::FloatSum(Real(BFLOAT16)),
                    Float => Self::FloatSum(Real(SINGLE)),
                    _ => return None,
                });
            }
            ScatterAtomicOp::Max => Extreme::Max,
            ScatterAtomicOp::Min => Extreme::Min,
        };
        Some(match dtype {
            Int32 => Self::IntegerExtreme(integer(4, true), extreme),
            Uint32 => Self::IntegerExtreme(integer(4, false), extreme),
            Float => Self::FloatExtreme(Real(SINGLE), extreme),
            _ => return None,
        })
    }

    /// Settles a slot that held the element `old`; contributions, at least one, come in the
    /// order of effect, so call by call.
    pub(crate) fn settle(self, old: u32, all: &[Contribution], how: &Arithmetic) -> Settled {
        match self {
            Self::IntegerSum(integer) if how.saturates => integer.saturating_sum(old, all, how),
            Self::IntegerSum(integer) => integer.sum(old, all, how),
            Self::IntegerExtreme(integer, which) => integer.extreme(which, old, all, how),
            Self::FloatSum(real) => real.noted(how, |real| real.sum(old, all, how)),
            Self::FloatExtreme(real, which) => {
                real.noted(how, |real| real.extreme(which, old, all, how))
            }
        }
    }
}

/// A single answer that a gap decides, where targets answer it alike.
const fn decided(bits: u32, gap: &'static str, how: &Arithmetic) -> Settled {
    let why = Why {
        clause: Clause(gap),
        ..how.clauses.one
    };
    (Held::Exactly(bits), why)
}
