//! What a gather from GM delivers for one index.

use ptodiff_isa::Clause;

use crate::{
    runs::{Runs, Why},
    selection::{Place, Remap},
};

/// What is delivered.
#[derive(Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// These bytes.
    Bytes(&'a [u8], Why),
    /// Zeros.
    Zero(Why),
    /// Anything.
    Open(Why),
}

impl Piece<'_> {
    /// The clause by which nothing is promised, if that is so.
    #[inline]
    pub(crate) fn open(&self) -> Option<Clause> {
        match self {
            Self::Open(why) => Some(why.clause),
            Self::Bytes(..) | Self::Zero(_) => None,
        }
    }

    /// The bytes from `from` to `to` of what is delivered.
    #[inline]
    pub(crate) fn part(self, from: usize, to: usize) -> Self {
        match self {
            Self::Bytes(bytes, why) => Self::Bytes(&bytes[from..to], why),
            other => other,
        }
    }
}

/// The clauses of a call.
pub(crate) struct Words {
    /// An index below capacity.
    pub(crate) plain: Why,
    /// One that the policy changed.
    pub(crate) moved: Why,
    /// One that the policy answers with zero.
    pub(crate) zero: Why,
    /// An index of which nothing is promised.
    pub(crate) unbound: Why,
    /// Delivered from outside the table.
    pub(crate) outside: Why,
    /// The gap by which a number below capacity may lead past the table's end.
    pub(crate) beyond: Option<Clause>,
    /// Freedom of slots that a negative index feeds.
    pub(crate) negative: Option<Clause>,
}

/// Turns indices into pieces of the table.
pub(crate) struct Source<'a> {
    /// The table's bytes.
    pub(crate) table: &'a [u8],
    /// Where indices lead.
    pub(crate) remap: Remap,
    /// The clauses.
    pub(crate) words: Words,
    /// From this index on, targets differ in what they deliver, by the clause.
    pub(crate) disputed: Option<(i64, Clause)>,
}

impl<'a> Source<'a> {
    /// `len` bytes from the slot that `raw` selects; `start` turns its number into bytes.
    #[inline]
    pub(crate) fn piece(&self, raw: u32, len: usize, start: impl FnOnce(i64) -> i64) -> Piece<'a> {
        let freedom = self.freedom(raw);
        match self.remap.place(raw) {
            Place::At { number, moved } => {
                let bytes = usize::try_from(start(number))
                    .ok()
                    .and_then(|at| self.table.get(at..at.checked_add(len)?));
                match bytes {
                    Some(bytes) if moved => Piece::Bytes(bytes, self.words.moved.or(freedom)),
                    Some(bytes) => Piece::Bytes(bytes, self.words.plain.or(freedom)),
                    None => Piece::Open(match self.words.beyond {
                        Some(clause) if number >= 0 => Why::open(clause),
                        _ => self.words.outside,
                    }),
                }
            }
            Place::Dropped => Piece::Zero(self.words.zero.or(freedom)),
            Place::Unbound => Piece::Open(self.words.unbound),
        }
    }

    /// A difference between targets in what this index delivers.
    #[inline]
    fn freedom(&self, raw: u32) -> Option<Clause> {
        if self.words.negative.is_some() && raw.cast_signed() < 0 {
            return self.words.negative;
        }
        match self.disputed {
            Some((smaller, clause)) if self.remap.value(raw) >= smaller => Some(clause),
            _ => None,
        }
    }
}

/// Says that `piece` stands in `len` bytes at `offset`.
#[inline]
pub(crate) fn put(runs: &mut Runs, offset: usize, len: usize, piece: Piece<'_>) {
    match piece {
        Piece::Bytes(bytes, why) => runs.exactly(offset, bytes, why),
        Piece::Zero(why) => runs.zeros(offset, len, why),
        Piece::Open(why) => runs.anything(offset, len, why),
    }
}
