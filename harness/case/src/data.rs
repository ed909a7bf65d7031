//! How a case asks for its data to be made.

use std::collections::BTreeMap;

use ptodiff_data::place;
use ptodiff_isa::{Call, DType, GlobalTensor, Operand, Role};

use crate::code::Code;
use crate::limits;
use crate::literal;
use crate::notes::Notes;
use crate::npy;
use crate::plan::{DataPlan, Fill, IndexPattern, rows_of};
use crate::yaml::{Node, Span};

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

impl Elements {
    /// Those of the operand of `role`, if the call has one and a number counts them.
    pub(crate) fn of(call: &Call, role: Role, chunks: u64) -> Option<Self> {
        let operand = call.operand(role)?;
        let count = limits::data_elements(role, operand, chunks);
        if count == u64::MAX {
            return None;
        }
        let mut extents = place::extents(operand);
        if operand.tile().is_some() || role == Role::Index {
            // A part for each call.
            extents.insert(0, chunks);
        }
        Some(Self {
            dtype: operand.dtype(),
            count,
            extents,
            table: match (role, operand) {
                (Role::Table, Operand::Tensor(table)) => Some(*table),
                _ => None,
            },
        })
    }
}

/// Makes the data of the operand of `role`, which has these elements, as `raw` asks for it;
/// what is wrong is in the notes.
pub(crate) fn put(
    notes: &mut Notes<'_>,
    plan: &mut DataPlan,
    role: Role,
    raw: &Node,
    elements: &Elements,
) {
    let (name, with) = raw.way();
    match (name, with) {
        ("values", Some(list)) => {
            plan.set_literal(role, literals(notes, list, elements, literal::value));
        }
        ("bits", Some(list)) => {
            plan.set_literal(role, literals(notes, list, elements, literal::bits));
        }
        ("npy", Some(path)) => {
            let values = npy::values(notes, path, elements);
            plan.set_literal(role, values.unwrap_or_default());
        }
        ("hot", Some(hot)) => {
            let slots = hot.get("slots");
            let slots = slots.and_then(|word| notes.count("slots", word, 1, u64::MAX));
            let slots = slots.unwrap_or_default();
            plan.index = IndexPattern::Hot { slots };
        }
        ("rows", Some(rows)) => {
            let rows = self::rows(notes, rows, elements, &raw.span);
            plan.set_fill(role, Fill::Rows(rows));
        }
        // The shape of a document has these names only.
        _ if role == Role::Index => plan.index = name.parse().unwrap_or(IndexPattern::Random),
        _ => plan.set_fill(role, name.parse().unwrap_or(Fill::Zeros)),
    }
}

/// The rows of a table.
fn rows(
    notes: &mut Notes<'_>,
    rows: &Node,
    elements: &Elements,
    span: &Span,
) -> BTreeMap<u64, Vec<u8>> {
    let mut all = BTreeMap::new();
    let Some(table) = &elements.table else {
        let message = "`rows` is data of a table, and this operand is none";
        notes
            .add(Code::NotApplicable, span, message, "not a table")
            .help = Some("`values` gives every element of it".to_owned());
        return all;
    };
    let (count, width) = rows_of(table);
    for (key, list) in rows.pairs() {
        let Some(row) = notes.count("the number of a row", key, 0, u64::MAX) else {
            continue;
        };
        if row >= count {
            let message = format!("the table has no row {row}");
            let label = format!("it has {count}, the first is 0");
            notes.add(Code::BadSlots, &key.span, message, label);
        }
        let given = list.items().len() as u64;
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
    all
}

/// The bits of a literal, which as `0x..` are raw in a float type too.
pub(crate) fn token(dtype: DType, word: &str) -> Result<u64, String> {
    let raw = word.starts_with("0x") || word.starts_with("0X");
    match raw && !dtype.is_integer() {
        true => literal::bits(dtype, word),
        false => literal::value(dtype, word),
    }
}

/// Little-endian bytes of literal elements.
fn literals(
    notes: &mut Notes<'_>,
    list: &Node,
    elements: &Elements,
    encode: fn(DType, &str) -> Result<u64, String>,
) -> Vec<u8> {
    let (dtype, elements) = (elements.dtype, elements.count);
    let bytes = encoded(notes, list, dtype, encode);
    let given = list.items().len() as u64;
    if given != elements {
        let message = format!("{given} literals for {elements} elements");
        let label = format!("{elements} are expected");
        notes.add(Code::LiteralCount, &list.span, message, label);
    }
    bytes
}

/// Little-endian bytes of those literals that fit; the others are mistakes.
fn encoded(
    notes: &mut Notes<'_>,
    list: &Node,
    dtype: DType,
    encode: fn(DType, &str) -> Result<u64, String>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(list.items().len() * dtype.size());
    for word in list.items() {
        match encode(dtype, word.word()) {
            Ok(bits) => bytes.extend_from_slice(&bits.to_le_bytes()[..dtype.size()]),
            Err(why) => {
                let message = format!("`{}` does not fit {dtype}", word.word());
                notes.add(Code::LiteralDoesNotFit, &word.span, message, why);
            }
        }
    }
    bytes
}
