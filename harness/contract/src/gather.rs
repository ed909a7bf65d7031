//! What may stand in the destination after MGATHER.

use ptodiff_isa::{Clause, Coalesce, GatherOob, Mgather, NegativeIndex, Readings, Role, Target};

use crate::{
    coord::{BLOCK_BYTES, NzTable, Plane},
    operands::{Steps, bytes},
    piece::{Piece, Source, Words, put},
    promise::{Unusable, Written},
    runs::{Runs, Why},
    selection::{Indices, Remap, capacity, disputed_capacity, gather_capacity_clause},
};

/// The index rules of `call` on `target`.
pub(crate) fn remap(call: &Mgather, target: Target, readings: &Readings) -> Remap {
    let capacity = capacity(&call.table, call.mode, target);
    Remap::new(call.oob.into(), capacity, call.idx.dtype, target, readings)
}

/// The bytes a gather works on.
#[derive(Clone, Copy)]
struct Operands<'a> {
    table: &'a [u8],
    destination: &'a [u8],
    indices: Indices<'a>,
    plane: Plane,
}

impl<'a> Operands<'a> {
    fn new(call: &Mgather, steps: &Steps<'a>) -> Result<Self, Unusable> {
        let plane = Plane::of(&call.dst).ok_or(Unusable::TooLarge)?;
        let idx = Plane::of(&call.idx).ok_or(Unusable::TooLarge)?;
        let needed = bytes(plane.elems, call.dst.dtype.size())?;
        let index_bytes = steps.loaded(Role::Index, bytes(idx.elems, 4)?)?;
        Ok(Self {
            table: steps.table(&call.table)?,
            destination: steps.loaded(Role::Destination, needed)?,
            indices: Indices::new(index_bytes, idx),
            plane,
        })
    }
}

fn words(call: &Mgather, target: Target, readings: &Readings) -> Words {
    let row = call.mode == Coalesce::Row;
    let negative = (readings.negative_index != NegativeIndex::Unsigned).then_some(Clause(
        if target == Target::Cpu {
            "MGATHER-OOB-10"
        } else {
            "MGATHER-GAP-02"
        },
    ));
    Words {
        plain: Why::by(if row {
            "MGATHER-SEM-01"
        } else {
            "MGATHER-SEM-02"
        }),
        moved: Why::by(if call.oob == GatherOob::Clamp {
            "MGATHER-OOB-04"
        } else {
            "MGATHER-OOB-05"
        }),
        zero: Why::by(if row {
            "MGATHER-OOB-06"
        } else {
            "MGATHER-OOB-07"
        }),
        unbound: unbound(target),
        outside: Why::open(Clause("MGATHER-GAP-02")),
        negative,
    }
}

/// An index at or above capacity that no policy takes care of.
pub(crate) const fn unbound(target: Target) -> Why {
    Why::open(Clause(match target {
        Target::Cpu => "MGATHER-OOB-03",
        Target::A2a3 | Target::A5 => "MGATHER-OOB-02",
    }))
}

/// Fills `runs` for the destination.
pub(crate) fn permits(
    call: &Mgather,
    steps: &Steps<'_>,
    target: Target,
    readings: &Readings,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let operands = Operands::new(call, steps)?;
    let source = Source {
        table: operands.table,
        remap: remap(call, target, readings),
        words: words(call, target, readings),
        disputed: disputed_capacity(&call.table, call.mode)
            .map(|smaller| (smaller, gather_capacity_clause(target))),
    };
    let size = call.dst.dtype.size();
    runs.reserve(operands.plane.elems * size);
    let nz = NzTable::of(&call.table);
    let mut strays = None;
    let mut note = |piece: &Piece<'_>| {
        if let Piece::Open(why) = piece {
            strays = Some(why.clause);
        }
    };
    match (call.mode, nz) {
        (Coalesce::Elem, nz) => {
            let number = |i: i64| match &nz {
                Some(nz) => nz.linear(i),
                None => i,
            };
            operands.plane.each_physical(|r, c| {
                let raw = operands.indices.elem(r, c);
                let piece = source.piece(raw, size, |i| number(i).saturating_mul(size as i64));
                note(&piece);
                put(runs, operands.plane.at(r, c) * size, size, piece);
            });
        }
        (Coalesce::Row, None) => {
            let pitch = row_pitch(call, target).saturating_mul(size as i64);
            let len = operands.plane.cols * size;
            let pieces: Vec<Piece<'_>> = (0..operands.plane.rows)
                .map(|r| source.piece(operands.indices.row(r), len, |i| i.saturating_mul(pitch)))
                .collect();
            pieces.iter().for_each(&mut note);
            rows(runs, &operands.plane, size, &pieces, target == Target::A2a3);
        }
        (Coalesce::Row, Some(nz)) => {
            nz_rows(runs, &operands, &source, &nz, call, &mut note);
        }
    }
    Ok(Written {
        strays,
        ..Written::default()
    })
}

fn row_pitch(call: &Mgather, target: Target) -> i64 {
    let pitch = match target {
        Target::A2a3 => call.table.stride[3],
        Target::A5 => call.dst.valid_col,
        Target::Cpu => call.table.shape[4],
    };
    i64::try_from(pitch.get()).unwrap_or(i64::MAX)
}

/// Rows of an ND table into a tile without boxes.
fn rows(runs: &mut Runs, plane: &Plane, size: usize, pieces: &[Piece<'_>], bursts: bool) {
    let len = plane.cols * size;
    if plane.rows_contiguous() {
        for (r, &piece) in pieces.iter().enumerate() {
            let offset = plane.at(r, 0) * size;
            put(runs, offset, len, piece);
            if bursts && !matches!(piece, Piece::Zero(_)) {
                // A burst may fill up its last 32 bytes.
                let end = len.next_multiple_of(BLOCK_BYTES as usize);
                runs.anything(offset + len, end - len, PADDING);
            }
        }
        return;
    }
    plane.each_physical(|r, c| {
        let from = c * size;
        let element = pieces[r].part(from, from + size);
        put(runs, plane.at(r, c) * size, size, element);
    });
}

const PADDING: Why = Why::open(Clause("MGATHER-GAP-18"));
const NZ_PADDING: Why = Why::open(Clause("MGATHER-GAP-20"));
/// The fill of the whole tile before the transfers.
const FILLED: Why = Why::by("MGATHER-OOB-13");

/// Logical rows of an NZ table into an NZ tile, 32-byte piece by piece.
fn nz_rows(
    runs: &mut Runs,
    operands: &Operands<'_>,
    source: &Source<'_>,
    nz: &NzTable,
    call: &Mgather,
    note: &mut impl FnMut(&Piece<'_>),
) {
    let size = call.dst.dtype.size();
    let plane = &operands.plane;
    let len = BLOCK_BYTES as usize;
    let width = len / size;
    let zeros = [0; BLOCK_BYTES as usize];
    let filled = call.oob == GatherOob::Zero;
    let blocks = plane.elems / plane.padded_rows.max(1) / width;
    for block in 0..blocks {
        let valid = plane.cols.saturating_sub(block * width).min(width) * size;
        for r in 0..plane.rows {
            let offset = plane.at(r, block * width) * size;
            let piece = source.piece(operands.indices.row(r), len, |row| {
                nz.block_at(row, block as i64).saturating_mul(size as i64)
            });
            note(&piece);
            match piece {
                Piece::Bytes(burst, why) => {
                    if valid > 0 {
                        runs.exactly(offset, &burst[..valid], why);
                    }
                    if valid < len {
                        let kept = if filled {
                            &zeros[valid..]
                        } else {
                            &operands.destination[offset + valid..offset + len]
                        };
                        let images = [kept, &burst[valid..]];
                        runs.one_of(offset + valid, kept.len(), images.into_iter(), NZ_PADDING);
                    }
                }
                Piece::Zero(why) if valid > 0 => {
                    runs.zeros(offset, valid, why);
                    runs.zeros(offset + valid, len - valid, FILLED);
                }
                Piece::Zero(_) => runs.zeros(offset, len, FILLED),
                Piece::Open(why) => runs.anything(offset, len, why),
            }
        }
        if filled {
            let offset = plane.at(plane.rows, block * width) * size;
            let rest = (plane.padded_rows - plane.rows) * len;
            runs.zeros(offset, rest, FILLED);
        }
    }
}
