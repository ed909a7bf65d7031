//! What may stand in the destination after TGATHERB.

use ptodiff_isa::{
    Clause, OffsetBoundary, OffsetGranularity, Readings, Role, Target, Tgatherb, UnalignedOffset,
};

use crate::{
    coord::{BLOCK_BYTES, Plane},
    lines::{Order, each_line},
    operands::{Steps, bytes},
    promise::{Unusable, Written},
    runs::{RUNS, Runs, Stretch, Told, Why},
    selection::Indices,
};

/// What one offset serves, in bytes.
pub(crate) const fn unit(call: &Tgatherb, readings: &Readings) -> usize {
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => call.dst.dtype.size(),
        OffsetGranularity::Block => BLOCK,
    }
}

/// The source, and the rules by which an offset selects `UNIT` bytes of it.
struct Source<'a, const UNIT: usize> {
    /// The bytes that are in range.
    bytes: &'a [u8],
    /// The whole units of them.
    units: &'a [[u8; UNIT]],
    unaligned: UnalignedOffset,
    /// Where the last unit begins that an offset out of range is brought to,
    /// if one is and if there is a last one.
    clamped: Option<Option<usize>>,
    plain: Why,
}

impl<'a, const UNIT: usize> Source<'a, UNIT> {
    fn new(
        call: &Tgatherb,
        bytes: &'a [u8],
        plane: &Plane,
        target: Target,
        readings: &Readings,
    ) -> Self {
        let size = call.src.dtype.size();
        let end = match readings.tgatherb_boundary {
            OffsetBoundary::Allocation => plane.elems * size,
            // In either order of elements the last position stands last.
            OffsetBoundary::Valid if plane.rows > 0 && plane.cols > 0 => {
                (plane.at(plane.rows - 1, plane.cols - 1) + 1) * size
            }
            OffsetBoundary::Valid => 0,
        };
        let bytes = &bytes[..end];
        // Blocks clamp to the last 32 bytes, aligned or not (TGATHERB-GAP-02).
        let last = end.checked_sub(UNIT);
        Self {
            bytes,
            units: bytes.as_chunks().0,
            unaligned: readings.tgatherb_unaligned,
            clamped: (target == Target::Cpu).then_some(last),
            plain: Why::by(match readings.tgatherb_granularity {
                OffsetGranularity::Element => "TGATHERB-SEM-01",
                OffsetGranularity::Block => "TGATHERB-GAP-14",
            }),
        }
    }

    /// How an offset is served, and what it delivers (TGATHERB-INDEX-01, -02).
    #[inline]
    fn unit(&self, offset: u32) -> (Served, Option<&'a [u8; UNIT]>) {
        let offset = offset as usize;
        if offset.is_multiple_of(UNIT)
            && let Some(unit) = self.units.get(offset / UNIT)
        {
            return (Served::Plain, Some(unit));
        }
        self.other_unit(offset)
    }

    #[inline(never)]
    fn other_unit(&self, offset: usize) -> (Served, Option<&'a [u8; UNIT]>) {
        let (start, served) = match (offset % UNIT, self.unaligned) {
            (0, _) => (offset, Served::Plain),
            (_, UnalignedOffset::ByteExact) => (offset, Served::Unaligned),
            (rest, UnalignedOffset::RoundedDown) => (offset - rest, Served::Unaligned),
            (_, UnalignedOffset::Undefined) => return (Served::OpenUnaligned, None),
        };
        let (start, served) = match self.clamped {
            _ if start + UNIT <= self.bytes.len() => (start, served),
            None => return (Served::OpenBeyond, None),
            Some(Some(last)) => (last, Served::Clamped),
            // The source is shorter than a unit.
            Some(None) => return (Served::OpenClamped, None),
        };
        (served, self.bytes[start..].first_chunk())
    }

    /// What is said of slots that are served so.
    fn told(&self, served: Served) -> Told {
        let unaligned = "TGATHERB-GAP-01";
        let beyond = Clause("TGATHERB-OOB-01");
        match served {
            Served::Plain => Told::Exactly(self.plain),
            Served::Unaligned => Told::Exactly(Why::by(unaligned)),
            Served::Clamped => Told::Exactly(Why::by("TGATHERB-OOB-02").or(Some(beyond))),
            Served::OpenUnaligned => Told::Anything(Why::open(Clause(unaligned))),
            Served::OpenBeyond => Told::Anything(Why::open(beyond)),
            Served::OpenClamped => Told::Anything(Why::open(Clause("TGATHERB-GAP-02"))),
        }
    }
}

/// How an offset is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Served {
    /// From where it points.
    Plain,
    /// The same, or from the unit that it points into.
    Unaligned,
    /// From the last unit.
    Clamped,
    /// In no way that is promised, since it is unaligned.
    OpenUnaligned,
    /// The same, since it is out of range.
    OpenBeyond,
    /// The same, though offsets out of range are brought back.
    OpenClamped,
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
    let source = steps.loaded(Role::Source, bytes(src.elems, size)?)?;
    let offset_bytes = steps.loaded(Role::Index, bytes(offset.elems, 4)?)?;
    let offsets = Indices::new(offset_bytes, offset);
    runs.reserve(RUNS, dst.rows * dst.cols * size);
    macro_rules! elements {
        ($size:literal) => {{
            let source = Source::<$size>::new(call, source, &src, target, readings);
            elements(runs, &dst, &source, &offsets)
        }};
    }
    let oob_accesses = match (readings.tgatherb_granularity, size) {
        (OffsetGranularity::Element, 1) => elements!(1),
        (OffsetGranularity::Element, 2) => elements!(2),
        (OffsetGranularity::Element, 4) => elements!(4),
        (OffsetGranularity::Element, _) => elements!(8),
        (OffsetGranularity::Block, _) => {
            let source = Source::new(call, source, &src, target, readings);
            blocks(runs, &dst, size, &source, &offsets)
        }
    };
    Ok(Written {
        oob_accesses,
        placed: true,
        ..Written::default()
    })
}

/// An offset an element; the clause of one of which nothing is promised, if
/// there is one.
fn elements<const SIZE: usize>(
    runs: &mut Runs,
    dst: &Plane,
    source: &Source<'_, SIZE>,
    offsets: &Indices<'_>,
) -> Option<Clause> {
    let mut stretch = Stretch::new(runs, |served| source.told(served));
    let planes = [dst, &offsets.plane];
    each_line(Order::Physical, [dst.rows, dst.cols], planes, |line| {
        let mut offset = offsets.along(line.at[1], line.step[1]);
        let to = [line.at[0], line.step[0], line.len];
        stretch.slots(to, || source.unit(offset()));
    });
    stretch.finish()
}

/// An offset a block of a row (TGATHERB-GAP-14); the clause as above.
fn blocks(
    runs: &mut Runs,
    dst: &Plane,
    size: usize,
    source: &Source<'_, BLOCK>,
    offsets: &Indices<'_>,
) -> Option<Clause> {
    let mut open = None;
    let pitch = dst.elems / dst.padded_rows.max(1) * size;
    for r in 0..dst.rows {
        for (b, from) in (0..dst.cols * size).step_by(BLOCK).enumerate() {
            let (served, bytes) = source.unit(offsets.elem(r, b));
            let valid = BLOCK.min(dst.cols * size - from);
            let whole = BLOCK.min(pitch - from);
            let at = r * pitch + from;
            match (source.told(served), bytes) {
                (Told::Exactly(why), Some(bytes)) => runs.exactly(at, &bytes[..valid], why),
                (Told::Exactly(why) | Told::Anything(why), _) => {
                    open = Some(why.clause);
                    runs.anything(at, valid, why);
                }
            }
            runs.anything(at + valid, whole - valid, REST);
        }
    }
    open
}

/// Bytes of a block.
const BLOCK: usize = BLOCK_BYTES as usize;

/// The rest of the last block of a row.
const REST: Why = Why::open(Clause("TGATHERB-GAP-07"));
