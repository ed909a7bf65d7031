//! Small calls by brute force: every order of their stores.
//!
//! An account of its own of what a sequence of calls may leave, from the
//! documents and the readings in use: coordinates are counted through, there
//! is one image of memory, and the stores of a call go in every order that the
//! target leaves open. It knows no formula for an offset and no closed form
//! for a sum, so it is slow, and what is too large it says so of.
//!
//! [`world`] builds all small calls that there are, for what is to be held
//! to what is reached.
//!
//! Calls are taken to keep every constraint that can be seen without their
//! data; what they leave otherwise is not looked into.
//!
//! Not covered, each with its reason in [`Out::NotCovered`]: a call that may
//! never return; several scatters without a flush before the host reads; a
//! form or a layout that its target lacks under the readings; an operand that
//! is missing or too short; boxes that are not NZ; indices that are no
//! integers of the documented width; under `negative-index=signed` a negative
//! row of NZ, of a burst that is wider than rows are apart, or of a number that
//! is split over the dimensions; `nz-row-columns=either` or `kept` together
//! with `gather-padding=undefined`, which both speak of one column; an index
//! tensor on CPU whose strides would count; `tscatter-unaddressed=zero` where
//! nothing is written; a source of TGATHERB with nothing to clamp to.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod address;
mod byte_gather;
mod first;
mod float;
mod gather;
mod gather_l1;
mod gather_ub;
mod image;
mod index;
mod lanes;
mod mask;
mod mscatter;
mod operand;
mod orders;
mod out;
mod scatter;
mod spots;
mod store;
mod tile_scatter;
pub mod world;

pub use out::{NAN, Out, Reachable, Values};

use ptodiff_isa::{Call, Memory, Readings, Target};

/// Most stores to one slot in one step where their order is open.
pub const WRITERS: usize = 12;
/// Most elements of an operand, and most rows or elements that an index may name.
pub const ELEMENTS: usize = 1 << 16;
/// Most values that one slot is followed through.
pub const VALUES: usize = 1 << 12;

/// What each slot of the output may hold after running `call` once for each of
/// `steps`, in order.
///
/// Table and staging area keep from step to step what they hold; their content
/// before is that of the first step, and later ones may lack them. All else is
/// loaded anew for each step, and the answer is what the last one leaves.
#[must_use]
pub fn enumerate(call: &Call, steps: &[&Memory], target: Target, readings: &Readings) -> Out {
    let answer = match call {
        Call::Mscatter(c) => mscatter::enumerate(c, steps, target, readings),
        Call::MscatterFirst(c) => first::enumerate(c, steps, target, readings),
        Call::Mgather(c) => gather_ub::enumerate(c, steps, target, readings),
        Call::MgatherL1(c) => gather_l1::enumerate(c, steps, target, readings),
        Call::TscatterIndex(c) => tile_scatter::enumerate(c, steps, target, readings),
        Call::TscatterMask(c) => mask::enumerate(c, steps, target, readings),
        Call::Tgatherb(c) => byte_gather::enumerate(c, steps, target, readings),
    };
    answer.unwrap_or_else(Out::from)
}
