//! What may stand in the L1 tile and in the scratch after a gather to L1.

use std::cell::Cell;

use ptodiff_isa::{
    Clause, Coalesce, GatherExec, GatherOob, L1IndexPitch, L1RowPadding, L1ScratchZero, MgatherL1,
    Readings, Role, Target,
};

use crate::{
    coord::{BLOCK, Plane, saturated},
    gather::{self, UNIT, by_mode, negative, negatives},
    operands::Steps,
    piece::{Clauses, Piece, Source},
    runs::{Runs, Why},
    selection::{Indices, Remap, as_of_a_scatter},
    strides::{extents, product, reach, strides},
    written::{Said, Scratch, Written},
};

/// Whether CPU gathers to L1, and so all that it does there.
pub(crate) const ON_CPU: Clause = Clause("MGATHERL1-GAP-14");

/// What the staging area holds after the call, and beside it.
pub(crate) const STAGED: Clause = Clause("MGATHERL1-GAP-09");

/// What an Elem gather puts into its tile.
pub(crate) const BY_ELEMENT: Clause = Clause("MGATHERL1-SEM-02");

/// Rows or elements an index may name (MGATHERL1-CAP-01, -02; on CPU as its UB
/// form, MGATHERL1-GAP-14).
fn capacity(call: &MgatherL1, target: Target) -> u64 {
    let extent = extents(&call.table);
    product(match (call.mode, target) {
        (Coalesce::Elem, _) => &extent[..],
        (Coalesce::Row, Target::Cpu) => &extent[3..4],
        (Coalesce::Row, Target::A2a3 | Target::A5) => &extent[..4],
    })
}

/// The index rules of `call` on `target`.
pub(crate) fn remap(call: &MgatherL1, target: Target, readings: &Readings) -> Remap {
    let (oob, capacity) = (as_of_a_scatter(call.oob), capacity(call, target));
    let remap = Remap::new(oob, capacity, call.idx.dtype, negatives(target, readings));
    remap.counting(call.mode, call.table.dtype, readings)
}

/// The gap by which an index may count bytes; the CPU goes by its form to UB
/// (MGATHERL1-GAP-14).
pub(crate) const fn unit(target: Target) -> Clause {
    match target {
        Target::Cpu => UNIT,
        Target::A2a3 | Target::A5 => Clause("MGATHERL1-GAP-35"),
    }
}

/// Whether the index tensor holds every index that is read (MGATHERL1-GAP-28).
pub(crate) fn indices_covered(call: &MgatherL1, readings: &Readings) -> bool {
    let extent = extents(&call.idx);
    let (rows, cols) = (call.dst.valid_row.get(), call.dst.valid_col.get());
    let (needed, down, across) = match call.mode {
        Coalesce::Row => (rows, 1, rows),
        Coalesce::Elem => (rows.saturating_mul(cols), rows, cols),
    };
    let held = product(&extent).min(reach(&call.idx).unwrap_or(0));
    let shaped = readings.l1_index_pitch == L1IndexPitch::Linear
        || (extent[3] >= down && extent[4] >= across);
    needed <= held && shaped
}

/// Where the indices of the data positions stand in the index tensor; `None`
/// if it does not hold them all.
pub(crate) fn index_plane(call: &MgatherL1, readings: &Readings) -> Option<Plane> {
    if !indices_covered(call, readings) {
        return None;
    }
    let held = usize::try_from(reach(&call.idx).unwrap_or(0)).ok()?;
    let Plane { rows, cols, .. } = Plane::of(&call.dst)?;
    let [.., down, across] = strides(&call.idx).map(|stride| usize::try_from(stride).ok());
    let steps = match readings.l1_index_pitch {
        L1IndexPitch::Linear => [cols, 1],
        L1IndexPitch::Strided => [down?, across?],
    };
    let extents = match call.mode {
        Coalesce::Row => [1, rows],
        Coalesce::Elem => [rows, cols],
    };
    Some(Plane::strided(extents, steps, held))
}

/// What the call writes to its tile, and nothing else.
pub(crate) const fn plain(call: &MgatherL1, target: Target) -> Why {
    match target {
        Target::Cpu => Why::by(ON_CPU.0),
        Target::A2a3 | Target::A5 => by_mode(call.mode, "MGATHERL1-SEM-01", BY_ELEMENT.0),
    }
}

fn clauses(call: &MgatherL1, target: Target, readings: &Readings) -> Clauses {
    let as_to_ub = Clauses {
        plain: plain(call, target),
        ..gather::clauses(call.mode, call.oob, target, readings)
    };
    if target == Target::Cpu {
        return as_to_ub;
    }
    Clauses {
        moved: Why::by("MGATHERL1-OOB-01"),
        zero: by_mode(call.mode, "MGATHERL1-OOB-02", "MGATHERL1-OOB-03"),
        beyond: as_to_ub.beyond.map(|_| Clause("MGATHERL1-GAP-27")),
        negative: negative(readings, "MGATHERL1-GAP-04"),
        unit: unit(target),
        ..as_to_ub
    }
}

/// What stands in the positions of the image that no lane is for.
#[derive(Clone, Copy)]
struct Padding<'a> {
    /// As far as a transfer of the row reaches.
    tail: Piece<'a>,
    /// Elsewhere; of bytes those that stand in the same place.
    rest: Piece<'a>,
}

impl<'a> Padding<'a> {
    /// Of `image`, what it shows where nothing is delivered: of the staging area, or on CPU
    /// of the tile as it was.
    fn of(call: &MgatherL1, image: &'a [u8], target: Target, readings: &Readings) -> Self {
        let zero = |clause| Piece::Zero(Why::by(clause));
        let zeroed = call.oob == GatherOob::Zero;
        let [tail, staged] = ["MGATHERL1-GAP-01", "MGATHERL1-GAP-02"];
        let row = readings.l1_row_padding;
        let all = match (call.mode, call.exec) {
            _ if target == Target::Cpu => Piece::Bytes(image, Why::open(ON_CPU)),
            (Coalesce::Row, _) if zeroed => zero("MGATHERL1-OOB-02"),
            (Coalesce::Row, _) if row == L1RowPadding::Undefined => {
                Piece::Open(Why::open(Clause(tail)))
            }
            (Coalesce::Row, _) if row == L1RowPadding::TailZero => {
                let (tail, rest) = (zero(tail), Piece::Kept);
                return Self { tail, rest };
            }
            (Coalesce::Row, _) => Piece::Kept,
            (Coalesce::Elem, GatherExec::Simt) => zero("MGATHERL1-EXEC-07"),
            (Coalesce::Elem, _) if zeroed => zero("MGATHERL1-SCRATCH-05"),
            (Coalesce::Elem, _) => match readings.l1_scratch_zero {
                L1ScratchZero::Always => zero(staged),
                // Simt zeroes it all the same.
                L1ScratchZero::ZeroOnly => Piece::Bytes(image, Why::open(Clause(staged))),
            },
        };
        let (tail, rest) = (all, all);
        Self { tail, rest }
    }
}

/// Says that a piece of the padding stands in `len` bytes at `offset`.
fn pad(runs: &mut Runs, piece: Piece<'_>, offset: usize, len: usize) {
    piece.part(offset, offset + len).put(runs, offset, len);
}

/// What a gather delivers, and where to.
struct Delivery<'a> {
    mode: Coalesce,
    source: Source<'a>,
    indices: Indices<'a>,
    plane: Plane,
    /// Elements from one row of the table to the next.
    pitch: i64,
    padding: Padding<'a>,
}

impl Delivery<'_> {
    /// Says what the image holds, one piece of 32 bytes of a row after the other.
    fn image(&self, runs: &mut Runs) {
        let (source, plane, padding) = (&self.source, &self.plane, self.padding);
        let size = source.size;
        let row = |r| {
            let start = |number: i64| number.saturating_mul(self.pitch);
            source.piece(self.indices.row(r), plane.cols * size, start)
        };
        // An Elem gather takes its elements one by one.
        let rows: Vec<Piece<'_>> = match self.mode {
            Coalesce::Row => (0..plane.rows).map(row).collect(),
            Coalesce::Elem => Vec::new(),
        };
        let width = BLOCK / size;
        for first in (0..plane.padded_cols() / width).map(|block| block * width) {
            let end = plane.cols.min(first + width);
            let held = if first < end { plane.rows } else { 0 };
            for r in 0..held {
                let offset = plane.at(r, first) * size;
                let valid = (end - first) * size;
                let part = rows.get(r).map(|row| row.part(first * size, end * size));
                match part {
                    Some(part) => part.put(runs, offset, valid),
                    None => (first..end).for_each(|c| {
                        let piece = source.piece(self.indices.elem(r, c), size, |number| number);
                        piece.put(runs, plane.at(r, c) * size, size);
                    }),
                }
                let rest = match part {
                    // The transfer that would fill it is not one to rely on.
                    Some(open @ Piece::Open(_)) => open,
                    _ => padding.tail,
                };
                pad(runs, rest, offset + valid, BLOCK - valid);
            }
            // The rows of a block stand side by side.
            let below = (plane.padded_rows - held) * BLOCK;
            pad(runs, padding.rest, plane.at(held, first) * size, below);
        }
    }
}

/// Fills `runs` for the destination.
pub(crate) fn permits(call: &MgatherL1, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    let (target, readings) = (steps.target, steps.readings);
    let plane = Plane::of(&call.dst)?;
    let size = call.dst.dtype.size();
    let len = plane.elems.checked_mul(size)?;
    let held = steps.loaded(Role::Destination, len)?;
    let idx = index_plane(call, readings)?;
    let index_bytes = steps.loaded(Role::Index, idx.elems.checked_mul(4)?)?;
    let indices = Indices::new(index_bytes, idx);
    let stages = target != Target::Cpu && call.mode == Coalesce::Elem;
    let image = match stages {
        true => steps.lasting(Role::Scratch, len)?,
        false => held,
    };
    let table = steps.table(&call.table)?;
    let remap = remap(call, target, readings);
    if indices.has_remainder([idx.rows, idx.cols], &remap) {
        return Some(Written::broken(unit(target)));
    }
    let pitch = match target {
        Target::Cpu => call.table.shape[4],
        Target::A2a3 | Target::A5 => call.table.stride[3],
    };
    let delivery = Delivery {
        mode: call.mode,
        source: Source {
            table,
            remap,
            clauses: clauses(call, target, readings),
            disputed: None,
            size,
            excused: Cell::default(),
        },
        indices,
        plane,
        pitch: saturated(pitch.get()),
        padding: Padding::of(call, image, target, readings),
    };
    delivery.image(runs);
    let scratch = match target {
        Target::Cpu => Scratch::Open(ON_CPU),
        Target::A2a3 | Target::A5 if stages => Scratch::Image,
        Target::A2a3 | Target::A5 => Scratch::Kept,
    };
    Some(Written {
        oob_accesses: delivery.source.excused.get(),
        scratch,
        ..Written::default()
    })
}
