//! Rows taken element by element: [`super::Relation::Expansion`].

use ptodiff_isa::{
    AddOverflow, BLayout, Call, Coalesce, Dim, GatherExec, Layout, Memory, Role, SLayout,
    ScatterAtomicOp, Target, Tile, TileType,
};

use super::Finding;
use super::lanes::{Lanes, demand, packed};
use super::reach::{DROPPED, OPEN, Policy, Reach};
use super::trial::{ModelCase, Seen, blank, replace};

/// A Row call and its counterpart by element.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let seen = base.seen(|lanes| lanes.by_row && same_sums(base, lanes))?;
    demand(seen.promised.settled)?;
    let call = by_element(base.call, &seen.lanes)?;
    let width = row_width(base.call, &seen.lanes)?;
    let elements = base.lanes(&call)?;
    let memory = operands(&call, &seen, &elements, width)?;
    elements.slots(&memory)?;
    base.promised(&call, &memory)?;

    let to = match seen.lanes.atomic {
        Some(_) => None,
        None => Some(elements.places(Role::Destination)?),
    };
    Some(seen.holds_of(base, &call, memory, to, "taken element by element"))
}

/// Whether both modes add alike: under `add-overflow=mte3-saturates` the DMA
/// of A2/A3 saturates and its scalar pipe wraps (MSCATTER-GAP-05).
fn same_sums(base: &ModelCase<'_>, lanes: &Lanes) -> bool {
    !(lanes.atomic == Some(ScatterAtomicOp::Add)
        && lanes.data().dtype.is_integer()
        && base.target == Target::A2a3
        && base.readings.add_overflow == AddOverflow::Mte3Saturates)
}

/// `call` in Elem mode, with an index for every element.
fn by_element(call: &Call, lanes: &Lanes) -> Option<Call> {
    let mut call = *call;
    match &mut call {
        Call::Mscatter(c) => {
            c.mode = Coalesce::Elem;
            c.idx = index_tile(&c.idx, lanes.data());
        }
        Call::Mgather(c) => {
            c.mode = Coalesce::Elem;
            c.idx = index_tile(&c.idx, lanes.data());
        }
        Call::MscatterFirst(c) => {
            // With one column the mode would be the same (MSCATTER0-GAP-01).
            demand(c.src.cols > 1)?;
            c.idx = index_tile(&c.idx, lanes.data());
        }
        Call::MgatherL1(c) => {
            c.mode = Coalesce::Elem;
            c.exec = GatherExec::Scalar;
            let extents = [lanes.rows() as u64, lanes.cols() as u64];
            c.idx = packed(c.idx.dtype, extents);
            let image = [1, c.dst.rows.checked_mul(c.dst.cols)?];
            c.scratch = Some(packed(c.table.dtype, image));
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

/// Elements from one table row to the next, as indices by element count them.
/// Where rows are padded that is a reading (MSCATTER-GAP-18, MGATHER-GAP-07), and so
/// it is on A5 where they are not as wide as those of the tile (MSCATTER-GAP-14,
/// MGATHER-GAP-09): no relation.
fn row_width(call: &Call, lanes: &Lanes) -> Option<u64> {
    let table = call.table()?;
    let [s0, s1, .., width] = table.shape.map(Dim::get);
    if table.layout == Layout::NZ {
        return s0.checked_mul(s1)?.checked_mul(width);
    }
    let mut next = 1_u64;
    for (extent, step) in table.shape.iter().zip(&table.stride).rev() {
        demand(extent.get() == 1 || step.get() == next)?;
        next = next.checked_mul(extent.get())?;
    }
    let by_tile = lanes.target == Target::A5 && !matches!(call, Call::MgatherL1(_));
    demand(!by_tile || width == lanes.cols() as u64)?;
    Some(width)
}

fn operands(call: &Call, seen: &Seen<'_>, to: &Lanes, width: u64) -> Option<Memory> {
    let Seen { lanes, memory, .. } = seen;
    let rows = lanes.values(memory, Role::Index)?.into_iter().enumerate();
    let indices = rows.flat_map(|(row, index)| {
        let slot = seen.slots.of(row);
        (0..lanes.cols() as u64)
            .map(move |c| expanded(&lanes.reach, &to.reach, (index, slot), width, c))
    });
    let indices = indices.collect();
    let mut memory = (*memory).clone();
    replace(&mut memory, blank(call, Role::Index)?);
    to.put_indices(&mut memory, indices)?;
    if call.operand(Role::Scratch).is_some() {
        replace(&mut memory, blank(call, Role::Scratch)?);
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
    use ptodiff_isa::{DType, NegativeIndex};

    use super::*;

    /// The index of column 2 of a row of 8 in a table of 4 rows and `elements` elements.
    fn of(index: u64, policy: Policy, elements: u64) -> u64 {
        let reach = |capacity| Reach::new(capacity, policy, DType::Int32, NegativeIndex::Unsigned);
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
}
