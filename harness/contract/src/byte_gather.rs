//! What may stand in the destination after TGATHERB.

use ptodiff_isa::{
    Clause, OffsetBoundary, OffsetGranularity, Readings, Role, Target, Tgatherb, UnalignedOffset,
};

use crate::{
    coord::{BLOCK_BYTES, Plane},
    operands::{Steps, bytes},
    piece::{Piece, put},
    promise::{Unusable, Written},
    runs::{Runs, Why},
    selection::Indices,
};

/// What one offset serves, in bytes.
pub(crate) const fn unit(call: &Tgatherb, readings: &Readings) -> usize {
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => call.dst.dtype.size(),
        OffsetGranularity::Block => BLOCK_BYTES as usize,
    }
}

/// The source, and the rules by which an offset selects a part of it.
struct Source<'a> {
    bytes: &'a [u8],
    /// Bytes that are in range.
    end: usize,
    unit: usize,
    unaligned: UnalignedOffset,
    /// Where the last unit begins that an offset out of range is brought to,
    /// if one is and if there is a last one.
    clamped: Option<Option<usize>>,
    plain: Why,
}

impl<'a> Source<'a> {
    fn new(
        call: &Tgatherb,
        bytes: &'a [u8],
        plane: &Plane,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let size = call.src.dtype.size();
        let unit = unit(call, readings);
        let end = match readings.tgatherb_boundary {
            OffsetBoundary::Allocation => plane.elems * size,
            // In either order of elements the last position stands last.
            OffsetBoundary::Valid if plane.rows > 0 && plane.cols > 0 => {
                (plane.at(plane.rows - 1, plane.cols - 1) + 1) * size
            }
            OffsetBoundary::Valid => 0,
        };
        let last = end.checked_sub(unit).filter(|last| last % unit == 0);
        Self {
            bytes,
            end,
            unit,
            unaligned: readings.tgatherb_unaligned,
            clamped: (target == Target::Cpu).then_some(last),
            plain: Why::by(match readings.tgatherb_granularity {
                OffsetGranularity::Element => "TGATHERB-SEM-01",
                OffsetGranularity::Block => "TGATHERB-GAP-14",
            }),
        }
    }

    /// What an offset delivers (TGATHERB-INDEX-01, -02).
    #[inline]
    fn piece(&self, offset: u32) -> Piece<'a> {
        let offset = offset as usize;
        let unaligned = Clause("TGATHERB-GAP-01");
        let (start, why) = match (offset % self.unit, self.unaligned) {
            (0, _) => (offset, self.plain),
            (_, UnalignedOffset::ByteExact) => (offset, Why::by(unaligned.0)),
            (rest, UnalignedOffset::RoundedDown) => (offset - rest, Why::by(unaligned.0)),
            (_, UnalignedOffset::Undefined) => return Piece::Open(Why::open(unaligned)),
        };
        let beyond = Clause("TGATHERB-OOB-01");
        let (start, why) = match self.clamped {
            _ if start + self.unit <= self.end => (start, why),
            None => return Piece::Open(Why::open(beyond)),
            Some(Some(last)) => (last, Why::by("TGATHERB-OOB-02").or(Some(beyond))),
            // No whole unit ends with the source.
            Some(None) => return Piece::Open(Why::open(Clause("TGATHERB-GAP-02"))),
        };
        Piece::Bytes(&self.bytes[start..start + self.unit], why)
    }
}

/// Fills `runs` for the destination.
pub(crate) fn permits(
    call: &Tgatherb,
    steps: &Steps<'_>,
    target: Target,
    readings: &Readings,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let plane = |tile| Plane::of(tile).ok_or(Unusable::TooLarge);
    let (dst, src, offset) = (plane(&call.dst)?, plane(&call.src)?, plane(&call.offset)?);
    let size = call.dst.dtype.size();
    steps.loaded(Role::Destination, bytes(dst.elems, size)?)?;
    let source_bytes = steps.loaded(Role::Source, bytes(src.elems, size)?)?;
    let offset_bytes = steps.loaded(Role::Index, bytes(offset.elems, 4)?)?;
    let offsets = Indices::new(offset_bytes, offset);
    let source = Source::new(call, source_bytes, &src, target, readings);
    runs.reserve(dst.rows * dst.cols * size);
    let mut strays = None;
    let mut note = |piece: &Piece<'_>| {
        if let Piece::Open(why) = piece {
            strays = Some(why.clause);
        }
    };
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => dst.each_physical(|r, c| {
            let piece = source.piece(offsets.elem(r, c));
            note(&piece);
            put(runs, dst.at(r, c) * size, size, piece);
        }),
        OffsetGranularity::Block => {
            let pitch = dst.elems / dst.padded_rows.max(1) * size;
            for r in 0..dst.rows {
                for (b, from) in (0..dst.cols * size).step_by(source.unit).enumerate() {
                    let piece = source.piece(offsets.elem(r, b));
                    note(&piece);
                    let valid = source.unit.min(dst.cols * size - from);
                    let whole = source.unit.min(pitch - from);
                    let at = r * pitch + from;
                    put(runs, at, valid, piece.part(0, valid));
                    runs.anything(at + valid, whole - valid, REST);
                }
            }
        }
    }
    Ok(Written {
        strays,
        ..Written::default()
    })
}

/// The rest of the last block of a row.
const REST: Why = Why::open(Clause("TGATHERB-GAP-07"));
