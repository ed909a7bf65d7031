//! The clauses by which slots hold what they hold after a scatter, and those by
//! which targets differ.

use ptodiff_isa::{
    BLayout, Clause, Coalesce, CpuForm, Layout, NegativeIndex, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Target,
};

use super::Meaning;
use crate::{
    address::{repitched, strided},
    replace::Survival,
    runs::Why,
};

/// What the indices of a call turn up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noticed {
    /// Why nothing is promised, for some lane.
    pub(crate) unbound: Option<Clause>,
    /// Why a write outside the table is excused, for some lane.
    pub(crate) outside: Option<Clause>,
    /// An index at or above the smaller one of two capacities.
    pub(crate) disputed: bool,
    /// An index that readings treat differently.
    pub(crate) negative: bool,
    /// Why an index was dropped, of several the first.
    pub(crate) dropped: Option<Clause>,
}

/// The gap by which targets put elements or rows of this table in different places.
fn elsewhere(meaning: &Meaning<'_>) -> Option<Clause> {
    let (call, readings) = (&meaning.call, meaning.readings);
    match call.mode {
        _ if meaning.first => None,
        Coalesce::Elem => strided(&call.table, readings).then_some(Clause(match meaning.target {
            Target::A5 => "MSCATTER-GAP-19",
            Target::A2a3 | Target::Cpu => "MSCATTER-GAP-18",
        })),
        Coalesce::Row if repitched(&call.table, &call.src, readings) => Some(meaning.pitch_gap()),
        // What a tail overwrites no other target touches.
        Coalesce::Row => meaning
            .rows()
            .is_some_and(|rows| rows.has_tail())
            .then_some(Clause("MSCATTER-GAP-28")),
    }
}

/// A difference between targets that touches every slot of the call.
pub(crate) fn difference(meaning: &Meaning<'_>, noticed: &Noticed) -> Option<Clause> {
    let call = &meaning.call;
    if meaning.documented_cpu {
        if call.atomic != ScatterAtomicOp::None {
            return Some(Clause("MSCATTER-ATOM-18"));
        }
        if call.mode == Coalesce::Row {
            return Some(Clause("MSCATTER-SEM-03"));
        }
        let policy = (call.oob != ScatterOob::Undefined).then_some(Clause("MSCATTER-OOB-17"));
        return policy.or_else(|| elsewhere(meaning));
    }
    if let Some(gap) = elsewhere(meaning) {
        return Some(gap);
    }
    if noticed.disputed {
        return Some(Clause(match meaning.target {
            Target::A2a3 => "MSCATTER-CAP-03",
            Target::A5 => "MSCATTER-CAP-04",
            Target::Cpu => "MSCATTER-GAP-15",
        }));
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
pub(crate) fn survival(meaning: &Meaning<'_>, noticed: &Noticed, steps: usize) -> Survival {
    let difference = difference(meaning, noticed);
    let default = meaning.call.conflict == ScatterConflict::Default;
    let any = meaning.target == Target::A5 && default;
    let (row, first) = (meaning.mode == Coalesce::Row, meaning.first);
    // Then the CPU has one result, whichever form it has.
    let either_form = !row && meaning.call.oob == ScatterOob::Undefined;
    let single = match (meaning.documented_cpu || either_form, meaning.target) {
        _ if first && row => "MSCATTER0-SEM-01",
        _ if first => "MSCATTER0-SEM-02",
        (true, Target::Cpu) => "MSCATTER-SEM-03",
        (_, Target::Cpu) => "MSCATTER-GAP-41",
        _ if row => "MSCATTER-SEM-01",
        _ => "MSCATTER-SEM-02",
    };
    let nz = meaning.call.table.layout == Layout::NZ;
    // The other targets go by coordinates.
    let [src, idx] = [&meaning.call.src, &meaning.call.idx].map(|tile| tile.blayout);
    let by_storage = meaning.last_by_storage() && (src != idx || src == BLayout::ColMajor);
    let contested = match meaning.target {
        _ if first && any => Why::open(Clause("MSCATTER0-CONF-01")),
        _ if first => Why::by("MSCATTER0-GAP-02"),
        Target::Cpu => Why::by("MSCATTER-CONF-08"),
        Target::A2a3 if row => Why::by("MSCATTER-CONF-01"),
        Target::A2a3 if nz => Why::by("MSCATTER-CONF-15"),
        Target::A2a3 => Why::by("MSCATTER-CONF-02"),
        Target::A5 if any && steps > 1 => Why::open(Clause("MSCATTER-CHUNK-03")),
        Target::A5 if any => Why::open(Clause("MSCATTER-CONF-06")),
        Target::A5 if by_storage => Why::open(Clause("MSCATTER-GAP-72")),
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
        other: Some(idx).filter(|_| by_storage && src != idx),
        single: Why::by(single).or(difference),
        contested: contested.or(difference).or(fixed.filter(|_| default)),
    }
}
