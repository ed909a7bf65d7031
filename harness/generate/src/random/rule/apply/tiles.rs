//! Rules on the data tile and the index tile.

use ptodiff_case::Case;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, EmptyExtent, SLayout, ScatterExtent, Tile, TileType,
};

use super::super::operands::{by_row, fixed, index, tile};
use super::pack;
use crate::random::Form;
use crate::random::context::{DrawContext, unit};

pub(super) fn layout(context: &DrawContext, case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    if context.form == Form::MgatherL1 {
        data.blayout = BLayout::RowMajor;
        return true;
    }
    let bound = context.row_major() || context.form == Form::Tgatherb;
    if !bound || data.slayout != SLayout::NoneBox {
        return false;
    }
    let before = data.rows;
    data.blayout = BLayout::ColMajor;
    data.rows = data.rows.next_multiple_of(unit(data.dtype));
    let rows = data.rows;
    // What CPU asks for stays as it is.
    if let Some(idx) = index(&mut case.call)
        && context.cpu
        && idx.rows == before
        && context.form != Form::Tgatherb
    {
        idx.rows = rows;
    }
    true
}

pub(super) fn boxes(case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    let plain = data.slayout == SLayout::NoneBox;
    if plain {
        data.slayout = SLayout::RowMajor;
    }
    plain
}

pub(super) fn location(case: &mut Case) -> bool {
    tile(&mut case.call).location = TileType::Mat;
    true
}

pub(super) fn alignment(case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    match (data.slayout, data.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => data.cols += 1,
        (SLayout::NoneBox, BLayout::ColMajor) => data.rows += 1,
        _ => return false,
    }
    true
}

/// No rows: neither data nor indices.
pub(super) fn empty(case: &mut Case, none: Dim) -> bool {
    let by_row = by_row(&case.call);
    tile(&mut case.call).valid_row = none;
    if let Some(idx) = index(&mut case.call) {
        if by_row && idx.valid_row.get() == 1 {
            idx.valid_row = fixed(idx.valid_row);
            idx.valid_col = none;
        } else {
            idx.valid_row = none;
        }
    }
    true
}

pub(super) fn empty_at_run_time(context: &DrawContext, case: &mut Case) -> bool {
    context.readings.empty_extent == EmptyExtent::Precondition && empty(case, Dim::Dynamic(0))
}

pub(super) fn index_layout(context: &DrawContext, case: &mut Case) -> bool {
    let idx = index(&mut case.call).filter(|_| context.row_major());
    idx.map(|idx| idx.blayout = BLayout::ColMajor).is_some()
}

pub(super) fn index_boxes(case: &mut Case) -> bool {
    let idx = index(&mut case.call);
    idx.map(|idx| idx.slayout = SLayout::RowMajor).is_some()
}

pub(super) fn index_location(case: &mut Case) -> bool {
    let idx = index(&mut case.call);
    idx.map(|idx| idx.location = TileType::Mat).is_some()
}

/// One row of indices or one column too many, seen by a check or not.
pub(super) fn one_too_many(context: &DrawContext, case: &mut Case, seen: bool) -> bool {
    let by_row = by_row(&case.call);
    // CPU asserts the shape of row indices only (MGATHER-MODE-06).
    if !(context.a2a3 || context.a5 || (by_row && seen)) {
        return false;
    }
    let data = tile(&mut case.call);
    if data.valid_row.get() == 0 {
        return false;
    }
    if seen {
        data.valid_row = fixed(data.valid_row);
        data.valid_col = fixed(data.valid_col);
    }
    let Some(idx) = index(&mut case.call) else {
        return false;
    };
    if seen {
        idx.valid_row = fixed(idx.valid_row);
        idx.valid_col = fixed(idx.valid_col);
    }
    let more = |dim: Dim| {
        let one_more = dim.get() + 1;
        if seen {
            Dim::Static(one_more)
        } else {
            Dim::Dynamic(one_more)
        }
    };
    if by_row && idx.valid_row.get() > 1 {
        idx.valid_row = more(idx.valid_row);
        idx.rows = idx.rows.max(idx.valid_row.get());
    } else {
        idx.valid_col = more(idx.valid_col);
        idx.cols = idx.cols.max(idx.valid_col.get());
    }
    true
}

/// An index or an offset short of what the valid region needs.
pub(super) fn too_few(context: &DrawContext, case: &mut Case) -> bool {
    match &mut case.call {
        Call::MgatherL1(call) => {
            let [rows, cols] = [call.dst.valid_row.get(), call.dst.valid_col.get()];
            let needed = match call.mode {
                Coalesce::Row if cols > 0 => rows,
                Coalesce::Row => 0,
                Coalesce::Elem => rows * cols,
            };
            if needed < 2 {
                return false;
            }
            call.idx.shape = [1, 1, 1, 1, needed - 1].map(Dim::Static);
            pack(&mut call.idx);
            true
        }
        Call::TscatterIndex(call) => {
            let (long, short) = match context.readings.tscatter_extent {
                ScatterExtent::Source => (call.src, &mut call.idx),
                ScatterExtent::Index => (call.idx, &mut call.src),
            };
            let [rows, cols] = [long.valid_row.get(), long.valid_col.get()];
            if rows * cols > 0 {
                short.valid_col = Dim::Dynamic(cols - 1);
            }
            rows * cols > 0
        }
        Call::Tgatherb(call) => {
            let [rows, cols] = [call.dst.valid_row.get(), call.dst.valid_col.get()];
            if rows * cols > 0 {
                call.offset.valid_row = Dim::Dynamic(rows - 1);
            }
            rows * cols > 0
        }
        _ => false,
    }
}

pub(super) fn index_rows(context: &DrawContext, case: &mut Case) -> bool {
    let by_row = by_row(&case.call);
    let Some(idx) = index(&mut case.call) else {
        return false;
    };
    match context.form {
        Form::Mscatter if !context.documented() => return false,
        // Of row indices only a column has as many rows (MGATHER-GAP-11).
        Form::Mgather if by_row && idx.valid_row.get() < 2 => return false,
        Form::MscatterFirst => idx.valid_row = Dim::Static(idx.rows + 1),
        _ => {}
    }
    idx.rows += 1;
    true
}

/// The data tile, where it has boxes.
fn boxed(case: &mut Case) -> Option<&mut Tile> {
    Some(tile(&mut case.call)).filter(|data| data.slayout != SLayout::NoneBox)
}

pub(super) fn fractal(case: &mut Case) -> bool {
    boxed(case).map(|data| data.fractal = 1024).is_some()
}

pub(super) fn nz_rows(case: &mut Case) -> bool {
    boxed(case).map(|data| data.rows += 8).is_some()
}

pub(super) fn nz_columns(case: &mut Case) -> bool {
    let data = boxed(case);
    data.map(|data| data.cols += unit(data.dtype) / 2).is_some()
}
