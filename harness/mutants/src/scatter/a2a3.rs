//! MSCATTER on A2/A3.

use ptodiff_isa::{Call, Coalesce, Role, ScatterAtomicOp, ScatterOob};

use super::{Scatter, at, wrong};
use crate::{
    Mutant, Wrong,
    bytes::block_cols,
    spoil,
    table::{nz_at, nz_cols, product},
};

const RIGHT: Scatter = Scatter::RIGHT;

mutants_of!(Mscatter on A2a3, Scatter);

/// Row and column in an NZ table of what is selected.
fn logical(ops: &super::ScatterOperands, selected: i64, c: u64) -> (u64, u64) {
    let selected = selected.unsigned_abs();
    let cols = nz_cols(&ops.table);
    match ops.row {
        true => (selected, c),
        false => (selected / cols, selected % cols),
    }
}

pub(super) const ALL: &[Mutant] = &[
    of(
        "mscatter-a2a3-signed-compare",
        "MSCATTER-OOB-13",
        "compares an index with the capacity as a signed number",
        Scatter {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-short-index",
        "MSCATTER-INDEX-03",
        "reads the lower 16 bits of an index",
        Scatter {
            remap: wrong::short_index,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-clamp-to-zero",
        "MSCATTER-OOB-08",
        "clamps to slot 0 what is above the capacity",
        Scatter {
            remap: |ops, index, capacity| match ops.oob {
                ScatterOob::Clamp if u64::from(index) >= capacity => Some(0),
                _ => (RIGHT.remap)(ops, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-last-row-skipped",
        "MSCATTER-OOB-12",
        "lets Skip drop an index one below the capacity",
        Scatter {
            remap: |ops, index, capacity| match ops.oob {
                ScatterOob::Skip if u64::from(index) + 1 == capacity => None,
                _ => (RIGHT.remap)(ops, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-skip-to-slot-0",
        "MSCATTER-OOB-04",
        "writes to slot 0 what Skip should drop",
        Scatter {
            remap: wrong::skip_to_zero,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-skip-ends-the-loop",
        "MSCATTER-OOB-05",
        "leaves the loop at the first index that Skip drops",
        Scatter {
            stores: |ops, stores| {
                // Where lanes are missing in a sequence, the first gap ends it.
                let all = (RIGHT.lanes)(ops);
                let served = stores.iter().zip(&all);
                let kept = served.take_while(|(s, at)| (s.r, s.c) == **at).count();
                stores.truncate(kept);
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-first-writer-wins",
        "MSCATTER-CONF-02",
        "leaves the first writer of a contested slot",
        Scatter {
            stores: wrong::first_wins,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-torn-row",
        "MSCATTER-CONF-01",
        "leaves half a row of the last writer and half a row of the first",
        Scatter {
            stores: wrong::torn_rows,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-walk-by-columns",
        "MSCATTER-CONF-16",
        "serves the elements column by column",
        Scatter {
            lanes: |ops| {
                let mut all = (RIGHT.lanes)(ops);
                all.sort_by_key(|(r, c)| (*c, *r));
                all
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-blocks-backwards",
        "MSCATTER-NZ-13",
        "serves the column blocks of an NZ tile from the last to the first",
        Scatter {
            lanes: |ops| {
                let mut all = (RIGHT.lanes)(ops);
                let width = block_cols(ops.dtype().size());
                if ops.nz() && !ops.row {
                    all.sort_by_key(|(r, c)| (u64::MAX - c / width, *r));
                }
                all
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-lost-update",
        "MSCATTER-ATOM-05",
        "reads every slot before it adds, so the last contribution alone counts",
        Scatter {
            stores: wrong::lost_update,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-wide-accumulator",
        "MSCATTER-ATOM-26",
        "keeps a sum wide and rounds it once, at the end",
        Scatter {
            apply: wrong::wide_sums,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-add-toward-zero",
        "MSCATTER-ATOM-26",
        "rounds sums toward zero",
        Scatter {
            apply: wrong::truncating,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-add-saturates",
        "MSCATTER-GAP-05",
        "keeps integer sums at the end of their range",
        Scatter {
            apply: wrong::saturating,
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-adds-backwards",
        "MSCATTER-ATOM-26",
        "adds the contributions to a slot from the last to the first",
        Scatter {
            stores: |ops, stores| {
                if ops.atomic == ScatterAtomicOp::Add {
                    stores.reverse();
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-row-add-replaces",
        "MSCATTER-ATOM-04",
        "forgets to switch the DMA unit to adding",
        Scatter {
            apply: |ops, all, sink| match ops.row {
                true => super::each(all, sink, |_, new| new),
                false => (RIGHT.apply)(ops, all, sink),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-capacity-of-one-matrix",
        "MSCATTER-CAP-03",
        "takes Shape[3] for the rows of the whole table",
        Scatter {
            capacity: |ops| match ops.row && !ops.nz() {
                true => ops.shape(3),
                false => (RIGHT.capacity)(ops),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-pitch-of-shape",
        "MSCATTER-TABLE-05",
        "takes rows for Shape[4] apart, whatever the stride",
        Scatter {
            place: |ops, selected, c| match ops.row && !ops.nz() {
                true => at(selected, ops.shape(4), c),
                false => (RIGHT.place)(ops, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-pitch-of-dimension-2",
        "MSCATTER-TABLE-04",
        "takes the stride of dimension 2 for the distance of rows",
        Scatter {
            place: |ops, selected, c| match ops.row && !ops.nz() {
                true => at(selected, ops.table.stride[2].get(), c),
                false => (RIGHT.place)(ops, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-blocks-row-major",
        "MSCATTER-NZ-14",
        "takes block rows for block columns and the other way round",
        Scatter {
            place: |ops, selected, c| {
                if !ops.nz() {
                    return (RIGHT.place)(ops, selected, c);
                }
                let (r, c) = logical(ops, selected, c);
                let [a, b, d, e, f] = ops.table.stride.map(|s| s.get());
                nz_at(&ops.table, [a, d, b, e, f], r, c)
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-packed",
        "MSCATTER-NZ-14",
        "takes the blocks of an NZ table for packed, whatever the strides",
        Scatter {
            place: |ops, selected, c| {
                if !ops.nz() {
                    return (RIGHT.place)(ops, selected, c);
                }
                let (r, c) = logical(ops, selected, c);
                let [_, blocks, rows, height, width] = ops.table.shape.map(|d| d.get());
                let one = height * width;
                let strides = [blocks * rows * one, rows * one, one, width, 1];
                nz_at(&ops.table, strides, r, c)
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-rows-of-8",
        "MSCATTER-NZ-10",
        "takes a block for 8 rows high",
        Scatter {
            place: |ops, selected, c| {
                if !ops.nz() {
                    return (RIGHT.place)(ops, selected, c);
                }
                let (r, c) = logical(ops, selected, c);
                nz_at(
                    &ops.table,
                    ops.table.stride.map(|s| s.get()),
                    r / 8 * 16 + r % 8,
                    c,
                )
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-first-batch-only",
        "MSCATTER-NZ-11",
        "moves the column blocks of the first batch only",
        Scatter {
            stores: |ops, stores| {
                let batch = ops.shape(1) * ops.shape(4);
                stores.retain(|s| !(ops.nz() && ops.row) || s.c < batch);
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-capacity-product",
        "MSCATTER-CAP-05",
        "takes Shape[0..3] for the rows of an NZ table",
        Scatter {
            capacity: |ops| match ops.row && ops.nz() {
                true => product(&ops.table, 4),
                false => (RIGHT.capacity)(ops),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-index-by-columns",
        "MSCATTER-INDEX-04",
        "counts the slots of an NZ table down the columns",
        Scatter {
            place: |ops, selected, c| {
                if ops.row || !ops.nz() {
                    return (RIGHT.place)(ops, selected, c);
                }
                let rows = ops.shape(2) * 16;
                let selected = selected.unsigned_abs();
                let strides = ops.table.stride.map(|s| s.get());
                nz_at(&ops.table, strides, selected % rows, selected / rows)
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-nz-source-of-valid-rows",
        "MSCATTER-NZ-12",
        "takes the column blocks of the source for ValidRow rows high",
        Scatter {
            source: |ops, r, c| match ops.nz() {
                true => {
                    let rows = ops.src.valid_row.get();
                    crate::bytes::in_blocks(rows, ops.dtype().size(), r, c)
                }
                false => (RIGHT.source)(ops, r, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-a2a3-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        Scatter {
            lanes: |ops| match ops.nz() {
                true => (RIGHT.lanes)(ops),
                false => wrong::padding_too(ops),
            },
            ..RIGHT
        },
    ),
    with(
        "mscatter-a2a3-row-for-element",
        "MSCATTER-SEM-02",
        "takes Elem for Row where the source has one row",
        Wrong::Call(|call| match call {
            Call::Mscatter(c) if c.src.valid_row.get() == 1 => c.mode = Coalesce::Row,
            _ => {}
        }),
    ),
    with(
        "mscatter-a2a3-rejects-odd-widths",
        "MSCATTER-ALIGN-03",
        "rejects a ValidCol that is no multiple of 32 bytes",
        Wrong::Rejects(|call| {
            let tile = call.data_tile();
            let width = tile
                .valid_col
                .get()
                .saturating_mul(tile.dtype.size() as u64);
            !width.is_multiple_of(32)
        }),
    ),
    with(
        "mscatter-a2a3-byte-before-the-table",
        "MSCATTER-SEM-04",
        "writes the byte before the table",
        Wrong::Spoil(|_, _, after| spoil::before_the_start(after, Role::Table)),
    ),
];
