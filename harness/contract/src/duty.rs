//! Duties that only the operand data can break.

use ptodiff_isa::{Call, Clause, Coalesce, Memory, Readings, Role, Target};

use crate::{
    coord::Plane,
    gather, l1,
    legality::{Broken, Enforced},
    meaning::Meaning,
    selection::{Indices, Place, Remap},
    tile_scatter::{self, Slots},
};

/// The duties that the indices of `steps` break, at most one a step: an index
/// of which no policy takes care (MSCATTER-OOB-02, MSCATTER-OOB-16,
/// MSCATTER0-OOB-01, MSCATTER0-GAP-03, MGATHER-OOB-01, TSCATTER-OOB-01,
/// TSCATTER-GAP-08). Names the first such lane in logical order. A step
/// without an index operand breaks none; TGATHERB has no such duty, since an
/// offset out of range opens its own slot only (TGATHERB-OOB-01).
#[must_use]
pub fn data_duties(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Vec<Broken> {
    let Some(rule) = Rule::of(call, target, readings) else {
        return Vec::new();
    };
    let mut broken = Vec::new();
    for (step, memory) in steps.iter().enumerate() {
        let found = memory.get(Role::Index).and_then(|r| rule.first(r.body()));
        if let Some((lane, index)) = found {
            broken.push(Broken {
                clause: rule.clause(),
                enforced: Enforced::ByCaller,
                why: format!("step {step}, {lane}: index {index} is {}", rule.bound()),
            });
        }
    }
    broken
}

/// How the indices of a call are judged.
enum Rule {
    Scatter(Box<Meaning>, [Plane; 2]),
    Gather(Remap, Coalesce, [Plane; 2]),
    Tile(Slots, Clause),
}

impl Rule {
    /// None for a call whose indices cannot break a duty, or not be counted.
    fn of(call: &Call, target: Target, readings: &Readings) -> Option<Self> {
        let data = Plane::of(call.data_tile())?;
        match call {
            Call::Mscatter(_) | Call::MscatterFirst(_) => {
                let meaning = Meaning::of(call, target, readings)?;
                let idx = Plane::of(&meaning.call.idx)?;
                Some(Self::Scatter(Box::new(meaning), [idx, data]))
            }
            Call::Mgather(c) => {
                let remap = gather::remap(c, target, readings);
                Some(Self::Gather(remap, c.mode, [Plane::of(&c.idx)?, data]))
            }
            Call::MgatherL1(c) => {
                let idx = l1::index_plane(c, readings)?;
                let remap = l1::remap(c, target, readings);
                Some(Self::Gather(remap, c.mode, [idx, data]))
            }
            Call::TscatterIndex(c) => {
                let slots = Slots::of(c, target, readings)?;
                Some(Self::Tile(slots, tile_scatter::unbound(target)))
            }
            Call::TscatterMask(_) | Call::Tgatherb(_) => None,
        }
    }

    fn clause(&self) -> Clause {
        match self {
            Self::Scatter(meaning, _) => meaning.duty(),
            Self::Gather(..) => Clause("MGATHER-OOB-01"),
            Self::Tile(_, clause) => *clause,
        }
    }

    fn bound(&self) -> String {
        match self {
            Self::Scatter(meaning, _) => below(meaning.capacity),
            Self::Gather(remap, ..) => below(remap.capacity),
            Self::Tile(..) => "no slot of the destination".into(),
        }
    }

    /// The first lane of which nothing is promised, and its index.
    fn first(&self, indices: &[u8]) -> Option<(String, String)> {
        match self {
            Self::Scatter(m, planes) => first_unbound(
                |raw| (m.place(raw) == Place::Unbound).then(|| m.value(raw)),
                m.mode,
                indices,
                planes,
            ),
            Self::Gather(remap, mode, planes) => first_unbound(
                |raw| (remap.place(raw) == Place::Unbound).then(|| remap.value(raw)),
                *mode,
                indices,
                planes,
            ),
            Self::Tile(slots, _) => first_unplaced(slots, indices),
        }
    }
}

fn below(capacity: i64) -> String {
    format!("not below capacity {capacity}")
}

/// Whether the operand can hold an index for every lane: a call for which it
/// cannot breaks a static duty already.
fn covered(bytes: usize, idx: &Plane, data: &Plane, mode: Coalesce) -> bool {
    let lanes = match mode {
        Coalesce::Row => Some(data.rows),
        Coalesce::Elem => data.rows.checked_mul(data.cols),
    };
    let held = (bytes / 4).min(u32::MAX as usize / 2);
    // Many rows of no column are no lanes, but are rows.
    let rows = lanes.map(|n| n.max(data.rows));
    idx.elems <= held && rows.is_some_and(|n| n <= idx.elems)
}

/// The first lane for whose index `open` has a number.
fn first_unbound(
    open: impl Fn(u32) -> Option<i64>,
    mode: Coalesce,
    indices: &[u8],
    [idx, data]: &[Plane; 2],
) -> Option<(String, String)> {
    if !covered(indices.len(), idx, data, mode) {
        return None;
    }
    let indices = Indices::new(indices, *idx);
    let found = match mode {
        Coalesce::Row => (0..data.rows)
            .find_map(|r| open(indices.row(r)).map(|value| (format!("row {r}"), value))),
        Coalesce::Elem => (0..data.rows)
            .flat_map(|r| (0..data.cols).map(move |c| (r, c)))
            .find_map(|(r, c)| {
                open(indices.elem(r, c)).map(|value| (format!("element ({r}, {c})"), value))
            }),
    };
    found.map(|(lane, value)| (lane, value.to_string()))
}

/// The first position whose index addresses no slot.
fn first_unplaced(slots: &Slots, indices: &[u8]) -> Option<(String, String)> {
    if !slots.covered(indices.len()) {
        return None;
    }
    let [rows, cols] = slots.extents;
    (0..rows)
        .flat_map(|r| (0..cols).map(move |c| (r, c)))
        .map(|(r, c)| ((r, c), slots.index(indices, r, c)))
        .find(|&(_, index)| slots.slot(index).is_none())
        .map(|((r, c), index)| (format!("element ({r}, {c})"), index.to_string()))
}
