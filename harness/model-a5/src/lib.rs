//! What A5 does: documents 000 to 004, read as programs.
//!
//! An instruction has a file of its own, in the order in which its document
//! tells it. *Where* things stand is in `plan` and `index`, *in which order* lanes
//! take effect in `schedule`, and what one access does in `ptodiff-memory`.
//! Numbers of clauses and gaps are those of the register;
//! in the file of an instruction `OOB-04` is a number of that instruction.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod atomics;
mod cache;
mod caller;
mod check;
mod index;
mod last;
mod launch;
mod mgather;
mod mgather_l1;
mod mscatter;
mod mscatter_first;
mod nz;
mod plan;
mod scalar;
mod schedule;
mod tgatherb;
mod tscatter;

use ptodiff_isa::{Call, End, Fault, How, Log, Memory, Model, Readings, Rejection, Target};
use ptodiff_memory::Bus;

pub use caller::{CallerStep, UnknownStep, owed_by_caller, run_without};

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
    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        check::rejections(call, readings)
    }

    /// Runs one call in place.
    ///
    /// # Errors
    /// If the memory lacks an operand, if the call has a dtype, an index width
    /// or an axis that the check rejects, or if an operand could stand in no memory.
    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let unflushed = cache::Unflushed::before(call, memory);
        let end = run(call, how, &mut Bus::new(memory, log))?;
        if let (End::Finished, Some(unflushed)) = (end, unflushed) {
            unflushed.show(memory, how.schedule);
        }
        Ok(end)
    }
}

fn run(call: &Call, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    for (role, operand) in call.operands() {
        bus.require(&[role])?;
        if let Some(tile) = operand.tile() {
            plan::fits_memory(role, tile)?;
        }
    }
    match call {
        Call::Mscatter(call) => mscatter::run(call, how, bus),
        Call::MscatterFirst(call) => mscatter_first::run(call, how, bus),
        Call::Mgather(call) => mgather::run(call, how, bus),
        Call::MgatherL1(call) => mgather_l1::run(call, how, bus),
        Call::TscatterIndex(call) => tscatter::by_index(call, how, bus),
        Call::TscatterMask(call) => tscatter::by_mask(call, how, bus),
        Call::Tgatherb(call) => tgatherb::run(call, how, bus),
    }
}

/// A fault for what the check of a call rejects and no kernel exists for.
fn no_kernel(what: impl std::fmt::Display) -> Fault {
    Fault(format!("A5 has no kernel for {what}"))
}
