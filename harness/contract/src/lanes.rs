//! Which positions of the data tile feed which slot: for showing slots to a
//! person, so it looks at every lane and is not quick.

use ptodiff_isa::{
    Call, Coalesce, Memory, Readings, Role, Target, Tile, TscatterIndex, TscatterMask,
};

use crate::{
    coord::{NzTable, Plane},
    mask,
    meaning::Meaning,
    selection::{Indices, Place},
    tile_scatter::Slots,
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
/// body) of an operand that the call writes, in logical order; none for any
/// other operand. Those of the padding count where bursts bring them. Only a table in GM remembers the steps before the last one.
#[must_use]
pub fn feeders(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    role: Role,
    element: usize,
) -> Vec<Feeder> {
    let mut found = Vec::new();
    each_feeder(call, steps, target, readings, role, |at, feeder| {
        if at == element {
            found.push(feeder);
        }
    });
    found
}

/// Calls `found` with every element that [`feeders`] has an answer for and a
/// position that feeds it, in the logical order of the positions.
pub fn each_feeder(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    role: Role,
    mut found: impl FnMut(usize, Feeder),
) {
    let last = steps.len().saturating_sub(1);
    let found = &mut found;
    // Without a plane, a meaning or indices there is nothing to be found.
    let _ = match (call, role) {
        (Call::Mscatter(_) | Call::MscatterFirst(_), Role::Table) => {
            Meaning::told(call, target, readings, |m| scattered(m, steps, found)).flatten()
        }
        (Call::Mgather(c), Role::Destination) => of_tile(&c.dst, last, found),
        (Call::MgatherL1(c), Role::Destination) => of_tile(&c.dst, last, found),
        // The staging area holds the image of the tile.
        (Call::MgatherL1(c), Role::Scratch)
            if c.mode == Coalesce::Elem && target != Target::Cpu =>
        {
            of_tile(&c.dst, last, found)
        }
        (Call::TscatterIndex(c), Role::Destination) => by_index(c, steps, target, readings, found),
        (Call::TscatterMask(c), Role::Destination) => by_mask(c, last, found),
        (Call::Tgatherb(c), Role::Destination) => of_tile(&c.dst, last, found),
        _ => None,
    };
}

fn feeder(step: usize, r: usize, c: usize) -> Feeder {
    Feeder {
        step,
        r: r as u64,
        c: c as u64,
    }
}

/// Every (r, c) below `extents`, in logical order.
pub(crate) fn all([rows, cols]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |r| (0..cols).map(move |c| (r, c)))
}

/// The position whose own slot it is.
fn of_tile(tile: &Tile, step: usize, found: &mut impl FnMut(usize, Feeder)) -> Option<()> {
    let plane = Plane::of(tile)?;
    for (r, c) in all([plane.rows, plane.cols]) {
        found(plane.at(r, c), feeder(step, r, c));
    }
    Some(())
}

fn scattered(
    meaning: &Meaning<'_>,
    steps: &[&Memory],
    found: &mut impl FnMut(usize, Feeder),
) -> Option<()> {
    let src = Plane::of(&meaning.call.src)?;
    let idx = Plane::of(&meaning.call.idx)?;
    let nz = NzTable::of(&meaning.call.table);
    let (elements, rows) = (meaning.elements(), meaning.rows());
    // A burst may bring columns of the padding too.
    let width = match &rows {
        Some(rows) => rows.burst(),
        None if meaning.mode == Coalesce::Row && meaning.brings_padding() => {
            usize::try_from(meaning.call.src.cols).ok()?
        }
        None => src.cols,
    };
    for (step, memory) in steps.iter().enumerate() {
        let Some(index) = memory.get(Role::Index) else {
            continue;
        };
        let indices = Indices::new(index.body(), idx);
        for (r, c) in all([src.rows, width]) {
            let raw = match meaning.mode {
                Coalesce::Row => indices.row(r),
                Coalesce::Elem => indices.elem(r, c),
            };
            let Place::At { number, .. } = meaning.place(raw) else {
                continue;
            };
            let col = c as i64;
            let slot = match (&rows, &nz) {
                (Some(rows), _) => rows.at(number).saturating_add(col),
                (None, Some(nz)) if meaning.mode == Coalesce::Row => nz
                    .block_at(number, col / nz.block)
                    .saturating_add(col % nz.block),
                (None, _) => elements.at(number),
            };
            if let Ok(element) = usize::try_from(slot) {
                found(element, feeder(step, r, c));
            }
        }
    }
    Some(())
}

fn by_index(
    call: &TscatterIndex,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
    found: &mut impl FnMut(usize, Feeder),
) -> Option<()> {
    let slots = Slots::of(call, target, readings)?;
    let indices = steps.last()?.get(Role::Index)?.body();
    for (r, c) in all(slots.extents) {
        if let Some(element) = slots.slot(slots.index(indices, r, c)) {
            found(element, feeder(steps.len() - 1, r, c));
        }
    }
    Some(())
}

fn by_mask(call: &TscatterMask, step: usize, found: &mut impl FnMut(usize, Feeder)) -> Option<()> {
    let (src, dst) = (Plane::of(&call.src)?, Plane::of(&call.dst)?);
    for (i, j) in all([src.rows, src.cols]) {
        let (r, c) = mask::goes_to(call, i, j);
        found(dst.at(r, c), feeder(step, i, j));
    }
    Some(())
}
