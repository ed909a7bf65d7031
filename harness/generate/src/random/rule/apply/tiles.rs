//! Rules on the data tile and the index tile.

use ptodiff_case::Case;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, EmptyExtent, SLayout, ScatterExtent, Tile, TileType,
};

use super::super::operands::{by_row, fixed, index, tile};
use super::{demand, extent, pack};
use crate::random::Form;
use crate::random::context::{DrawContext, unit};

pub(super) fn layout(context: &DrawContext, case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    if context.form == Form::MgatherL1 {
        data.blayout = BLayout::RowMajor;
        return Some(());
    }
    let bound = context.row_major() || context.form == Form::Tgatherb;
    demand(bound && data.slayout == SLayout::NoneBox)?;
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
    Some(())
}

pub(super) fn boxes(case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    demand(data.slayout == SLayout::NoneBox)?;
    data.slayout = SLayout::RowMajor;
    Some(())
}

pub(super) fn location(case: &mut Case) -> Option<()> {
    tile(&mut case.call)?.location = TileType::Mat;
    Some(())
}

pub(super) fn alignment(case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    match (data.slayout, data.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => data.cols += 1,
        (SLayout::NoneBox, BLayout::ColMajor) => data.rows += 1,
        _ => return None,
    }
    Some(())
}

/// No rows: neither data nor indices.
pub(super) fn empty(case: &mut Case, none: Dim) -> Option<()> {
    let by_row = by_row(&case.call);
    tile(&mut case.call)?.valid_row = none;
    if let Some(idx) = index(&mut case.call) {
        if by_row && idx.valid_row.get() == 1 {
            idx.valid_row = fixed(idx.valid_row);
            idx.valid_col = none;
        } else {
            idx.valid_row = none;
        }
    }
    Some(())
}

pub(super) fn empty_at_run_time(context: &DrawContext, case: &mut Case) -> Option<()> {
    demand(context.readings.empty_extent == EmptyExtent::Precondition)?;
    empty(case, Dim::Dynamic(0))
}

pub(super) fn index_layout(context: &DrawContext, case: &mut Case) -> Option<()> {
    demand(context.row_major())?;
    index(&mut case.call)?.blayout = BLayout::ColMajor;
    Some(())
}

pub(super) fn index_boxes(case: &mut Case) -> Option<()> {
    index(&mut case.call)?.slayout = SLayout::RowMajor;
    Some(())
}

pub(super) fn index_location(case: &mut Case) -> Option<()> {
    index(&mut case.call)?.location = TileType::Mat;
    Some(())
}

/// One row of indices or one column too many, seen by a check or not.
pub(super) fn one_too_many(context: &DrawContext, case: &mut Case, seen: bool) -> Option<()> {
    let by_row = by_row(&case.call);
    // CPU asserts the shape of row indices only (MGATHER-MODE-06).
    demand(context.a2a3 || context.a5 || (by_row && seen))?;
    demand(tile(&mut case.call)?.valid_row.get() > 0)?;
    if seen {
        for of in [tile, index] {
            let tile = of(&mut case.call)?;
            (tile.valid_row, tile.valid_col) = (fixed(tile.valid_row), fixed(tile.valid_col));
        }
    }
    let idx = index(&mut case.call)?;
    let (dim, padded) = match by_row && idx.valid_row.get() > 1 {
        true => (&mut idx.valid_row, &mut idx.rows),
        false => (&mut idx.valid_col, &mut idx.cols),
    };
    *dim = extent(dim.get() + 1, seen);
    *padded = (*padded).max(dim.get());
    Some(())
}

/// An index or an offset short of what the valid region needs.
pub(super) fn too_few(context: &DrawContext, case: &mut Case) -> Option<()> {
    match &mut case.call {
        Call::MgatherL1(call) => {
            let [rows, cols] = [call.dst.valid_row.get(), call.dst.valid_col.get()];
            let needed = match call.mode {
                Coalesce::Row if cols > 0 => rows,
                Coalesce::Row => 0,
                Coalesce::Elem => rows * cols,
            };
            demand(needed > 1)?;
            call.idx.shape = [1, 1, 1, 1, needed - 1].map(Dim::Static);
            pack(&mut call.idx);
        }
        Call::TscatterIndex(call) => {
            let (long, short) = match context.readings.tscatter_extent {
                ScatterExtent::Source => (call.src, &mut call.idx),
                ScatterExtent::Index => (call.idx, &mut call.src),
            };
            let [rows, cols] = [long.valid_row.get(), long.valid_col.get()];
            demand(rows * cols > 0)?;
            short.valid_col = Dim::Dynamic(cols - 1);
        }
        Call::Tgatherb(call) => {
            let [rows, cols] = [call.dst.valid_row.get(), call.dst.valid_col.get()];
            demand(rows * cols > 0)?;
            call.offset.valid_row = Dim::Dynamic(rows - 1);
        }
        _ => return None,
    }
    Some(())
}

pub(super) fn index_rows(context: &DrawContext, case: &mut Case) -> Option<()> {
    let by_row = by_row(&case.call);
    let idx = index(&mut case.call)?;
    match context.form {
        Form::Mscatter => demand(context.documented())?,
        // Of row indices only a column has as many rows (MGATHER-GAP-11).
        Form::Mgather => demand(!by_row || idx.valid_row.get() > 1)?,
        Form::MscatterFirst => idx.valid_row = Dim::Static(idx.rows + 1),
        _ => {}
    }
    idx.rows += 1;
    Some(())
}

/// The data tile, where it has boxes.
fn boxed(case: &mut Case) -> Option<&mut Tile> {
    tile(&mut case.call).filter(|data| data.slayout != SLayout::NoneBox)
}

pub(super) fn fractal(case: &mut Case) -> Option<()> {
    boxed(case)?.fractal = 1024;
    Some(())
}

pub(super) fn nz_rows(case: &mut Case) -> Option<()> {
    boxed(case)?.rows += 8;
    Some(())
}

pub(super) fn nz_columns(case: &mut Case) -> Option<()> {
    let data = boxed(case)?;
    data.cols += unit(data.dtype) / 2;
    Some(())
}
