//! All small calls: tiles up to 3x3 in every valid extent, every index vector
//! over a few slots and beyond, every policy. What any account of a target can
//! be held to without a choice of examples.
//!
//! Each form is a function that shows its [`World`]s one after the other. How
//! many index vectors a form takes is bounded by `most`: for each number of lanes
//! and each capacity up to four those of all slots, the first number beyond and
//! -1; where these are more than `most`, without -1, then without any beyond,
//! and else none.

mod axes;
pub mod build;
mod table;
mod tiles;

pub use table::{Scatters, blocks, displaced, gathers, gathers_to_l1, scattered_first};
pub use tiles::{gathered_by_offset, scattered_by_index, scattered_by_mask, scattered_to_rows};

use ptodiff_isa::{Call, Memory, Readings, Target};

/// How a call ends, as it was built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ends {
    /// It breaks a constraint of the target that can be seen without its data.
    Illegal,
    /// Its data breaks a precondition.
    Undefined,
    /// Something is promised of every slot.
    Settled,
}

impl Ends {
    /// By whether the data breaks a precondition.
    const fn by_precondition(broken: bool) -> Self {
        if broken {
            Self::Undefined
        } else {
            Self::Settled
        }
    }
}

/// One small call with its data, for one target.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The call.
    pub call: Call,
    /// Its operands, each between guard zones.
    pub memory: &'a Memory,
    /// The target.
    pub target: Target,
    /// The readings in force.
    pub readings: &'a Readings,
    /// How it ends.
    pub ends: Ends,
}

/// Shows one call with its data on each of `targets`.
fn show(
    call: Call,
    (memory, readings): (&Memory, &Readings),
    targets: &[Target],
    ends: Ends,
    see: &mut impl FnMut(&World<'_>),
) {
    for &target in targets {
        see(&World {
            call,
            memory,
            target,
            readings,
            ends,
        });
    }
}
