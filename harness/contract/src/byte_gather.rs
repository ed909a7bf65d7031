//! What may stand in the destination after TGATHERB.

use std::cell::Cell;

use ptodiff_isa::{
    Clause, OffsetBoundary, OffsetGranularity, Readings, Role, Target, Tgatherb, UnalignedOffset,
};

use crate::{
    coord::{BLOCK, Plane},
    operands::Steps,
    piece::Piece,
    runs::{Runs, Why},
    selection::Indices,
    written::{Said, Written},
};

/// What one offset serves, in bytes.
pub(crate) const fn unit(call: &Tgatherb, readings: &Readings) -> usize {
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => call.dst.dtype.size(),
        OffsetGranularity::Block => BLOCK,
    }
}

/// The source, and the rules by which an offset selects a unit of it.
struct Source<'a> {
    /// The bytes that are in range.
    bytes: &'a [u8],
    /// Bytes of the allocation.
    allocated: usize,
    /// Bytes of a unit.
    unit: usize,
    unaligned: UnalignedOffset,
    /// Whether an offset out of range is brought to the last unit.
    clamps: bool,
    /// Why accesses outside operands are excused, once an offset has no promise.
    excused: Cell<Option<Clause>>,
}

impl<'a> Source<'a> {
    fn new(
        call: &Tgatherb,
        bytes: &'a [u8],
        plane: &Plane,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let (size, unit) = (call.src.dtype.size(), unit(call, readings));
        let allocated = plane.elems * size;
        let end = match readings.tgatherb_boundary {
            OffsetBoundary::Allocation => allocated,
            // In either order of elements the last position stands last.
            OffsetBoundary::Valid if plane.rows > 0 && plane.cols > 0 => {
                (plane.at(plane.rows - 1, plane.cols - 1) + 1) * size
            }
            OffsetBoundary::Valid => 0,
        };
        Self {
            bytes: &bytes[..end],
            allocated,
            unit,
            unaligned: readings.tgatherb_unaligned,
            clamps: target == Target::Cpu,
            excused: Cell::default(),
        }
    }

    /// What an offset delivers (TGATHERB-INDEX-01, -02).
    fn piece(&self, offset: u32) -> Piece<'a> {
        let (offset, unit) = (offset as usize, self.unit);
        let unaligned = Clause("TGATHERB-GAP-01");
        // Units are powers of two.
        let (start, why) = match (offset & (unit - 1), self.unaligned) {
            // Of a block only a reading says so.
            (0, _) if unit == BLOCK => (offset, Why::by("TGATHERB-GAP-14")),
            (0, _) => (offset, Why::by("TGATHERB-SEM-01")),
            (_, UnalignedOffset::ByteExact) => (offset, Why::by(unaligned.0)),
            (rest, UnalignedOffset::RoundedDown) => (offset - rest, Why::by(unaligned.0)),
            (_, UnalignedOffset::Undefined) => return self.open(Why::open(unaligned)),
        };
        // Another boundary has it in range.
        let inside = start + unit <= self.allocated;
        let boundary = |gap| inside.then_some(Clause(gap));
        let (start, why) = match self.bytes.len().checked_sub(unit) {
            Some(last) if start <= last => (start, why),
            _ if !self.clamps => {
                let any = Why::open(Clause("TGATHERB-OOB-01"));
                let freedom = boundary("TGATHERB-GAP-03").or(any.freedom);
                return self.open(Why { freedom, ..any });
            }
            // Of blocks the last 32 bytes, aligned or not (TGATHERB-GAP-02).
            Some(last) => {
                let clamped = Why::by("TGATHERB-OOB-02");
                (last, clamped.or(boundary("TGATHERB-GAP-02")))
            }
            // The source is shorter than a unit.
            None => return self.open(Why::open(Clause("TGATHERB-GAP-02"))),
        };
        Piece::Bytes(&self.bytes[start..start + unit], why)
    }

    fn open(&self, why: Why) -> Piece<'a> {
        self.excused.set(Some(why.clause));
        Piece::Open(why)
    }
}

/// Fills `runs` for the destination.
pub(crate) fn permits(call: &Tgatherb, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    let (target, readings) = (steps.target, steps.readings);
    let [dst, src, offset] = [&call.dst, &call.src, &call.offset].map(Plane::of);
    let (dst, src, offset) = (dst?, src?, offset?);
    let size = call.dst.dtype.size();
    steps.loaded(Role::Destination, dst.elems.checked_mul(size)?)?;
    let source = steps.loaded(Role::Source, src.elems.checked_mul(size)?)?;
    let offset_bytes = steps.loaded(Role::Index, offset.elems.checked_mul(4)?)?;
    let offsets = Indices::new(offset_bytes, offset);
    let source = Source::new(call, source, &src, target, readings);
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => dst.each_stored(|r, c, at| {
            let piece = source.piece(offsets.elem(r, c));
            piece.put(runs, at * size, size);
        }),
        OffsetGranularity::Block => blocks(runs, &dst, size, &source, &offsets),
    }
    Some(Written {
        oob_accesses: source.excused.get(),
        ..Written::default()
    })
}

/// An offset a block of a row (TGATHERB-GAP-14).
fn blocks(runs: &mut Runs, dst: &Plane, size: usize, source: &Source<'_>, offsets: &Indices<'_>) {
    let pitch = dst.padded_cols() * size;
    for r in 0..dst.rows {
        for (b, from) in (0..dst.cols * size).step_by(BLOCK).enumerate() {
            let piece = source.piece(offsets.elem(r, b));
            let valid = BLOCK.min(dst.cols * size - from);
            let whole = BLOCK.min(pitch - from);
            let at = r * pitch + from;
            piece.part(0, valid).put(runs, at, valid);
            runs.anything(at + valid, whole - valid, REST);
        }
    }
}

/// The rest of the last block of a row.
const REST: Why = Why::open(Clause("TGATHERB-GAP-07"));
