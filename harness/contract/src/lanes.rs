//! Which positions of the data tile feed a given slot: for showing one slot to
//! a person, so it looks at every lane and is not quick.

use ptodiff_isa::{Call, Coalesce, Memory, Mscatter, Readings, Role, Target};

use crate::{
    coord::{NzTable, Plane},
    meaning::{remap, row_pitch},
    selection::{Indices, Place},
};

/// One position of the data tile in one step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Feeder {
    /// The step, from 0.
    pub step: usize,
    /// Logical row.
    pub r: u64,
    /// Logical column.
    pub c: u64,
}

/// The positions that feed element `element` (counted from the start of the
/// body) of the operand that the call writes, in logical order; none for any
/// other operand.
#[must_use]
pub fn feeders(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    role: Role,
    element: usize,
) -> Vec<Feeder> {
    match (call, role) {
        (Call::Mscatter(c), Role::Table) => scattered(c, steps, target, readings, element),
        (Call::Mgather(c), Role::Destination) => {
            let step = steps.len().saturating_sub(1);
            Plane::of(&c.dst).map_or_else(Vec::new, |plane| of_tile(&plane, step, element))
        }
        _ => Vec::new(),
    }
}

fn feeder(step: usize, r: usize, c: usize) -> Feeder {
    Feeder {
        step,
        r: r as u64,
        c: c as u64,
    }
}

/// The position whose own slot it is.
fn of_tile(plane: &Plane, step: usize, element: usize) -> Vec<Feeder> {
    let mut found = Vec::new();
    plane.each_logical(|r, c| {
        if plane.at(r, c) == element {
            found.push(feeder(step, r, c));
        }
    });
    found
}

fn scattered(
    call: &Mscatter,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    element: usize,
) -> Vec<Feeder> {
    let (Some(src), Some(idx)) = (Plane::of(&call.src), Plane::of(&call.idx)) else {
        return Vec::new();
    };
    let (remap, mode) = remap(call, target, readings);
    let nz = NzTable::of(&call.table);
    let pitch = row_pitch(call, target);
    let mut found = Vec::new();
    for (step, memory) in steps.iter().enumerate() {
        let Some(index) = memory.get(Role::Index) else {
            continue;
        };
        let indices = Indices::new(index.body(), idx);
        src.each_logical(|r, c| {
            let raw = match mode {
                Coalesce::Row => indices.row(r),
                Coalesce::Elem => indices.elem(r, c),
            };
            let Place::At { number, .. } = remap.place(raw) else {
                return;
            };
            let slot = match (mode, &nz) {
                (Coalesce::Elem, Some(nz)) => nz.linear(number),
                (Coalesce::Elem, None) => number,
                (Coalesce::Row, Some(nz)) => {
                    let col = c as i64;
                    nz.block_at(number, col / nz.block)
                        .saturating_add(col % nz.block)
                }
                (Coalesce::Row, None) => {
                    number.saturating_mul(pitch as i64).saturating_add(c as i64)
                }
            };
            if usize::try_from(slot) == Ok(element) {
                found.push(feeder(step, r, c));
            }
        });
    }
    found
}
