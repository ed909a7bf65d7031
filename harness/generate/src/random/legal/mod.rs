//! Cases that are legal on every target that they have.

mod first;
mod in_gm;
mod on_chip;
mod to_l1;

use ptodiff_case::Case;
use ptodiff_isa::{DType, ScatterAtomicOp};

pub(super) use in_gm::{elem_table, row_table};
pub(super) use to_l1::{indices as l1_indices, table as l1_table};

use super::Form;
use super::choices::Choices;
use super::context::{COMMON, DrawContext, SMALL, of_size};
use super::data::{Use, chunks, launch, plan};
use super::index;

/// Makes `case` a legal one on `context`.
pub(super) fn case(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) {
    case.call = match context.form {
        Form::Mscatter => in_gm::scatter(choices, context),
        Form::Mgather => in_gm::gather(choices, context),
        Form::MgatherL1 => to_l1::draft(choices, context),
        Form::TscatterIndex => on_chip::by_index(choices, context),
        Form::TscatterMask => on_chip::by_mask(choices, context),
        Form::Tgatherb => on_chip::by_offset(choices, context),
        Form::MscatterFirst => first::draft(choices, context),
    };
    case.chunks = chunks(choices, &case.call);
    let index = index::legal(choices, context, (&case.call, case.chunks), true);
    case.data = plan(choices, Use::of(&case.call), index);
    launch(choices, context, &mut case.call);
    case.targets.clear();
    case.targets.extend(context.targets());
    case.readings = context.readings.into();
}

/// An element type that every target has (000, 001, Supported data types).
fn data_type(choices: &mut impl Choices, context: &DrawContext) -> DType {
    let only_a5 = context.a5 && !context.a2a3 && !context.cpu;
    if only_a5 && choices.one_in(2) {
        choices.pick(&SMALL)
    } else {
        choices.pick(&COMMON)
    }
}

/// An index type of the forms in GM (MSCATTER-DTYPE-03, MGATHER-DTYPE-08).
fn index_type(choices: &mut impl Choices) -> DType {
    choices.pick(&[DType::Int32, DType::Uint32])
}

/// A type that CPU takes in place of `dtype` on the other side: it copies
/// bytes and asks for equal sizes only (MSCATTER-GAP-44, MGATHER-GAP-13).
fn counterpart(choices: &mut impl Choices, context: &DrawContext, dtype: DType) -> DType {
    if !context.mixed_types() || !choices.one_in(4) {
        return dtype;
    }
    choices.pick(of_size(dtype.size()))
}

/// An atomic that some type has on every target (MSCATTER-ATOM-10).
fn atomic(choices: &mut impl Choices, context: &DrawContext) -> ScatterAtomicOp {
    use ScatterAtomicOp::{Add, Max, Min, None};
    if context.a2a3 {
        choices.weighted(&[(1, None), (1, Add)])
    } else {
        choices.weighted(&[(3, None), (2, Add), (1, Max), (1, Min)])
    }
}

/// A type that has `atomic` on every target.
fn of_atomic(choices: &mut impl Choices, context: &DrawContext, atomic: ScatterAtomicOp) -> DType {
    let having = || {
        let types = COMMON.into_iter();
        types.filter(|dtype| context.has_atomic(atomic, *dtype))
    };
    let at = choices.below(having().count() as u64) as usize;
    having().nth(at).unwrap_or(DType::Float)
}
