//! Rows of an ND table into a tile without boxes.

use ptodiff_isa::Clause;

use super::{Operands, padding::Padding};
use crate::{
    address::Rows,
    coord::{BLOCK_BYTES, Plane},
    piece::{Piece, Source},
    runs::Runs,
};

/// The destination; the clause of a row of which nothing is promised, if there
/// is one.
pub(super) fn rows(
    runs: &mut Runs,
    operands: &Operands<'_>,
    source: &Source<'_>,
    size: usize,
    rows: &Rows,
    padding: &Padding,
) -> Option<Clause> {
    let plane = &operands.plane;
    let len = plane.cols * size;
    let start = |number| rows.at(number).saturating_mul(size as i64);
    let mut oob_accesses = None;
    let pieces = (0..plane.rows).map(|r| {
        let piece = source.piece(operands.indices.row(r), len, start);
        oob_accesses = piece.open().or(oob_accesses);
        piece
    });
    if plane.rows_contiguous() {
        side_by_side(runs, plane, size, pieces, padding);
    } else {
        let pieces: Vec<Piece<'_>> = pieces.collect();
        // Columns of a tile without boxes.
        for c in 0..plane.cols {
            for (r, piece) in pieces.iter().enumerate() {
                let element = piece.part(c * size, (c + 1) * size);
                element.put(runs, plane.at(r, c) * size, size);
            }
        }
        padding.around(runs, plane, size);
    }
    oob_accesses
}

/// A tile whose rows are contiguous, padding included.
fn side_by_side<'a>(
    runs: &mut Runs,
    plane: &Plane,
    size: usize,
    pieces: impl Iterator<Item = Piece<'a>>,
    padding: &Padding,
) {
    let len = plane.cols * size;
    let line = plane.padded_cols() * size;
    // A burst may fill up its last 32 bytes.
    let burst = len.next_multiple_of(BLOCK_BYTES as usize).min(line);
    for (r, piece) in pieces.enumerate() {
        let offset = r * line;
        piece.put(runs, offset, len);
        let moved = if matches!(piece, Piece::Zero(_)) {
            len
        } else {
            padding.tail.put(runs, offset + len, burst - len);
            burst
        };
        padding.still.put(runs, offset + moved, line - moved);
    }
    let below = plane.padded_rows - plane.rows;
    padding.still.put(runs, plane.rows * line, below * line);
}
