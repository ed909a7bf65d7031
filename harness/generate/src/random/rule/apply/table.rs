//! Rules on the table, and on which of its slots are selected.

use ptodiff_case::{Case, IndexPattern};
use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuPaddedTable, Dim, GatherOob, GlobalTensor, Layout, RowPitch,
    SLayout, ScatterOob, UndefinedGather, UndefinedLast,
};

use super::super::operands::{by_row, fixed, index, table, tile};
use super::{demand, extent, pack};
use crate::random::Form;
use crate::random::context::DrawContext;

pub(super) fn out_of_range(context: &DrawContext, case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    demand(data.valid_row.get() * data.valid_col.get() > 0)?;
    let breaks = match &case.call {
        Call::Mscatter(call) => {
            let elements = context.documented() && call.mode == Coalesce::Elem;
            let dropped = context.readings.undefined_last == UndefinedLast::Dropped;
            let npus = context.a2a3 || (context.a5 && !dropped) || context.templated();
            elements || (call.oob == ScatterOob::Undefined && npus)
        }
        Call::MscatterFirst(call) => call.oob == ScatterOob::Undefined,
        Call::Mgather(call) => {
            let open = context.readings.undefined_gather == UndefinedGather::Slots;
            call.oob == GatherOob::Undefined && !open
        }
        Call::MgatherL1(call) => call.oob == GatherOob::Undefined,
        // A narrow type may reach nothing beyond the destination.
        Call::TscatterIndex(call) => {
            call.idx.dtype.size() > 1 && call.idx.valid_row.get() * call.idx.valid_col.get() > 0
        }
        Call::TscatterMask(_) | Call::Tgatherb(_) => false,
    };
    demand(breaks)?;
    case.data.index = IndexPattern::AllOutOfBounds;
    Some(())
}

/// The table, where it has this layout.
fn laid(case: &mut Case, layout: Layout) -> Option<&mut GlobalTensor> {
    table(&mut case.call).filter(|table| table.layout == layout)
}

pub(super) fn layout(case: &mut Case) -> Option<()> {
    laid(case, Layout::ND)?.layout = Layout::DN;
    Some(())
}

/// A Row table one column wider than the tile, seen by A5's check or not.
pub(super) fn width(context: &DrawContext, case: &mut Case, seen: bool) -> Option<()> {
    let precondition = context.readings.row_pitch == RowPitch::Precondition;
    let by_row = by_row(&case.call);
    let data = tile(&mut case.call)?;
    // Without rows nothing goes to the table (MSCATTER-GAP-38).
    demand(by_row && (seen || precondition && data.valid_row.get() > 0))?;
    let width = data.valid_col.get() + 1;
    if seen {
        data.valid_col = fixed(data.valid_col);
    }
    resize(case, 4, width, seen)
}

/// A Row table one column narrower than the tile, at run time.
pub(super) fn narrow(context: &DrawContext, case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    let [rows, cols] = [data.valid_row, data.valid_col].map(Dim::get);
    // CPU takes an A5 or MSCATTER table by element.
    let bound = context.a2a3 || context.gathers() || context.form == Form::MgatherL1;
    demand(bound && by_row(&case.call) && rows > 0 && cols > 1)?;
    resize(case, 4, cols - 1, false)
}

/// Gives an ND table another extent; its strides have no gaps then.
fn resize(case: &mut Case, at: usize, to: u64, seen: bool) -> Option<()> {
    let table = laid(case, Layout::ND)?;
    table.shape[at] = extent(to, seen);
    pack(table);
    Some(())
}

/// Rows that lie one element further apart than they are wide.
pub(super) fn pitch(context: &DrawContext, case: &mut Case) -> Option<()> {
    let a5 = context.a5 && context.readings.row_pitch == RowPitch::Precondition;
    let strided = context.readings.cpu_padded_table == CpuPaddedTable::Strided;
    let bound = match context.form {
        Form::Mscatter => a5 && by_row(&case.call),
        Form::Mgather => (a5 || (context.cpu && !strided)) && by_row(&case.call),
        Form::MscatterFirst => {
            let columns = tile(&mut case.call)?.cols;
            columns > 1 && index(&mut case.call)?.cols == 1
        }
        _ => false,
    };
    let rows = tile(&mut case.call)?.valid_row.get();
    let table = table(&mut case.call)?;
    demand(bound && rows > 0 && table.shape[3].get() > 1)?;
    pack(table);
    for at in (0..4).rev() {
        // What the dimension within takes, and one element more for the rows.
        let inner = table.stride[at + 1].get() * table.shape[at + 1].get();
        table.stride[at] = Dim::Static(inner + u64::from(at == 3));
    }
    Some(())
}

pub(super) fn outer(context: &DrawContext, case: &mut Case) -> Option<()> {
    demand(match &case.call {
        // The document speaks of them by element only (MSCATTER0-GAP-04).
        Call::MscatterFirst(call) => call.idx.cols != 1,
        _ => context.flat_tables(),
    })?;
    resize(case, 2, 2, true)
}

pub(super) fn empty(case: &mut Case) -> Option<()> {
    resize(case, 3, 0, false)
}

/// A plain tile for an NZ table.
pub(super) fn nz_pair(case: &mut Case) -> Option<()> {
    laid(case, Layout::NZ)?;
    let data = tile(&mut case.call)?;
    (data.slayout, data.blayout) = (SLayout::NoneBox, BLayout::RowMajor);
    Some(())
}

/// Blocks of half the rows (`at` 3) or half the columns (`at` 4).
pub(super) fn nz_block(case: &mut Case, at: usize) -> Option<()> {
    let table = laid(case, Layout::NZ)?;
    table.shape[at] = Dim::Static(table.shape[at].get() / 2);
    Some(())
}
