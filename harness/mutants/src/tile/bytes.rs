//! TGATHERB.

use ptodiff_isa::{
    Call, Fault, How, Log, Memory, OffsetGranularity, Readings, Role, Target, Tgatherb,
    UnalignedOffset,
};

use super::{get, get_mut};
use crate::{
    Mutant, Wrong,
    bytes::{self, in_tile, is_image, rectangle, valid},
    spoil,
};

/// The pieces of a gather by byte offsets.
#[derive(Clone, Copy)]
pub(crate) struct ByteGather {
    /// Positions of the destination that are served.
    lanes: fn(&Tgatherb) -> Vec<(u64, u64)>,
    /// Number in the offset tile's image of the offset of a position.
    offset: fn(&Tgatherb, u64, u64) -> u64,
    /// The byte that an offset leads to, of so many bytes that the source has.
    from: fn(&Tgatherb, Target, u32, u64) -> i64,
    /// Number in the destination's image of a position.
    place: fn(&Tgatherb, u64, u64) -> u64,
}

impl ByteGather {
    /// Every piece as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        lanes: |call| valid(&call.dst),
        offset: |call, r, c| in_tile(&call.offset, r, c),
        from,
        place: |call, r, c| in_tile(&call.dst, r, c),
    };

    /// Runs `call` if it is such a gather under the default readings, on whole images.
    ///
    /// # Errors
    /// If the memory lacks an operand.
    pub(crate) fn run(
        &self,
        call: &Call,
        target: Target,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        let Call::Tgatherb(call) = call else {
            return Ok(false);
        };
        let dst = get(memory, Role::Destination)?;
        let (src, offset) = (get(memory, Role::Source)?, get(memory, Role::Index)?);
        let fits = is_image(&call.dst, dst) && is_image(&call.offset, offset);
        let plain = how.readings == Readings::default() && call.offset.dtype.size() == 4;
        if !fits || !plain {
            return Ok(false);
        }
        let size = call.dst.dtype.size();
        let mut puts = Vec::new();
        for (r, c) in (self.lanes)(call) {
            let bytes = bytes::index(offset, (self.offset)(call, r, c), log);
            let from = (self.from)(call, target, bytes, src.body().len() as u64);
            let element = bytes::read_at(src, from, size, log);
            puts.push(((self.place)(call, r, c), element));
        }
        let dst = get_mut(memory, Role::Destination)?;
        bytes::write_all(dst, &puts, size, log);
        Ok(true)
    }
}

fn from(call: &Tgatherb, target: Target, offset: u32, bytes: u64) -> i64 {
    let last = bytes.saturating_sub(call.dst.dtype.size() as u64);
    let from = match target {
        Target::Cpu => u64::from(offset).min(last),
        Target::A2a3 | Target::A5 => offset.into(),
    };
    from.cast_signed()
}

const RIGHT: ByteGather = ByteGather::RIGHT;

mutants_of!(Tgatherb, ByteGather);

fn padding_too(call: &Tgatherb) -> Vec<(u64, u64)> {
    let cols = call.dst.cols.min(call.offset.cols);
    rectangle(call.dst.valid_row.get(), cols)
}

pub(super) const ALL: &[Mutant] = &[
    of(
        "tgatherb-cpu-clamp-to-end",
        Target::Cpu,
        "TGATHERB-OOB-02",
        "clamps to the byte past the source",
        ByteGather {
            from: |_, _, offset, bytes| u64::from(offset).min(bytes).cast_signed(),
            ..RIGHT
        },
    ),
    of(
        "tgatherb-cpu-clamp-to-last-byte",
        Target::Cpu,
        "TGATHERB-OOB-02",
        "clamps to the last byte and not to the last element",
        ByteGather {
            from: |_, _, offset, bytes| {
                u64::from(offset).min(bytes.saturating_sub(1)).cast_signed()
            },
            ..RIGHT
        },
    ),
    of(
        "tgatherb-cpu-wraps",
        Target::Cpu,
        "TGATHERB-OOB-02",
        "takes the remainder where it should clamp",
        ByteGather {
            from: |call, target, offset, bytes| match u64::from(offset) % bytes.max(1) {
                wrapped if u64::from(offset) >= bytes => wrapped.cast_signed(),
                _ => from(call, target, offset, bytes),
            },
            ..RIGHT
        },
    ),
    of(
        "tgatherb-cpu-signed-offset",
        Target::Cpu,
        "TGATHERB-INDEX-01",
        "takes an offset of 2^31 and more for a negative one",
        ByteGather {
            from: |call, target, offset, bytes| match offset.cast_signed() {
                ..0 => 0,
                _ => from(call, target, offset, bytes),
            },
            ..RIGHT
        },
    ),
    of(
        "tgatherb-a2a3-offset-in-elements",
        Target::A2a3,
        "TGATHERB-INDEX-02",
        "takes an offset for a number of elements, within the source",
        ByteGather {
            from: |call, _, offset, bytes| {
                let size = call.dst.dtype.size() as u64;
                (u64::from(offset) * size % bytes.max(1)).cast_signed()
            },
            ..RIGHT
        },
    ),
    with(
        "tgatherb-a2a3-offset-of-block",
        Target::A2a3,
        "TGATHERB-SEM-03",
        "takes an offset for that of a block of 32 bytes",
        Wrong::Reading(|readings| readings.tgatherb_granularity = OffsetGranularity::Block),
    ),
    of(
        "tgatherb-a2a3-padding-lanes",
        Target::A2a3,
        "TGATHERB-SEM-02",
        "fills the padding columns of the tile, too",
        ByteGather {
            lanes: padding_too,
            ..RIGHT
        },
    ),
    of(
        "tgatherb-a2a3-packed-offsets",
        Target::A2a3,
        "TGATHERB-SEM-03",
        "takes the rows of offsets for ValidCol apart",
        ByteGather {
            offset: |call, r, c| r * call.offset.valid_col.get() + c,
            ..RIGHT
        },
    ),
    with(
        "tgatherb-a2a3-byte-past-the-tile",
        Target::A2a3,
        "TGATHERB-SEM-04",
        "writes the byte that follows the tile",
        Wrong::Spoil(|_, _, after| spoil::past_the_end(after, Role::Destination)),
    ),
    with(
        "tgatherb-a5-rounded-down",
        Target::A5,
        "TGATHERB-SEM-01",
        "loads from the element that the byte lies in",
        Wrong::Reading(|readings| readings.tgatherb_unaligned = UnalignedOffset::RoundedDown),
    ),
    of(
        "tgatherb-a5-tile-row-major",
        Target::A5,
        "TGATHERB-SEM-01",
        "writes a column-major tile as a row-major one",
        ByteGather {
            place: |call, r, c| r * call.dst.cols + c,
            ..RIGHT
        },
    ),
    of(
        "tgatherb-a5-short-offset",
        Target::A5,
        "TGATHERB-INDEX-01",
        "reads the lower 8 bits of an offset",
        ByteGather {
            from: |_, _, offset, _| (offset & 0xFF).into(),
            ..RIGHT
        },
    ),
    of(
        "tgatherb-a5-last-left-out",
        Target::A5,
        "TGATHERB-SEM-02",
        "leaves out the last element",
        ByteGather {
            lanes: |call| {
                let mut all = (RIGHT.lanes)(call);
                all.pop();
                all
            },
            ..RIGHT
        },
    ),
    with(
        "tgatherb-a5-offset-touched",
        Target::A5,
        "TGATHERB-SEM-04",
        "writes to the offsets that it reads",
        Wrong::Spoil(|_, _, after| spoil::first_byte(after, Role::Index)),
    ),
];
