//! How a case asks for its data to be made.

use std::collections::BTreeMap;

use ptodiff_isa::{DType, GlobalTensor, Operand, Role};

use crate::code::Code;
use crate::literal;
use crate::notes::Notes;
use crate::npy;
use crate::plan::{Fill, IndexPattern, rows_of};
use crate::raw::{List, RawFill, RawPattern, RawRows};
use crate::word::Literal;
use crate::yaml::{Located, Span};

/// The elements that an operand has data for, over all chunks.
pub(crate) struct Elements {
    /// Their type.
    pub(crate) dtype: DType,
    /// How many.
    pub(crate) count: u64,
    /// The extents of an array of them, outermost first.
    pub(crate) extents: Vec<u64>,
    /// The table, if it is one.
    pub(crate) table: Option<GlobalTensor>,
}

/// The table that an operand is, if it is one.
pub(crate) fn table_of(role: Role, operand: Operand<'_>) -> Option<GlobalTensor> {
    match (role, operand) {
        (Role::Table, Operand::Tensor(table)) => Some(*table),
        _ => None,
    }
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
        RawFill::Rows(rows) => Fill::Rows(self::rows(notes, rows, elements, &raw.span)?),
    })
}

/// The rows of a table.
fn rows(
    notes: &mut Notes<'_>,
    rows: &Located<RawRows>,
    elements: &Elements,
    span: &Span,
) -> Option<BTreeMap<u64, Vec<u8>>> {
    let Some(table) = &elements.table else {
        let message = "`rows` is data of a table, and this operand is none";
        notes
            .add(Code::NotApplicable, span, message, "not a table")
            .help = Some("`values` gives every element of it".to_owned());
        return None;
    };
    let before = notes.found.len();
    let (count, width) = rows_of(table);
    let mut all = BTreeMap::new();
    for (key, list) in &rows.value.0 {
        let Some(row) = notes.count("the number of a row", key, 0, u64::MAX) else {
            continue;
        };
        if row >= count {
            let message = format!("the table has no row {row}");
            let label = format!("it has {count}, the first is 0");
            notes.add(Code::BadSlots, &key.span, message, label);
        }
        let given = list.value.len() as u64;
        if given > width {
            let message = format!("{given} literals for row {row} of {width} elements");
            let label = format!("at most {width}; what is not given is zero");
            notes.add(Code::LiteralCount, &list.span, message, label);
        }
        let bytes = encoded(notes, list, elements.dtype, token);
        if all.insert(row, bytes).is_some() {
            let message = format!("row {row} is given twice");
            notes.add(Code::BadSlots, &key.span, message, "again");
        }
    }
    (notes.found.len() == before).then_some(all)
}

/// The bits of a literal, which as `0x..` are raw in a float type too.
pub(crate) fn token(dtype: DType, word: &str) -> Result<u64, String> {
    let raw = word.starts_with("0x") || word.starts_with("0X");
    match raw && !dtype.is_integer() {
        true => literal::bits(dtype, word),
        false => literal::value(dtype, word),
    }
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
    let bytes = encoded(notes, list, dtype, encode);
    let given = list.value.len() as u64;
    if given != elements {
        let message = format!("{given} literals for {elements} elements");
        let label = format!("{elements} are expected");
        notes.add(Code::LiteralCount, &list.span, message, label);
    }
    (notes.found.len() == before).then_some(bytes)
}

/// Little-endian bytes of those literals that fit; the others are mistakes.
fn encoded(
    notes: &mut Notes<'_>,
    list: &List<Literal>,
    dtype: DType,
    encode: fn(DType, &str) -> Result<u64, String>,
) -> Vec<u8> {
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
    bytes
}
