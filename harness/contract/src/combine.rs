//! How one slot combines its old content with its contributions.

use ptodiff_isa::Clause;

use crate::{arithmetic::Arithmetic, few::Few, runs::Why, sum::Term};

mod extreme;
mod integer;
mod real;

pub(crate) use extreme::FloatExtreme;
pub(crate) use integer::{IntegerExtreme, IntegerSum, SaturatingSum};
pub(crate) use real::{FloatSum, FlushNoted};

/// What a slot may hold; the bytes stand in [`Cell::bytes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Settled {
    /// The one element.
    Exactly(Why),
    /// One of the elements, at least two.
    OneOf(Why),
    /// A value between the two elements.
    Between(Why),
    /// Anything.
    Anything(Why),
}

/// One slot being settled; reused from slot to slot.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    /// The elements that the answer speaks of.
    pub(crate) bytes: Few<u8, 32>,
    /// Those of another answer, to compare with.
    other: Few<u8, 32>,
    terms: Few<Term, 8>,
    /// Bit patterns to choose from.
    patterns: Vec<u32>,
}

impl Cell {
    /// The answer is `elements`, of `size` bytes each.
    fn hold(&mut self, size: usize, elements: impl IntoIterator<Item = u32>) {
        self.bytes.clear();
        for bits in elements {
            self.bytes.extend(bits.to_le_bytes().into_iter().take(size));
        }
    }
}

/// A contribution: an element of the sources, and the call that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contribution<'a> {
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Number of the call.
    pub(crate) step: u32,
}

/// A way of combining elements of one type.
pub(crate) trait Combine {
    /// Bytes of an element.
    const SIZE: usize;

    /// Settles a slot that held `old`; contributions come in the order of
    /// effect, so call by call.
    fn settle<'a>(
        cell: &mut Cell,
        old: &[u8],
        contributions: impl Iterator<Item = Contribution<'a>> + Clone,
        how: &Arithmetic,
    ) -> Settled;
}

/// The bit pattern in an element of `size` bytes; missing bytes count as 0.
#[inline]
fn pattern(bytes: &[u8], size: usize) -> u32 {
    let mut wide = [0; 4];
    if let Some(b) = bytes.get(..size) {
        wide[..size].copy_from_slice(b);
    }
    u32::from_le_bytes(wide)
}

/// A single answer that a gap decides, where targets answer it alike.
const fn decided(gap: &'static str, how: &Arithmetic) -> Settled {
    Settled::Exactly(Why {
        clause: Clause(gap),
        ..how.words.one
    })
}
