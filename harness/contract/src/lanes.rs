//! Which positions of the data tile feed which slot: it looks at every lane and is not quick.

use ptodiff_isa::{
    Call, Coalesce, Memory, NzRowColumns, Readings, Role, Target, Tile, TscatterIndex, TscatterMask,
};

use crate::{
    coord::{Plane, all},
    mask,
    meaning::Meaning,
    operands::Steps,
    scatter,
    scatter_operands::Footprint,
    tile_scatter::Slots,
    writers::Write,
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
/// other operand. Those of the padding count where bursts bring them.
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
    let found = &mut found;
    // Without a plane, a meaning or indices there is nothing to be found.
    let _ = match (call, role) {
        (Call::Mscatter(_) | Call::MscatterFirst(_), Role::Table) => {
            Meaning::of(call, target, readings).and_then(|m| scattered(&m, steps, found))
        }
        // The staging area holds the image of the tile.
        (Call::MgatherL1(c), Role::Scratch)
            if c.mode == Coalesce::Elem && target != Target::Cpu =>
        {
            of_tile(&c.dst, found)
        }
        (Call::TscatterIndex(c), Role::Destination) => by_index(c, steps, target, readings, found),
        (Call::TscatterMask(c), Role::Destination) => by_mask(c, found),
        (Call::Mgather(_) | Call::MgatherL1(_) | Call::Tgatherb(_), Role::Destination) => {
            of_tile(call.data_tile(), found)
        }
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

/// The position whose own slot it is.
fn of_tile(tile: &Tile, found: &mut impl FnMut(usize, Feeder)) -> Option<()> {
    let plane = Plane::of(tile)?;
    for (r, c) in all([plane.rows, plane.cols]) {
        found(plane.at(r, c), feeder(0, r, c));
    }
    Some(())
}

fn scattered(
    meaning: &Meaning<'_>,
    steps: &[&Memory],
    found: &mut impl FnMut(usize, Feeder),
) -> Option<()> {
    let steps = Steps::of(steps, meaning.target, meaning.readings)?;
    let plane = Plane::of(&meaning.call.src)?;
    // Whatever of the table is there.
    let (mut writes, _) = scatter::writes(meaning, i64::MAX as usize, &steps)?;
    writes.sort_by_key(|write| (write.step, write.r, write.c));
    let footprint = scatter::footprint(meaning);
    let cols = match footprint {
        Footprint::Element => 1,
        // A burst may bring columns of the padding too.
        Footprint::NzRow {
            columns: NzRowColumns::Moved,
            ..
        } => plane.padded_cols(),
        Footprint::Row { .. } | Footprint::NzRow { .. } => plane.cols,
    };
    for Write { to, step, r, c, .. } in writes {
        let [step, r, first] = [step, r, c].map(|n| n as usize);
        for c in 0..cols {
            found(footprint.element(to, c), feeder(step, r, first + c));
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
    let indices = steps.first()?.get(Role::Index)?.body();
    for ([r, c], _, slot) in slots.each(indices) {
        if let Ok(element) = slot {
            found(element, feeder(0, r, c));
        }
    }
    Some(())
}

fn by_mask(call: &TscatterMask, found: &mut impl FnMut(usize, Feeder)) -> Option<()> {
    let (src, dst) = (Plane::of(&call.src)?, Plane::of(&call.dst)?);
    for (i, j) in all([src.rows, src.cols]) {
        let (r, c) = mask::goes_to(call, i, j);
        found(dst.at(r, c), feeder(0, i, j));
    }
    Some(())
}
