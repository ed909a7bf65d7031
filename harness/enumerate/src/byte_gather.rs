//! TGATHERB (document 004).

use ptodiff_isa::{
    Memory, OffsetBoundary, OffsetGranularity, Readings, Role, Target, Tgatherb, UnalignedOffset,
};

use crate::{
    image::Image,
    operand::Held,
    out::{Out, Stop},
    spots::Spots,
};

/// Bytes of a block.
const BLOCK: usize = 32;

/// What the destination may hold after `steps`.
pub(crate) fn enumerate(
    call: &Tgatherb,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    if call.offset.dtype.size() != 4 || !call.offset.dtype.is_integer() {
        return Err(Stop::NotCovered("offsets that are no integers of 32 bits"));
    }
    let size = call.dst.dtype.size();
    let by_block = readings.tgatherb_granularity == OffsetGranularity::Block;
    let src = Spots::of(&call.src)?;
    let form = Form {
        target,
        readings,
        size,
        served: if by_block { BLOCK } else { size },
        end: size * end(&src, readings.tgatherb_boundary),
        dst: Spots::of(&call.dst)?,
        src,
        offset: Spots::of(&call.offset)?,
    };
    let image = Image::after(steps, (form.dst.len(), size), |step, image| {
        form.step(step, image)
    })?;
    Ok(Out::Of(image.reachable(Role::Destination)))
}

struct Form<'a> {
    target: Target,
    readings: &'a Readings,
    /// Bytes of an element.
    size: usize,
    /// Bytes that one offset serves.
    served: usize,
    /// Where the source ends, in bytes.
    end: usize,
    dst: Spots,
    src: Spots,
    offset: Spots,
}

impl Form<'_> {
    fn step(&self, step: &Memory, image: &mut Image) -> Result<(), Stop> {
        let source = Held::of(step, Role::Source, self.size)?;
        source.at_least(self.src.len())?;
        let offsets = Held::of(step, Role::Index, 4)?;
        let [rows, cols] = self.dst.valid;
        let per_offset = self.served / self.size;
        for r in 0..rows {
            for (n, start) in (0..cols).step_by(per_offset).enumerate() {
                let offset = offsets.at(self.offset.at(r, n)?)? as usize;
                let from = self.from(offset, image)?;
                for i in 0..per_offset {
                    let c = start + i;
                    if c >= self.dst.cols() {
                        break;
                    }
                    let found = from.and_then(|from| source.at_byte(from + i * self.size));
                    // The rest of a row's last block may change (TGATHERB-GAP-07).
                    let found = found.filter(|_| c < cols);
                    image.set(self.dst.at(r, c)?, found.map(|bits| [bits].into()));
                }
            }
        }
        Ok(())
    }

    /// The byte that a load starts from; `None` if what it brings is open.
    fn from(&self, offset: usize, image: &mut Image) -> Result<Option<usize>, Stop> {
        let aligned = offset / self.served * self.served;
        let offset = match self.readings.tgatherb_unaligned {
            UnalignedOffset::ByteExact => offset,
            UnalignedOffset::RoundedDown => aligned,
            UnalignedOffset::Undefined if offset != aligned => {
                image.outside = true;
                return Ok(None);
            }
            UnalignedOffset::Undefined => offset,
        };
        if offset + self.served <= self.end {
            return Ok(Some(offset));
        }
        if self.target != Target::Cpu {
            image.outside = true;
            return Ok(None);
        }
        let last = self.end.checked_sub(self.served);
        let nothing = Stop::NotCovered("a source with nothing to clamp to");
        Ok(Some(last.ok_or(nothing)?))
    }
}

/// How many elements the source has (TGATHERB-GAP-02, -03).
fn end(src: &Spots, reading: OffsetBoundary) -> usize {
    match reading {
        OffsetBoundary::Allocation => src.len(),
        OffsetBoundary::Valid => src.held().max().map_or(0, |last| last + 1),
    }
}
