//! All mutants: what a target does wrong with a form, row by row.

mod mgather;
mod mscatter;
mod mscatter_a2a3;
mod mscatter_a5;
mod tgatherb;
mod tscatter;

use ptodiff_case::Form;
use ptodiff_isa::{
    BLayout, Call, Clause, Coalesce, DType, Dim, GatherOob, GlobalTensor, Layout, NegativeIndex,
    Role, ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tile,
};

use crate::{
    Mutant,
    cells::Cells,
    number::{below, combined},
    operands::{Operands, block_cols, in_tile, product},
    spoil, steps,
    walk::{Apply, Lanes, Move, Moves, Pitch, Remap, Walk, apply, lanes, remap},
    wrong::Wrong,
};

/// Name, clause, mistake, and what is wrong.
type Row = (&'static str, &'static str, &'static str, Wrong);

/// All mutants, by instruction.
pub(crate) fn all() -> Vec<Mutant> {
    use Target::{A2a3, A5, Cpu};
    let rows = [
        (Form::Mscatter, Cpu, mscatter::CPU),
        (Form::Mscatter, A2a3, mscatter_a2a3::ALL),
        (Form::Mscatter, A5, mscatter_a5::ALL),
        (Form::MscatterFirst, A5, mscatter::FIRST),
        (Form::Mgather, Cpu, mgather::CPU),
        (Form::Mgather, A2a3, mgather::A2A3),
        (Form::Mgather, A5, mgather::A5),
        (Form::MgatherL1, A2a3, mgather::L1_A2A3),
        (Form::MgatherL1, A5, mgather::L1_A5),
        (Form::TscatterIndex, Cpu, tscatter::CPU),
        (Form::TscatterIndex, A2a3, tscatter::A2A3),
        (Form::TscatterIndex, A5, tscatter::A5),
        (Form::TscatterMask, A5, tscatter::MASK),
        (Form::Tgatherb, Cpu, tgatherb::CPU),
        (Form::Tgatherb, A2a3, tgatherb::A2A3),
        (Form::Tgatherb, A5, tgatherb::A5),
    ];
    let of = |(form, target, rows): (Form, Target, &'static [Row])| {
        rows.iter()
            .map(move |(name, clause, mistake, wrong)| Mutant {
                name,
                target,
                form,
                clause: Clause(clause),
                mistake,
                wrong: *wrong,
            })
    };
    rows.into_iter().flat_map(of).collect()
}

/// A walk that serves other lanes.
const fn lanes_are(lanes: Lanes) -> Wrong {
    Wrong::Walk(Walk {
        lanes,
        ..Walk::RIGHT
    })
}

/// A walk whose indices select something else.
const fn selects(remap: Remap) -> Wrong {
    Wrong::Walk(Walk {
        remap,
        ..Walk::RIGHT
    })
}

/// A walk with rows as far apart as this.
const fn pitch_is(pitch: Pitch) -> Wrong {
    Wrong::Walk(Walk {
        pitch,
        ..Walk::RIGHT
    })
}

/// A scatter with other moves.
const fn moves_are(moves: Moves) -> Wrong {
    Wrong::Walk(Walk {
        moves,
        ..Walk::RIGHT
    })
}

/// A scatter whose values combine otherwise.
const fn combines(apply: Apply) -> Wrong {
    Wrong::Walk(Walk {
        apply,
        ..Walk::RIGHT
    })
}

/// An index of whatever dtype is compared with the capacity as a signed number.
const SIGNED: Wrong = Wrong::Other(|call, readings| {
    readings.negative_index = NegativeIndex::Signed;
    if let Some(idx) = call.tile_mut(Role::Index) {
        idx.dtype = DType::Int32;
    } else if let Some(idx) = call.tensor_mut(Role::Index) {
        idx.dtype = DType::Int32;
    }
});

const ND_ROWS_OF_ONE_MATRIX: Wrong = Wrong::Other(|call, _| table(call, is_nd_row, one_matrix));

const PITCH_OF_SHAPE: Wrong = Wrong::Other(|call, _| {
    table(call, is_nd_row, |table| table.stride[3] = table.shape[4]);
});

const ROW_CAPACITY_PRODUCT: Wrong = Wrong::Other(|call, _| {
    table(call, is_row, |table| {
        let rows = product(table, 4);
        one_matrix(table);
        table.shape[3] = Dim::Dynamic(rows);
    });
});

const ELEMENTS_OF_ONE_MATRIX: Wrong =
    Wrong::Other(|call, _| table(call, |call| !is_row(call), one_matrix));

const NZ_BLOCKS_ROW_MAJOR: Wrong =
    Wrong::Other(|call, _| table(call, is_nz, |table| table.stride.swap(1, 2)));

const NZ_CAPACITY_PRODUCT: Wrong = Wrong::Other(|call, _| {
    table(call, is_nz_row, |table| {
        table.shape[2] = Dim::Dynamic(product(table, 3))
    });
});

const NZ_FIRST_BATCH_ONLY: Wrong =
    Wrong::Other(|call, _| table(call, is_nz_row, |table| table.shape[0] = Dim::Dynamic(1)));

const NZ_TILE_OF_VALID_ROWS: Wrong = Wrong::Other(|call, _| {
    if is_nz(call) {
        data_tile(call, |tile| tile.rows = tile.valid_row.get().max(1));
    }
});

/// A column-major source of a scatter, or destination of a gather, is taken for row-major.
const TILE_ROW_MAJOR: Wrong =
    Wrong::Other(|call, _| data_tile(call, |tile| tile.blayout = BLayout::RowMajor));

const INDEX_AS_TILE: Wrong = Wrong::Other(|call, _| {
    let blayout = call.data_tile().blayout;
    if let (false, Some(idx)) = (is_row(call), call.tile_mut(Role::Index)) {
        idx.blayout = blayout;
    }
});

fn is_row(call: &Call) -> bool {
    call.mode() == Some(Coalesce::Row)
}

/// Whether the table is in blocks.
fn is_nz(call: &Call) -> bool {
    call.table().is_some_and(|table| table.layout == Layout::NZ)
}

fn is_nd_row(call: &Call) -> bool {
    is_row(call) && !is_nz(call)
}

fn is_nz_row(call: &Call) -> bool {
    is_row(call) && is_nz(call)
}

/// Takes the table for another one in such calls.
fn table(call: &mut Call, of: fn(&Call) -> bool, change: impl FnOnce(&mut GlobalTensor)) {
    if of(call)
        && let Some(table) = call.tensor_mut(Role::Table)
    {
        change(table);
    }
}

/// Takes dimensions 3 and 4 for the whole table.
fn one_matrix(table: &mut GlobalTensor) {
    table.shape[..3].fill(Dim::Dynamic(1));
}

/// Takes the source of a scatter to GM, or the destination, for another tile.
fn data_tile(call: &mut Call, change: impl FnOnce(&mut Tile)) {
    let role = match call.output() {
        Role::Table => Role::Source,
        other => other,
    };
    if let Some(tile) = call.tile_mut(role) {
        change(tile);
    }
}

/// Takes the rows of a tile for ValidCol apart.
fn packed(call: &mut Call, role: Role) {
    if let Some(tile) = call.tile_mut(role) {
        tile.cols = tile.valid_col.get().max(1);
    }
}

/// Does one atomic operation for another.
fn atomic(call: &mut Call, from: ScatterAtomicOp, to: ScatterAtomicOp) {
    match call {
        Call::Mscatter(c) if c.atomic == from => c.atomic = to,
        Call::MscatterFirst(c) if c.atomic == from => c.atomic = to,
        _ => {}
    }
}

/// What the right model leaves, or what was there before.
fn kept_if(cells: &Cells<'_>, r: u64, c: u64, kept: bool) -> u64 {
    match kept {
        true => cells.before(r, c),
        false => cells.after(r, c),
    }
}
