//! Rules of single forms, of launches, and on where a form exists.

use ptodiff_case::Case;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, GatherExec, GlobalTensor, Layout, MgatherL1, MscatterFirst,
    SLayout, Target,
};

use super::super::operands::{fixed, tile};
use super::{demand, pack, types};
use crate::random::choices::Choices;
use crate::random::context::{DrawContext, exists};
use crate::random::data::{A2A3_UB, DEFAULT_UB, DYN_UB};

/// A target that does not have the form.
pub(super) fn target(
    choices: &mut impl Choices,
    context: &DrawContext,
    case: &mut Case,
) -> Option<()> {
    let mut without = vec![Target::A2a3, Target::Cpu];
    without.retain(|target| {
        context.wished(*target) && !exists(context.form, *target, &context.readings)
    });
    let at = choices.below(without.len() as u64) as usize;
    case.targets.push(*without.get(at)?);
    case.targets.sort_unstable();
    Some(())
}

pub(super) fn ub_budget(context: &DrawContext, case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    let plain = (data.slayout, data.blayout) == (SLayout::NoneBox, BLayout::RowMajor);
    // CPU's index tile has as many rows, and CPU has no UB.
    demand(plain && !context.cpu)?;
    let limit = if context.a2a3 { A2A3_UB } else { DEFAULT_UB };
    let row = data.cols * data.dtype.size() as u64;
    data.rows = data.rows.max(limit / row + 1);
    if let Some(launch) = case.call.launch_mut() {
        launch.dyn_ub_bytes = None;
    }
    Some(())
}

pub(super) fn dyn_ub(
    choices: &mut impl Choices,
    context: &DrawContext,
    case: &mut Case,
) -> Option<()> {
    let more = choices.pick(&[1, 1024, 40 << 10]);
    demand(context.a5)?;
    case.call.launch_mut()?.dyn_ub_bytes = Some(DYN_UB + more);
    Some(())
}

/// The call, where it is a gather to L1.
const fn to_l1(case: &mut Case) -> Option<&mut MgatherL1> {
    match &mut case.call {
        Call::MgatherL1(call) => Some(call),
        _ => None,
    }
}

/// A dense line of `length` elements like those of `tensor`.
fn line(tensor: &GlobalTensor, length: u64) -> GlobalTensor {
    let mut line = GlobalTensor {
        shape: [1, 1, 1, 1, length].map(Dim::Static),
        layout: Layout::ND,
        ..*tensor
    };
    pack(&mut line);
    line
}

pub(super) fn scratch_operand(case: &mut Case) -> Option<()> {
    let call = to_l1(case)?;
    call.scratch = match call.mode {
        Coalesce::Elem => None,
        Coalesce::Row => Some(line(&call.table, call.dst.rows * call.dst.cols)),
    };
    Some(())
}

pub(super) fn scratch_size(case: &mut Case) -> Option<()> {
    let call = to_l1(case)?;
    let scratch = call.scratch.as_mut()?;
    *scratch = line(scratch, call.dst.rows * call.dst.cols - 1);
    Some(())
}

pub(super) fn scratch_type(case: &mut Case) -> Option<()> {
    let call = to_l1(case)?;
    call.scratch.as_mut()?.dtype = types::of_same_size(call.dst.dtype);
    Some(())
}

/// Simt on A2/A3, or on A5 in Row mode.
pub(super) fn executor(context: &DrawContext, case: &mut Case) -> Option<()> {
    let call = to_l1(case)?;
    demand(context.a2a3 || (context.a5 && call.mode == Coalesce::Row))?;
    call.exec = GatherExec::Simt;
    Some(())
}

/// The call, where it is of the first revision.
const fn first(case: &mut Case) -> Option<&mut MscatterFirst> {
    match &mut case.call {
        Call::MscatterFirst(call) => Some(call),
        _ => None,
    }
}

/// A source one row short of its padded extents, and the index tile with it.
pub(super) fn partial(case: &mut Case) -> Option<()> {
    let call = first(case)?;
    demand(call.src.rows > 1)?;
    let short = Dim::Dynamic(call.src.rows - 1);
    (call.src.valid_row, call.idx.valid_row) = (short, short);
    Some(())
}

pub(super) fn index_columns(case: &mut Case) -> Option<()> {
    let call = first(case)?;
    call.idx.cols = call.src.cols + 1;
    call.idx.valid_col = Dim::Static(call.idx.cols);
    Some(())
}

/// A destination with a row, or a column, more than the mask makes of the source.
pub(super) fn mask(case: &mut Case, columns: bool) -> Option<()> {
    let Call::TscatterMask(call) = &mut case.call else {
        return None;
    };
    let (src, dst) = (&mut call.src, &mut call.dst);
    let (source, destination, padded) = match columns {
        true => (&mut src.valid_col, &mut dst.valid_col, &mut dst.cols),
        false => (&mut src.valid_row, &mut dst.valid_row, &mut dst.rows),
    };
    *source = fixed(*source);
    *destination = Dim::Static(destination.get() + 1);
    *padded = (*padded).max(destination.get());
    Some(())
}
