//! Duties that only the operand data can break.

use ptodiff_isa::{Call, Clause, Coalesce, Memory, Readings, Role, Target};

use crate::{
    coord::Plane,
    legality::{Broken, Enforced},
    meaning,
    selection::{Indices, Place, Remap},
};

/// The duties that the indices of `steps` break, at most one a step: an index
/// at or above capacity where no policy takes care of it (MSCATTER-OOB-02,
/// MSCATTER-OOB-16, MGATHER-OOB-01). Names the first such lane in logical order.
/// A step without an index operand breaks none.
#[must_use]
pub fn data_duties(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Vec<Broken> {
    let (remap, mode, clause) = match call {
        Call::Mscatter(c) => {
            let (remap, mode) = meaning::remap(c, target, readings);
            let clause = if meaning::documented_cpu(target, readings) {
                "MSCATTER-OOB-16"
            } else {
                "MSCATTER-OOB-02"
            };
            (remap, mode, Clause(clause))
        }
        Call::Mgather(c) => {
            let remap = Remap::gather(c, target, readings);
            (remap, c.mode, Clause("MGATHER-OOB-01"))
        }
    };
    let (Some(data), Some(idx)) = (Plane::of(call.data_tile()), Plane::of(call.index_tile()))
    else {
        return Vec::new();
    };
    let mut broken = Vec::new();
    for (step, memory) in steps.iter().enumerate() {
        let Some(region) = memory.get(Role::Index) else {
            continue;
        };
        if !covered(region.body().len(), &idx, &data, mode) {
            continue;
        }
        let indices = Indices::new(region.body(), idx);
        if let Some((lane, raw)) = first_unbound(&remap, mode, &indices, &data) {
            let value = remap.value(raw);
            broken.push(Broken {
                clause,
                enforced: Enforced::ByCaller,
                why: format!(
                    "step {step}, {lane}: index {value} is not below capacity {}",
                    remap.capacity
                ),
            });
        }
    }
    broken
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

/// The first lane of which nothing is promised, and its index.
fn first_unbound(
    remap: &Remap,
    mode: Coalesce,
    indices: &Indices<'_>,
    data: &Plane,
) -> Option<(String, u32)> {
    let open = |raw: &u32| remap.place(*raw) == Place::Unbound;
    match mode {
        Coalesce::Row => (0..data.rows)
            .map(|r| (r, indices.row(r)))
            .find(|(_, raw)| open(raw))
            .map(|(r, raw)| (format!("row {r}"), raw)),
        Coalesce::Elem => (0..data.rows)
            .flat_map(|r| (0..data.cols).map(move |c| (r, c)))
            .map(|(r, c)| ((r, c), indices.elem(r, c)))
            .find(|(_, raw)| open(raw))
            .map(|((r, c), raw)| (format!("element ({r}, {c})"), raw)),
    }
}
