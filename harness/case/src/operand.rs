//! Sizes of operands: those that follow from others, and those that are too large.

use ptodiff_isa::{Call, Dim, MaskAxis, MaskPattern, Role, Tile};

use crate::code::Code;
use crate::limits;
use crate::notes::Notes;
use crate::plan::Fill;
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
/// columns, or its rows, times the lanes of a group (TSCATTER-SHAPE-02); at most the largest number.
#[must_use]
pub fn expanded(source: &Tile, pattern: MaskPattern, axis: MaskAxis) -> Extents {
    let lanes = lanes(pattern);
    let (mut padded, mut valid) = extents_of(source);
    let at = match axis {
        MaskAxis::Row => 1,
        MaskAxis::Col => 0,
    };
    padded[at] = padded[at].saturating_mul(lanes);
    valid[at] = scaled(valid[at], |extent| extent.saturating_mul(lanes));
    (padded, valid)
}

/// Another extent of the same kind.
pub(crate) fn scaled(dim: Dim, scale: impl FnOnce(u64) -> u64) -> Dim {
    match dim {
        Dim::Static(extent) => Dim::Static(scale(extent)),
        Dim::Dynamic(extent) => Dim::Dynamic(scale(extent)),
    }
}

/// Records that running such a call takes more memory than a case may, if it does, at the
/// `place` of its largest operand.
pub(crate) fn check_memory<'s>(
    notes: &mut Notes<'_>,
    (call, chunks, table): (&Call, u64, &Fill),
    place: impl FnOnce(Role) -> &'s Span,
) {
    let taken = limits::case_memory(call, chunks, table);
    if taken <= limits::MAX_CASE_MEMORY {
        return;
    }
    let largest = limits::largest(call, chunks);
    let sparse = matches!(table, Fill::Rows(_));
    let spanned = limits::span_bytes(call).filter(|bytes| sparse && *bytes > limits::MAX_SPARSE);
    let (message, help) = if let Some(bytes) = spanned {
        let bytes = match bytes {
            u64::MAX => "more bytes than 64 bits count".to_owned(),
            _ => format!("{} GiB", bytes.div_ceil(1 << 30)),
        };
        let message = format!(
            "the table spans {bytes}; {} GiB is the most, also of one of which little is touched",
            limits::MAX_SPARSE >> 30
        );
        (message, "use a smaller shape or stride")
    } else {
        // Rounded up: more than the limit is shown as more.
        let taken = match taken {
            u64::MAX => "more memory than there is".to_owned(),
            taken => format!("{} MiB of memory", taken.div_ceil(1 << 20)),
        };
        let message = format!(
            "to run this case takes {taken}, with {} copies of its operands; {} MiB is the most",
            limits::COPIES,
            limits::MAX_CASE_MEMORY >> 20
        );
        let help = match (largest, sparse) {
            (Role::Table, false) => {
                "give the table some rows, `data: {rows: {N: [..]}}`: then only what is touched of \
                 it takes memory; or use a smaller shape, stride or number of chunks"
            }
            (Role::Table, true) => {
                "use fewer indices, rows or chunks: each place that is touched takes 8 KiB"
            }
            _ => "use a smaller shape, stride or number of chunks",
        };
        (message, help)
    };
    let label = "checked before anything is allocated";
    let mistake = notes.add(Code::TooLarge, place(largest), message, label);
    mistake.help = Some(help.to_owned());
}
