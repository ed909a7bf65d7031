//! From case and seed to stimulus, and random cases.
//!
//! The same case and seed give the same bytes on any machine, at any number
//! of threads, in any order: each operand draws from a SplitMix64 stream of
//! its own, seeded by seed and case. Values are made in logical row-major order
//! first, then put where the operand's own layout has them.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod distinct;
mod element;
mod fill;
mod index;
mod literal;
mod number;
mod poison;
pub mod random;
mod region;
mod shuffle;
mod slots;
mod stream;

use ptodiff_case::limits::COPIES;
use ptodiff_case::{Case, Fill};
use ptodiff_isa::{Memory, Operand, Operands, Region, Role};

pub use literal::{MAX_LITERALS, literal, written_out};
pub use slots::Slots;

use region::Frame;
use stream::{Channel, Streams};

/// A case made concrete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stimulus {
    /// The memory before each call of the case, as many as the case has chunks.
    ///
    /// The first holds every operand, in the order of [`ptodiff_isa::Call::operands`].
    /// Later ones hold no Table and no Scratch: the calls of a case share one.
    pub steps: Vec<Memory>,
}

/// Whether the machine has the addresses that running `case` takes, if its table is
/// sparse: whoever makes its stimulus or copies it cannot be told that it has not.
///
/// # Errors
/// If it has not, in one line.
pub fn room_for(case: &Case) -> Result<(), String> {
    if !matches!(case.data.table, Fill::Rows(_)) {
        return Ok(());
    }
    let Some(table) = case.call.operand(Role::Table) else {
        return Ok(());
    };
    let (_, len) = Frame::of(Role::Table, table).extent();
    let copies = usize::try_from(COPIES).unwrap_or(usize::MAX);
    Region::room_for(len.saturating_mul(copies))
}

/// The bytes of every operand of `case`, drawn for the run's `seed`.
///
/// An operand's body is poison where no logical position of it lies (tile
/// padding, gaps of a strided tensor; between indices every other slot holds
/// one in range) and its guard zones are poison: at least 64 bytes each, and a
/// padded row of the operand where that is at most 4096. Of a table of given rows
/// all of the body that they do not give is zero. Memory use is that of
/// the operands over all chunks, twice over for a moment.
///
/// The readings of the case decide what indices and offsets count
/// (MSCATTER-GAP-87, TGATHERB-GAP-14) or name (TSCATTER-GAP-22) and what
/// one-column tiles of MSCATTER's first revision select (MSCATTER0-GAP-01), no
/// others.
///
/// # Panics
/// If the machine has no addresses for a sparse table: [`room_for`] asks before.
#[must_use]
pub fn stimulus(case: &Case, seed: u64) -> Stimulus {
    let values = Values::of(case, seed);
    let mut steps = vec![Memory::default(); values.parts(Role::Destination)];
    for &(role, operand) in &values.operands {
        let steps = &mut steps[..values.parts(role)];
        let frame = Frame::of(role, operand);
        if let (Some(Fill::Rows(rows)), Operand::Tensor(table)) = (case.data.fill(role), operand) {
            for step in steps {
                step.regions.push(frame.zeros_but(table, rows));
            }
            continue;
        }
        if let [step] = steps
            && frame.is_dense()
        {
            // They stand there as they come.
            let mut region = frame.poisoned();
            values.write(role, operand, region.body_mut());
            region.note_writes();
            step.regions.push(region);
            continue;
        }
        let part = frame.bytes();
        let mut all = vec![0; part * steps.len()];
        let given = values.write(role, operand, &mut all);
        let mut left = &all[..given];
        for step in steps {
            let now = left.split_off(..part.min(left.len())).unwrap_or_default();
            let mut region = frame.poisoned();
            if role == Role::Index {
                frame.mark_index_padding(&mut region, &values.slots, now.len());
            }
            frame.put(now, &mut region);
            region.note_writes();
            step.regions.push(region);
        }
    }
    Stimulus { steps }
}

/// The values of a case's operands, in logical order.
struct Values<'c> {
    case: &'c Case,
    operands: Operands<'c>,
    streams: Streams,
    /// What its indices select among.
    slots: Slots,
    with_source: bool,
}

impl<'c> Values<'c> {
    fn of(case: &'c Case, seed: u64) -> Self {
        let operands = case.call.operands();
        let of = |role: Role| operands.iter().find(|operand| operand.0 == role);
        let index_type = of(Role::Index).map(|(_, operand)| operand.dtype());
        Self {
            case,
            streams: Streams::of(seed, case.data.seed, &case.id),
            slots: Slots::of(&case.call, index_type, case.data_readings()),
            with_source: of(Role::Source).is_some(),
            operands,
        }
    }

    /// How often the operand that plays `role` has values: in each chunk, or once where it
    /// is in GM beside the indices and lasts from call to call.
    fn parts(&self, role: Role) -> usize {
        match role {
            Role::Table | Role::Scratch => 1,
            Role::Source | Role::Destination | Role::Index => self.case.chunks.max(1) as usize,
        }
    }

    /// Fills `out` with those of an operand; how many bytes of it it wrote.
    fn write(&self, role: Role, operand: Operand<'_>, out: &mut [u8]) -> usize {
        let (dtype, plan) = (operand.dtype(), &self.case.data);
        let channel = Channel::of(role, self.with_source);
        let mut stream = self.streams.channel(channel);
        match plan.fill(role) {
            Some(fill) => fill::values(fill, dtype, &mut stream, out),
            None => index::values(&plan.index, operand, &self.slots, &mut stream, out),
        }
    }
}
