//! Operands of a case: from what is written to descriptors.

use ptodiff_isa::{
    BLayout, Call, DType, Dim, GlobalTensor, MaskAxis, MaskPattern, Role, SLayout, Tile,
};

use crate::code::Code;
use crate::limits::{self, MAX_FRACTAL, MAX_STRIDE};
use crate::notes::Notes;
use crate::yaml::{Node, Span};

/// What holds where a case does not say.
#[derive(Clone, Copy)]
pub(crate) enum Otherwise<T> {
    /// The case has to say.
    Needed,
    /// This.
    Is(T),
    /// It follows from something that was found to be wrong.
    Unknown,
}

impl<T> From<Option<T>> for Otherwise<T> {
    fn from(known: Option<T>) -> Self {
        known.map_or(Self::Unknown, Self::Is)
    }
}

/// Padded and valid rows and columns.
pub type Extents = ([u64; 2], [Dim; 2]);

/// The extents of a tile.
pub(crate) const fn extents_of(tile: &Tile) -> Extents {
    ([tile.rows, tile.cols], [tile.valid_row, tile.valid_col])
}

/// Lanes of a group of a mask (002, MaskPattern).
#[must_use]
pub const fn lanes(pattern: MaskPattern) -> u64 {
    match pattern {
        MaskPattern::P1111 => 1,
        MaskPattern::P0101 | MaskPattern::P1010 => 2,
        MaskPattern::P0001 | MaskPattern::P0010 | MaskPattern::P0100 | MaskPattern::P1000 => 4,
    }
}

/// The padded and the valid rows and columns of what `source` expands to under a mask: its
/// columns, or its rows, times the lanes of a group (TSCATTER-SHAPE-02). `None` past 2^64.
#[must_use]
pub fn expanded(source: &Tile, pattern: MaskPattern, axis: MaskAxis) -> Option<Extents> {
    let lanes = lanes(pattern);
    let (mut padded, mut valid) = extents_of(source);
    let at = match axis {
        MaskAxis::Row => 1,
        MaskAxis::Col => 0,
    };
    padded[at] = padded[at].checked_mul(lanes)?;
    // Valid extents are at most the padded ones, so this cannot overflow either.
    valid[at] = scaled(valid[at], |extent| extent * lanes);
    Some((padded, valid))
}

/// Another extent of the same kind.
pub(crate) fn scaled(dim: Dim, scale: impl FnOnce(u64) -> u64) -> Dim {
    match dim {
        Dim::Static(extent) => Dim::Static(scale(extent)),
        Dim::Dynamic(extent) => Dim::Dynamic(scale(extent)),
    }
}

/// What a tile is where its keys do not say.
#[derive(Clone, Copy)]
pub(crate) struct TileDefaults {
    pub(crate) dtype: Option<DType>,
    pub(crate) extents: Otherwise<Extents>,
    pub(crate) blayout: BLayout,
    pub(crate) slayout: SLayout,
}

impl TileDefaults {
    /// Those of a tile of `dtype` without boxes.
    pub(crate) fn new(dtype: Option<DType>, extents: Otherwise<Extents>) -> Self {
        Self {
            dtype,
            extents,
            blayout: BLayout::default(),
            slayout: SLayout::default(),
        }
    }
}

/// An operand as the case gives it, if it does.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    /// Its key.
    pub(crate) what: &'a str,
    /// What stands there.
    pub(crate) node: Option<&'a Node>,
    /// Its place, or where to say what it lacks.
    pub(crate) span: &'a Span,
}

impl<'a> Given<'a> {
    pub(crate) fn get(&self, key: &str) -> Option<&'a Node> {
        self.node?.get(key)
    }
}

/// A tile's descriptor.
pub(crate) fn tile(
    notes: &mut Notes<'_>,
    given: Given<'_>,
    default: &TileDefaults,
) -> Option<Tile> {
    let dtype = element_type(notes, given, default.dtype);
    let extents = extents(notes, given, default.extents);
    let blayout = notes.name_or("blayout", given.get("blayout"), default.blayout);
    let slayout = notes.name_or("slayout", given.get("slayout"), default.slayout);
    let fractal = match given.get("fractal") {
        Some(word) => notes.count("fractal", word, 1, MAX_FRACTAL),
        None => Some(512),
    };
    let location = notes.name_or("location", given.get("location"), Default::default());
    let ([rows, cols], [valid_row, valid_col]) = extents?;
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

fn extents(
    notes: &mut Notes<'_>,
    given: Given<'_>,
    default: Otherwise<Extents>,
) -> Option<Extents> {
    let (what, shape) = (given.what, given.get("shape"));
    let (padded, same) = match (shape, default) {
        (Some(list), _) => {
            let padded: Option<[u64; 2]> =
                notes.array(&format!("the shape of the {what}"), list, {
                    |notes, word| notes.count("a padded extent", word, 1, u64::MAX)
                });
            (padded, padded.map(|extents| extents.map(Dim::Static)))
        }
        (None, Otherwise::Is((padded, valid))) => (Some(padded), Some(valid)),
        (None, Otherwise::Unknown) => (None, None),
        (None, Otherwise::Needed) => {
            no_shape(notes, given);
            (None, None)
        }
    };
    let Some(list) = given.get("valid") else {
        return padded.zip(same);
    };
    let valid: Option<[Dim; 2]> =
        notes.array(&format!("`valid` of the {what}"), list, |notes, word| {
            notes.extent("a valid extent", word, 0, u64::MAX)
        });
    let (padded, valid) = padded.zip(valid)?;
    for (at, name) in ["rows", "columns"].into_iter().enumerate() {
        let (count, room) = (valid[at].get(), padded[at]);
        if count > room {
            let shape = shape.and_then(|shape| shape.items().get(at));
            let shape = shape.map(|extent| notes.related(&extent.span, "the padded extent"));
            let message = format!("{count} valid {name} do not fit a {what} of {room}");
            let label = format!("at most {room}");
            let span = &list.items()[at].span;
            let mistake = notes.add(Code::ValidExceedsPadded, span, message, label);
            mistake.related.extend(shape);
            return None;
        }
    }
    Some((padded, valid))
}

/// A tensor's descriptor.
pub(crate) fn tensor(
    notes: &mut Notes<'_>,
    given: Given<'_>,
    dtype: Option<DType>,
    default: Otherwise<[Dim; 5]>,
) -> Option<GlobalTensor> {
    let (what, shape) = (given.what, given.get("shape"));
    let dtype = element_type(notes, given, dtype);
    let extents: Option<[Dim; 5]> = match (shape, default) {
        (Some(list), _) => {
            let extent = format!("an extent of the {what}");
            notes.array(&format!("the shape of the {what}"), list, |notes, word| {
                notes.extent(&extent, word, 1, u64::MAX)
            })
        }
        (None, Otherwise::Is(extents)) => Some(extents),
        (None, Otherwise::Unknown) => None,
        (None, Otherwise::Needed) => {
            no_shape(notes, given);
            None
        }
    };
    let strides = match given.get("stride") {
        Some(list) => notes.array(&format!("the stride of the {what}"), list, |notes, word| {
            notes.extent("a stride", word, 0, MAX_STRIDE)
        }),
        None => extents.and_then(|extents| {
            let dense = limits::dense_strides(&extents);
            if dense.is_none() {
                let span = shape.map_or(given.span, |shape| &shape.span);
                too_large(notes, span, None, None, None);
            }
            dense
        }),
    };
    let layout = notes.name_or("layout", given.get("layout"), Default::default());
    Some(GlobalTensor {
        dtype: dtype?,
        shape: extents?,
        stride: strides?,
        layout: layout?,
    })
}

/// Records that to run the case takes too much memory, so many bytes if that is
/// a number; `sparse` is the call, where its table is sparse, `largest` its largest operand.
pub(crate) fn too_large(
    notes: &mut Notes<'_>,
    span: &Span,
    memory: Option<u64>,
    largest: Option<Role>,
    sparse: Option<&Call>,
) {
    if let Some(bytes) = sparse.and_then(limits::span_bytes)
        && bytes > limits::MAX_SPARSE
    {
        let message = format!(
            "the table spans {} GiB; {} GiB is the most, also of one of which little is touched",
            bytes.div_ceil(1 << 30),
            limits::MAX_SPARSE >> 30
        );
        notes
            .add(
                Code::TooLarge,
                span,
                message,
                "checked before anything is allocated",
            )
            .help = Some("use a smaller shape or stride".to_owned());
        return;
    }
    let limit = limits::MAX_CASE_MEMORY >> 20;
    // Rounded up: more than the limit is shown as more.
    let taken = memory.map_or_else(
        || "more memory than there is".to_owned(),
        |taken| format!("{} MiB of memory", taken.div_ceil(1 << 20)),
    );
    notes
        .add(
            Code::TooLarge,
            span,
            format!(
                "to run this case takes {taken}, with {} copies of its operands; {limit} MiB is \
                 the most",
                limits::COPIES
            ),
            "checked before anything is allocated",
        )
        .help = Some(
        match (largest, sparse) {
            (Some(Role::Table), None) => {
                "give the table some rows, `data: {rows: {N: [..]}}`: then only what is touched of \
             it takes memory; or use a smaller shape, stride or number of chunks"
            }
            (Some(Role::Table), Some(_)) => {
                "use fewer indices, rows or chunks: each place that is touched takes 8 KiB"
            }
            _ => "use a smaller shape, stride or number of chunks",
        }
        .to_owned(),
    );
}

fn no_shape(notes: &mut Notes<'_>, given: Given<'_>) {
    let message = format!("the {} has no `shape`", given.what);
    notes.add(Code::MissingKey, given.span, message, "needs `shape`");
}

fn element_type(notes: &mut Notes<'_>, given: Given<'_>, shared: Option<DType>) -> Option<DType> {
    match (given.get("dtype"), shared) {
        (Some(word), _) => notes.name("dtype", word),
        (None, Some(dtype)) => Some(dtype),
        (None, None) => {
            let what = given.what;
            let message = format!("no dtype for the {what}: the case has none either");
            notes.add(Code::MissingKey, given.span, message, "needs `dtype`");
            None
        }
    }
}
