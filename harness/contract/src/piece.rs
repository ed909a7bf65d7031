//! What a gather from GM delivers for one index.

use ptodiff_isa::Clause;

use crate::{
    lines::{Order, each_line},
    runs::{Runs, Told, Why},
    selection::{Indices, Place, Remap},
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

/// Elements of `SIZE` bytes of a table.
pub(crate) struct Elementwise<'a, S, const SIZE: usize> {
    source: &'a Source<'a>,
    table: &'a [[u8; SIZE]],
    /// Turns the number of an element into its offset.
    standing: S,
    /// Indices below lead to the element of that offset, on all targets.
    plain_below: u32,
}

/// How a lane comes by what it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comes {
    /// From the table.
    Plain,
    /// From there, after the policy changed the index.
    Moved,
    /// Zeros, by the policy.
    Zero,
    /// From nowhere: its index is of those of which nothing is promised.
    Unbound,
    /// From outside the table.
    Outside,
    /// The same, with a number below capacity.
    Beyond,
}

/// Why other targets may deliver something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Apart {
    /// They do not.
    No,
    /// The index is negative.
    Negative,
    /// It is one that targets dispute.
    Disputed,
}

/// Lanes of one kind cite the same clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    comes: Comes,
    apart: Apart,
}

impl<'a> Source<'a> {
    /// `len` bytes from the slot that `raw` selects; `start` turns its number into bytes.
    #[inline]
    pub(crate) fn piece(&self, raw: u32, len: usize, start: impl FnOnce(i64) -> i64) -> Piece<'a> {
        let (kind, bytes) = self.select(raw, &[][..], |number| {
            let at = usize::try_from(start(number)).ok()?;
            self.table.get(at..at.checked_add(len)?)
        });
        match (self.told(kind), bytes) {
            (Told::Exactly(why), _) if kind.comes == Comes::Zero => Piece::Zero(why),
            (Told::Exactly(why), Some(bytes)) => Piece::Bytes(bytes, why),
            (Told::Exactly(why) | Told::Anything(why), _) => Piece::Open(why),
        }
    }

    /// What `raw` selects: `zero`, or what `held` finds in the table for its number.
    #[inline]
    fn select<B>(
        &self,
        raw: u32,
        zero: B,
        held: impl FnOnce(i64) -> Option<B>,
    ) -> (Kind, Option<B>) {
        let open = |comes| Kind {
            comes,
            apart: Apart::No,
        };
        let (comes, bytes) = match self.remap.place(raw) {
            Place::At { number, moved } => match held(number) {
                Some(bytes) if moved => (Comes::Moved, bytes),
                Some(bytes) => (Comes::Plain, bytes),
                None if number >= 0 => return (open(Comes::Beyond), None),
                None => return (open(Comes::Outside), None),
            },
            Place::Dropped => (Comes::Zero, zero),
            Place::Unbound => return (open(Comes::Unbound), None),
        };
        let apart = self.apart(raw);
        (Kind { comes, apart }, Some(bytes))
    }

    /// Indices below are taken as they are, and targets agree on them.
    fn plain_below(&self) -> u32 {
        let undisputed = match self.disputed {
            Some((smaller, _)) => u32::try_from(smaller).unwrap_or(u32::MAX),
            None => u32::MAX,
        };
        let positive = match self.words.negative {
            Some(_) => 1 << 31,
            None => u32::MAX,
        };
        self.remap.plain_below().min(undisputed).min(positive)
    }

    /// Whether something is promised of each of so many rows of `len` bytes.
    pub(crate) fn serves_rows(
        &self,
        indices: &Indices<'_>,
        rows: usize,
        len: usize,
        start: impl Fn(i64) -> i64,
    ) -> bool {
        (0..rows).all(|r| self.piece(indices.row(r), len, &start).open().is_none())
    }

    /// Whether something is promised of every element of `size` bytes below `extents`.
    pub(crate) fn serves_elements(
        &self,
        indices: &Indices<'_>,
        extents: [usize; 2],
        size: usize,
        flat: bool,
        standing: impl Fn(i64) -> i64,
    ) -> bool {
        macro_rules! served {
            ($size:literal) => {{
                let table = Elementwise::<_, $size>::new(self, flat, standing);
                let (mut all, plane) = (true, &indices.plane);
                each_line(Order::Logical, extents, [plane, plane], |line| {
                    for [_, at] in line {
                        all &= table.element(indices.at(at)).1.is_some();
                    }
                });
                all
            }};
        }
        match size {
            1 => served!(1),
            2 => served!(2),
            4 => served!(4),
            _ => served!(8),
        }
    }

    /// A difference between targets in what this index delivers.
    #[inline]
    fn apart(&self, raw: u32) -> Apart {
        if self.words.negative.is_some() && raw.cast_signed() < 0 {
            return Apart::Negative;
        }
        match self.disputed {
            Some((smaller, _)) if self.remap.value(raw) >= smaller => Apart::Disputed,
            _ => Apart::No,
        }
    }

    /// What is said of slots of a kind.
    pub(crate) fn told(&self, kind: Kind) -> Told {
        let words = &self.words;
        let why = match kind.comes {
            Comes::Plain => words.plain,
            Comes::Moved => words.moved,
            Comes::Zero => words.zero,
            Comes::Unbound => return Told::Anything(words.unbound),
            Comes::Outside => return Told::Anything(words.outside),
            Comes::Beyond => {
                return Told::Anything(words.beyond.map_or(words.outside, Why::open));
            }
        };
        Told::Exactly(why.or(match kind.apart {
            Apart::No => None,
            Apart::Negative => words.negative,
            Apart::Disputed => self.disputed.map(|(_, clause)| clause),
        }))
    }
}

impl<'a, S: Fn(i64) -> i64, const SIZE: usize> Elementwise<'a, S, SIZE> {
    /// Those of `source`; `flat` where `standing` changes nothing.
    pub(crate) fn new(source: &'a Source<'a>, flat: bool, standing: S) -> Self {
        let table = source.table.as_chunks().0;
        let held = u32::try_from(table.len()).unwrap_or(u32::MAX);
        Self {
            source,
            table,
            standing,
            plain_below: if flat {
                source.plain_below().min(held)
            } else {
                0
            },
        }
    }

    /// The element that `raw` selects, and how; none where nothing is promised.
    #[inline]
    pub(crate) fn element(&self, raw: u32) -> (Kind, Option<&'a [u8; SIZE]>) {
        if raw < self.plain_below {
            let plain = Kind {
                comes: Comes::Plain,
                apart: Apart::No,
            };
            return (plain, self.table.get(raw as usize));
        }
        self.other(raw)
    }

    #[inline(never)]
    fn other(&self, raw: u32) -> (Kind, Option<&'a [u8; SIZE]>) {
        self.source.select(raw, const { &[0; SIZE] }, |number| {
            let at = usize::try_from((self.standing)(number)).ok()?;
            self.table.get(at)
        })
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
