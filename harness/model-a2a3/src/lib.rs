//! What A2/A3 does: a scalar pipe and DMA bursts over byte memories.
//!
//! Written from documents 000 and 001 alone; of the workspace it knows only
//! the vocabulary in `ptodiff-isa`. Row mode drives the DMA engine, Elem mode
//! the scalar pipe, everything in one strictly sequential thread.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod add16;
mod check;
mod combine;
mod dma;
mod extent;
mod gather;
mod gather_elem;
mod gather_row;
mod handshake;
mod nz;
mod port;
mod remap;
mod scatter;
mod scatter_elem;
mod scatter_row;
mod scribe;
mod slots;
mod walk;

use ptodiff_isa::{Call, Fault, How, Log, Memory, Model, Readings, Refusal, Target};

use scribe::{Quiet, Scribe, Tracing};

/// The executable account of the A2/A3 vector core (000 and 001, A2/A3 sections).
///
/// `execute` runs MSCATTER and MGATHER into UB. The call's conflict policy and
/// launch parameters do not exist on this target and are not looked at, nor is
/// `How::schedule`. Besides a missing operand it answers a [`Fault`] to what
/// [`Model::check`] refuses and no kernel could be instantiated for: an index
/// dtype other than `int32_t` and `uint32_t`, Max and Min (MSCATTER-ATOM-10),
/// and Add on a dtype outside the list of MSCATTER-ATOM-08.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct A2a3;

impl Model for A2a3 {
    fn target(&self) -> Target {
        Target::A2a3
    }

    fn check(&self, call: &Call, _readings: &Readings) -> Vec<Refusal> {
        check::refusals(call)
    }

    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<(), Fault> {
        let strays = &mut log.strays;
        match &mut log.trace {
            None => run(call, memory, &how.readings, &mut Quiet { strays }),
            Some(events) => run(call, memory, &how.readings, &mut Tracing { strays, events }),
        }
    }
}

fn run<L: Scribe>(
    call: &Call,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    match call {
        Call::Mscatter(call) => scatter::run(call, memory, readings, log),
        Call::Mgather(call) => gather::run(call, memory, readings, log),
    }
}
