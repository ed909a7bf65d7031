//! Preconditions that only the operand data can break.

use std::collections::BTreeSet;

use ptodiff_isa::{
    Call, Clause, Coalesce, GlobalTensor, Memory, Readings, Role, Target, UndefinedGather,
};

use crate::{
    address::{RowPlace, Rows},
    coord::{Plane, all, saturated},
    gather, l1,
    legality::{Broken, Enforced, Verbosity},
    meaning::{self, Meaning},
    selection::{Indices, Place, Remap},
    strides::reach,
    tile_scatter::{self, Slots},
};

/// The preconditions that the indices of `steps` break, at most one a step: an index
/// of which no policy takes care (MSCATTER-OOB-02, MSCATTER-OOB-16,
/// MSCATTER0-OOB-01, MSCATTER0-GAP-03, MGATHER-OOB-01, TSCATTER-OOB-01,
/// TSCATTER-GAP-08), one of a row that leaves the table (MSCATTER-GAP-13,
/// -14, -16, -28, MGATHER-GAP-06, -09), one of bytes that are no whole number of
/// elements (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35), or one of TSCATTER
/// that names no row, or a slot that was named before (TSCATTER-GAP-22). Names the first such lane in logical order. A step
/// without an index operand breaks none; TGATHERB has no such precondition, since an
/// offset out of range opens its own slot only (TGATHERB-OOB-01).
#[must_use]
pub fn data_preconditions(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Vec<Broken> {
    preconditions_with(call, steps, target, readings, Verbosity::Full)
}

/// As [`data_preconditions`], in as many words as asked for.
pub(crate) fn preconditions_with(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    verbosity: Verbosity,
) -> Vec<Broken> {
    let broken = steps.iter().enumerate().filter_map(|(step, memory)| {
        let indices = memory.get(Role::Index)?.body();
        let (clause, lane) = match call {
            Call::TscatterIndex(c) => in_tile(&Slots::of(c, target, readings)?, indices, verbosity),
            _ => Numbers::of(call, steps, target, readings)?.first(indices, verbosity),
        }?;
        Some(Broken {
            clause,
            also: Vec::new(),
            enforced: Enforced::ByCaller,
            why: verbosity.words(|| format!("step {step}, {lane}")),
        })
    });
    broken.collect()
}

/// The first position of a scatter within a chip of which nothing is promised: the clause
/// and what was found.
fn in_tile(slots: &Slots, indices: &[u8], verbosity: Verbosity) -> Option<(Clause, String)> {
    if !slots.covered(indices.len()) {
        return None;
    }
    // Of rows two elements must not go to one slot.
    let mut taken = BTreeSet::new();
    slots.each(indices).find_map(|([r, c], index, slot)| {
        let (clause, wrong) = match slot {
            Err(clause) => (clause, "is no slot of the destination"),
            Ok(slot) if slots.by_row && !taken.insert(slot) => {
                (tile_scatter::ROWS, "was named before")
            }
            Ok(_) => return None,
        };
        let words = || match slots.by_row {
            true => format!("element ({r}, {c}): row {index}, column {c} {wrong}"),
            false => format!("element ({r}, {c}): index {index} {wrong}"),
        };
        Some((clause, verbosity.words(words)))
    })
}

/// Indices that become numbers of rows or elements of a table.
struct Numbers {
    remap: Remap,
    mode: Coalesce,
    /// Of indices and data.
    planes: [Plane; 2],
    /// The precondition of an index that leads nowhere; none where it spoils its own
    /// slots only.
    unbound: Option<Clause>,
    /// The gap whose precondition an index with a remainder breaks.
    unit: Clause,
    /// Rows that may leave the table, and the elements it has.
    bounded: Option<(Rows, i64)>,
}

/// The precondition of an index of MGATHER that no policy takes care of.
const GATHER_UNBOUND: Clause = Clause("MGATHER-OOB-01");

/// The rows of a call, if they may leave the table, and the elements it has.
fn bounded(rows: Option<Rows>, table: &GlobalTensor, steps: &[&Memory]) -> Option<(Rows, i64)> {
    let rows = rows.filter(|rows| rows.beyond.is_some() || rows.has_tail())?;
    let held = steps.first().and_then(|memory| memory.get(Role::Table));
    let span = match held {
        Some(region) => (region.body().len() / table.dtype.size()) as u64,
        None => reach(table)?,
    };
    Some((rows, saturated(span)))
}

impl Numbers {
    /// None for a call whose indices cannot break a precondition, or not be counted, and
    /// where nothing is done.
    fn of(call: &Call, steps: &[&Memory], target: Target, readings: &Readings) -> Option<Self> {
        let data = Plane::of(call.data_tile())?;
        match call {
            Call::Mscatter(_) | Call::MscatterFirst(_) => {
                let meaning = Meaning::of(call, target, readings)?;
                (!meaning.idle()).then_some(())?;
                Some(Self {
                    remap: meaning.remap,
                    mode: meaning.mode,
                    planes: [Plane::of(&meaning.call.idx)?, data],
                    unbound: Some(meaning.precondition()),
                    unit: meaning::UNIT,
                    bounded: bounded(meaning.rows(), &meaning.call.table, steps),
                })
            }
            Call::Mgather(c) => {
                (!gather::idles(c, target, readings)).then_some(())?;
                let whole = readings.undefined_gather == UndefinedGather::Call;
                let rows = gather::rows(c, target, readings);
                Some(Self {
                    remap: gather::remap(c, target, readings),
                    mode: c.mode,
                    planes: [Plane::of(&c.idx)?, data],
                    unbound: whole.then_some(GATHER_UNBOUND),
                    unit: gather::UNIT,
                    bounded: bounded(rows, &c.table, steps),
                })
            }
            Call::MgatherL1(c) => Some(Self {
                remap: l1::remap(c, target, readings),
                mode: c.mode,
                planes: [l1::index_plane(c, readings)?, data],
                unbound: Some(GATHER_UNBOUND),
                unit: l1::unit(target),
                bounded: None,
            }),
            Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => None,
        }
    }

    /// The first lane whose index breaks a precondition: the clause and what was found.
    fn first(&self, indices: &[u8], verbosity: Verbosity) -> Option<(Clause, String)> {
        let [idx, data] = &self.planes;
        let lanes = match self.mode {
            Coalesce::Row => [data.rows, 1],
            Coalesce::Elem => [data.rows, data.cols],
        };
        // An operand without an index for every lane breaks a static precondition already.
        let held = (indices.len() / 4).min(u32::MAX as usize / 2);
        if idx.elems > held || !idx.covers(lanes) {
            return None;
        }
        let indices = Indices::new(indices, *idx);
        all(lanes).find_map(|(r, c)| {
            let raw = match self.mode {
                Coalesce::Row => indices.row(r),
                Coalesce::Elem => indices.elem(r, c),
            };
            let clause = self.broken(raw)?;
            let words = || match self.mode {
                Coalesce::Row => format!("row {r}: {}", self.told(raw)),
                Coalesce::Elem => format!("element ({r}, {c}): {}", self.told(raw)),
            };
            Some((clause, verbosity.words(words)))
        })
    }

    /// The precondition that an index breaks.
    fn broken(&self, raw: u32) -> Option<Clause> {
        match self.remap.place(raw) {
            Place::Unbound if !self.remap.whole(raw) => Some(self.unit),
            // That the table has no elements is told of the call.
            Place::Unbound if self.remap.has_nothing() => None,
            Place::Unbound => self.unbound,
            Place::Dropped => None,
            Place::At { number, .. } => {
                let (rows, span) = self.bounded.as_ref()?;
                match rows.place(number, *span) {
                    RowPlace::Beyond(clause) => Some(clause),
                    RowPlace::Inside(_) | RowPlace::Outside | RowPlace::Astride => None,
                }
            }
        }
    }

    /// What is wrong with an index.
    fn told(&self, raw: u32) -> String {
        if !self.remap.whole(raw) {
            let bytes = raw.cast_signed();
            return format!("{bytes} bytes are no whole number of elements");
        }
        let (value, capacity) = (self.remap.value(raw), self.remap.end);
        match &self.bounded {
            Some((_, span)) if self.remap.place(raw) != Place::Unbound => {
                format!("index {value} leads past the table's {span} elements")
            }
            _ => format!("index {value} is not below capacity {capacity}"),
        }
    }
}
