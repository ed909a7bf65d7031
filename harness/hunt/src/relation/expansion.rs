//! Rows taken element by element: [`super::Relation::Expansion`].

use ptodiff_isa::{
    AddOverflow, BLayout, Call, Coalesce, Dim, GatherExec, GlobalTensor, Layout, Memory, Role,
    SLayout, ScatterAtomicOp, Target, Tile, TileType,
};

use super::Finding;
use super::order::Order;
use super::reach::{DROPPED, OPEN, Policy, Reach};
use super::trial::{ModelCase, Seen, Two, blank, with};
use super::view::{Shape, View, demand};

const BUT: &str = "taken element by element";

/// A Row call and its counterpart by element.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|view| view.by_row && same_sums(base, view))?;
    Order::of(&seen.view, seen.memory, &seen.slots)?;
    let call = by_element(base.call, &seen.view)?;
    let width = row_width(base.call)?;
    let elements = base.view(&call)?;
    let memory = operands(&call, &seen, &elements, width)?;
    elements.slots(&memory)?;

    let judge = || {
        let one = base.run(base.call, seen.memory.clone())?;
        let other = base.run(&call, memory)?;
        let view = &seen.view;
        if view.combine.is_some() {
            return seen.agree([&one, &other], BUT);
        }
        let two = Two::of(view.output, view.data.dtype.size(), [&one, &other], BUT)?;
        seen.lanes_agree(&two, &elements.places, |lane| view.lane(lane))
    };
    Some(judge())
}

/// Whether both modes add alike: under `add-overflow=mte3-saturates` the DMA
/// of A2/A3 saturates and its scalar pipe wraps (MSCATTER-GAP-05).
fn same_sums(base: &ModelCase<'_>, view: &View<'_>) -> bool {
    let adds = matches!(&view.combine, Some(c) if c.atomic == ScatterAtomicOp::Add);
    !(adds
        && view.data.dtype.is_integer()
        && base.target == Target::A2a3
        && base.readings.add_overflow == AddOverflow::Mte3Saturates)
}

/// `call` in Elem mode, with an index for every element.
fn by_element(call: &Call, view: &View<'_>) -> Option<Call> {
    let mut call = *call;
    match &mut call {
        Call::Mscatter(c) => {
            c.mode = Coalesce::Elem;
            c.idx = index_tile(&c.idx, view.data);
        }
        Call::Mgather(c) => {
            c.mode = Coalesce::Elem;
            c.idx = index_tile(&c.idx, view.data);
        }
        Call::MscatterFirst(c) => {
            // With one column the mode would be the same (MSCATTER0-GAP-01).
            demand(c.src.cols > 1)?;
            c.idx = index_tile(&c.idx, view.data);
        }
        Call::MgatherL1(c) => {
            c.mode = Coalesce::Elem;
            c.exec = GatherExec::Scalar;
            let extents = [view.rows as u64, view.cols as u64];
            c.idx = packed(&c.idx, extents);
            c.scratch = Some(packed(&c.table, [1, c.dst.rows.checked_mul(c.dst.cols)?]));
        }
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => return None,
    }
    Some(call)
}

/// A plain index tile of the extents of `data`.
fn index_tile(idx: &Tile, data: &Tile) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype: idx.dtype,
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        ..*data
    }
}

/// A packed tensor of `like`'s type.
fn packed(like: &GlobalTensor, [rows, cols]: [u64; 2]) -> GlobalTensor {
    let all = rows.saturating_mul(cols);
    GlobalTensor {
        dtype: like.dtype,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [all, all, all, cols, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

/// Elements from one table row to the next, as indices by element count them.
/// Where rows are padded that is a reading (MSCATTER-GAP-18, MGATHER-GAP-07):
/// no relation.
fn row_width(call: &Call) -> Option<u64> {
    let table = call.table()?;
    let shape = Shape::of(table);
    match table.layout {
        Layout::NZ => Some(shape.product(2).saturating_mul(shape.of[4])),
        Layout::ND | Layout::DN => shape.packed().then_some(shape.of[4]),
    }
}

fn operands(call: &Call, seen: &Seen<'_>, to: &View<'_>, width: u64) -> Option<Memory> {
    let Seen { view, memory, .. } = seen;
    let needed = match call {
        Call::MgatherL1(_) => to.lanes() as u64,
        _ => to.data.rows.checked_mul(to.data.cols)?,
    };
    let mut indices = blank(Role::Index, needed, to.index_type.size())?;
    let before = memory.get(Role::Index)?.body();
    for row in 0..view.rows {
        let (index, slot) = (view.index(before, row), seen.slots.of(row));
        for c in 0..view.cols {
            let index = expanded(&view.reach, &to.reach, (index, slot), width, c as u64);
            to.set_index(indices.body_mut(), row * view.cols + c, index);
        }
    }
    let mut memory = with(memory, indices);
    if let Call::MgatherL1(call) = call {
        let elements = call.dst.rows.checked_mul(call.dst.cols)?;
        let scratch = blank(Role::Scratch, elements, call.dst.dtype.size())?;
        memory.regions.push(scratch);
    }
    Some(memory)
}

/// The index of column `c` of the row that `index` selects.
///
/// `index * width + c` where the policy treats that as it treats the row: in
/// range under every policy; under Wrap where a whole number of rows is the
/// capacity; under Skip and Zero where it is out of range too. Elsewhere, and
/// where the type has no room for it, the remapped row counts, as Clamp would
/// take all columns to the last element.
fn expanded(row: &Reach, to: &Reach, (index, slot): (u64, u64), width: u64, c: u64) -> u64 {
    let natural = index
        .checked_mul(width)
        .and_then(|first| first.checked_add(c));
    let natural = natural.filter(|natural| index <= row.largest() && *natural <= to.largest());
    let alike = |natural: &u64| match row.policy {
        _ if slot == index => true,
        Policy::Wrap => row.capacity.checked_mul(width) == Some(to.capacity),
        Policy::Drop => *natural >= to.capacity,
        _ => false,
    };
    natural.filter(alike).unwrap_or(match slot {
        DROPPED => to.largest(),
        OPEN => 0,
        slot => slot * width + c,
    })
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Readings};

    use super::*;

    /// The index of column 2 of a row of 8 in a table of 4 rows and `elements` elements.
    fn of(index: u64, policy: Policy, elements: u64) -> u64 {
        let reach = |capacity| {
            let readings = Readings::default();
            Reach::new(capacity, policy, DType::Int32, Target::A5, &readings)
        };
        let (row, to) = (reach(4), reach(elements));
        expanded(&row, &to, (index, row.slot(index)), 8, 2)
    }

    #[test]
    fn the_product_is_taken_where_the_policy_treats_it_alike() {
        for policy in [Policy::Undefined, Policy::Drop, Policy::Clamp, Policy::Wrap] {
            assert_eq!(of(3, policy, 32), 26);
        }
        assert_eq!(of(5, Policy::Wrap, 32), 42);
        assert_eq!(of(5, Policy::Drop, 32), 42);
    }

    #[test]
    fn elsewhere_the_row_that_is_meant() {
        // Row 1 of a table that goes on behind its fourth row.
        assert_eq!(of(5, Policy::Wrap, 64), 10);
        // 42 would be in range there.
        assert_eq!(of(5, Policy::Drop, 64), i32::MAX as u64);
        assert_eq!(of(5, Policy::Clamp, 32), 26);
        // No room for the product: row 2^30 % 4 = 0, and 2^32 - 1 % 4 = 3.
        assert_eq!(of(1 << 30, Policy::Wrap, 32), 2);
        assert_eq!(of(u64::from(u32::MAX), Policy::Wrap, 32), 26);
        assert_eq!(of(1 << 30, Policy::Drop, 32), i32::MAX as u64);
        assert_eq!(of(9, Policy::Undefined, 32), 0);
    }
}
