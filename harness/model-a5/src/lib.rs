//! What A5 does: warps and lanes under a schedule.
//!
//! MSCATTER in its current revision and MGATHER from GM to UB. A call becomes
//! a plan (extents, steps, capacity), a launch geometry and a walk
//! over lanes in the order of the schedule. Kernels are instantiated for the
//! element width, the OOB policy, the combination and whether a trace is kept.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod access;
mod bounds;
mod check;
mod combine;
mod gather;
mod grid;
mod last;
mod order;
mod owners;
mod plan;
mod scalar;
mod scatter;

use ptodiff_isa::{Call, Fault, How, Log, Memory, Model, Readings, Refusal, Target};

use access::{Port, Recording, Silent, Sink};

/// The A5 SIMT core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct A5;

impl Model for A5 {
    fn target(&self) -> Target {
        Target::A5
    }

    /// The assertions of `MScatterCheck` and `MGatherCheck`; no reading changes any of them.
    fn check(&self, call: &Call, _readings: &Readings) -> Vec<Refusal> {
        check::refusals(call)
    }

    /// Runs one call in place.
    ///
    /// # Errors
    /// If the memory lacks an operand, if a dtype is one that the check
    /// refuses, or if a tile's valid region could stand in no memory.
    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<(), Fault> {
        let strays = &mut log.strays;
        match &mut log.trace {
            Some(events) => run(call, memory, how, Port::new(strays, Recording(events))),
            None => run(call, memory, how, Port::new(strays, Silent)),
        }
    }
}

fn run<S: Sink>(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<(), Fault> {
    match call {
        Call::Mscatter(call) => scatter::run(call, memory, how, port),
        Call::Mgather(call) => gather::run(call, memory, how, port),
    }
}
