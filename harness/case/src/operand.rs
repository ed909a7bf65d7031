//! Operands of a case: from what is written to descriptors and data plans.

use ptodiff_isa::{DType, Dim, GlobalTensor, Tile};

use crate::code::Code;
use crate::limits::{self, MAX_FRACTAL, MAX_STRIDE};
use crate::literal;
use crate::notes::Notes;
use crate::plan::{Fill, IndexPattern};
use crate::raw::{List, RawFill, RawPattern, RawTable, RawTile, Value};
use crate::word::{Literal, OneOf};
use crate::yaml::{Located, Span};

/// A tile's descriptor. `what` names the operand; `dtype` is its element type
/// unless it has its own.
pub(crate) fn tile<D>(
    notes: &mut Notes<'_>,
    what: &str,
    raw: &Located<RawTile<D>>,
    dtype: Option<DType>,
) -> Option<Tile> {
    let RawTile {
        dtype: own,
        shape,
        valid,
        blayout,
        slayout,
        fractal,
        location,
        data: _,
    } = &raw.value;
    let dtype = element_type(notes, what, own.as_ref(), dtype, &raw.span);
    let padded: Option<[u64; 2]> = notes.array(&format!("the shape of the {what}"), shape, {
        |notes, word| notes.count("a padded extent", word, 1, u64::MAX)
    });
    let valid_dims: Option<[Dim; 2]> = match valid {
        None => padded.map(|extents| extents.map(Dim::Static)),
        Some(list) => notes.array(&format!("`valid` of the {what}"), list, |notes, word| {
            notes.extent("a valid extent", word, 0, u64::MAX)
        }),
    };
    if let (Some(padded), Some(dims), Some(list)) = (padded, valid_dims, valid) {
        for (at, name) in ["rows", "columns"].into_iter().enumerate() {
            let (count, room) = (dims[at].get(), padded[at]);
            if count > room {
                let message = format!("{count} valid {name} do not fit a {what} of {room}");
                let shape_note = notes.related(&shape.value[at].span, "the padded extent");
                let span = &list.value[at].span;
                notes
                    .add(
                        Code::ValidExceedsPadded,
                        span,
                        message,
                        format!("at most {room}"),
                    )
                    .related
                    .push(shape_note);
                return None;
            }
        }
    }
    let blayout = optional(blayout.as_ref(), |w| notes.name("BLayout", w));
    let slayout = optional(slayout.as_ref(), |w| notes.name("SLayout", w));
    let fractal = match fractal {
        Some(word) => notes.count("fractal", word, 1, MAX_FRACTAL),
        None => Some(512),
    };
    let location = optional(location.as_ref(), |w| notes.name("TileType", w));
    let ([rows, cols], [valid_row, valid_col]) = (padded?, valid_dims?);
    Some(Tile {
        location: location?,
        dtype: dtype?,
        rows,
        cols,
        valid_row,
        valid_col,
        blayout: blayout?,
        slayout: slayout?,
        fractal: fractal?,
    })
}

/// The table's descriptor.
pub(crate) fn table(
    notes: &mut Notes<'_>,
    raw: &Located<RawTable>,
    dtype: Option<DType>,
) -> Option<GlobalTensor> {
    let RawTable {
        dtype: own,
        shape,
        stride,
        layout,
        data: _,
    } = &raw.value;
    let dtype = element_type(notes, "table", own.as_ref(), dtype, &raw.span);
    let extents: Option<[Dim; 5]> = notes.array("the shape of the table", shape, |notes, word| {
        notes.extent("a table extent", word, 1, u64::MAX)
    });
    let strides = match stride {
        Some(list) => notes.array("the stride of the table", list, |notes, word| {
            notes.extent("a stride", word, 0, MAX_STRIDE)
        }),
        None => extents.and_then(|extents| {
            let dense = limits::dense_strides(&extents);
            if dense.is_none() {
                too_large(notes, &shape.span);
            }
            dense
        }),
    };
    let layout = optional(layout.as_ref(), |w| notes.name("Layout", w));
    Some(GlobalTensor {
        dtype: dtype?,
        shape: extents?,
        stride: strides?,
        layout: layout?,
    })
}

/// Records that the operands exceed the limit.
pub(crate) fn too_large(notes: &mut Notes<'_>, span: &Span) {
    let limit = limits::MAX_CASE_BYTES >> 20;
    notes
        .add(
            Code::TooLarge,
            span,
            format!("the operands of this case take more than {limit} MiB"),
            "checked before anything is allocated",
        )
        .help = Some("use a smaller shape, stride or number of chunks".to_owned());
}

/// How a data operand of `elements` elements is filled.
pub(crate) fn fill(
    notes: &mut Notes<'_>,
    raw: Option<&Located<RawFill>>,
    default: Fill,
    dtype: DType,
    elements: u64,
) -> Option<Fill> {
    let Some(raw) = raw else { return Some(default) };
    Some(match &raw.value {
        RawFill::Zeros => Fill::Zeros,
        RawFill::Ramp => Fill::Ramp,
        RawFill::RampBits => Fill::RampBits,
        RawFill::Eighths => Fill::Eighths,
        RawFill::Distinct => Fill::Distinct,
        RawFill::RandomBits => Fill::RandomBits,
        RawFill::Special => Fill::Special,
        RawFill::Poison => Fill::Poison,
        RawFill::Values(list) => {
            Fill::Literal(literals(notes, list, dtype, elements, literal::value)?)
        }
        RawFill::Bits(list) => {
            Fill::Literal(literals(notes, list, dtype, elements, literal::bits)?)
        }
    })
}

/// How an index operand of `elements` indices is filled.
pub(crate) fn pattern(
    notes: &mut Notes<'_>,
    raw: Option<&Located<RawPattern>>,
    dtype: DType,
    elements: u64,
) -> Option<IndexPattern> {
    let Some(raw) = raw else {
        return Some(IndexPattern::Random);
    };
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
        RawPattern::Hot { slots } => IndexPattern::Hot {
            slots: notes.count("slots", slots, 1, u64::MAX)?,
        },
        RawPattern::Values(list) => {
            IndexPattern::Literal(literals(notes, list, dtype, elements, literal::value)?)
        }
        RawPattern::Bits(list) => {
            IndexPattern::Literal(literals(notes, list, dtype, elements, literal::bits)?)
        }
    })
}

/// Little-endian bytes of literal elements.
fn literals(
    notes: &mut Notes<'_>,
    list: &List<Literal>,
    dtype: DType,
    elements: u64,
    encode: fn(DType, &str) -> Result<u64, String>,
) -> Option<Vec<u8>> {
    let before = notes.found.len();
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

fn element_type(
    notes: &mut Notes<'_>,
    what: &str,
    own: Option<&Value<OneOf<DType>>>,
    shared: Option<DType>,
    owner: &Span,
) -> Option<DType> {
    match (own, shared) {
        (Some(word), _) => notes.name("dtype", word),
        (None, Some(dtype)) => Some(dtype),
        (None, None) => {
            let message = format!("no dtype for the {what}: the case has none either");
            notes.add(Code::MissingKey, owner, message, "needs `dtype`");
            None
        }
    }
}

/// The default where a key is absent, nothing where its value is bad.
fn optional<W, T: Default>(word: Option<&W>, read: impl FnOnce(&W) -> Option<T>) -> Option<T> {
    match word {
        Some(word) => read(word),
        None => Some(T::default()),
    }
}
