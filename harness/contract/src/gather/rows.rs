//! Rows of a table into a tile: of an ND table into a tile without boxes, of an NZ table
//! into an NZ tile, 32-byte piece by piece.

use ptodiff_isa::{Clause, NzRowColumns};

use super::Delivery;
use crate::{
    address::Rows,
    coord::{BLOCK, NzTable},
    piece::Piece,
    runs::{Runs, Why},
};

const EITHER: Why = Why::open(Clause("MGATHER-GAP-57"));
const MOVED: Why = Why::by("MGATHER-GAP-57");

impl Delivery<'_> {
    /// After a gather of ND rows.
    pub(super) fn nd_rows(&self, runs: &mut Runs, rows: &Rows) {
        let (plane, size) = (&self.plane, self.source.size);
        let piece = |r| {
            let raw = self.indices.row(r);
            self.source
                .piece(raw, plane.cols * size, |row| rows.at(row))
        };
        let pieces = (0..plane.rows).map(piece);
        if plane.rows_contiguous() {
            self.side_by_side(runs, pieces);
        } else {
            let pieces: Vec<Piece<'_>> = pieces.collect();
            // Columns of a tile without boxes.
            for c in 0..plane.cols {
                for (r, piece) in pieces.iter().enumerate() {
                    let element = piece.part(c * size, (c + 1) * size);
                    element.put(runs, plane.at(r, c) * size, size);
                }
            }
            self.padding.around(runs, plane, size);
        }
    }

    /// A tile whose rows are contiguous, padding included.
    fn side_by_side<'a>(&self, runs: &mut Runs, pieces: impl Iterator<Item = Piece<'a>>) {
        let (plane, padding) = (&self.plane, &self.padding);
        let [len, line] = [plane.cols, plane.padded_cols()].map(|cols| cols * self.source.size);
        // A burst may fill up its last 32 bytes.
        let burst = len.next_multiple_of(BLOCK).min(line);
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

    /// After a gather of NZ rows.
    pub(super) fn nz_rows(&self, runs: &mut Runs, nz: &NzTable) {
        let (plane, size) = (&self.plane, self.source.size);
        let width = BLOCK / size;
        for block in 0..plane.padded_cols() / width {
            let valid = plane.cols.saturating_sub(block * width).min(width) * size;
            for r in 0..plane.rows {
                let start = |row| nz.block_at(row, block as i64);
                let piece = self.source.piece(self.indices.row(r), BLOCK, start);
                self.put(runs, plane.at(r, block * width) * size, valid, piece);
            }
            let offset = plane.at(plane.rows, block * width) * size;
            let below = plane.padded_rows - plane.rows;
            self.padding.still.put(runs, offset, below * BLOCK);
        }
    }

    /// One piece of an NZ row, `valid` bytes of it in valid columns.
    fn put(&self, runs: &mut Runs, offset: usize, valid: usize, piece: Piece<'_>) {
        let padding = &self.padding;
        let (beyond, rest) = (offset + valid, BLOCK - valid);
        piece.part(0, valid).put(runs, offset, valid);
        if padding.columns == NzRowColumns::Kept {
            return match padding.still {
                Piece::Open(_) => {}
                still => still.put(runs, beyond, rest),
            };
        }
        match (piece, padding.still) {
            (Piece::Open(why), _) => runs.anything(beyond, rest, why),
            (Piece::Bytes(burst, _), _) if padding.columns == NzRowColumns::Moved => {
                runs.exactly(beyond, &burst[valid..], MOVED);
            }
            // What was there, or what the burst brings.
            (Piece::Bytes(burst, _), still @ (Piece::Kept | Piece::Zero(_))) => {
                let zeros = vec![0; rest];
                let kept = match still {
                    Piece::Zero(_) => &zeros,
                    _ => &self.held[beyond..][..rest],
                };
                runs.one_of(beyond, rest, &[kept, &burst[valid..]].concat(), EITHER);
            }
            (_, still) => still.put(runs, beyond, rest),
        }
    }
}
