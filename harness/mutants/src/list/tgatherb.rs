//! TGATHERB.

use ptodiff_isa::{OffsetGranularity, UnalignedOffset};

use super::*;

/// Bytes of the source, of which so many begin an element.
const fn bytes(ops: &Operands, elements: u64) -> u64 {
    elements + ops.dtype().size() as u64 - 1
}

pub(super) const CPU: &[Row] = &[
    (
        "tgatherb-cpu-clamp-to-end",
        "TGATHERB-OOB-02",
        "clamps to the byte past the source",
        Selects(|ops, offset, last| Some(offset.min(bytes(ops, last)).cast_signed())),
    ),
    (
        "tgatherb-cpu-clamp-to-last-byte",
        "TGATHERB-OOB-02",
        "clamps to the last byte and not to the last element",
        Selects(|ops, offset, last| Some(offset.min(bytes(ops, last) - 1).cast_signed())),
    ),
    (
        "tgatherb-cpu-wraps",
        "TGATHERB-OOB-02",
        "takes the remainder where it should clamp",
        Selects(|ops, offset, capacity| match bytes(ops, capacity) {
            bytes if offset >= bytes => Some((offset % bytes).cast_signed()),
            _ => remap(ops, offset, capacity),
        }),
    ),
    (
        "tgatherb-cpu-signed-offset",
        "TGATHERB-INDEX-01",
        "takes an offset of 2^31 and more for a negative one",
        Selects(
            |ops, offset, capacity| match (offset as u32).cast_signed() {
                ..0 => Some(0),
                _ => remap(ops, offset, capacity),
            },
        ),
    ),
];

pub(super) const A2A3: &[Row] = &[
    (
        "tgatherb-a2a3-offset-in-elements",
        "TGATHERB-INDEX-02",
        "takes an offset for a number of elements, within the source",
        Selects(|ops, offset, capacity| {
            let size = ops.dtype().size() as u64;
            Some((offset * size % bytes(ops, capacity)).cast_signed())
        }),
    ),
    (
        "tgatherb-a2a3-offset-of-block",
        "TGATHERB-SEM-03",
        "takes an offset for that of a block of 32 bytes",
        Other(|_, readings| readings.tgatherb_granularity = OffsetGranularity::Block),
    ),
    PADDING_FILLED.named("tgatherb-a2a3-padding-lanes", "TGATHERB-SEM-02"),
    INDEX_PACKED.named("tgatherb-a2a3-packed-offsets", "TGATHERB-SEM-03"),
    PAST_THE_TILE.named("tgatherb-a2a3-byte-past-the-tile", "TGATHERB-SEM-04"),
];

pub(super) const A5: &[Row] = &[
    (
        "tgatherb-a5-rounded-down",
        "TGATHERB-SEM-01",
        "loads from the element that the byte lies in",
        Other(|_, readings| readings.tgatherb_unaligned = UnalignedOffset::RoundedDown),
    ),
    DESTINATION_ROW_MAJOR.named("tgatherb-a5-tile-row-major", "TGATHERB-SEM-01"),
    (
        "tgatherb-a5-short-offset",
        "TGATHERB-INDEX-01",
        "reads the lower 8 bits of an offset",
        Selects(|_, offset, _| Some((offset & 0xFF).cast_signed())),
    ),
    LAST_KEPT.named("tgatherb-a5-last-left-out", "TGATHERB-SEM-02"),
    (
        "tgatherb-a5-offset-touched",
        "TGATHERB-SEM-04",
        "writes to the offsets that it reads",
        Spoil(Role::Index, |body| body.clone().next()),
    ),
];
