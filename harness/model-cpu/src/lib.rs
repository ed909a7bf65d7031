//! What the CPU simulator does: loops over coordinates.
//!
//! Every instruction is a pair of loops over `(r, c)` in row-major order.
//! The layout module says where a coordinate lies, the bounds module what an
//! index selects, the combine module what a slot holds afterwards. There are
//! no pipes here, so a trace holds loads and stores and nothing else
//! (MSCATTER-SYNC-13, MGATHER-SYNC-13).
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod bounds;
mod check;
mod combine;
mod gather;
mod index;
mod layout;
mod operand;
mod scatter;
mod tile;
mod watch;

use ptodiff_isa::{Call, Fault, How, Log, Memory, Model, Readings, Refusal, Target};

use crate::watch::{Quiet, Recording};

/// The model of target `cpu`.
///
/// MSCATTER follows `Readings::cpu_form`; MGATHER has `Coalesce` and
/// `GatherOOB` (001, CPU Reference Form). Every index is cast to `uint32_t`,
/// so `Readings::negative_index` has no say here, and neither have
/// `Readings::nz_elem_order` and `How::schedule`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cpu;

impl Model for Cpu {
    fn target(&self) -> Target {
        Target::Cpu
    }

    /// The header's own assertions (MSCATTER-DTYPE-04, -05, MGATHER-DTYPE-04,
    /// MGATHER-MODE-06); the rest of the CPU sections are duties.
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
        match (call, &mut log.trace) {
            (Call::Mscatter(call), None) => {
                scatter::execute(call, memory, how.readings.cpu_form, Quiet { strays })
            }
            (Call::Mscatter(call), Some(events)) => {
                let watch = Recording { strays, events };
                scatter::execute(call, memory, how.readings.cpu_form, watch)
            }
            (Call::Mgather(call), None) => gather::execute(call, memory, Quiet { strays }),
            (Call::Mgather(call), Some(events)) => {
                gather::execute(call, memory, Recording { strays, events })
            }
        }
    }
}
