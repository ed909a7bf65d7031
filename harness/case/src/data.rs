//! How a case asks for its data to be made.

use ptodiff_isa::DType;

use crate::code::Code;
use crate::literal;
use crate::notes::Notes;
use crate::npy;
use crate::plan::{Fill, IndexPattern};
use crate::raw::{List, RawFill, RawPattern};
use crate::word::Literal;
use crate::yaml::Located;

/// The elements that an operand has data for, over all chunks.
pub(crate) struct Elements {
    /// Their type.
    pub(crate) dtype: DType,
    /// How many.
    pub(crate) count: u64,
    /// The extents of an array of them, outermost first.
    pub(crate) extents: Vec<u64>,
}

/// How a data operand with these elements is filled.
pub(crate) fn fill(
    notes: &mut Notes<'_>,
    raw: &Located<RawFill>,
    elements: &Elements,
) -> Option<Fill> {
    Some(match &raw.value {
        RawFill::Zeros => Fill::Zeros,
        RawFill::Ramp => Fill::Ramp,
        RawFill::RampBits => Fill::RampBits,
        RawFill::Eighths => Fill::Eighths,
        RawFill::Distinct => Fill::Distinct,
        RawFill::RandomBits => Fill::RandomBits,
        RawFill::Special => Fill::Special,
        RawFill::Poison => Fill::Poison,
        RawFill::SmallInts => Fill::SmallInts,
        RawFill::Percent => Fill::Percent,
        RawFill::Arange => Fill::Arange,
        RawFill::Values(list) => Fill::Literal(literals(notes, list, elements, literal::value)?),
        RawFill::Bits(list) => Fill::Literal(literals(notes, list, elements, literal::bits)?),
        RawFill::Npy(path) => Fill::Literal(npy::values(notes, path, elements)?),
    })
}

/// How an index operand with these indices is filled.
pub(crate) fn pattern(
    notes: &mut Notes<'_>,
    raw: &Located<RawPattern>,
    elements: &Elements,
) -> Option<IndexPattern> {
    Some(match &raw.value {
        RawPattern::Random => IndexPattern::Random,
        RawPattern::Same => IndexPattern::Same,
        RawPattern::Seq => IndexPattern::Seq,
        RawPattern::Permutation => IndexPattern::Permutation,
        RawPattern::OutOfBounds => IndexPattern::OutOfBounds,
        RawPattern::OutOfBoundsNoDup => IndexPattern::OutOfBoundsNoDup,
        RawPattern::AllOutOfBounds => IndexPattern::AllOutOfBounds,
        RawPattern::Edges => IndexPattern::Edges,
        RawPattern::Negative => IndexPattern::Negative,
        RawPattern::TwoRows => IndexPattern::TwoRows,
        RawPattern::Hot { slots } => IndexPattern::Hot {
            slots: notes.count("slots", slots, 1, u64::MAX)?,
        },
        RawPattern::Values(list) => {
            IndexPattern::Literal(literals(notes, list, elements, literal::value)?)
        }
        RawPattern::Bits(list) => {
            IndexPattern::Literal(literals(notes, list, elements, literal::bits)?)
        }
        RawPattern::Npy(path) => IndexPattern::Literal(npy::values(notes, path, elements)?),
    })
}

/// Little-endian bytes of literal elements.
fn literals(
    notes: &mut Notes<'_>,
    list: &List<Literal>,
    elements: &Elements,
    encode: fn(DType, &str) -> Result<u64, String>,
) -> Option<Vec<u8>> {
    let before = notes.found.len();
    let (dtype, elements) = (elements.dtype, elements.count);
    let mut bytes = Vec::with_capacity(list.value.len() * dtype.size());
    for word in &list.value {
        match encode(dtype, &word.value.text) {
            Ok(bits) => bytes.extend_from_slice(&bits.to_le_bytes()[..dtype.size()]),
            Err(why) => {
                let message = format!("`{}` does not fit {dtype}", word.value.text);
                notes.add(Code::LiteralDoesNotFit, &word.span, message, why);
            }
        }
    }
    let given = list.value.len() as u64;
    if given != elements {
        let message = format!("{given} literals for {elements} elements");
        let label = format!("{elements} are expected");
        notes.add(Code::LiteralCount, &list.span, message, label);
    }
    (notes.found.len() == before).then_some(bytes)
}
