//! What a call delivers to some of its slots, and what a gather from GM does for an index.

use std::cell::Cell;

use ptodiff_isa::Clause;

use crate::{
    runs::{Runs, Why},
    selection::{Place, Remap},
};

/// What some bytes hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    /// What they held.
    Kept,
    /// These bytes.
    Bytes(&'a [u8], Why),
    /// Zeros.
    Zero(Why),
    /// Anything.
    Open(Why),
}

impl<'a> Piece<'a> {
    /// The bytes from `from` to `to` of what is delivered.
    pub(crate) fn part(self, from: usize, to: usize) -> Self {
        match self {
            Self::Bytes(bytes, why) => Self::Bytes(&bytes[from..to], why),
            other => other,
        }
    }

    /// Says that it stands in `len` bytes at `offset`.
    pub(crate) fn put(self, runs: &mut Runs, offset: usize, len: usize) {
        match self {
            Self::Kept => {}
            Self::Bytes(bytes, why) => runs.exactly(offset, bytes, why),
            Self::Zero(why) => runs.exactly(offset, &vec![0; len], why),
            Self::Open(why) => runs.anything(offset, len, why),
        }
    }
}

/// The clauses of a call.
pub(crate) struct Clauses {
    /// An index below capacity.
    pub(crate) plain: Why,
    /// One that the policy changed.
    pub(crate) moved: Why,
    /// One that the policy answers with zero.
    pub(crate) zero: Why,
    /// An index of which nothing is promised.
    pub(crate) unbound: Why,
    /// The gap by which a number below capacity may lead past the table's end.
    pub(crate) beyond: Option<Clause>,
    /// A negative index, unless nothing is promised of it.
    pub(crate) negative: Why,
    /// The gap by which an index may count bytes.
    pub(crate) unit: Clause,
}

/// Turns indices into pieces of the table.
pub(crate) struct Source<'a> {
    /// The table's bytes.
    pub(crate) table: &'a [u8],
    /// Where indices lead.
    pub(crate) remap: Remap,
    /// The clauses.
    pub(crate) clauses: Clauses,
    /// Bytes of an element.
    pub(crate) size: usize,
    /// From this index on, targets differ in what they deliver, by the clause.
    pub(crate) disputed: Option<(i64, Clause)>,
    /// Why accesses outside operands are excused, once it was asked for a piece of which
    /// nothing is promised.
    pub(crate) excused: Cell<Option<Clause>>,
}

impl<'a> Source<'a> {
    /// `len` bytes from the element that `raw` selects; `start` turns its number into elements.
    pub(crate) fn piece(&self, raw: u32, len: usize, start: impl FnOnce(i64) -> i64) -> Piece<'a> {
        let clauses = &self.clauses;
        let negative = self.remap.negative(raw);
        let difference = match self.disputed {
            _ if negative && clauses.negative.freedom.is_some() => clauses.negative.freedom,
            Some((smaller, clause)) if self.remap.value(raw) >= smaller => Some(clause),
            _ => None,
        };
        let (number, by) = match self.remap.place(raw) {
            Place::At { number, .. } if negative => (number, clauses.negative),
            Place::Dropped if negative => return Piece::Zero(clauses.negative.or(difference)),
            Place::At { number, moved } if moved => (number, clauses.moved),
            Place::At { number, .. } => (number, clauses.plain),
            Place::Dropped => return Piece::Zero(clauses.zero.or(difference)),
            Place::Unbound => return self.open(clauses.unbound),
        };
        let at = start(number).saturating_mul(self.size as i64);
        let at = usize::try_from(at).ok();
        let bytes = at.and_then(|at| self.table.get(at..at.checked_add(len)?));
        let Some(bytes) = bytes else {
            let below_capacity = clauses.beyond.filter(|_| number >= 0);
            return self.open(Why::open(below_capacity.unwrap_or(clauses.negative.clause)));
        };
        let why = match self.remap.by_bytes(raw) {
            true => Why::by(clauses.unit.0),
            false => by,
        };
        Piece::Bytes(bytes, why.or(difference))
    }

    fn open(&self, why: Why) -> Piece<'a> {
        self.excused.set(Some(why.clause));
        Piece::Open(why)
    }
}
