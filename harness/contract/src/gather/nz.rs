//! Logical rows of an NZ table into an NZ tile, 32-byte piece by piece.

use ptodiff_isa::{Clause, NzRowColumns};

use super::{Operands, padding::Padding};
use crate::{
    coord::{BLOCK_BYTES, NzTable},
    piece::{Piece, Source},
    runs::{Runs, Why},
};

const EITHER: Why = Why::open(Clause("MGATHER-GAP-57"));
const MOVED: Why = Why::by("MGATHER-GAP-57");
const LEN: usize = BLOCK_BYTES as usize;

/// The destination; the clause of a row of which nothing is promised, if there
/// is one.
pub(super) fn rows(
    runs: &mut Runs,
    operands: &Operands<'_>,
    source: &Source<'_>,
    size: usize,
    nz: &NzTable,
    padding: &Padding,
) -> Option<Clause> {
    let mut oob_accesses = None;
    let plane = &operands.plane;
    let width = LEN / size;
    for block in 0..plane.padded_cols() / width {
        let valid = plane.cols.saturating_sub(block * width).min(width) * size;
        for r in 0..plane.rows {
            let offset = plane.at(r, block * width) * size;
            let piece = source.piece(operands.indices.row(r), LEN, |row| {
                nz.block_at(row, block as i64).saturating_mul(size as i64)
            });
            oob_accesses = piece.open().or(oob_accesses);
            let held = &operands.destination[offset..offset + LEN];
            put(runs, offset, valid, piece, held, padding);
        }
        let offset = plane.at(plane.rows, block * width) * size;
        let below = plane.padded_rows - plane.rows;
        padding.still.put(runs, offset, below * LEN);
    }
    oob_accesses
}

/// One piece, `valid` bytes of it in valid columns, where the tile held `held`.
fn put(
    runs: &mut Runs,
    offset: usize,
    valid: usize,
    piece: Piece<'_>,
    held: &[u8],
    padding: &Padding,
) {
    let (beyond, rest) = (offset + valid, LEN - valid);
    // What no transfer reaches, as far as the choice for these columns goes.
    let still = match padding.still {
        Piece::Open(_) if padding.columns == NzRowColumns::Kept => Piece::Kept,
        still => still,
    };
    piece.part(0, valid).put(runs, offset, valid);
    match (piece, padding.columns, still) {
        (Piece::Open(why), columns, _) if columns != NzRowColumns::Kept => {
            runs.anything(beyond, rest, why);
        }
        (Piece::Bytes(burst, _), NzRowColumns::Moved, _) => {
            runs.exactly(beyond, &burst[valid..], MOVED);
        }
        // What was there, or what the burst brings.
        (Piece::Bytes(burst, _), columns, Piece::Kept | Piece::Zero(_))
            if columns != NzRowColumns::Kept =>
        {
            runs.one_of(beyond, rest, 2, EITHER, |pool| {
                match still {
                    Piece::Zero(_) => pool.resize(pool.len() + rest, 0),
                    _ => pool.extend_from_slice(&held[valid..]),
                }
                pool.extend_from_slice(&burst[valid..]);
            });
        }
        _ => still.put(runs, beyond, rest),
    }
}
