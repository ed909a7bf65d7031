//! Rules on element types and atomics.

use ptodiff_case::Case;
use ptodiff_isa::{Call, DType, SLayout, ScatterAtomicOp};

use super::super::operands::{atomic, index as index_tile, other, table, tile};
use crate::random::Form;
use crate::random::choices::Choices;
use crate::random::context::DrawContext;
use crate::random::data::{DEFAULT_UB, bytes};

/// Gives all data the type `dtype`, and takes the atomic away that it lacks.
fn all(case: &mut Case, dtype: DType) {
    let call = &mut case.call;
    tile(call).dtype = dtype;
    if let Some(other) = other(call) {
        other.dtype = dtype;
    }
    if let Some(table) = table(call) {
        table.dtype = dtype;
    }
    if let Call::MgatherL1(call) = call
        && let Some(scratch) = &mut call.scratch
    {
        scratch.dtype = dtype;
    }
    if let Some(atomic) = atomic(call) {
        *atomic = ScatterAtomicOp::None;
    }
}

pub(super) fn wide(context: &DrawContext, case: &mut Case) -> bool {
    let data = tile(&mut case.call);
    let boxed = data.slayout != SLayout::NoneBox && context.form != Form::MgatherL1;
    let large = 8 * bytes(data) > DEFAULT_UB / 2;
    // TSCATTER's suites have them (TSCATTER-GAP-09).
    let legal = context.suites() && context.form != Form::MgatherL1;
    if boxed || large || legal {
        return false;
    }
    all(case, DType::Int64);
    true
}

pub(super) fn small(context: &DrawContext, case: &mut Case) -> bool {
    // Of the same size, so that no rule on widths is broken beside it.
    if tile(&mut case.call).dtype.size() != 1 {
        return false;
    }
    let first = context.form == Form::MscatterFirst;
    all(
        case,
        if first {
            DType::Hifloat8
        } else {
            DType::Float8E4M3
        },
    );
    true
}

/// Another type of the same size.
pub(super) const fn of_same_size(dtype: DType) -> DType {
    match dtype {
        DType::Int32 => DType::Float,
        DType::Uint32 | DType::Float => DType::Int32,
        DType::Int16 => DType::Half,
        DType::Uint16 | DType::Half | DType::Bfloat16 => DType::Int16,
        DType::Int8 => DType::Uint8,
        DType::Int64 => DType::Uint64,
        DType::Uint64 => DType::Int64,
        DType::Uint8 | DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => DType::Int8,
    }
}

/// Gives the other side the type that `change` makes of the data tile's.
pub(super) fn mixed(case: &mut Case, change: fn(DType) -> DType) -> bool {
    let dtype = change(tile(&mut case.call).dtype);
    if let Some(table) = table(&mut case.call) {
        table.dtype = dtype;
    } else if let Some(other) = other(&mut case.call) {
        other.dtype = dtype;
    }
    true
}

pub(super) fn mixed_sizes(case: &mut Case) -> bool {
    if tile(&mut case.call).slayout != SLayout::NoneBox {
        return false;
    }
    mixed(case, |dtype| match dtype.size() {
        2 => DType::Float,
        _ => DType::Half,
    })
}

pub(super) fn index(case: &mut Case, dtype: DType) -> bool {
    if let Call::MgatherL1(call) = &mut case.call {
        call.idx.dtype = dtype;
        return true;
    }
    index_tile(&mut case.call).is_some_and(|tile| {
        // CPU's TSCATTER takes any integer.
        let changed = tile.dtype != dtype;
        tile.dtype = dtype;
        changed
    })
}

pub(super) fn index_width(case: &mut Case) -> bool {
    let width = tile(&mut case.call).dtype.size();
    let wrong = match width {
        4 => DType::Int16,
        1 | 2 => DType::Int32,
        _ => return false,
    };
    index(case, wrong)
}

/// The atomic of `case`, if it has none in force and its type is one of `types`.
fn free_atomic<'c>(case: &'c mut Case, types: &[DType]) -> Option<&'c mut ScatterAtomicOp> {
    let dtype = tile(&mut case.call).dtype;
    let suits = types.contains(&dtype);
    atomic(&mut case.call).filter(|atomic| **atomic == ScatterAtomicOp::None && suits)
}

pub(super) fn add(case: &mut Case) -> bool {
    free_atomic(case, &[DType::Uint16, DType::Uint8])
        .map(|atomic| *atomic = ScatterAtomicOp::Add)
        .is_some()
}

const EXTREMES: [ScatterAtomicOp; 2] = [ScatterAtomicOp::Max, ScatterAtomicOp::Min];

pub(super) fn extreme(choices: &mut impl Choices, case: &mut Case) -> bool {
    use DType::{Bfloat16, Half, Int8, Int16, Uint8, Uint16};
    free_atomic(case, &[Half, Bfloat16, Int16, Uint16, Int8, Uint8])
        .map(|atomic| *atomic = choices.pick(&EXTREMES))
        .is_some()
}

pub(super) fn extreme_on_a2a3(
    choices: &mut impl Choices,
    context: &DrawContext,
    case: &mut Case,
) -> bool {
    context.a2a3
        && free_atomic(case, &[DType::Int32, DType::Float])
            .map(|atomic| *atomic = choices.pick(&EXTREMES))
            .is_some()
}
