//! What the CPU simulator does: each instruction is a sequential walk over
//! coordinates, in row-major order.
//!
//! A file an instruction. `index` says what an index is and what it selects,
//! `place` where an element lies, `atomics` how values combine, and `check`
//! which calls are rejected. What a single access does is
//! [`ptodiff_memory::Bus`]'s matter.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod atomics;
mod check;
mod index;
mod mgather;
mod mgather_l1;
mod mscatter;
mod place;
mod tgatherb;
mod tscatter;

use ptodiff_isa::{Call, End, Fault, How, Log, Memory, Model, Readings, Rejection, Role, Target};
use ptodiff_memory::Bus;

/// The model of target `cpu`.
///
/// MSCATTER follows `Readings::cpu_form` and has no first revision; its Max and
/// Min follow `Readings::max_min_nan` and `Readings::max_min_zero`, while its
/// integers wrap and its subnormals stay whatever the NPUs do. MGATHER has
/// `Coalesce` and `GatherOOB` (001, CPU Reference Form), into UB and into L1
/// alike; `Readings::cpu_padded_table` and `Readings::cpu_row_check` are about
/// the former. In Elem mode, which MSCATTER's documented form always has, an
/// index counts what `Readings::index_unit` says. `Readings::negative_index` has
/// a say in MSCATTER's templated form only (MSCATTER-GAP-01): the documented one
/// promises nothing of a negative index and casts it to `uint32_t`, as MGATHER
/// does (001, Tile Constraints (CPU)), TSCATTER takes it as unsigned, and
/// TGATHERB's offsets are `uint32_t` anyway. `How::schedule` has no say here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cpu;

impl Model for Cpu {
    fn target(&self) -> Target {
        Target::Cpu
    }

    /// The header's own assertions (MSCATTER-DTYPE-04, -05, MGATHER-DTYPE-04,
    /// MGATHER-MODE-06 where it is one) and the forms that this target lacks
    /// (MSCATTER0-API-01, TSCATTER-MODE-02, TSCATTER-SHAPE-02); the rest of the
    /// CPU sections are preconditions.
    fn check(&self, call: &Call, readings: &Readings) -> Vec<Rejection> {
        check::rejections(call, readings)
    }

    /// # Errors
    /// If the memory lacks an operand of the call, or the call is of the first
    /// revision of MSCATTER, which `check` rejects and nothing here can run.
    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let mut bus = Bus::new(memory, log);
        let roles: Vec<Role> = call.operands().iter().map(|&(role, _)| role).collect();
        bus.require(&roles)?;

        let readings = &how.readings;
        match call {
            Call::Mscatter(call) => mscatter::run(call, readings, &mut bus),
            Call::MscatterFirst(_) => {
                return Err(Fault("cpu has no first revision of MSCATTER".to_owned()));
            }
            Call::Mgather(call) => mgather::run(call, readings, &mut bus),
            Call::MgatherL1(call) => mgather_l1::run(call, readings, &mut bus),
            Call::TscatterIndex(call) => tscatter::by_index(call, readings, &mut bus),
            Call::TscatterMask(call) => tscatter::by_mask(call, readings, &mut bus),
            Call::Tgatherb(call) => tgatherb::run(call, readings, &mut bus),
        }
        Ok(End::Finished)
    }
}
