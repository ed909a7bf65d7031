//! What the enumeration answers.

use std::collections::BTreeSet;

use ptodiff_isa::Role;

/// Stands among the elements of a slot for some NaN, whichever: where a sum, Max or Min is
/// NaN nothing says more (MSCATTER-GAP-81, -GAP-03). No floating-point element is so long.
pub const NAN: u64 = u64::MAX;

/// What one slot may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// What it held before: nothing is stored there in any order.
    Kept,
    /// One of these elements, little-endian bytes read as a number, or [`NAN`].
    These(BTreeSet<u64>),
    /// Anything.
    Anything,
}

impl Values {
    /// As a set, for a slot that held `before`; `None` for anything.
    #[must_use]
    pub fn set(&self, before: u64) -> Option<BTreeSet<u64>> {
        match self {
            Self::Kept => Some([before].into()),
            Self::These(all) => Some(all.clone()),
            Self::Anything => None,
        }
    }
}

/// What each slot of the output may hold after the calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// The operand that is written.
    pub role: Role,
    /// Bytes of a slot.
    pub size: usize,
    /// By position in the storage of its body.
    pub slots: Vec<Values>,
    /// The staging area of an Elem gather to L1, in slots of the same size.
    pub scratch: Option<Vec<Values>>,
    /// Whether some access goes outside its operand.
    pub outside: bool,
}

/// What the calls may leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Out {
    /// This.
    Of(Reachable),
    /// The data breaks a precondition, so nothing is promised. Of a gather whose
    /// strayed reads spoil no more than the slots that they feed: what it
    /// leaves all the same.
    Undefined(Option<Reachable>),
    /// Beyond [`WRITERS`](crate::WRITERS), [`ELEMENTS`](crate::ELEMENTS) or
    /// [`VALUES`](crate::VALUES).
    TooLarge,
    /// Why this account does not speak of such calls.
    NotCovered(&'static str),
}

/// Why no slots are answered for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Undefined,
    TooLarge,
    NotCovered(&'static str),
}

impl From<Stop> for Out {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Undefined => Self::Undefined(None),
            Stop::TooLarge => Self::TooLarge,
            Stop::NotCovered(why) => Self::NotCovered(why),
        }
    }
}
