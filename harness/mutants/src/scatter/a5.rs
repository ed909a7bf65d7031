//! MSCATTER on A5.

use std::collections::BTreeMap;

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Role, ScatterAtomicOp, ScatterConflict, ScatterOob,
};

use super::{Scatter, each, wrong};
use crate::{
    Mutant, Wrong,
    number::{below, combined},
    spoil,
    table::product,
};

const RIGHT: Scatter = Scatter::RIGHT;

mutants_of!(Mscatter on A5, Scatter);

fn default_conflict(call: &mut Call, mode: Coalesce) {
    match call {
        Call::Mscatter(c) if c.mode == mode => c.conflict = ScatterConflict::Default,
        _ => {}
    }
}

pub(super) const ALL: &[Mutant] = &[
    of(
        "mscatter-a5-signed-compare",
        "MSCATTER-OOB-13",
        "compares an index with the capacity as a signed number",
        Scatter {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-wide-remainder",
        "MSCATTER-OOB-10",
        "widens a negative index to 64 bits before it takes the remainder",
        Scatter {
            remap: wrong::wide_remainder,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-clamp-to-capacity",
        "MSCATTER-OOB-08",
        "clamps to the capacity, one past the last slot",
        Scatter {
            remap: wrong::clamp_past_the_end,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-capacity-is-inside",
        "MSCATTER-OOB-12",
        "lets Skip pass an index that equals the capacity",
        Scatter {
            remap: wrong::capacity_is_inside,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-skip-to-slot-0",
        "MSCATTER-OOB-05",
        "writes to slot 0 what Skip should drop",
        Scatter {
            remap: wrong::skip_to_zero,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-clamp-drops",
        "MSCATTER-OOB-07",
        "drops under Clamp what is out of bounds",
        Scatter {
            remap: |ops, index, capacity| match ops.oob {
                ScatterOob::Clamp if u64::from(index) >= capacity => None,
                _ => (RIGHT.remap)(ops, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-first-writer-wins",
        "MSCATTER-CONF-04",
        "leaves the first writer of a contested slot",
        Scatter {
            stores: wrong::first_wins,
            ..RIGHT
        },
    ),
    with(
        "mscatter-a5-elem-last-by-schedule",
        "MSCATTER-CONF-05",
        "leaves under Last whichever element the schedule served last",
        Wrong::Call(|call| default_conflict(call, Coalesce::Elem)),
    ),
    with(
        "mscatter-a5-row-last-by-schedule",
        "MSCATTER-CONF-03",
        "leaves under Last whichever row the schedule served last",
        Wrong::Call(|call| default_conflict(call, Coalesce::Row)),
    ),
    of(
        "mscatter-a5-torn-row",
        "MSCATTER-CONF-03",
        "leaves half a row of the last writer and half a row of the first",
        Scatter {
            stores: wrong::torn_rows,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-conflict-before-remap",
        "MSCATTER-OOB-15",
        "looks for the last writer among equal indices before they are remapped",
        Scatter {
            stores: |ops, stores| {
                if ops.last && ops.atomic == ScatterAtomicOp::None {
                    // The last writer of every index, the smallest index on top.
                    let last: BTreeMap<_, _> = stores
                        .iter()
                        .map(|s| ((s.index, s.c * u64::from(ops.row)), *s))
                        .collect();
                    *stores = last.into_values().rev().collect();
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-lost-atomic",
        "MSCATTER-ATOM-06",
        "loses all but the last of the contributions to a slot",
        Scatter {
            stores: wrong::lost_update,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-added-twice",
        "MSCATTER-ATOM-06",
        "applies one contribution twice",
        Scatter {
            stores: wrong::twice,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-add-from-zero",
        "MSCATTER-ATOM-25",
        "starts a sum from zero and not from what the slot holds",
        Scatter {
            apply: wrong::from_zero,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-add-toward-zero",
        "MSCATTER-ATOM-22",
        "rounds sums toward zero",
        Scatter {
            apply: wrong::truncating,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-wide-accumulator",
        "MSCATTER-ATOM-22",
        "keeps a sum wide and rounds it once, at the end",
        Scatter {
            apply: wrong::wide_sums,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-max-of-slot-0",
        "MSCATTER-ATOM-02",
        "compares for Max with slot 0 and not with the slot",
        Scatter {
            apply: |ops, all, sink| {
                if ops.atomic != ScatterAtomicOp::Max {
                    return (RIGHT.apply)(ops, all, sink);
                }
                for (store, new) in all {
                    if below(ops.dtype(), sink.get(0), *new) {
                        sink.put(store.to, *new);
                    }
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-max-signed",
        "MSCATTER-ATOM-21",
        "compares uint32_t as a signed number",
        Scatter {
            apply: |ops, all, sink| {
                let signed = |d| if d == DType::Uint32 { DType::Int32 } else { d };
                wrong::extremes_as(signed, ops, all, sink);
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-min-unsigned",
        "MSCATTER-ATOM-21",
        "compares int32_t as an unsigned number",
        Scatter {
            apply: |ops, all, sink| {
                let unsigned = |d| if d == DType::Int32 { DType::Uint32 } else { d };
                wrong::extremes_as(unsigned, ops, all, sink);
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-float-max-by-bits",
        "MSCATTER-ATOM-21",
        "compares the bits of a float as an integer",
        Scatter {
            apply: |ops, all, sink| {
                let bits = |d| if d == DType::Float { DType::Int32 } else { d };
                wrong::extremes_as(bits, ops, all, sink);
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-min-is-max",
        "MSCATTER-ATOM-03",
        "takes the maximum for Min",
        Scatter {
            apply: |ops, all, sink| {
                if ops.atomic != ScatterAtomicOp::Min {
                    return (RIGHT.apply)(ops, all, sink);
                }
                each(all, sink, |old, new| {
                    combined(ScatterAtomicOp::Max, ops.dtype(), old, new)
                });
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-pitch-of-padded-tile",
        "MSCATTER-TABLE-06",
        "takes the rows of the table for as far apart as those of the padded tile",
        Scatter {
            place: |ops, selected, c| match ops.row {
                true => super::at(selected, ops.src.cols, c),
                false => (RIGHT.place)(ops, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-row-capacity-product",
        "MSCATTER-CAP-04",
        "counts the rows of all outer dimensions",
        Scatter {
            capacity: |ops| match ops.row {
                true => product(&ops.table, 4),
                false => (RIGHT.capacity)(ops),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-capacity-of-one-matrix",
        "MSCATTER-CAP-02",
        "takes Shape[3] * Shape[4] for the table's size",
        Scatter {
            capacity: |ops| match ops.row {
                true => (RIGHT.capacity)(ops),
                false => ops.shape(3).saturating_mul(ops.shape(4)),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-source-row-major",
        "MSCATTER-TILE-10",
        "reads a column-major source as a row-major one",
        Scatter {
            source: |ops, r, c| r * ops.src.cols + c,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-index-as-source",
        "MSCATTER-TILE-14",
        "reads the index tile in the layout of the source",
        Scatter {
            index: |ops, r, c| match (ops.row, ops.src.blayout) {
                (true, _) => (RIGHT.index)(ops, r, c),
                (false, BLayout::RowMajor) => r * ops.idx.cols + c,
                (false, BLayout::ColMajor) => c * ops.idx.rows + r,
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        Scatter {
            lanes: wrong::padding_too,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-full-warps-only",
        "MSCATTER-LAUNCH-06",
        "launches no warp for the elements that fill none",
        Scatter {
            lanes: wrong::full_warps,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-scalar-unchecked",
        "MSCATTER-SEM-07",
        "looks at no policy in the scalar path of a single element",
        Scatter {
            remap: |ops, index, capacity| {
                let single = (ops.src.valid_row.get(), ops.src.valid_col.get()) == (1, 1);
                match single && !ops.row {
                    true => Some(index.into()),
                    false => (RIGHT.remap)(ops, index, capacity),
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a5-row-first-round-only",
        "MSCATTER-SEM-01",
        "stores no more of a row than one round of its warp",
        Scatter {
            stores: |ops, stores| stores.retain(|s| !ops.row || s.c < 32),
            ..RIGHT
        },
    ),
    with(
        "mscatter-a5-rejects-column-major",
        "MSCATTER-TILE-10",
        "rejects a column-major source",
        Wrong::Rejects(|call| call.data_tile().blayout == BLayout::ColMajor),
    ),
    with(
        "mscatter-a5-byte-past-the-table",
        "MSCATTER-SEM-04",
        "writes the byte that follows the table",
        Wrong::Spoil(|_, _, after| spoil::past_the_end(after, Role::Table)),
    ),
];
