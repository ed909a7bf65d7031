//! Rules on the table, and on which of its slots are selected.

use ptodiff_case::{Case, IndexPattern};
use ptodiff_isa::{
    Call, Coalesce, CpuPaddedTable, Dim, GatherOob, GlobalTensor, Layout, RowPitch, SLayout,
    ScatterOob, UndefinedGather, UndefinedLast,
};

use super::super::operands::{by_row, fixed, index, table, tile};
use super::pack;
use crate::random::Form;
use crate::random::context::DrawContext;

pub(super) fn out_of_range(context: &DrawContext, case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    if data.valid_row.get() * data.valid_col.get() == 0 {
        return false;
    }
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
    if breaks {
        case.data.index = IndexPattern::AllOutOfBounds;
    }
    breaks
}

/// The table, where it has this layout.
fn laid(case: &mut Case, layout: Layout) -> Option<&mut GlobalTensor> {
    table(&mut case.call).filter(|table| table.layout == layout)
}

pub(super) fn layout(case: &mut Case) -> bool {
    let table = laid(case, Layout::ND);
    table.map(|table| table.layout = Layout::DN).is_some()
}

/// A Row table one column wider than the tile, seen by A5's check or not.
pub(super) fn width(context: &DrawContext, case: &mut Case, seen: bool) -> bool {
    let precondition = context.readings.row_pitch == RowPitch::Precondition;
    let by_row = by_row(&case.call);
    let data = tile(&mut case.call);
    // Without rows nothing goes to the table (MSCATTER-GAP-38).
    if !by_row || !(seen || precondition && data.valid_row.get() > 0) {
        return false;
    }
    let width = data.valid_col.get() + 1;
    if seen {
        data.valid_col = fixed(data.valid_col);
    }
    resize(case, 4, width, seen)
}

/// A Row table one column narrower than the tile, at run time.
pub(super) fn narrow(context: &DrawContext, case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    let rows = data.valid_row.get();
    let valid = data.valid_col.get();
    // CPU takes an A5 or MSCATTER table by element.
    let bound = context.a2a3 || context.gathers() || context.form == Form::MgatherL1;
    bound && by_row(&case.call) && rows > 0 && valid > 1 && resize(case, 4, valid - 1, false)
}

/// Gives an ND table another extent; its strides have no gaps then.
fn resize(case: &mut Case, at: usize, extent: u64, seen: bool) -> bool {
    let Some(table) = laid(case, Layout::ND) else {
        return false;
    };
    table.shape[at] = if seen {
        Dim::Static(extent)
    } else {
        Dim::Dynamic(extent)
    };
    pack(table);
    true
}

/// Rows that lie one element further apart than they are wide.
pub(super) fn pitch(context: &DrawContext, case: &mut Case) -> bool {
    let a5 = context.a5 && context.readings.row_pitch == RowPitch::Precondition;
    let strided = context.readings.cpu_padded_table == CpuPaddedTable::Strided;
    let bound = match context.form {
        Form::Mscatter => a5 && by_row(&case.call),
        Form::Mgather => (a5 || (context.cpu && !strided)) && by_row(&case.call),
        Form::MscatterFirst => {
            let columns = tile(&mut case.call).cols;
            columns > 1 && index(&mut case.call).is_some_and(|idx| idx.cols == 1)
        }
        _ => false,
    };
    let rows = tile(&mut case.call).valid_row.get();
    let several = table(&mut case.call).filter(|table| table.shape[3].get() > 1);
    let Some(table) = several.filter(|_| bound && rows > 0) else {
        return false;
    };
    pack(table);
    for at in (0..4).rev() {
        // What the dimension within takes, and one element more for the rows.
        let inner = table.stride[at + 1].get() * table.shape[at + 1].get();
        table.stride[at] = Dim::Static(inner + u64::from(at == 3));
    }
    true
}

pub(super) fn outer(context: &DrawContext, case: &mut Case) -> bool {
    if context.form != Form::MscatterFirst && !context.flat_tables() {
        return false;
    }
    if let Call::MscatterFirst(call) = &case.call
        && call.idx.cols == 1
    {
        // The document speaks of them by element only (MSCATTER0-GAP-04).
        return false;
    }
    resize(case, 2, 2, true)
}

pub(super) fn empty(case: &mut Case) -> bool {
    resize(case, 3, 0, false)
}

/// A plain tile for an NZ table.
pub(super) fn nz_pair(case: &mut Case) -> bool {
    let nz = laid(case, Layout::NZ).is_some();
    let data = tile(&mut case.call);
    if nz {
        data.slayout = SLayout::NoneBox;
        data.blayout = ptodiff_isa::BLayout::RowMajor;
    }
    nz
}

/// Blocks of half the rows (`at` 3) or half the columns (`at` 4).
pub(super) fn nz_block(case: &mut Case, at: usize) -> bool {
    laid(case, Layout::NZ)
        .map(|table| table.shape[at] = Dim::Static(table.shape[at].get() / 2))
        .is_some()
}
