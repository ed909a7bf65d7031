//! Holes: what checks let pass although nothing good is promised.

use std::fmt;
use std::str::FromStr;

use ptodiff_isa::{Clause, Target, words};

use crate::clause;

words! {
    /// What kind of hole it is.
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum HoleKind {
        /// The target's checks accept, and a precondition of the caller is broken, or the
        /// call never returns.
        UncheckedPrecondition,
        /// The contract has nothing against the call, yet an access leaves its operand.
        LegalOutOfBounds,
        /// The first target accepts and the second rejects, and only gaps speak of it.
        OneSidedRejection,
        /// The target rejects the call with static dimensions and accepts it with
        /// the same numbers given at run time.
        StaticOnlyCheck,
        /// The documents are silent, and what comes out depends on how they are read.
        OpenReading,
    }
}

words! {
    /// Where a hole shows, the worst first.
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum HolePlace {
        /// An out-of-bounds write.
        OutOfBoundsWrite,
        /// An out-of-bounds read.
        OutOfBoundsRead,
        /// The call never returns.
        Hang,
        /// A target that owes an exact result leaves other bytes in the output.
        Differs,
        /// Nothing is promised, and no more is seen of it.
        Undefined,
        /// The output holds other bytes under another reading.
        Result,
        /// One reading promises what another leaves open.
        Promise,
        /// One target or reading rejects, another does not.
        Rejection,
        /// The valid extents of the data tile.
        DataExtents,
        /// The valid extents of the index operand, or its shape.
        IndexExtents,
        /// The table's shape.
        TableShape,
        /// The table's strides.
        TableStrides,
        /// Dimensions of more than one of these.
        Several,
    }
}

/// A hole, without the instruction: that is the case's.
///
/// Written `KIND TARGETS CLAUSES PLACE`, as in
/// `unchecked-precondition a5 MSCATTER-TILE-05 out-of-bounds-write`; several targets are joined
/// by `/`, several clauses by `+`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hole {
    /// What kind.
    pub kind: HoleKind,
    /// The target at fault; of a one-sided rejection first the one that accepts,
    /// then the one that rejects. Never none.
    pub targets: Vec<Target>,
    /// The clauses that it is about, in their order, never none.
    pub clauses: Vec<Clause>,
    /// Where it shows.
    pub place: HolePlace,
}

impl Hole {
    /// Whether the two are one hole that shows in different places.
    #[must_use]
    pub fn is_same_elsewhere(&self, other: &Self) -> bool {
        (self.kind, &self.targets, &self.clauses) == (other.kind, &other.targets, &other.clauses)
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets: Vec<&str> = self.targets.iter().map(|t| (*t).into()).collect();
        let clauses: Vec<&str> = self.clauses.iter().map(|c| c.0).collect();
        let (targets, clauses) = (targets.join("/"), clauses.join("+"));
        write!(f, "{} {targets} {clauses} {}", self.kind, self.place)
    }
}

impl FromStr for Hole {
    /// Which word is wrong, or that there are not four.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [kind, targets, clauses, place] = words[..] else {
            return Err("a hole has four words: kind, targets, clauses, place".to_owned());
        };
        let wrong = |word: &str, what| format!("`{word}` is no {what}");
        let target = |word: &str| word.parse().map_err(|_| wrong(word, "target"));
        let clause =
            |word: &str| clause::known(word).map_err(|_| wrong(word, "clause of the register"));
        Ok(Self {
            kind: kind.parse().map_err(|_| wrong(kind, "kind of hole"))?,
            targets: targets.split('/').map(target).collect::<Result<_, _>>()?,
            clauses: clauses.split('+').map(clause).collect::<Result<_, _>>()?,
            place: place.parse().map_err(|_| wrong(place, "place of a hole"))?,
        })
    }
}
