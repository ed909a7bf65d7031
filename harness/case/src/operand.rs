//! Sizes of operands: those that follow from others, and those that are too large.

use ptodiff_isa::{Call, Dim, MaskAxis, MaskPattern, Role, Tile};

use crate::code::Code;
use crate::limits;
use crate::notes::Notes;
use crate::yaml::Span;

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
