//! MSCATTER, first revision (document 003).

use ptodiff_isa::{
    Coalesce, Dispatch, FirstConflict, FirstMode, FirstRowCapacity, Layout, Memory, MscatterFirst,
    Readings, Role, ScatterAtomicOp, Target,
};

use crate::{
    address::{Named, count},
    index::Leading,
    lanes,
    mscatter::show_to_host,
    out::{Out, Stop},
    scatter::Scatter,
    spots::Spots,
    store::Rules,
};

/// What the table may hold after `steps`.
pub(crate) fn enumerate(
    call: &MscatterFirst,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    if target != Target::A5 {
        return Err(Stop::NotCovered("the first revision is A5's alone"));
    }
    if call.launch.dispatch == Dispatch::Direct {
        return Err(Stop::NotCovered("a direct call may never return"));
    }
    if call.table.layout != Layout::ND {
        return Err(Stop::NotCovered(
            "a table whose layout the target does not have",
        ));
    }
    let source = Spots::of(&call.src)?;
    let one_column = call.src.cols == 1;
    let by_row = call.idx.cols == 1 && !(one_column && readings.first_mode == FirstMode::Elem);
    let mode = if by_row {
        Coalesce::Row
    } else {
        Coalesce::Elem
    };
    let [rows, columns] = source.valid;
    let (named, lanes) = if by_row {
        let held = count(&call.table, 3..4)?;
        let named = Named::rows_apart(held, columns as u64, columns)?;
        let named = match readings.first_row_capacity {
            FirstRowCapacity::Rows => named,
            // MSCATTER0-GAP-03: a row from Shape[3] on lies outside the table, also of one
            // with outer dimensions, whose memory goes on.
            FirstRowCapacity::Elements => named.padded_to(count(&call.table, 3..5)?)?,
        };
        (named, lanes::by_row(&call.idx, rows, columns)?)
    } else {
        let order = lanes::row_by_row(source.valid);
        let named = Named::flat(count(&call.table, 3..5)?);
        (named, lanes::by_element(&call.idx, &order)?)
    };
    let plain = call.atomic == ScatterAtomicOp::None;
    let scatter = Scatter {
        size: call.src.dtype.size(),
        source,
        lanes,
        named,
        leading: Leading::of(call.idx.dtype, call.oob.into(), readings.negative_index)?,
        drops_astray: false,
        must_fit: by_row,
        must_not_precede: false,
        rules: Rules::of(call.atomic, call.src.dtype, mode, target, readings),
        any_order: !plain || readings.first_conflict == FirstConflict::Any,
    };
    let mut image = scatter.run(steps)?;
    show_to_host(&mut image, target, call.launch.flush, steps.len())?;
    Ok(Out::Of(image.reachable(Role::Table)))
}
