//! Cases that are legal on every target that they have.

mod byte_gather;
mod first;
mod gather;
mod in_gm;
mod scatter;
mod to_l1;
mod tscatter;

use ptodiff_case::Case;
use ptodiff_isa::DType;

pub(super) use in_gm::{bytes, elem_table, row_table};
pub(super) use to_l1::{indices as l1_indices, table as l1_table};
pub(super) use tscatter::{expansion, into_tile};

use super::Form;
use super::choices::Choices;
use super::context::{COMMON, DrawContext, SMALL, of_size};

/// Makes `case` a legal one on `context`.
pub(super) fn case(choices: &mut impl Choices, context: &DrawContext, case: &mut Case) {
    match context.form {
        Form::Mscatter => scatter::draft(choices, context, case),
        Form::Mgather => gather::draft(choices, context, case),
        Form::MgatherL1 => to_l1::draft(choices, context, case),
        Form::TscatterIndex => tscatter::by_index(choices, context, case),
        Form::TscatterMask => tscatter::by_mask(choices, context, case),
        Form::Tgatherb => byte_gather::draft(choices, context, case),
        Form::MscatterFirst => first::draft(choices, context, case),
    }
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
/// bytes and asks for equal sizes only (MSCATTER-GAP-44, MGATHER-GAP-13,
/// TSCATTER-GAP-08).
fn counterpart(choices: &mut impl Choices, context: &DrawContext, dtype: DType) -> DType {
    if !context.mixed_types() || !choices.one_in(4) {
        return dtype;
    }
    choices.pick(of_size(dtype.size()))
}
