//! TSCATTER by mask, A5 only.

use ptodiff_isa::{
    Call, Fault, How, Log, MaskAxis, MaskPadding, MaskPattern, Memory, Readings, Role, TscatterMask,
};

use super::{get, get_mut};
use crate::{
    Mutant, Wrong,
    bytes::{self, in_tile, is_image, rectangle, valid},
    spoil,
};

/// The pieces of a scatter by mask.
#[derive(Clone, Copy)]
pub(crate) struct Mask {
    /// Lanes of a group, and the lane that is written.
    group: fn(MaskPattern) -> (u64, u64),
    /// Positions of the destination that are zero to begin with.
    cleared: fn(&TscatterMask) -> Vec<(u64, u64)>,
    /// Positions of the source that are served.
    lanes: fn(&TscatterMask) -> Vec<(u64, u64)>,
    /// Number in the destination's image of a position.
    place: fn(&TscatterMask, u64, u64) -> u64,
    /// Whether every lane of a group is written.
    repeated: bool,
}

impl Mask {
    /// Every piece as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        group,
        cleared: |call| rectangle(call.dst.rows, call.dst.cols),
        lanes: |call| valid(&call.src),
        place: |call, r, c| in_tile(&call.dst, r, c),
        repeated: false,
    };

    /// Runs `call` if it is a scatter by mask under the default readings, on
    /// whole images.
    ///
    /// # Errors
    /// If the memory lacks an operand.
    pub(crate) fn run(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        let Call::TscatterMask(call) = call else {
            return Ok(false);
        };
        let (dst, src) = (get(memory, Role::Destination)?, get(memory, Role::Source)?);
        let fits = is_image(&call.dst, dst) && is_image(&call.src, src);
        let plain = how.readings == Readings::default() && call.axis == MaskAxis::Row;
        if !fits || !plain {
            return Ok(false);
        }
        let size = call.src.dtype.size();
        let (count, chosen) = (self.group)(call.pattern);
        let mut puts = Vec::new();
        for (r, c) in (self.cleared)(call) {
            puts.push(((self.place)(call, r, c), [0; 8]));
        }
        for (r, c) in (self.lanes)(call) {
            let from = i64::try_from(in_tile(&call.src, r, c)).unwrap_or(i64::MAX);
            let element = bytes::read(src, from, size, log);
            for lane in (0..count).filter(|lane| self.repeated || *lane == chosen) {
                puts.push(((self.place)(call, r, c * count + lane), element));
            }
        }
        let dst = get_mut(memory, Role::Destination)?;
        bytes::write_all(dst, &puts, size, log);
        Ok(true)
    }
}

fn group(pattern: MaskPattern) -> (u64, u64) {
    match pattern {
        MaskPattern::P0101 => (2, 0),
        MaskPattern::P1010 => (2, 1),
        MaskPattern::P0001 => (4, 0),
        MaskPattern::P0010 => (4, 1),
        MaskPattern::P0100 => (4, 2),
        MaskPattern::P1000 => (4, 3),
        MaskPattern::P1111 => (1, 0),
    }
}

const RIGHT: Mask = Mask::RIGHT;

mutants_of!(TscatterMask on A5, Mask);

pub(super) const ALL: &[Mutant] = &[
    of(
        "tscatter-mask-a5-lanes-of-two-swapped",
        "TSCATTER-MASK-04",
        "counts the lanes of a group of two from the left",
        Mask {
            group: |pattern| match group(pattern) {
                (2, lane) => (2, 1 - lane),
                other => other,
            },
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-middle-lanes-swapped",
        "TSCATTER-MASK-06",
        "takes the third lane of four for the second",
        Mask {
            group: |pattern| match group(pattern) {
                (4, lane @ (1 | 2)) => (4, 3 - lane),
                other => other,
            },
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-fourth-lane-is-first",
        "TSCATTER-MASK-08",
        "writes the first lane of four for the fourth",
        Mask {
            group: |pattern| match group(pattern) {
                (4, 3) => (4, 0),
                other => other,
            },
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-not-cleared",
        "TSCATTER-MASK-01",
        "leaves the other lanes of a group as they were",
        Mask {
            cleared: |_| Vec::new(),
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-valid-region-cleared",
        "TSCATTER-MASK-11",
        "zeroes the valid region only",
        Mask {
            cleared: |call| valid(&call.dst),
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-repeated",
        "TSCATTER-MASK-01",
        "writes the element to every lane of its group",
        Mask {
            repeated: true,
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-padding-lanes",
        "TSCATTER-SEM-02",
        "spreads the padding columns of the source as far as they fit",
        Mask {
            lanes: |call| {
                let (count, _) = group(call.pattern);
                let cols = call.src.cols.min(call.dst.cols / count);
                rectangle(call.src.valid_row.get(), cols)
            },
            ..RIGHT
        },
    ),
    of(
        "tscatter-mask-a5-packed-destination",
        "TSCATTER-MASK-01",
        "takes the rows of the destination for ValidCol apart",
        Mask {
            place: |call, r, c| r * call.dst.valid_col.get() + c,
            ..RIGHT
        },
    ),
    with(
        "tscatter-mask-a5-plain-padding-kept",
        "TSCATTER-GAP-13",
        "keeps the padding under P1111",
        Wrong::Reading(|readings| readings.mask_p1111_padding = MaskPadding::Kept),
    ),
    with(
        "tscatter-mask-a5-source-touched",
        "TSCATTER-SEM-05",
        "writes to the source that it reads",
        Wrong::Spoil(|_, _, after| spoil::first_byte(after, Role::Source)),
    ),
];
