//! The same logical contents in another layout: [`super::Relation::Relayout`].

use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, GlobalTensor, Layout, Memory, Mgather, MgatherL1, Mscatter, Role,
    SLayout, Tile, TileType,
};

use super::Finding;
use super::blocks::Blocks;
use super::order::Order;
use super::place::{read, write};
use super::trial::{ModelCase, Seen, Two, blank, with};
use super::view::{View, demand};

const BUT: &str = "laid out by rows";

/// An NZ call and its counterpart by rows.
pub(super) fn check(base: &ModelCase<'_>) -> Finding {
    let by_rows = by_rows(base.call)?;
    let seen = base.seen(|_| true)?;
    demand(Order::of(&seen.view, seen.memory, &seen.slots)? != Order::Fixed)?;
    let other = base.view(&by_rows)?;
    let nz = base.call.table().filter(|table| table.layout == Layout::NZ);
    let table = nz.map(Blocks::of);
    let memory = operands(&by_rows, &seen, &other, table.as_ref())?;
    demand(other.slots(&memory)? == seen.slots)?;

    let judge = || {
        let one = base.run(base.call, seen.memory.clone())?;
        let other_result = base.run(&by_rows, memory)?;
        let view = &seen.view;
        let size = view.data.dtype.size();
        let two = Two::of(view.output, size, [&one, &other_result], BUT)?;
        match &table {
            Some(table) if view.output == Role::Table => {
                let cols = table.cols();
                seen.table_agrees(&two, table, |r, c| r * cols + c)
            }
            _ => seen.lanes_agree(&two, &other.places, |lane| view.lane(lane)),
        }
    };
    Some(judge())
}

/// The call with plain tiles, and a plain table where it had an NZ one.
fn by_rows(call: &Call) -> Option<Call> {
    Some(match call {
        Call::Mscatter(call) if call.table.layout == Layout::NZ => Call::Mscatter(Mscatter {
            table: plain_table(&call.table),
            src: plain_tile(&call.src),
            ..*call
        }),
        Call::Mgather(call) if call.table.layout == Layout::NZ => Call::Mgather(Mgather {
            table: plain_table(&call.table),
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
fn plain_table(table: &GlobalTensor) -> GlobalTensor {
    let blocks = Blocks::of(table);
    let [rows, cols] = [blocks.rows(), blocks.cols()].map(|extent| extent as u64);
    let all = rows.saturating_mul(cols);
    GlobalTensor {
        dtype: table.dtype,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [all, all, all, cols, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

/// The operands of the counterpart.
fn operands(call: &Call, seen: &Seen<'_>, to: &View<'_>, table: Option<&Blocks>) -> Option<Memory> {
    let Seen { view, memory, .. } = seen;
    let size = view.data.dtype.size();
    let mut data = blank(to.data_role, to.data.rows.checked_mul(to.data.cols)?, size)?;
    if view.combine.is_some() {
        let before = memory.get(Role::Source)?.body();
        for r in 0..view.rows {
            for c in 0..view.cols {
                let value = read(before, view.places.at(r, c), size);
                write(data.body_mut(), to.places.at(r, c), size, value);
            }
        }
    }
    let mut relaid = with(memory, data);
    if let Some(table) = table {
        let (rows, cols) = (table.rows(), table.cols());
        let mut region = blank(Role::Table, rows.checked_mul(cols)? as u64, size)?;
        let before = memory.get(Role::Table)?.body();
        for r in 0..rows {
            for c in 0..cols {
                let value = read(before, table.at(r, c), size);
                write(region.body_mut(), r * cols + c, size, value);
            }
        }
        relaid = with(&relaid, region);
    } else {
        let idx = call.operand(Role::Index)?.tile()?;
        let elements = idx.rows.checked_mul(idx.cols)?;
        let mut indices = blank(Role::Index, elements, idx.dtype.size())?;
        let before = memory.get(Role::Index)?.body();
        for lane in 0..view.lanes() {
            to.set_index(indices.body_mut(), lane, view.index(before, lane));
        }
        relaid = with(&relaid, indices);
        relaid.regions.retain(|region| region.role != Role::Scratch);
    }
    Some(relaid)
}
