//! Rules on element types and atomics.

use ptodiff_case::Case;
use ptodiff_isa::{DType, Role, SLayout, ScatterAtomicOp};

use super::super::operands::{atomic, other, table, tile};
use super::demand;
use crate::random::Form;
use crate::random::choices::Choices;
use crate::random::context::DrawContext;
use crate::random::data::{DEFAULT_UB, bytes};

/// Gives all data the type `dtype`, and takes the atomic away that it lacks.
fn all(case: &mut Case, dtype: DType) {
    for role in [Role::Table, Role::Source, Role::Destination, Role::Scratch] {
        case.call.set_dtype(role, dtype);
    }
    if let Some(atomic) = atomic(&mut case.call) {
        *atomic = ScatterAtomicOp::None;
    }
}

pub(super) fn wide(context: &DrawContext, case: &mut Case) -> Option<()> {
    let data = tile(&mut case.call)?;
    let boxed = data.slayout != SLayout::NoneBox && context.form != Form::MgatherL1;
    let large = 8 * bytes(data) > DEFAULT_UB / 2;
    // TSCATTER's suites have them (TSCATTER-GAP-09).
    let legal = context.suites() && context.form != Form::MgatherL1;
    demand(!boxed && !large && !legal)?;
    all(case, DType::Int64);
    Some(())
}

pub(super) fn small(context: &DrawContext, case: &mut Case) -> Option<()> {
    // Of the same size, so that no rule on widths is broken beside it.
    demand(tile(&mut case.call)?.dtype.size() == 1)?;
    let dtype = match context.form {
        Form::MscatterFirst => DType::Hifloat8,
        _ => DType::Float8E4M3,
    };
    all(case, dtype);
    Some(())
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
pub(super) fn mixed(case: &mut Case, change: fn(DType) -> DType) -> Option<()> {
    let dtype = change(tile(&mut case.call)?.dtype);
    if let Some(table) = table(&mut case.call) {
        table.dtype = dtype;
    } else if let Some(other) = other(&mut case.call) {
        other.dtype = dtype;
    }
    Some(())
}

pub(super) fn mixed_sizes(case: &mut Case) -> Option<()> {
    demand(tile(&mut case.call)?.slayout == SLayout::NoneBox)?;
    mixed(case, |dtype| match dtype.size() {
        2 => DType::Float,
        _ => DType::Half,
    })
}

pub(super) fn index(case: &mut Case, dtype: DType) -> Option<()> {
    // CPU's TSCATTER takes any integer.
    demand(case.call.operand(Role::Index)?.dtype() != dtype)?;
    case.call.set_dtype(Role::Index, dtype);
    Some(())
}

pub(super) fn index_width(case: &mut Case) -> Option<()> {
    let wrong = match tile(&mut case.call)?.dtype.size() {
        4 => DType::Int16,
        1 | 2 => DType::Int32,
        _ => return None,
    };
    index(case, wrong)
}

/// The atomic of `case`, if it has none in force and its type is one of `types`.
fn free_atomic<'c>(case: &'c mut Case, types: &[DType]) -> Option<&'c mut ScatterAtomicOp> {
    demand(types.contains(&tile(&mut case.call)?.dtype))?;
    atomic(&mut case.call).filter(|atomic| **atomic == ScatterAtomicOp::None)
}

pub(super) fn add(case: &mut Case) -> Option<()> {
    *free_atomic(case, &[DType::Uint16, DType::Uint8])? = ScatterAtomicOp::Add;
    Some(())
}

const EXTREMES: [ScatterAtomicOp; 2] = [ScatterAtomicOp::Max, ScatterAtomicOp::Min];

pub(super) fn extreme(choices: &mut impl Choices, case: &mut Case) -> Option<()> {
    use DType::{Bfloat16, Half, Int8, Int16, Uint8, Uint16};
    let atomic = free_atomic(case, &[Half, Bfloat16, Int16, Uint16, Int8, Uint8])?;
    *atomic = choices.pick(&EXTREMES);
    Some(())
}

pub(super) fn extreme_on_a2a3(
    choices: &mut impl Choices,
    context: &DrawContext,
    case: &mut Case,
) -> Option<()> {
    demand(context.a2a3)?;
    let atomic = free_atomic(case, &[DType::Int32, DType::Float])?;
    *atomic = choices.pick(&EXTREMES);
    Some(())
}
