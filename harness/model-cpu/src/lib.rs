//! What the CPU simulator does: loops over coordinates.
//!
//! Every instruction is a pair of loops over `(r, c)` in row-major order.
//! The layout module says where a coordinate lies, the bounds module what an
//! index selects, the combine and extreme modules what a slot holds afterwards.
//! There are no pipes here, so a trace holds loads, stores and the zero fills of whole
//! tiles, and nothing else (MSCATTER-SYNC-13, MGATHER-SYNC-13).
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod bodies;
mod bounds;
mod check;
mod combine;
mod extreme;
mod gather;
mod gather_rows;
mod gather_whole;
mod half_sum;
mod index;
mod layout;
mod operand;
mod row_copies;
mod scatter;
mod table_rows;
mod tgatherb;
mod tile;
mod tscatter_index;
mod tscatter_mask;
mod watch;

use ptodiff_isa::{
    Call, End, Event, Fault, How, Log, Memory, Model, Readings, Refusal, Strays, Target,
};

use crate::watch::{Quiet, Recording, Watch};

/// The model of target `cpu`.
///
/// MSCATTER follows `Readings::cpu_form` and has no first revision; its Max and
/// Min follow `Readings::max_min_nan` and `Readings::max_min_zero`, while its
/// integers wrap and its subnormals stay whatever the NPUs do. MGATHER has
/// `Coalesce` and `GatherOOB` (001, CPU Reference Form), into UB and into L1
/// alike; `Readings::cpu_padded_table` is about the former. What an index is
/// does not depend on `Readings::negative_index`: MSCATTER and MGATHER cast it
/// to `uint32_t`, TSCATTER takes it as unsigned, and TGATHERB's offsets are
/// `uint32_t` anyway. Neither has `How::schedule` any say here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cpu;

impl Model for Cpu {
    fn target(&self) -> Target {
        Target::Cpu
    }

    /// The header's own assertions (MSCATTER-DTYPE-04, -05, MGATHER-DTYPE-04,
    /// MGATHER-MODE-06) and the forms that this target lacks (MSCATTER0-API-01,
    /// TSCATTER-MODE-02, TSCATTER-SHAPE-02); the rest of the CPU sections are
    /// duties.
    fn check(&self, call: &Call, readings: &Readings) -> Vec<Refusal> {
        check::refusals(call, readings)
    }

    /// # Errors
    /// If the memory lacks an operand of the call, or the call is of the first
    /// revision of MSCATTER, which `check` refuses and nothing here can run.
    fn execute(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<End, Fault> {
        let (readings, strays) = (&how.readings, &mut log.strays);
        match &mut log.trace {
            None => run(call, memory, readings, Quiet { strays }),
            Some(events) => recorded(call, memory, readings, strays, events),
        }
    }
}

/// Runs a call and keeps its trace. Apart, so that other calls need not carry it.
#[inline(never)]
fn recorded(
    call: &Call,
    memory: &mut Memory,
    readings: &Readings,
    strays: &mut Strays,
    events: &mut Vec<Event>,
) -> Result<End, Fault> {
    let watch = Recording::new(call, strays, events);
    run(call, memory, readings, watch)
}

#[inline]
fn run(
    call: &Call,
    memory: &mut Memory,
    readings: &Readings,
    watch: impl Watch,
) -> Result<End, Fault> {
    match call {
        Call::Mscatter(call) => scatter::execute(call, memory, readings, watch),
        Call::MscatterFirst(_) => Err(Fault("cpu has no first revision of MSCATTER".into())),
        Call::Mgather(call) => gather::to_ub(call, memory, readings.cpu_padded_table, watch),
        Call::MgatherL1(call) => gather::to_l1(call, memory, readings.l1_index_pitch, watch),
        Call::TscatterIndex(call) => tscatter_index::execute(call, memory, readings, watch),
        Call::TscatterMask(call) => {
            tscatter_mask::execute(call, memory, readings.mask_p1111_padding, watch)
        }
        Call::Tgatherb(call) => tgatherb::execute(call, memory, readings, watch),
    }
}
