//! Rules of single forms, of launches, and on where a form exists.

use ptodiff_case::Case;
use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, GatherExec, GlobalTensor, Layout, SLayout, Target,
};

use super::super::operands::{fixed, tile};
use super::{pack, types};
use crate::random::choices::Choices;
use crate::random::context::{DrawContext, exists};
use crate::random::data::{A2A3_UB, DEFAULT_UB, DYN_UB};

/// A target that does not have the form.
pub(super) fn target(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) -> bool {
    let lacking =
        |target: Target| context.wished(target) && !exists(context.form, target, &context.readings);
    let without = [Target::A2a3, Target::Cpu]
        .into_iter()
        .filter(|t| lacking(*t));
    let at = choices.below(without.clone().count() as u64) as usize;
    let added = without.clone().nth(at);
    if let Some(target) = added {
        case.targets.push(target);
        case.targets.sort_unstable();
    }
    added.is_some()
}

pub(super) fn ub_budget(context: &DrawContext, case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    let plain = (data.slayout, data.blayout) == (SLayout::NoneBox, BLayout::RowMajor);
    // CPU's index tile has as many rows, and CPU has no UB.
    if !plain || context.cpu {
        return false;
    }
    let limit = if context.a2a3 { A2A3_UB } else { DEFAULT_UB };
    let row = data.cols * data.dtype.size() as u64;
    data.rows = data.rows.max(limit / row + 1);
    if let Some(launch) = case.call.launch_mut() {
        launch.dyn_ub_bytes = None;
    }
    true
}

pub(super) fn dyn_ub(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) -> bool {
    let more = choices.pick(&[1, 1024, 40 << 10]);
    let launch = case.call.launch_mut().filter(|_| context.a5);
    launch
        .map(|launch| launch.dyn_ub_bytes = Some(DYN_UB + more))
        .is_some()
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

pub(super) fn scratch_operand(case: &mut Case) -> bool {
    let Call::MgatherL1(call) = &mut case.call else {
        return false;
    };
    call.scratch = match call.mode {
        Coalesce::Elem => None,
        Coalesce::Row => Some(line(&call.table, call.dst.rows * call.dst.cols)),
    };
    true
}

pub(super) fn scratch_size(case: &mut Case) -> bool {
    let Call::MgatherL1(call) = &mut case.call else {
        return false;
    };
    let elements = call.dst.rows * call.dst.cols;
    let smaller = call.scratch.map(|scratch| line(&scratch, elements - 1));
    call.scratch = smaller;
    smaller.is_some()
}

pub(super) fn scratch_type(case: &mut Case) -> bool {
    let Call::MgatherL1(call) = &mut case.call else {
        return false;
    };
    let other = types::of_same_size(call.dst.dtype);
    call.scratch
        .as_mut()
        .map(|scratch| scratch.dtype = other)
        .is_some()
}

/// Simt on A2/A3, or on A5 in Row mode.
pub(super) fn executor(context: &DrawContext, case: &mut Case) -> bool {
    let Call::MgatherL1(call) = &mut case.call else {
        return false;
    };
    let lacking = context.a2a3 || (context.a5 && call.mode == Coalesce::Row);
    if lacking {
        call.exec = GatherExec::Simt;
    }
    lacking
}

/// A source one row short of its padded extents, and the index tile with it.
pub(super) fn partial(case: &mut Case) -> bool {
    let Call::MscatterFirst(call) = &mut case.call else {
        return false;
    };
    let short = call.src.rows > 1;
    if short {
        call.src.valid_row = Dim::Dynamic(call.src.rows - 1);
        call.idx.valid_row = Dim::Dynamic(call.src.rows - 1);
    }
    short
}

pub(super) fn index_columns(case: &mut Case) -> bool {
    let Call::MscatterFirst(call) = &mut case.call else {
        return false;
    };
    call.idx.cols = call.src.cols + 1;
    call.idx.valid_col = Dim::Static(call.idx.cols);
    true
}

/// A destination with a row, or a column, more than the mask makes of the source.
pub(super) fn mask(case: &mut Case, columns: bool) -> bool {
    let Call::TscatterMask(call) = &mut case.call else {
        return false;
    };
    let (source, destination, padded) = if columns {
        (
            &mut call.src.valid_col,
            &mut call.dst.valid_col,
            &mut call.dst.cols,
        )
    } else {
        (
            &mut call.src.valid_row,
            &mut call.dst.valid_row,
            &mut call.dst.rows,
        )
    };
    *source = fixed(*source);
    *destination = Dim::Static(destination.get() + 1);
    *padded = (*padded).max(destination.get());
    true
}
