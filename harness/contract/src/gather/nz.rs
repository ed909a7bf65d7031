//! Logical rows of an NZ table into an NZ tile, 32-byte piece by piece.

use ptodiff_isa::{Clause, NzRowColumns};

use super::{
    Operands,
    padding::{Padding, PaddingContent},
};
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
        PaddingContent::Open(_) if padding.columns == NzRowColumns::Kept => PaddingContent::Kept,
        still => still,
    };
    match piece {
        Piece::Bytes(burst, why) => {
            runs.exactly(offset, &burst[..valid], why);
            let burst = &burst[valid..];
            match (padding.columns, still) {
                (NzRowColumns::Kept, _) => still.put(runs, beyond, rest),
                (NzRowColumns::Moved, _) => runs.exactly(beyond, burst, MOVED),
                (_, PaddingContent::Open(_)) => still.put(runs, beyond, rest),
                (_, PaddingContent::Zero(_)) => either(runs, beyond, &[0; LEN][valid..], burst),
                (_, PaddingContent::Kept) => either(runs, beyond, &held[valid..], burst),
            }
        }
        Piece::Zero(why) => {
            runs.zeros(offset, valid, why);
            still.put(runs, beyond, rest);
        }
        Piece::Open(why) if padding.columns == NzRowColumns::Kept => {
            runs.anything(offset, valid, why);
            still.put(runs, beyond, rest);
        }
        Piece::Open(why) => runs.anything(offset, LEN, why),
    }
}

/// What was there, or what the burst brings.
fn either(runs: &mut Runs, offset: usize, still: &[u8], burst: &[u8]) {
    if !burst.is_empty() {
        runs.one_of(offset, burst.len(), 2, EITHER, |pool| {
            pool.extend_from_slice(still);
            pool.extend_from_slice(burst);
        });
    }
}
