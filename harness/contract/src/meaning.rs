//! What a scatter means on a target.

use ptodiff_isa::{
    Call, Clause, Coalesce, CpuForm, LastBy, Layout, Mscatter, NegativeIndex, NzElemOrder,
    Readings, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, UndefinedLast,
};

use crate::{
    address::Rows,
    coord::NzTable,
    first::{self, restated},
    launch::{idle, scalar},
    selection::{Remap, capacity},
};

mod clauses;

pub(crate) use clauses::{Noticed, difference, survival};

/// Whether an index counts bytes, of which an element has several.
pub(crate) const UNIT: Clause = Clause("MSCATTER-GAP-87");

/// The call as `target` understands it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning<'a> {
    /// The call; one of the first revision is restated.
    pub(crate) call: Mscatter,
    /// Whether it is one of the first revision.
    pub(crate) first: bool,
    /// The target.
    pub(crate) target: Target,
    /// The readings in force.
    pub(crate) readings: &'a Readings,
    /// What an index selects there.
    pub(crate) mode: Coalesce,
    /// How values combine there.
    pub(crate) atomic: ScatterAtomicOp,
    /// Whether the target knows no policies at all.
    documented_cpu: bool,
    /// Where indices lead.
    pub(crate) remap: Remap,
}

impl<'a> Meaning<'a> {
    /// Of `call` on `target`, if it is a scatter to GM. A5 alone has the first revision.
    pub(crate) fn of(call: &Call, target: Target, readings: &'a Readings) -> Option<Self> {
        let (call, target, first) = match call {
            Call::Mscatter(call) => (*call, target, false),
            Call::MscatterFirst(call) => (restated(call, readings), Target::A5, true),
            _ => return None,
        };
        let documented_cpu = target == Target::Cpu && readings.cpu_form == CpuForm::Documented;
        let (mode, atomic, oob) = if documented_cpu {
            // MSCATTER-SEM-03, -ATOM-18, -OOB-17.
            (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined)
        } else if first {
            (call.mode, call.atomic, call.oob)
        } else {
            (call.mode, call.atomic, oob_of(&call, target, readings))
        };
        let slots = capacity(&call.table, mode, target);
        let negative = match documented_cpu {
            // Out of range, whatever it becomes (MSCATTER-OOB-17).
            true => NegativeIndex::Unsigned,
            false => readings.negative_index,
        };
        let remap = |acted_on| Remap::new(oob, acted_on, call.idx.dtype, negative);
        let remap = if first {
            remap(first::capacity(&call, readings)).within(slots)
        } else {
            remap(slots).counting(mode, call.table.dtype, readings)
        };
        Some(Self {
            call,
            first,
            target,
            readings,
            mode,
            atomic,
            documented_cpu,
            remap,
        })
    }

    /// What brings an index to where it leads, `moved` or dropped by the policy or not, where
    /// the mode alone does not.
    pub(crate) fn brought(&self, raw: u32, moved: bool) -> Option<Clause> {
        if self.remap.by_bytes(raw) {
            Some(UNIT)
        } else if !self.documented_cpu && self.remap.negative(raw) {
            Some(self.negative())
        } else {
            moved.then(|| self.policy())
        }
    }

    /// What the policy does with an index that is not below capacity.
    fn policy(&self) -> Clause {
        use ScatterOob::{Clamp, Skip, Undefined, Wrap};
        let row = self.mode == Coalesce::Row;
        Clause(match self.call.oob {
            _ if self.target == Target::Cpu => "MSCATTER-GAP-41",
            Skip if self.first => "MSCATTER0-OOB-02",
            Clamp if self.first => "MSCATTER0-OOB-03",
            Wrap if self.first => "MSCATTER0-OOB-04",
            Skip if row => "MSCATTER-OOB-04",
            Skip => "MSCATTER-OOB-05",
            Clamp if row => "MSCATTER-OOB-07",
            Clamp => "MSCATTER-OOB-08",
            Wrap if row => "MSCATTER-OOB-09",
            Wrap => "MSCATTER-OOB-10",
            // The Last kernels of A5 alone do anything with it.
            Undefined => "MSCATTER-GAP-10",
        })
    }

    /// Whether there is nothing to do, whatever the indices.
    pub(crate) fn idle(&self) -> bool {
        !self.first && self.target != Target::Cpu && idle(&self.call.src, self.readings)
    }

    /// The rows that a Row call moves, unless the table is NZ.
    pub(crate) fn rows(&self) -> Option<Rows> {
        let (table, src) = (&self.call.table, &self.call.src);
        let cols = src.valid_col.get();
        let readings = self.readings;
        if self.mode == Coalesce::Elem || NzTable::of(table).is_some() {
            return None;
        }
        Some(match self.target {
            Target::A2a3 => Rows::a2a3(table, cols, readings, Clause("MSCATTER-GAP-16"))
                .in_bursts(src.dtype.size(), readings),
            Target::A5 if self.first => Rows::apart(src.cols, cols),
            Target::A5 => Rows::a5(cols, readings, self.pitch_gap()),
            Target::Cpu => Rows::apart(table.shape[4].get(), cols),
        })
    }

    /// The gap on rows that are not ValidCol apart, or not as wide.
    fn pitch_gap(&self) -> Clause {
        let same = self.call.table.shape[4].get() == self.call.src.valid_col.get();
        Clause(match same {
            true => "MSCATTER-GAP-13",
            false => "MSCATTER-GAP-14",
        })
    }

    /// Whether the elements of a call take effect in the order of the source
    /// tile's storage rather than of their coordinates: the walk of an NZ tile
    /// (MSCATTER-GAP-08), or Last by storage (MSCATTER-GAP-72).
    pub(crate) fn in_storage_order(&self) -> bool {
        let walk = self.call.table.layout == Layout::NZ
            && self.readings.nz_elem_order == NzElemOrder::Walk;
        walk || self.last_by_storage()
    }

    /// Whether the survivor is the element last in the source tile's storage
    /// (MSCATTER-GAP-72).
    fn last_by_storage(&self) -> bool {
        !self.first
            && self.target == Target::A5
            && self.mode == Coalesce::Elem
            && self.atomic == ScatterAtomicOp::None
            && self.call.conflict == ScatterConflict::Last
            && self.readings.last_by == LastBy::Storage
    }

    /// The precondition that an index breaks which leads nowhere.
    pub(crate) const fn precondition(&self) -> Clause {
        match self.target {
            _ if self.first => first::unbound(self.call.oob),
            Target::Cpu => Clause("MSCATTER-OOB-16"),
            Target::A2a3 | Target::A5 => Clause("MSCATTER-OOB-02"),
        }
    }

    /// Why nothing is promised once this index leads nowhere.
    pub(crate) fn unbound(&self, raw: u32) -> Clause {
        match self.target {
            _ if !self.remap.whole(raw) => UNIT,
            Target::A2a3 | Target::A5 if !self.first => Clause("MSCATTER-OOB-03"),
            _ => self.precondition(),
        }
    }

    /// The gap by which negative indices have different readings.
    pub(crate) const fn negative(&self) -> Clause {
        Clause(match self.first {
            true => "MSCATTER0-GAP-05",
            false => "MSCATTER-GAP-01",
        })
    }

    /// Why a write to element `number` may lie outside the table: the number is
    /// negative, or the strides of the table reach fewer elements than its shape
    /// has. Of such a table document 003 says nothing, so that document 000 holds
    /// there too (MSCATTER0-GAP-11).
    pub(crate) const fn outside(&self, number: i64) -> Clause {
        match number < 0 {
            true => self.negative(),
            false => Clause("MSCATTER-GAP-86"),
        }
    }

    /// The clause that defines how values combine.
    pub(crate) const fn atomic_clause(&self) -> Clause {
        Clause(match (self.first, self.atomic) {
            (true, ScatterAtomicOp::Max | ScatterAtomicOp::Min) => "MSCATTER0-ATOM-06",
            (true, ScatterAtomicOp::Add | ScatterAtomicOp::None) => "MSCATTER0-ATOM-01",
            (false, ScatterAtomicOp::Max) => "MSCATTER-ATOM-02",
            (false, ScatterAtomicOp::Min) => "MSCATTER-ATOM-03",
            (false, ScatterAtomicOp::Add | ScatterAtomicOp::None) => "MSCATTER-ATOM-01",
        })
    }
}

/// What the call's policy amounts to: the Last kernels of A5 have no lane for
/// an index at or above capacity, the scalar path has one for every index
/// (MSCATTER-GAP-10).
fn oob_of(call: &Mscatter, target: Target, readings: &Readings) -> ScatterOob {
    let owned = target == Target::A5
        && call.atomic == ScatterAtomicOp::None
        && call.conflict == ScatterConflict::Last
        && !scalar(call.mode, &call.src);
    match (call.oob, readings.undefined_last) {
        (ScatterOob::Undefined, UndefinedLast::Dropped) if owned => ScatterOob::Skip,
        (oob, _) => oob,
    }
}
