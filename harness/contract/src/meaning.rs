//! What a scatter means on a target, and the clauses that say so.

use ptodiff_isa::{
    Clause, Coalesce, CpuForm, DType, Layout, Mscatter, NegativeIndex, Readings, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Target,
};

use crate::{
    accumulate::clause,
    combine::Words,
    replace::Survival,
    runs::Why,
    selection::{Remap, scatter_capacity_clause},
};

/// The call as `target` understands it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning<'a> {
    /// The call.
    pub(crate) call: &'a Mscatter,
    /// The target.
    pub(crate) target: Target,
    /// The readings in force.
    pub(crate) readings: &'a Readings,
    /// What an index selects there.
    pub(crate) mode: Coalesce,
    /// How values combine there.
    pub(crate) atomic: ScatterAtomicOp,
    /// Whether the target knows no policies at all.
    pub(crate) documented_cpu: bool,
    /// Where indices lead.
    pub(crate) remap: Remap,
}

impl<'a> Meaning<'a> {
    /// Of `call` on `target`.
    pub(crate) fn new(call: &'a Mscatter, target: Target, readings: &'a Readings) -> Self {
        let documented_cpu = documented_cpu(target, readings);
        let (mode, atomic, oob) = if documented_cpu {
            // MSCATTER-SEM-03, -ATOM-18, -OOB-17.
            (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined)
        } else {
            (call.mode, call.atomic, call.oob)
        };
        Self {
            call,
            target,
            readings,
            mode,
            atomic,
            documented_cpu,
            remap: Remap::scatter(call, mode, oob, target, readings),
        }
    }

    /// Whether readings of MSCATTER-GAP-01 take this index for different
    /// numbers. The CPU has one of them, which the other targets may not share.
    pub(crate) fn read_differently(&self, raw: u32) -> bool {
        self.call.idx.dtype == DType::Int32 && raw.cast_signed() < 0
    }
}

/// Whether this is the CPU simulator as document 000 has it.
pub(crate) fn documented_cpu(target: Target, readings: &Readings) -> bool {
    target == Target::Cpu && readings.cpu_form == CpuForm::Documented
}

/// The index rules of `call` on `target`.
pub(crate) fn remap(call: &Mscatter, target: Target, readings: &Readings) -> (Remap, Coalesce) {
    let meaning = Meaning::new(call, target, readings);
    (meaning.remap, meaning.mode)
}

/// Elements from one row of the table to the next, as `target` has it.
pub(crate) fn row_pitch(call: &Mscatter, target: Target) -> usize {
    let pitch = match target {
        Target::A2a3 => call.table.stride[3],
        Target::A5 => call.src.valid_col,
        Target::Cpu => call.table.shape[4],
    };
    usize::try_from(pitch.get()).unwrap_or(usize::MAX)
}

/// Why nothing is promised once an index leads nowhere.
pub(crate) fn unbound_clause(meaning: &Meaning<'_>) -> Clause {
    Clause(match (meaning.target, meaning.call.oob) {
        (Target::Cpu, _) => "MSCATTER-OOB-16",
        (_, ScatterOob::Undefined) => "MSCATTER-OOB-03",
        // Only a negative number taken literally escapes the other policies.
        _ => "MSCATTER-GAP-01",
    })
}

/// What the indices of a call show of differences between targets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noticed {
    /// An index at or above the smaller one of two capacities.
    pub(crate) disputed: bool,
    /// An index that readings treat differently.
    pub(crate) negative: bool,
}

/// A difference between targets that touches every slot of the call.
fn difference(meaning: &Meaning<'_>, noticed: &Noticed) -> Option<Clause> {
    let call = meaning.call;
    if meaning.documented_cpu {
        if call.atomic != ScatterAtomicOp::None {
            return Some(Clause("MSCATTER-ATOM-18"));
        }
        if call.mode == Coalesce::Row {
            return Some(Clause("MSCATTER-SEM-03"));
        }
        return (call.oob != ScatterOob::Undefined).then_some(Clause("MSCATTER-OOB-17"));
    }
    if noticed.disputed {
        return Some(scatter_capacity_clause(meaning.target));
    }
    if noticed.negative && meaning.readings.negative_index != NegativeIndex::Unsigned {
        return Some(Clause("MSCATTER-GAP-01"));
    }
    // One column: the CPU takes such a Row call too, but by elements.
    let alone = call.mode == Coalesce::Row
        && meaning.target != Target::Cpu
        && meaning.readings.cpu_form == CpuForm::Documented
        && call.src.valid_col.get() == 1;
    alone.then_some(Clause("MSCATTER-INDEX-07"))
}

/// Who survives in a plain scatter, and the clauses.
pub(crate) fn survival(meaning: &Meaning<'_>, noticed: &Noticed, steps: usize) -> Survival {
    let difference = difference(meaning, noticed);
    let row = meaning.mode == Coalesce::Row;
    let default = meaning.call.conflict == ScatterConflict::Default;
    let any = meaning.target == Target::A5 && default;
    let single = match (meaning.documented_cpu, meaning.target) {
        (true, _) => "MSCATTER-SEM-03",
        (_, Target::Cpu) => "MSCATTER-GAP-41",
        _ if row => "MSCATTER-SEM-01",
        _ => "MSCATTER-SEM-02",
    };
    let nz = meaning.call.table.layout == Layout::NZ;
    let contested = match meaning.target {
        Target::Cpu => Why::by("MSCATTER-CONF-08"),
        Target::A2a3 if row => Why::by("MSCATTER-CONF-01"),
        Target::A2a3 if nz => Why::by("MSCATTER-GAP-08"),
        Target::A2a3 => Why::by("MSCATTER-CONF-02"),
        Target::A5 if any && steps > 1 => Why::open(Clause("MSCATTER-CHUNK-03")),
        Target::A5 if any => Why::open(Clause("MSCATTER-CONF-06")),
        Target::A5 if steps > 1 => Why::by("MSCATTER-CHUNK-02"),
        Target::A5 if row => Why::by("MSCATTER-CONF-03"),
        Target::A5 => Why::by("MSCATTER-CONF-04"),
    };
    // The other targets have no conflict policy to follow.
    let fixed = match meaning.target {
        Target::A2a3 => Some(Clause("MSCATTER-CONF-10")),
        Target::Cpu => Some(Clause("MSCATTER-CONF-14")),
        Target::A5 => None,
    };
    Survival {
        any,
        single: Why::by(single).or(difference),
        contested: contested.or(difference).or(fixed.filter(|_| default)),
    }
}

/// The clauses of an atomic scatter.
pub(crate) fn words(meaning: &Meaning<'_>, noticed: &Noticed) -> Words {
    let difference = difference(meaning, noticed);
    let nz = meaning.call.table.layout == Layout::NZ;
    let by = |clause| {
        Why {
            clause,
            freedom: None,
        }
        .or(difference)
    };
    let one = clause(meaning.atomic);
    let folded = match (meaning.target, meaning.mode) {
        (Target::A2a3, Coalesce::Row) => Clause("MSCATTER-GAP-07"),
        (Target::A2a3, Coalesce::Elem) if nz => Clause("MSCATTER-GAP-08"),
        (Target::A2a3, Coalesce::Elem) => Clause("MSCATTER-ATOM-26"),
        (Target::Cpu, _) => Clause("MSCATTER-GAP-41"),
        (Target::A5, _) => one,
    };
    Words {
        one: by(one),
        folded: by(folded),
    }
}
