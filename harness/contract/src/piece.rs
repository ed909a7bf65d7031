//! What a call delivers to some of its slots, and what a gather from GM does for an index.

use ptodiff_isa::Clause;

use crate::{
    runs::{Promised, Runs, Why},
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
    /// These bytes if they are promised, else anything.
    pub(crate) fn of(promised: Promised, bytes: Option<&'a [u8]>) -> Self {
        match (promised, bytes) {
            (Promised::Exactly(why), Some(bytes)) => Self::Bytes(bytes, why),
            (Promised::Exactly(why) | Promised::Anything(why), _) => Self::Open(why),
        }
    }

    /// The clause by which nothing is promised, if that is so.
    pub(crate) fn open(&self) -> Option<Clause> {
        match self {
            Self::Open(why) => Some(why.clause),
            Self::Kept | Self::Bytes(..) | Self::Zero(_) => None,
        }
    }

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
            Self::Zero(why) => runs.zeros(offset, len, why),
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
    /// Delivered from outside the table.
    pub(crate) outside: Why,
    /// The gap by which a number below capacity may lead past the table's end.
    pub(crate) beyond: Option<Clause>,
    /// Freedom of slots that a negative index feeds.
    pub(crate) negative: Option<Clause>,
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
    /// From this index on, targets differ in what they deliver, by the clause.
    pub(crate) disputed: Option<(i64, Clause)>,
}

/// What a lane gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// From the table.
    Plain,
    /// From there, after the policy changed the index.
    Moved,
    /// Zeros, by the policy.
    Zero,
    /// Nothing: its index is of those of which nothing is promised.
    Unbound,
    /// From outside the table.
    Outside,
    /// The same, with a number below capacity.
    Beyond,
}

/// Why other targets may deliver something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Difference {
    /// They do not.
    None,
    /// The index is negative.
    Negative,
    /// It is one that targets dispute.
    Disputed,
}

/// Lanes of one kind cite the same clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    origin: Origin,
    difference: Difference,
    /// Whether the index leads there because it counts bytes.
    by_bytes: bool,
}

/// What an element is that the policy answers with zero.
const ZERO: [u8; 8] = [0; 8];

impl<'a> Source<'a> {
    /// `len` bytes from the slot that `raw` selects; `start` turns its number into bytes.
    pub(crate) fn piece(&self, raw: u32, len: usize, start: impl FnOnce(i64) -> i64) -> Piece<'a> {
        let (kind, bytes) = self.select(raw, len, start);
        match self.promised(kind) {
            Promised::Exactly(why) if kind.origin == Origin::Zero => Piece::Zero(why),
            promised => Piece::of(promised, bytes),
        }
    }

    /// How an element of `len` bytes is come by, and its bytes if they are promised.
    pub(crate) fn element(
        &self,
        raw: u32,
        len: usize,
        start: impl FnOnce(i64) -> i64,
    ) -> (Kind, Option<&'a [u8]>) {
        let (kind, bytes) = self.select(raw, len, start);
        let zero = kind.origin == Origin::Zero;
        (kind, if zero { Some(&ZERO[..len]) } else { bytes })
    }

    /// How `raw` is served, and the bytes of the table that it selects.
    fn select(
        &self,
        raw: u32,
        len: usize,
        start: impl FnOnce(i64) -> i64,
    ) -> (Kind, Option<&'a [u8]>) {
        let held = |number| {
            let at = usize::try_from(start(number)).ok()?;
            self.table.get(at..at.checked_add(len)?)
        };
        let (origin, bytes) = match self.remap.place(raw) {
            Place::At { number, moved } => match held(number) {
                Some(bytes) if moved => (Origin::Moved, Some(bytes)),
                Some(bytes) => (Origin::Plain, Some(bytes)),
                None if number >= 0 => (Origin::Beyond, None),
                None => (Origin::Outside, None),
            },
            Place::Dropped => (Origin::Zero, None),
            Place::Unbound => (Origin::Unbound, None),
        };
        let kind = Kind {
            origin,
            difference: self.difference(raw),
            by_bytes: self.remap.by_bytes(raw),
        };
        (kind, bytes)
    }

    /// A difference between targets in what this index delivers.
    fn difference(&self, raw: u32) -> Difference {
        if self.clauses.negative.is_some() && raw.cast_signed() < 0 {
            return Difference::Negative;
        }
        match self.disputed {
            Some((smaller, _)) if self.remap.value(raw) >= smaller => Difference::Disputed,
            _ => Difference::None,
        }
    }

    /// What is said of slots of a kind.
    pub(crate) fn promised(&self, kind: Kind) -> Promised {
        let clauses = &self.clauses;
        let why = match kind.origin {
            Origin::Plain | Origin::Moved if kind.by_bytes => Why::by(clauses.unit.0),
            Origin::Plain => clauses.plain,
            Origin::Moved => clauses.moved,
            Origin::Zero => clauses.zero,
            Origin::Unbound => return Promised::Anything(clauses.unbound),
            Origin::Outside => return Promised::Anything(clauses.outside),
            Origin::Beyond => {
                return Promised::Anything(clauses.beyond.map_or(clauses.outside, Why::open));
            }
        };
        Promised::Exactly(why.or(match kind.difference {
            Difference::None => None,
            Difference::Negative => clauses.negative,
            Difference::Disputed => self.disputed.map(|(_, clause)| clause),
        }))
    }
}
