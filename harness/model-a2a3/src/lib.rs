//! What A2/A3 does: a scalar pipe and DMA bursts over byte memories.
//!
//! Written from documents 000, 001, 002 and 004 alone; of the workspace it
//! knows only the vocabulary in `ptodiff-isa`. Row mode drives the DMA engine,
//! Elem mode the scalar pipe, everything in one strictly sequential thread;
//! [`run_pipes`] runs the same kernels on pipes that only their handshakes keep
//! in step.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod add16;
mod bursts;
mod check;
mod combine;
mod dma;
mod engine;
mod extent;
mod flat;
mod flush;
mod gather;
mod gather_elem;
mod gather_row;
mod groups;
mod handshake;
mod inside;
mod l1;
mod l1_elem;
mod l1_row;
mod lean;
mod nz;
mod operands;
mod parts;
mod pipes;
mod port;
mod remap;
mod scatter;
mod scatter_elem;
mod scatter_row;
mod scribe;
mod slots;
mod strided;
mod task;
#[cfg(test)]
mod testing;
mod tgatherb;
mod tmask;
mod tscatter;
mod walk;

use ptodiff_isa::{
    Call, Coalesce, End, Fault, How, Log, Memory, MgatherL1, Model, Readings, Refusal, Target,
};

use engine::Direct;
use operands::Operands;
use scribe::{Quiet, Scribe, Tracing};

pub use handshake::{Handshake, Phase, UnknownHandshake, handshakes};
pub use pipes::{Seen, Surroundings, run_pipes, run_pipes_draining};

/// The executable account of the A2/A3 core (000, 001, 002 and 004, A2/A3 sections).
///
/// The call's conflict policy and launch parameters do not exist on this
/// target and are not looked at, nor is `How::schedule`; every accepted call
/// finishes. Besides a missing operand `execute` answers a [`Fault`] to what
/// [`Model::check`] refuses and no kernel could be instantiated for: index
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

    fn check(&self, call: &Call, readings: &Readings) -> Vec<Refusal> {
        check::refusals(call, readings)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let readings = &how.readings;
        let strays = &mut log.strays;
        match &mut log.trace {
            None => {
                if let Err(done) = lean::run(call, memory, readings) {
                    run(call, done, memory, readings, Quiet { strays })?;
                }
            }
            Some(events) => run(call, 0, memory, readings, Tracing { strays, events })?,
        }
        Ok(End::Finished)
    }
}

/// Runs what comes after the first `done` lanes.
// Not inlined: it would make the frame of a small call a large one, which feels
// each line of cache. For the same reason some instructions are not inlined here.
#[inline(never)]
fn run<L: Scribe>(
    call: &Call,
    done: usize,
    memory: &mut Memory,
    readings: &Readings,
    mut log: L,
) -> Result<(), Fault> {
    match call {
        Call::Mscatter(call) => {
            // The engine that is watched takes no table part by part.
            let operands = Operands::open_scatter(memory, L::TRACES)?;
            scatter::run(call, readings, done, &mut Direct { operands, log })
        }
        Call::Mgather(call) => {
            let operands = Operands::open_gather(memory)?;
            gather::run(call, readings, done, &mut Direct { operands, log })
        }
        Call::MgatherL1(call) => {
            let operands = open_l1(call, memory)?;
            l1::run(call, readings, &mut Direct { operands, log })
        }
        Call::TscatterIndex(call) => tscatter::run(call, memory, readings, &mut log),
        Call::TscatterMask(call) => tmask::run(call, memory, readings, &mut log),
        Call::Tgatherb(call) => tgatherb::run(call, memory, readings, &mut log),
        Call::MscatterFirst(_) => Err(Fault("no first revision of MSCATTER".to_owned())),
    }
}

/// The operands of a gather to L1; only Elem uses a scratch, and needs it.
fn open_l1<'m>(call: &MgatherL1, memory: &'m mut Memory) -> Result<Operands<'m>, Fault> {
    match (call.mode, call.scratch) {
        (Coalesce::Row, _) => Operands::open_gather(memory),
        (Coalesce::Elem, Some(_)) => Operands::open_staged(memory),
        (Coalesce::Elem, None) => Err(Fault("no kernel stages without a scratch".to_owned())),
    }
}
