//! What A5 does: warps and lanes under a schedule.
//!
//! MSCATTER in both revisions, MGATHER from GM to UB and to L1, TSCATTER and
//! TGATHERB. A call with a table becomes a plan (extents, steps, capacity), a
//! launch geometry and a walk over lanes in the order of the schedule. Kernels
//! are instantiated for the element width, the OOB policy, the combination and
//! whether a trace is kept.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod access;
mod bounds;
mod cache;
mod check;
mod combine;
mod copy;
mod everyone;
mod extent;
mod first;
mod gather;
mod grid;
mod group;
mod l1;
mod lanes;
mod last;
mod mask;
mod numeral;
mod order;
mod owners;
mod pack;
mod parts;
mod plan;
mod rows;
mod scalar;
mod scatter;
mod shuffle;
mod tgatherb;
mod transfer;
mod tscatter;
mod view;

use ptodiff_isa::{
    CacheFlush, Call, End, Fault, How, Log, Memory, Model, Readings, Refusal, Role, Target,
};

use access::{Port, Recording, Silent, Sink};
use cache::Stale;

/// The A5 core pair: SIMT vector core and cube core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct A5;

impl Model for A5 {
    fn target(&self) -> Target {
        Target::A5
    }

    /// The static assertions of each instruction; readings decide where the
    /// scope of TSCATTER and the mode of MSCATTER's first revision end, and how
    /// far the checks of MSCATTER and MGATHER look at widths and index tiles.
    fn check(&self, call: &Call, readings: &Readings) -> Vec<Refusal> {
        check::refusals(call, readings)
    }

    /// Runs one call in place.
    ///
    /// # Errors
    /// If the memory lacks an operand, if the call has a dtype, an index width
    /// or an axis that the check refuses, or if an operand could stand in no memory.
    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let flush = match call {
            Call::Mscatter(call) => call.launch.flush,
            Call::MscatterFirst(call) => call.launch.flush,
            _ => CacheFlush::Appended,
        };
        let stale = Stale::before(memory, flush);
        let strays = &mut log.strays;
        let end = match &mut log.trace {
            Some(events) => run(call, memory, how, Port::new(strays, Recording(events))),
            None => run(call, memory, how, Port::new(strays, Silent)),
        }?;
        if let Some(stale) = stale
            && let Some(table) = memory.get_mut(Role::Table)
        {
            stale.show(table, how.schedule);
        }
        Ok(end)
    }
}

fn run<S: Sink>(
    call: &Call,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    match call {
        Call::Mscatter(call) => scatter::run(call, memory, how, port),
        Call::MscatterFirst(call) => scatter::run_first(call, memory, how, port),
        Call::Mgather(call) => gather::run(call, memory, how, port),
        Call::MgatherL1(call) => l1::run(call, memory, how, port),
        Call::TscatterIndex(call) => tscatter::run(call, memory, how, port),
        Call::TscatterMask(call) => mask::run(call, memory, how, port),
        Call::Tgatherb(call) => tgatherb::run(call, memory, how, port),
    }
}
