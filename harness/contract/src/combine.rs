//! How one slot combines its old content with its contributions.

use std::mem;

use ptodiff_isa::Clause;

use crate::{
    arithmetic::Arithmetic,
    runs::Why,
    sum::{Reached, Term},
};

mod extreme;
mod integer;
mod real;

pub(crate) use extreme::FloatExtreme;
pub(crate) use integer::{IntegerExtreme, IntegerSum, SaturatingSum};
pub(crate) use real::{FloatSum, FlushNoted};

/// What a slot may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Settled {
    /// The element of this bit pattern.
    Exactly(u32, Why),
    /// One of the elements in [`Accumulator::bytes`], at least two.
    OneOf(Why),
    /// A value between the first two elements in [`Accumulator::bytes`], or some NaN if
    /// they are NaNs, or one of those after them. Whether it is wide, too: not
    /// all of them are known to be reached.
    Between(Why, bool),
    /// Anything.
    Anything(Why),
}

/// One slot being settled; reused from slot to slot.
#[derive(Debug, Default)]
pub(crate) struct Accumulator {
    /// The elements that the answer speaks of.
    pub(crate) bytes: Vec<u8>,
    /// Those of another answer, to compare with.
    other: Vec<u8>,
    terms: Vec<Term>,
    reached: Reached,
    /// Bit patterns to choose from.
    patterns: Vec<u32>,
}

impl Accumulator {
    /// The answer is `elements`, of `size` bytes each.
    fn hold(&mut self, size: usize, elements: impl IntoIterator<Item = u32>) {
        self.bytes.clear();
        for bits in elements {
            self.bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
        }
    }

    /// The answer is one of the sums that were listed.
    fn hold_sums(&mut self, size: usize, bits: impl Fn(f64) -> u32) {
        let sums = mem::take(&mut self.reached.sums);
        self.hold(size, sums.iter().map(|&sum| bits(sum)));
        self.reached.sums = sums;
    }
}

/// A contribution: an element of the sources, and the call that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contribution {
    /// Its bit pattern.
    pub(crate) bits: u32,
    /// Number of the call.
    pub(crate) step: u32,
}

/// A way of combining elements of one type.
pub(crate) trait Combine {
    /// Bytes of an element; at most 4.
    const SIZE: usize;

    /// Settles a slot that held the element `old`; contributions come in the
    /// order of effect, so call by call.
    fn settle(
        accumulator: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled;
}

/// A single answer that a gap decides, where targets answer it alike.
const fn decided(bits: u32, gap: &'static str, how: &Arithmetic) -> Settled {
    let why = Why {
        clause: Clause(gap),
        ..how.clauses.one
    };
    Settled::Exactly(bits, why)
}
