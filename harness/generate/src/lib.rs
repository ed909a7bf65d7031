//! From case and seed to stimulus, and random cases.
//!
//! The same case and seed give the same bytes on any machine, at any number
//! of threads, in any order: each operand draws from a ChaCha8 stream of its
//! own, keyed by seed and case. Values are made in logical row-major order
//! first, then put where the operand's own layout has them.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod fill;
mod index;
mod number;
mod place;
pub mod random;
mod region;
mod slots;
mod stream;

use ptodiff_case::{Case, DataPlan, Fill};
use ptodiff_isa::{Memory, Role};

use region::Frame;
use slots::Slots;
use stream::{Channel, Stream};

/// A case made concrete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stimulus {
    /// The memory before each call of the case, as many as the case has chunks.
    ///
    /// The first holds every operand, in the order of [`ptodiff_isa::Call::operands`].
    /// Later ones hold no Table and no Scratch: the calls of a case share one.
    pub steps: Vec<Memory>,
}

/// The bytes of every operand of `case`, drawn for the run's `seed`.
///
/// An operand's body is poison where no logical position of it lies (tile
/// padding, gaps of a strided tensor; between indices every other slot holds
/// one in range) and its guard zones are poison: at least 64 bytes each, and a
/// padded row of the operand where that is at most 4096. Memory use is that of
/// the operands over all chunks, twice over for a moment.
///
/// The readings of the case decide what TGATHERB's offsets count
/// (TGATHERB-GAP-14) and what one-column tiles of MSCATTER's first revision
/// select (MSCATTER0-GAP-01), no others.
#[must_use]
pub fn stimulus(case: &Case, seed: u64) -> Stimulus {
    let (call, plan) = (&case.call, &case.data);
    let chunks = case.chunks.max(1) as usize;
    let slots = Slots::of(call, &case.readings);
    let mut steps = vec![Memory::default(); chunks];
    for (role, operand) in call.operands() {
        // What is in GM beside the indices lasts from call to call.
        let lasts = matches!(role, Role::Table | Role::Scratch);
        let times = if lasts { 1 } else { chunks };
        let frame = Frame::of(role, operand);
        let dtype = operand.dtype();
        let mut stream = Stream::new(seed, plan.seed, &case.id, Channel::of(call, role));
        let regions = if let Some(fill) = fill_of(plan, role) {
            let values = fill::values(fill, dtype, frame.count() * times, &mut stream);
            frame.regions(times, &values.unwrap_or_default())
        } else {
            let lanes = (frame.count() * times, frame.width());
            let values = index::values(&plan.index, dtype, lanes, &slots, &mut stream);
            let mut regions = frame.regions(times, &values);
            for region in &mut regions {
                frame.mark_index_padding(region, &slots);
            }
            regions
        };
        for (step, region) in steps.iter_mut().zip(regions) {
            step.regions.push(region);
        }
    }
    Stimulus { steps }
}

/// How the operand that plays `role` is filled; none for indices.
fn fill_of(plan: &DataPlan, role: Role) -> Option<&Fill> {
    match role {
        Role::Table => Some(&plan.table),
        Role::Source => Some(&plan.source),
        Role::Destination => Some(&plan.destination),
        Role::Scratch => Some(&plan.scratch),
        Role::Index => None,
    }
}
