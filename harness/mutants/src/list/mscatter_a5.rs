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
    let (Some(ScatterAtomicOp::Max | ScatterAtomicOp::Min), true) =
        (call.atomic(), call.data_tile().dtype == from)
    else {
        return;
    };
    for role in [Role::Source, Role::Table] {
        call.set_dtype(role, to);
    }
}

pub(super) const ALL: &[Row] = &[
    SIGNED.named("mscatter-a5-signed-compare", "MSCATTER-OOB-13"),
    WIDE_REMAINDER.named("mscatter-a5-wide-remainder", "MSCATTER-OOB-10"),
    ONE_SUBTRACTION.named("mscatter-a5-one-subtraction", "MSCATTER-OOB-10"),
    PAST_THE_LAST_SLOT.named("mscatter-a5-clamp-to-capacity", "MSCATTER-OOB-08"),
    CAPACITY_IS_INSIDE.named("mscatter-a5-capacity-is-inside", "MSCATTER-OOB-12"),
    SKIP_TO_SLOT_0.named("mscatter-a5-skip-to-slot-0", "MSCATTER-OOB-05"),
    (
        "mscatter-a5-clamp-drops",
        "MSCATTER-OOB-07",
        "drops under Clamp what is out of bounds",
        Selects(|ops, index, capacity| match ops.oob {
            ScatterOob::Clamp if index >= capacity => None,
            _ => remap(ops, index, capacity),
        }),
    ),
    FIRST_WINS.named("mscatter-a5-first-writer-wins", "MSCATTER-CONF-04"),
    (
        "mscatter-a5-elem-last-by-schedule",
        "MSCATTER-CONF-05",
        "leaves under Last whichever element the schedule served last",
        Other(|call, _| default_conflict(call, Coalesce::Elem)),
    ),
    (
        "mscatter-a5-row-last-by-schedule",
        "MSCATTER-CONF-03",
        "leaves under Last whichever row the schedule served last",
        Other(|call, _| default_conflict(call, Coalesce::Row)),
    ),
    TORN_ROWS.named("mscatter-a5-torn-row", "MSCATTER-CONF-03"),
    (
        "mscatter-a5-conflict-before-remap",
        "MSCATTER-OOB-15",
        "looks for the last writer among equal indices before they are remapped",
        Moves(|ops, moves| {
            if ops.last && ops.atomic == ScatterAtomicOp::None {
                // The last writer of every index, the smallest index on top.
                let place = |one: &Move| (one.index, one.c * u64::from(ops.row));
                let last: BTreeMap<_, _> = moves.iter().map(|one| (place(one), *one)).collect();
                *moves = last.into_values().rev().collect();
            }
        }),
    ),
    LOST_ATOMIC.named("mscatter-a5-lost-atomic", "MSCATTER-ATOM-06"),
    FIRST_ALONE.named("mscatter-a5-first-contribution", "MSCATTER-ATOM-06"),
    (
        "mscatter-a5-added-twice",
        "MSCATTER-ATOM-06",
        "applies one contribution twice",
        Moves(|ops, moves| {
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
        Combines(|ops, puts, sink| {
            if ops.atomic == ScatterAtomicOp::Add {
                sink.each(puts, |_, _| 0);
            }
            apply(ops, puts, sink);
        }),
    ),
    ADD_TOWARD_ZERO.named("mscatter-a5-add-toward-zero", "MSCATTER-ATOM-22"),
    WIDE_ACCUMULATOR.named("mscatter-a5-wide-accumulator", "MSCATTER-ATOM-22"),
    (
        "mscatter-a5-max-of-slot-0",
        "MSCATTER-ATOM-02",
        "compares for Max with slot 0 and not with the slot",
        Combines(|ops, puts, sink| {
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
        Other(|call, _| extremes_as(call, DType::Uint32, DType::Int32)),
    ),
    (
        "mscatter-a5-min-unsigned",
        "MSCATTER-ATOM-21",
        "compares int32_t as an unsigned number",
        Other(|call, _| extremes_as(call, DType::Int32, DType::Uint32)),
    ),
    (
        "mscatter-a5-float-max-by-bits",
        "MSCATTER-ATOM-21",
        "compares the bits of a float as an integer",
        Other(|call, _| extremes_as(call, DType::Float, DType::Int32)),
    ),
    (
        "mscatter-a5-min-is-max",
        "MSCATTER-ATOM-03",
        "takes the maximum for Min",
        Other(|call, _| atomic(call, ScatterAtomicOp::Min, ScatterAtomicOp::Max)),
    ),
    PITCH_OF_TILE.named("mscatter-a5-pitch-of-padded-tile", "MSCATTER-TABLE-06"),
    ROW_CAPACITY_PRODUCT.named("mscatter-a5-row-capacity-product", "MSCATTER-CAP-04"),
    CAPACITY_IN_ELEMENTS.named("mscatter-a5-capacity-in-elements", "MSCATTER-CAP-04"),
    ELEMENTS_OF_ONE_MATRIX.named("mscatter-a5-capacity-of-one-matrix", "MSCATTER-CAP-02"),
    SOURCE_ROW_MAJOR.named("mscatter-a5-source-row-major", "MSCATTER-TILE-10"),
    INDEX_AS_TILE.named("mscatter-a5-index-as-source", "MSCATTER-TILE-14"),
    PADDING_SCATTERED.named("mscatter-a5-padding-lanes", "MSCATTER-SEM-05"),
    (
        "mscatter-a5-full-warps-only",
        "MSCATTER-LAUNCH-06",
        "launches no warp for the elements that fill none",
        Moves(|ops, moves| {
            if !ops.row {
                moves.truncate(moves.len() / 32 * 32);
            }
        }),
    ),
    SCALAR_UNCHECKED.named("mscatter-a5-scalar-unchecked", "MSCATTER-SEM-07"),
    (
        "mscatter-a5-row-first-round-only",
        "MSCATTER-SEM-01",
        "stores no more of a row than one round of its warp",
        Moves(|ops, moves| moves.retain(|one| !ops.row || one.c < 32)),
    ),
    (
        "mscatter-a5-rejects-column-major",
        "MSCATTER-TILE-10",
        "rejects a column-major source",
        Rejects(|call| call.data_tile().blayout == BLayout::ColMajor),
    ),
    PAST_THE_TABLE.named("mscatter-a5-byte-past-the-table", "MSCATTER-SEM-04"),
];
