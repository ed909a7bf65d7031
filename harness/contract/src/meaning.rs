//! What a scatter means on a target, and the clauses that say so.

use ptodiff_isa::{
    Call, Clause, Coalesce, CpuForm, DType, Layout, Mscatter, MscatterFirst, NegativeIndex,
    Readings, ScatterAtomicOp, ScatterConflict, ScatterOob, Target,
};

use crate::{
    combine::Words,
    coord::saturated,
    first,
    replace::Survival,
    runs::Why,
    selection::{self, Place, Remap, capacity, scatter_capacity_clause},
};

/// The call as `target` understands it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning {
    /// The call; one of the first revision is restated.
    pub(crate) call: Mscatter,
    /// Whether it is one of the first revision.
    first: bool,
    /// The target.
    pub(crate) target: Target,
    /// The readings in force.
    pub(crate) readings: Readings,
    /// What an index selects there.
    pub(crate) mode: Coalesce,
    /// How values combine there.
    pub(crate) atomic: ScatterAtomicOp,
    /// Whether the target knows no policies at all.
    documented_cpu: bool,
    remap: Remap,
    /// Rows or elements of the table.
    pub(crate) capacity: i64,
}

impl Meaning {
    /// Of `call` on `target`, if it is a scatter to GM.
    pub(crate) fn of(call: &Call, target: Target, readings: &Readings) -> Option<Self> {
        match call {
            Call::Mscatter(c) => Some(Self::current(c, target, readings)),
            Call::MscatterFirst(c) => Some(Self::first(c, readings)),
            _ => None,
        }
    }

    /// Of a call of the current revision.
    pub(crate) fn current(call: &Mscatter, target: Target, readings: &Readings) -> Self {
        let documented_cpu = target == Target::Cpu && readings.cpu_form == CpuForm::Documented;
        let (mode, atomic, oob) = if documented_cpu {
            // MSCATTER-SEM-03, -ATOM-18, -OOB-17.
            (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined)
        } else {
            (call.mode, call.atomic, call.oob)
        };
        let slots = capacity(&call.table, mode, target);
        Self {
            call: *call,
            first: false,
            target,
            readings: *readings,
            mode,
            atomic,
            documented_cpu,
            remap: Remap::new(oob.into(), slots, call.idx.dtype, target, readings),
            capacity: saturated(slots),
        }
    }

    /// Of a call of the first revision, which A5 alone has.
    pub(crate) fn first(call: &MscatterFirst, readings: &Readings) -> Self {
        let call = first::restated(call, readings);
        let acted_on = first::capacity(&call, readings);
        let slots = capacity(&call.table, call.mode, Target::A5);
        Self {
            call,
            first: true,
            target: Target::A5,
            readings: *readings,
            mode: call.mode,
            atomic: call.atomic,
            documented_cpu: false,
            remap: Remap::new(
                call.oob.into(),
                acted_on,
                call.idx.dtype,
                Target::A5,
                readings,
            ),
            capacity: saturated(slots),
        }
    }

    /// The index as a number.
    #[inline]
    pub(crate) const fn value(&self, raw: u32) -> i64 {
        self.remap.value(raw)
    }

    /// Where the index leads.
    #[inline]
    pub(crate) fn place(&self, raw: u32) -> Place {
        match self.remap.place(raw) {
            Place::At { number, .. } if number >= self.capacity => Place::Unbound,
            place => place,
        }
    }

    /// Whether readings of MSCATTER-GAP-01 take this index for different
    /// numbers. The CPU has one of them, which the other targets may not share.
    pub(crate) fn read_differently(&self, raw: u32) -> bool {
        self.call.idx.dtype == DType::Int32 && raw.cast_signed() < 0
    }

    /// The smaller one of two Row capacities that targets have for this table.
    pub(crate) fn disputed_capacity(&self) -> Option<i64> {
        if self.first {
            return None;
        }
        selection::disputed_capacity(&self.call.table, self.call.mode)
    }

    /// Elements from one row of the table to the next.
    pub(crate) fn row_pitch(&self) -> usize {
        let pitch = match self.target {
            Target::A2a3 => self.call.table.stride[3].get(),
            Target::A5 if self.first => self.call.src.cols,
            Target::A5 => self.call.src.valid_col.get(),
            Target::Cpu => self.call.table.shape[4].get(),
        };
        usize::try_from(pitch).unwrap_or(usize::MAX)
    }

    /// The duty that an index breaks which leads nowhere.
    pub(crate) const fn duty(&self) -> Clause {
        if self.first {
            first::unbound(self.call.oob)
        } else if self.documented_cpu {
            Clause("MSCATTER-OOB-16")
        } else {
            Clause("MSCATTER-OOB-02")
        }
    }

    /// Why nothing is promised once an index leads nowhere.
    pub(crate) fn unbound(&self) -> Clause {
        if self.first {
            return first::unbound(self.call.oob);
        }
        Clause(match (self.target, self.call.oob) {
            (Target::Cpu, _) => "MSCATTER-OOB-16",
            (_, ScatterOob::Undefined) => "MSCATTER-OOB-03",
            // Only a negative number taken literally escapes the other policies.
            _ => "MSCATTER-GAP-01",
        })
    }

    /// The gap by which negative indices have different readings.
    pub(crate) const fn negative(&self) -> Clause {
        Clause(if self.first {
            "MSCATTER0-GAP-05"
        } else {
            "MSCATTER-GAP-01"
        })
    }

    /// The clause that defines how values combine.
    pub(crate) const fn atomic_clause(&self) -> Clause {
        if self.first {
            return first::atomic(self.atomic);
        }
        Clause(match self.atomic {
            ScatterAtomicOp::Max => "MSCATTER-ATOM-02",
            ScatterAtomicOp::Min => "MSCATTER-ATOM-03",
            ScatterAtomicOp::Add | ScatterAtomicOp::None => "MSCATTER-ATOM-01",
        })
    }
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
fn difference(meaning: &Meaning, noticed: &Noticed) -> Option<Clause> {
    let call = &meaning.call;
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
        return Some(meaning.negative());
    }
    // One column: the CPU takes such a Row call too, but by elements.
    let alone = call.mode == Coalesce::Row
        && !meaning.first
        && meaning.target != Target::Cpu
        && meaning.readings.cpu_form == CpuForm::Documented
        && call.src.valid_col.get() == 1;
    alone.then_some(Clause("MSCATTER-INDEX-07"))
}

/// Who survives in a plain scatter, and the clauses.
pub(crate) fn survival(meaning: &Meaning, noticed: &Noticed, steps: usize) -> Survival {
    let difference = difference(meaning, noticed);
    let default = meaning.call.conflict == ScatterConflict::Default;
    let any = meaning.target == Target::A5 && default;
    if meaning.first {
        return Survival {
            any,
            single: first::single(meaning.mode).or(difference),
            contested: first::contested(any).or(difference),
        };
    }
    let row = meaning.mode == Coalesce::Row;
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
pub(crate) fn words(meaning: &Meaning, noticed: &Noticed) -> Words {
    let difference = difference(meaning, noticed);
    let nz = meaning.call.table.layout == Layout::NZ;
    let by = |clause| {
        Why {
            clause,
            freedom: None,
        }
        .or(difference)
    };
    let one = meaning.atomic_clause();
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
