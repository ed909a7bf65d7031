//! MSCATTER on A5.

use std::collections::BTreeMap;

use super::*;

fn default_conflict(call: &mut Call, mode: Coalesce) {
    match call {
        Call::Mscatter(c) if c.mode == mode => c.conflict = ScatterConflict::Default,
        _ => {}
    }
}

/// Max and Min take the elements of one dtype for those of another.
fn extremes_as(call: &mut Call, from: DType, to: DType) {
    match call {
        Call::Mscatter(c)
            if matches!(c.atomic, ScatterAtomicOp::Max | ScatterAtomicOp::Min)
                && c.src.dtype == from =>
        {
            (c.src.dtype, c.table.dtype) = (to, to);
        }
        _ => {}
    }
}

pub(super) const ALL: &[Row] = &[
    (
        "mscatter-a5-signed-compare",
        "MSCATTER-OOB-13",
        "compares an index with the capacity as a signed number",
        SIGNED,
    ),
    (
        "mscatter-a5-wide-remainder",
        "MSCATTER-OOB-10",
        "widens a negative index to 64 bits before it takes the remainder",
        selects(steps::wide_remainder),
    ),
    (
        "mscatter-a5-clamp-to-capacity",
        "MSCATTER-OOB-08",
        "clamps to the capacity, one past the last slot",
        selects(steps::clamp_past_the_end),
    ),
    (
        "mscatter-a5-capacity-is-inside",
        "MSCATTER-OOB-12",
        "lets Skip pass an index that equals the capacity",
        selects(steps::capacity_is_inside),
    ),
    (
        "mscatter-a5-skip-to-slot-0",
        "MSCATTER-OOB-05",
        "writes to slot 0 what Skip should drop",
        selects(steps::slot_0_for_none),
    ),
    (
        "mscatter-a5-clamp-drops",
        "MSCATTER-OOB-07",
        "drops under Clamp what is out of bounds",
        selects(|ops, index, capacity| match ops.oob {
            ScatterOob::Clamp if index >= capacity => None,
            _ => remap(ops, index, capacity),
        }),
    ),
    (
        "mscatter-a5-first-writer-wins",
        "MSCATTER-CONF-04",
        "leaves the first writer of a contested slot",
        moves_are(steps::first_wins),
    ),
    (
        "mscatter-a5-elem-last-by-schedule",
        "MSCATTER-CONF-05",
        "leaves under Last whichever element the schedule served last",
        Wrong::Other(|call, _| default_conflict(call, Coalesce::Elem)),
    ),
    (
        "mscatter-a5-row-last-by-schedule",
        "MSCATTER-CONF-03",
        "leaves under Last whichever row the schedule served last",
        Wrong::Other(|call, _| default_conflict(call, Coalesce::Row)),
    ),
    (
        "mscatter-a5-torn-row",
        "MSCATTER-CONF-03",
        "leaves half a row of the last writer and half a row of the first",
        moves_are(steps::torn_rows),
    ),
    (
        "mscatter-a5-conflict-before-remap",
        "MSCATTER-OOB-15",
        "looks for the last writer among equal indices before they are remapped",
        moves_are(|ops, moves| {
            if ops.last && ops.atomic == ScatterAtomicOp::None {
                // The last writer of every index, the smallest index on top.
                let place = |one: &Move| (one.index, one.c * u64::from(ops.row));
                let last: BTreeMap<_, _> = moves.iter().map(|one| (place(one), *one)).collect();
                *moves = last.into_values().rev().collect();
            }
        }),
    ),
    (
        "mscatter-a5-lost-atomic",
        "MSCATTER-ATOM-06",
        "loses all but the last of the contributions to a slot",
        moves_are(steps::lost_update),
    ),
    (
        "mscatter-a5-added-twice",
        "MSCATTER-ATOM-06",
        "applies one contribution twice",
        moves_are(|ops, moves| {
            if ops.atomic == ScatterAtomicOp::Add {
                let last = moves.iter().rfind(|one| one.slot.is_some()).copied();
                moves.extend(last);
            }
        }),
    ),
    (
        "mscatter-a5-add-from-zero",
        "MSCATTER-ATOM-25",
        "starts a sum from zero and not from what the slot holds",
        combines(|ops, puts, sink| {
            if ops.atomic == ScatterAtomicOp::Add {
                sink.each(puts, |_, _| 0);
            }
            apply(ops, puts, sink);
        }),
    ),
    (
        "mscatter-a5-add-toward-zero",
        "MSCATTER-ATOM-22",
        "rounds sums toward zero",
        combines(steps::truncating),
    ),
    (
        "mscatter-a5-wide-accumulator",
        "MSCATTER-ATOM-22",
        "keeps a sum wide and rounds it once, at the end",
        combines(steps::wide_sums),
    ),
    (
        "mscatter-a5-max-of-slot-0",
        "MSCATTER-ATOM-02",
        "compares for Max with slot 0 and not with the slot",
        combines(|ops, puts, sink| {
            if ops.atomic != ScatterAtomicOp::Max {
                return apply(ops, puts, sink);
            }
            for (slot, new) in puts {
                if below(ops.dtype(), sink.get(0), *new) {
                    sink.put(*slot, *new);
                }
            }
        }),
    ),
    (
        "mscatter-a5-max-signed",
        "MSCATTER-ATOM-21",
        "compares uint32_t as a signed number",
        Wrong::Other(|call, _| extremes_as(call, DType::Uint32, DType::Int32)),
    ),
    (
        "mscatter-a5-min-unsigned",
        "MSCATTER-ATOM-21",
        "compares int32_t as an unsigned number",
        Wrong::Other(|call, _| extremes_as(call, DType::Int32, DType::Uint32)),
    ),
    (
        "mscatter-a5-float-max-by-bits",
        "MSCATTER-ATOM-21",
        "compares the bits of a float as an integer",
        Wrong::Other(|call, _| extremes_as(call, DType::Float, DType::Int32)),
    ),
    (
        "mscatter-a5-min-is-max",
        "MSCATTER-ATOM-03",
        "takes the maximum for Min",
        Wrong::Other(|call, _| atomic(call, ScatterAtomicOp::Min, ScatterAtomicOp::Max)),
    ),
    (
        "mscatter-a5-pitch-of-padded-tile",
        "MSCATTER-TABLE-06",
        "takes the rows of the table for as far apart as those of the padded tile",
        pitch_is(|ops| ops.tile.cols),
    ),
    (
        "mscatter-a5-row-capacity-product",
        "MSCATTER-CAP-04",
        "counts the rows of all outer dimensions",
        ROW_CAPACITY_PRODUCT,
    ),
    (
        "mscatter-a5-capacity-of-one-matrix",
        "MSCATTER-CAP-02",
        "takes Shape[3] * Shape[4] for the table's size",
        ELEMENTS_OF_ONE_MATRIX,
    ),
    (
        "mscatter-a5-source-row-major",
        "MSCATTER-TILE-10",
        "reads a column-major source as a row-major one",
        TILE_ROW_MAJOR,
    ),
    (
        "mscatter-a5-index-as-source",
        "MSCATTER-TILE-14",
        "reads the index tile in the layout of the source",
        INDEX_AS_TILE,
    ),
    (
        "mscatter-a5-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        lanes_are(steps::padding_too),
    ),
    (
        "mscatter-a5-full-warps-only",
        "MSCATTER-LAUNCH-06",
        "launches no warp for the elements that fill none",
        moves_are(|ops, moves| {
            if !ops.row {
                moves.truncate(moves.len() / 32 * 32);
            }
        }),
    ),
    (
        "mscatter-a5-scalar-unchecked",
        "MSCATTER-SEM-07",
        "looks at no policy in the scalar path of a single element",
        selects(steps::scalar_unchecked),
    ),
    (
        "mscatter-a5-row-first-round-only",
        "MSCATTER-SEM-01",
        "stores no more of a row than one round of its warp",
        moves_are(|ops, moves| moves.retain(|one| !ops.row || one.c < 32)),
    ),
    (
        "mscatter-a5-rejects-column-major",
        "MSCATTER-TILE-10",
        "rejects a column-major source",
        Wrong::Rejects(|call| call.data_tile().blayout == BLayout::ColMajor),
    ),
    (
        "mscatter-a5-byte-past-the-table",
        "MSCATTER-SEM-04",
        "writes the byte that follows the table",
        Wrong::Spoil(|memory| spoil::past_the_end(memory, Role::Table)),
    ),
];
