//! What A2/A3 does: a scalar pipe and DMA bursts over byte memories.
//!
//! Documents 000 (MSCATTER), 001 (MGATHER), 002 (TSCATTER) and 004 (TGATHERB),
//! their A2/A3 sections. One file holds one instruction, in the order in which
//! its document tells it; clauses and gaps are named where they decide something.
//!
//! A kernel is written once, against `engine::Core`. There it either takes
//! effect step by step, or hands its transfers to pipes that nothing but its
//! handshakes keeps in step ([`run_pipes`]).
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod atomics;
mod check;
mod dma;
mod engine;
mod handshake;
mod index;
mod mgather;
mod mgather_l1;
mod mscatter;
mod nz;
mod pipes;
mod places;
mod tgatherb;
mod tscatter;

use ptodiff_isa::{Call, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target, Tile};
use ptodiff_memory::Bus;

use crate::engine::Core;

pub use handshake::{Handshake, Phase, UnknownHandshake, handshakes, owed_by_caller};
pub use pipes::{Seen, Surroundings, run_pipes, run_pipes_draining};

/// The executable account of the A2/A3 core (000, 001, 002 and 004, A2/A3 sections).
///
/// The call's conflict policy and launch parameters do not exist on this
/// target and are not looked at, nor is `How::schedule`; every accepted call
/// finishes. Besides a missing operand `execute` answers a [`Fault`] to what
/// [`Model::check`] rejects and no kernel could be instantiated for: index
/// dtypes that no kernel reads, Max and Min (MSCATTER-ATOM-10), Add on a dtype
/// outside the list of MSCATTER-ATOM-08, the first revision of MSCATTER
/// (MSCATTER0-API-01), Elem into L1 without scratch (MGATHERL1-GAP-05), masked
/// TSCATTER where the readings give A2/A3 none (TSCATTER-MODE-02), and
/// TGATHERB of 8-byte elements (TGATHERB-DTYPE-01).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct A2a3;

impl Model for A2a3 {
    fn target(&self) -> Target {
        Target::A2a3
    }

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        check::rejections(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        run(call, &how.readings, &mut Core::new(Bus::new(memory, log)))?;
        Ok(End::Finished)
    }
}

/// Runs the kernel of `call` on `core`.
fn run(call: &Call, readings: &Readings, core: &mut Core<'_>) -> Result<(), Fault> {
    match call {
        Call::Mscatter(call) => mscatter::run(call, readings, core),
        Call::MscatterFirst(_) => Err(Fault(
            "the first revision of MSCATTER has no kernel on A2/A3".to_owned(),
        )),
        Call::Mgather(call) => mgather::run(call, readings, core),
        Call::MgatherL1(call) => mgather_l1::run(call, readings, core),
        Call::TscatterIndex(call) => tscatter::by_index(call, readings, core),
        Call::TscatterMask(call) => tscatter::by_mask(call, readings, core),
        Call::Tgatherb(call) => tgatherb::run(call, readings, core),
    }
}

/// Whether a tile has no valid element. MSCATTER and MGATHER into UB then do
/// nothing (MSCATTER-GAP-38, MGATHER-GAP-26).
fn nothing_valid(tile: &Tile) -> bool {
    tile.valid_row.get() == 0 || tile.valid_col.get() == 0
}
