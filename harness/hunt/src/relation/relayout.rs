//! The same logical contents in another layout: [`super::Relation::Relayout`].

use ptodiff_data::place::extents;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, Form, GlobalTensor, Layout, Memory, Mgather, MgatherL1, Mscatter,
    Operand, Role, SLayout, Tile, TileType,
    reading::{GAPS, OnTarget},
};

use super::Finding;
use super::lanes::{Lanes, demand, packed};
use super::trial::{ModelCase, Seen, blank, replace};

/// An NZ call and its counterpart by rows.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let by_rows = by_rows(base.call)?;
    demand(!is_read_apart(base, &by_rows))?;
    let seen = base.seen(|_| true)?;
    demand(seen.promised.settled && seen.lanes.in_row_order(&seen.slots))?;
    let other = base.lanes(&by_rows)?;
    let memory = operands(&by_rows, &seen, &other)?;
    demand(other.slots(&memory)? == seen.slots)?;

    let to = other.places(base.call.output())?;
    Some(seen.holds_of(base, &by_rows, memory, Some(to), "laid out by rows"))
}

/// Whether the counterpart is read otherwise than by default where the call itself is not read.
fn is_read_apart(base: &ModelCase<'_>, by_rows: &Call) -> bool {
    let (own, target) = (Form::of(base.call), base.target);
    let on = OnTarget {
        call: by_rows,
        steps: base.steps,
        target,
    };
    let mut apart = GAPS.iter().filter(|gap| !gap.is_about(own, target));
    apart.any(|gap| gap.choice(base.readings) != gap.choices[0] && gap.may_matter(&on))
}

/// The call with plain tiles, and a plain table where it had an NZ one.
fn by_rows(call: &Call) -> Option<Call> {
    Some(match call {
        Call::Mscatter(call) if call.table.layout == Layout::NZ => Call::Mscatter(Mscatter {
            table: plain_table(&call.table)?,
            src: plain_tile(&call.src),
            ..*call
        }),
        Call::Mgather(call) if call.table.layout == Layout::NZ => Call::Mgather(Mgather {
            table: plain_table(&call.table)?,
            dst: plain_tile(&call.dst),
            ..*call
        }),
        Call::MgatherL1(call) => Call::Mgather(to_ub(call)),
        _ => return None,
    })
}

/// The gather to UB that selects the same (MGATHERL1-OOB-01).
fn to_ub(call: &MgatherL1) -> Mgather {
    let dst = plain_tile(&call.dst);
    let mut idx = Tile {
        dtype: call.idx.dtype,
        ..dst
    };
    if call.mode == Coalesce::Row {
        (idx.rows, idx.cols) = (1, dst.rows);
        (idx.valid_row, idx.valid_col) = (Dim::Static(1), dst.valid_row);
    }
    Mgather {
        dst,
        table: call.table,
        idx,
        mode: call.mode,
        oob: call.oob,
        launch: call.launch,
    }
}

fn plain_tile(tile: &Tile) -> Tile {
    Tile {
        location: TileType::Vec,
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        ..*tile
    }
}

/// The logical table of an NZ one (000, NZ Layout).
fn plain_table(table: &GlobalTensor) -> Option<GlobalTensor> {
    let extents = extents(Operand::Tensor(table)).try_into().ok()?;
    Some(packed(table.dtype, extents))
}

/// The operands of the counterpart: those that have another layout there hold what
/// they held.
fn operands(call: &Call, seen: &Seen<'_>, to: &Lanes) -> Option<Memory> {
    let mut relaid = seen.memory.clone();
    relaid.regions.retain(|region| region.role != Role::Scratch);
    for (role, operand) in call.operands() {
        let tensor = operand.tensor();
        if tensor.is_some() && tensor == seen.lanes.table() {
            // The table of a gather to L1 is the same.
            continue;
        }
        replace(&mut relaid, blank(call, role)?);
        if role != Role::Destination {
            let values = seen.lanes.take(seen.memory, role)?;
            to.put(&mut relaid, role, &values)?;
        }
    }
    Some(relaid)
}
