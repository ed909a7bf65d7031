//! Mistakes that several targets or forms have in common, each in one line, and what is
//! wrong for it.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GlobalTensor, Layout, NegativeIndex, Role, SLayout,
    ScatterAtomicOp, ScatterOob, Tile, Unaddressed,
};

use crate::{
    list::{Row, kept_if, packed},
    number::{nearest, real, truncated_sum},
    operands::{Operands, product, rectangle},
    walk::{Move, apply, by_slot, puts, remap},
    wrong::Wrong::{self, Cell, Combines, Lanes, Moves, Other, Pitch, Selects, Spoil},
};

/// A mistake, and what is wrong for it.
#[derive(Clone, Copy)]
pub(crate) struct Mistake(&'static str, Wrong);

impl Mistake {
    /// The mutant of this name that makes it, against a clause of its target.
    pub(crate) const fn named(self, name: &'static str, clause: &'static str) -> Row {
        (name, clause, self.0, self.1)
    }
}

pub(crate) const SIGNED: Mistake = Mistake(
    "compares an index with the capacity as a signed number",
    // Whatever its dtype.
    Other(|call, readings| {
        readings.negative_index = NegativeIndex::Signed;
        call.set_dtype(Role::Index, DType::Int32);
    }),
);

pub(crate) const SHORT_INDEX: Mistake = Mistake(
    "reads the lower 16 bits of an index",
    Selects(|ops, index, capacity| remap(ops, index & 0xFFFF, capacity)),
);

pub(crate) const MASK_FOR_REMAINDER: Mistake = Mistake(
    "takes the remainder with a mask, as if every capacity were a power of two",
    Selects(|ops, index, capacity| match ops.oob {
        ScatterOob::Wrap => Some((index & (capacity - 1)).cast_signed()),
        _ => remap(ops, index, capacity),
    }),
);

pub(crate) const ONE_SUBTRACTION: Mistake = Mistake(
    "takes the capacity off once where Wrap takes the remainder",
    Selects(|ops, index, capacity| match ops.oob {
        ScatterOob::Wrap if index >= capacity => Some((index - capacity).cast_signed()),
        _ => remap(ops, index, capacity),
    }),
);

pub(crate) const WIDE_REMAINDER: Mistake = Mistake(
    "widens a negative index to 64 bits before it takes the remainder",
    Selects(|ops, index, capacity| {
        let signed = ops.idx.is_none_or(|idx| idx.dtype == DType::Int32);
        let index = match ops.oob == ScatterOob::Wrap && signed {
            true => i64::from(index as i32).cast_unsigned(),
            false => index,
        };
        remap(ops, index, capacity)
    }),
);

pub(crate) const PAST_THE_LAST_SLOT: Mistake = Mistake(
    "clamps to the capacity, one past the last slot",
    Selects(|ops, index, capacity| match ops.oob {
        ScatterOob::Clamp => Some(index.min(capacity).cast_signed()),
        _ => remap(ops, index, capacity),
    }),
);

pub(crate) const CLAMP_TO_ZERO: Mistake = Mistake(
    "clamps to slot 0 what is above the capacity",
    Selects(|ops, index, capacity| match ops.oob {
        ScatterOob::Clamp if index >= capacity => Some(0),
        _ => remap(ops, index, capacity),
    }),
);

pub(crate) const CAPACITY_IS_INSIDE: Mistake = Mistake(
    "lets Skip or Zero pass an index that equals the capacity",
    Selects(|ops, index, capacity| match ops.oob {
        ScatterOob::Skip if index == capacity => Some(capacity.cast_signed()),
        _ => remap(ops, index, capacity),
    }),
);

const SLOT_0_FOR_NONE: Wrong =
    Selects(|ops, index, capacity| remap(ops, index, capacity).or(Some(0)));

pub(crate) const SKIP_TO_SLOT_0: Mistake =
    Mistake("writes to slot 0 what Skip should drop", SLOT_0_FOR_NONE);

pub(crate) const ZERO_IS_SLOT_0: Mistake =
    Mistake("delivers slot 0 where a zero belongs", SLOT_0_FOR_NONE);

pub(crate) const BYTE_INDEX: Mistake = Mistake(
    "takes an index for a number of bytes",
    Selects(|ops, index, _| Some((index / ops.dtype().size() as u64).cast_signed())),
);

pub(crate) const CAPACITY_IN_ELEMENTS: Mistake = Mistake(
    "compares a row number with the number of elements in the table",
    Selects(|ops, index, capacity| {
        let elements = product(&ops.table, 5);
        remap(ops, index, if ops.row { elements } else { capacity })
    }),
);

pub(crate) const SCALAR_UNCHECKED: Mistake = Mistake(
    "looks at no policy in the scalar path of a single element",
    Selects(|ops, index, capacity| {
        let single = (ops.tile.valid_row.get(), ops.tile.valid_col.get()) == (1, 1);
        match single && !ops.row {
            true => Some(index.cast_signed()),
            false => remap(ops, index, capacity),
        }
    }),
);

pub(crate) const INDEX_IN_VALID_REGION: Mistake = Mistake(
    "counts an index over the valid columns of the destination",
    Selects(|ops, index, _| {
        let dst = ops.on_chip?;
        let cols = dst.valid_col.get().max(1);
        Some((index / cols * dst.cols + index % cols).cast_signed())
    }),
);

/// All columns and rows of the tile's image that have an index are served.
pub(crate) fn with_padding(ops: &Operands) -> Vec<(u64, u64)> {
    let most = match ops.idx {
        Some(idx) if !ops.row => idx.cols,
        _ => ops.tile.cols,
    };
    rectangle(ops.tile.valid_row.get(), ops.tile.cols.min(most)).collect()
}

pub(crate) const PADDING_FILLED: Mistake = Mistake(
    "fills the padding columns of the tile, too",
    Lanes(with_padding),
);

pub(crate) const PADDING_SCATTERED: Mistake = Mistake(
    "scatters the padding columns of the tile, too",
    Lanes(with_padding),
);

pub(crate) const FIRST_WINS: Mistake = Mistake(
    "leaves the first writer of a contested slot",
    Moves(|ops, moves| {
        if ops.atomic == ScatterAtomicOp::None {
            moves.reverse();
        }
    }),
);

pub(crate) const BY_COLUMNS: Mistake = Mistake(
    "serves the elements column by column",
    Moves(|_, moves| moves.sort_by_key(|one| (one.c, one.r))),
);

pub(crate) const LAST_LEFT_OUT: Mistake = Mistake(
    "leaves out the last element",
    Moves(|_, moves| moves.truncate(moves.len().saturating_sub(1))),
);

pub(crate) const TORN_ROWS: Mistake = Mistake(
    "leaves half a row of the last writer and half a row of the first",
    Moves(|ops, moves| {
        if ops.row && ops.atomic == ScatterAtomicOp::None {
            let half = ops.tile.valid_col.get().div_ceil(2);
            moves.reverse();
            // Of the left halves it is the last writer that comes last.
            moves.sort_by_key(|one| (one.c < half).then_some(one.r));
        }
    }),
);

pub(crate) const MIXED_WRITERS: Mistake = Mistake(
    "leaves bytes of two writers in a contested slot",
    // The lowest byte is the first writer's.
    Moves(|ops, moves| {
        if ops.atomic == ScatterAtomicOp::None {
            let first = by_slot(&puts(moves));
            for one in moves {
                if let Some(first) = one.slot.and_then(|slot| first.get(&slot)) {
                    one.value = one.value & !0xFF | first[0] & 0xFF;
                }
            }
        }
    }),
);

pub(crate) const LOST_ATOMIC: Mistake = Mistake(
    "loses all but the last of the contributions to a slot",
    Moves(|ops, moves| {
        if ops.atomic != ScatterAtomicOp::None {
            let place = |one: &Move| (one.r, one.c);
            let last: BTreeMap<_, _> = moves.iter().map(|one| (one.slot, place(one))).collect();
            moves.retain(|one| last.get(&one.slot) == Some(&place(one)));
        }
    }),
);

pub(crate) const FIRST_ALONE: Mistake = Mistake(
    "loses all but the first of the contributions to a slot",
    Moves(|ops, moves| {
        if ops.atomic != ScatterAtomicOp::None {
            let mut served = BTreeSet::new();
            moves.retain(|one| served.insert(one.slot));
        }
    }),
);

pub(crate) const ADD_TOWARD_ZERO: Mistake = Mistake(
    "rounds sums toward zero",
    Combines(|ops, puts, sink| match ops.atomic {
        ScatterAtomicOp::Add => sink.each(puts, |old, new| truncated_sum(ops.dtype(), old, new)),
        _ => apply(ops, puts, sink),
    }),
);

pub(crate) const WIDE_ACCUMULATOR: Mistake = Mistake(
    "keeps a sum wide and rounds it once, at the end",
    Combines(|ops, puts, sink| {
        let dtype = ops.dtype();
        if ops.atomic != ScatterAtomicOp::Add || dtype.is_integer() {
            return apply(ops, puts, sink);
        }
        for (slot, values) in by_slot(puts) {
            let added: f64 = values.into_iter().map(|value| real(dtype, value)).sum();
            let old = real(dtype, sink.get(slot));
            sink.put(slot, nearest(dtype, old + added));
        }
    }),
);

pub(crate) const PITCH_OF_TILE: Mistake = Mistake(
    "takes the rows of the table for as far apart as those of the padded tile",
    Pitch(|ops| ops.tile.cols),
);

pub(crate) const PITCH_OF_SHAPE: Mistake = Mistake(
    "takes rows for Shape[4] apart, whatever the stride",
    Other(|call, _| table(call, is_nd_row, |table| table.stride[3] = table.shape[4])),
);

pub(crate) const ROWS_OF_ONE_MATRIX: Mistake = Mistake(
    "takes Shape[3] for the rows of the whole table",
    Other(|call, _| table(call, is_nd_row, one_matrix)),
);

pub(crate) const ELEMENTS_OF_ONE_MATRIX: Mistake = Mistake(
    "takes Shape[3] * Shape[4] for the table's size",
    Other(|call, _| table(call, |call| !is_row(call), one_matrix)),
);

pub(crate) const ONE_MATRIX: Mistake = Mistake(
    "takes the rows or slots of one matrix for those of the table",
    Other(|call, _| table(call, |_| true, one_matrix)),
);

pub(crate) const ROW_CAPACITY_PRODUCT: Mistake = Mistake(
    "counts the rows of all outer dimensions",
    Other(|call, _| {
        table(call, is_row, |table| {
            let rows = product(table, 4);
            one_matrix(table);
            table.shape[3] = Dim::Dynamic(rows);
        });
    }),
);

pub(crate) const NZ_BLOCKS_ROW_MAJOR: Mistake = Mistake(
    "takes block rows for block columns and the other way round",
    Other(|call, _| table(call, is_nz, |table| table.stride.swap(1, 2))),
);

pub(crate) const NZ_CAPACITY_PRODUCT: Mistake = Mistake(
    "takes Shape[0..3] for the rows of an NZ table",
    Other(|call, _| {
        table(call, is_nz_row, |table| {
            table.shape[2] = Dim::Dynamic(product(table, 3))
        });
    }),
);

pub(crate) const NZ_FIRST_BATCH_ONLY: Mistake = Mistake(
    "moves the column blocks of the first batch only",
    Other(|call, _| table(call, is_nz_row, |table| table.shape[0] = Dim::Dynamic(1))),
);

pub(crate) const NZ_BY_COLUMNS: Mistake = Mistake(
    "counts the slots of an NZ table down the columns",
    Selects(|ops, index, capacity| {
        let selected = remap(ops, index, capacity)?;
        if ops.row || !ops.nz() {
            return Some(selected);
        }
        let rows = (ops.shape(2) * 16).cast_signed();
        let cols = ops.nz_cols().cast_signed();
        Some(selected % rows * cols + selected / rows)
    }),
);

pub(crate) const NZ_TILE_OF_VALID_ROWS: Mistake = Mistake(
    "takes the column blocks of the tile for ValidRow rows high",
    Other(|call, _| {
        data_tile(call, |tile| {
            if tile.slayout != SLayout::NoneBox {
                tile.rows = tile.valid_row.get().max(1);
            }
        });
    }),
);

const TILE_ROW_MAJOR: Wrong =
    Other(|call, _| data_tile(call, |tile| tile.blayout = BLayout::RowMajor));

pub(crate) const SOURCE_ROW_MAJOR: Mistake = Mistake(
    "reads a column-major source as a row-major one",
    TILE_ROW_MAJOR,
);

pub(crate) const DESTINATION_ROW_MAJOR: Mistake = Mistake(
    "writes a column-major tile as a row-major one",
    TILE_ROW_MAJOR,
);

pub(crate) const INDEX_AS_TILE: Mistake = Mistake(
    "reads the index tile in the layout of the other tile",
    Other(|call, _| {
        let blayout = call.data_tile().blayout;
        if let (false, Some(idx)) = (is_row(call), call.tile_mut(Role::Index)) {
            idx.blayout = blayout;
        }
    }),
);

pub(crate) const INDEX_PACKED: Mistake = Mistake(
    "takes the rows of the index tile for ValidCol apart",
    Other(|call, _| packed(call, Role::Index)),
);

pub(crate) const LAST_KEPT: Mistake = Mistake(
    "leaves out the last element",
    Cell(|cells, r, c| kept_if(cells, r, c, !is_row(cells.call) && cells.is_last(r, c))),
);

pub(crate) const CLEARS_DESTINATION: Mistake = Mistake(
    "zeroes the destination before it scatters",
    Other(|_, readings| readings.tscatter_unaddressed = Unaddressed::Zero),
);

pub(crate) const PAST_THE_TABLE: Mistake = Mistake(
    "writes the byte that follows the table",
    Spoil(Role::Table, |body| Some(body.end)),
);

pub(crate) const PAST_THE_TILE: Mistake = Mistake(
    "writes the byte that follows the tile",
    Spoil(Role::Destination, |body| Some(body.end)),
);

pub(crate) const SOURCE_TOUCHED: Mistake = Mistake(
    "writes to the source that it reads",
    Spoil(Role::Source, |body| body.clone().next()),
);

/// Whether an index selects a row.
pub fn is_row(call: &Call) -> bool {
    match call {
        // Its index tile says it (003, Constraints).
        Call::MscatterFirst(c) => c.idx.cols == 1,
        _ => call.mode() == Some(Coalesce::Row),
    }
}

/// Whether the table is in blocks.
pub(crate) fn is_nz(call: &Call) -> bool {
    call.table().is_some_and(|table| table.layout == Layout::NZ)
}

pub(crate) fn is_nd_row(call: &Call) -> bool {
    is_row(call) && !is_nz(call)
}

fn is_nz_row(call: &Call) -> bool {
    is_row(call) && is_nz(call)
}

/// Takes the table for another one in such calls.
pub(crate) fn table(
    call: &mut Call,
    of: fn(&Call) -> bool,
    change: impl FnOnce(&mut GlobalTensor),
) {
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
