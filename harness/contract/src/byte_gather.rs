//! What may stand in the destination after TGATHERB.

use std::cell::Cell;

use ptodiff_isa::{
    Clause, OffsetBoundary, OffsetGranularity, Readings, Role, Target, Tgatherb, UnalignedOffset,
};

use crate::{
    coord::{BLOCK_BYTES, Plane},
    operands::{Steps, Unusable, bytes},
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
    /// Bytes of a unit.
    unit: usize,
    unaligned: UnalignedOffset,
    /// Where the last unit begins that an offset out of range is brought to,
    /// if one is and if there is a last one.
    clamped: Option<Option<usize>>,
    plain: Why,
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
        let end = match readings.tgatherb_boundary {
            OffsetBoundary::Allocation => plane.elems * size,
            // In either order of elements the last position stands last.
            OffsetBoundary::Valid if plane.rows > 0 && plane.cols > 0 => {
                (plane.at(plane.rows - 1, plane.cols - 1) + 1) * size
            }
            OffsetBoundary::Valid => 0,
        };
        // Blocks clamp to the last 32 bytes, aligned or not (TGATHERB-GAP-02).
        let last = end.checked_sub(unit);
        Self {
            bytes: &bytes[..end],
            unit,
            unaligned: readings.tgatherb_unaligned,
            clamped: (target == Target::Cpu).then_some(last),
            plain: Why::by(match readings.tgatherb_granularity {
                OffsetGranularity::Element => "TGATHERB-SEM-01",
                OffsetGranularity::Block => "TGATHERB-GAP-14",
            }),
            excused: Cell::default(),
        }
    }

    /// What an offset delivers (TGATHERB-INDEX-01, -02).
    fn piece(&self, offset: u32) -> Piece<'a> {
        let (offset, unit) = (offset as usize, self.unit);
        let (unaligned, beyond) = ("TGATHERB-GAP-01", "TGATHERB-OOB-01");
        // Units are powers of two.
        let (start, why) = match (offset & (unit - 1), self.unaligned) {
            (0, _) => (offset, self.plain),
            (_, UnalignedOffset::ByteExact) => (offset, Why::by(unaligned)),
            (rest, UnalignedOffset::RoundedDown) => (offset - rest, Why::by(unaligned)),
            (_, UnalignedOffset::Undefined) => return self.open(unaligned),
        };
        let (start, why) = match self.clamped {
            _ if start + unit <= self.bytes.len() => (start, why),
            None => return self.open(beyond),
            Some(Some(last)) => (last, Why::by("TGATHERB-OOB-02").or(Some(Clause(beyond)))),
            // The source is shorter than a unit.
            Some(None) => return self.open("TGATHERB-GAP-02"),
        };
        Piece::Bytes(&self.bytes[start..start + unit], why)
    }

    fn open(&self, clause: &'static str) -> Piece<'a> {
        let clause = Clause(clause);
        self.excused.set(Some(clause));
        Piece::Open(Why::open(clause))
    }
}

/// Fills `runs` for the destination.
pub(crate) fn permits(call: &Tgatherb, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    let (target, readings) = (steps.target, steps.readings);
    let plane = |tile| Plane::of(tile).ok_or(Unusable::TooLarge);
    let (dst, src, offset) = (plane(&call.dst)?, plane(&call.src)?, plane(&call.offset)?);
    let size = call.dst.dtype.size();
    steps.loaded(Role::Destination, bytes(dst.elems, size)?)?;
    let source = steps.loaded(Role::Source, bytes(src.elems, size)?)?;
    let offset_bytes = steps.loaded(Role::Index, bytes(offset.elems, 4)?)?;
    let offsets = Indices::new(offset_bytes, offset);
    let source = Source::new(call, source, &src, target, readings);
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => dst.each_stored(|r, c, at| {
            let piece = source.piece(offsets.elem(r, c));
            piece.put(runs, at * size, size);
        }),
        OffsetGranularity::Block => blocks(runs, &dst, size, &source, &offsets),
    }
    Ok(Written {
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

/// Bytes of a block.
const BLOCK: usize = BLOCK_BYTES as usize;

/// The rest of the last block of a row.
const REST: Why = Why::open(Clause("TGATHERB-GAP-07"));
