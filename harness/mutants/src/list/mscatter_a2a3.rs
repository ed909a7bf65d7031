//! MSCATTER on A2/A3.

use std::cmp::Reverse;

use ptodiff_isa::AddOverflow;

use super::*;

pub(super) const ALL: &[Row] = &[
    (
        "mscatter-a2a3-signed-compare",
        "MSCATTER-OOB-13",
        "compares an index with the capacity as a signed number",
        SIGNED,
    ),
    (
        "mscatter-a2a3-short-index",
        "MSCATTER-INDEX-03",
        "reads the lower 16 bits of an index",
        selects(steps::short_index),
    ),
    (
        "mscatter-a2a3-clamp-to-zero",
        "MSCATTER-OOB-08",
        "clamps to slot 0 what is above the capacity",
        selects(steps::clamp_to_zero),
    ),
    (
        "mscatter-a2a3-last-row-skipped",
        "MSCATTER-OOB-12",
        "lets Skip drop an index one below the capacity",
        selects(|ops, index, capacity| match ops.oob {
            ScatterOob::Skip if index + 1 == capacity => None,
            _ => remap(ops, index, capacity),
        }),
    ),
    (
        "mscatter-a2a3-skip-to-slot-0",
        "MSCATTER-OOB-04",
        "writes to slot 0 what Skip should drop",
        selects(steps::slot_0_for_none),
    ),
    (
        "mscatter-a2a3-skip-ends-the-loop",
        "MSCATTER-OOB-05",
        "leaves the loop at the first index that Skip drops",
        moves_are(|_, moves| {
            let before = moves.iter().take_while(|one| one.slot.is_some());
            let before = before.count();
            moves.truncate(before);
        }),
    ),
    (
        "mscatter-a2a3-first-writer-wins",
        "MSCATTER-CONF-02",
        "leaves the first writer of a contested slot",
        moves_are(steps::first_wins),
    ),
    (
        "mscatter-a2a3-torn-row",
        "MSCATTER-CONF-01",
        "leaves half a row of the last writer and half a row of the first",
        moves_are(steps::torn_rows),
    ),
    (
        "mscatter-a2a3-walk-by-columns",
        "MSCATTER-CONF-16",
        "serves the elements column by column",
        moves_are(steps::by_columns),
    ),
    (
        "mscatter-a2a3-nz-blocks-backwards",
        "MSCATTER-NZ-13",
        "serves the column blocks of an NZ tile from the last to the first",
        moves_are(|ops, moves| {
            let width = block_cols(&ops.tile);
            if ops.nz() && !ops.row {
                moves.sort_by_key(|one| (Reverse(one.c / width), one.r));
            }
        }),
    ),
    (
        "mscatter-a2a3-lost-update",
        "MSCATTER-ATOM-05",
        "reads every slot before it adds, so the last contribution alone counts",
        moves_are(steps::lost_update),
    ),
    (
        "mscatter-a2a3-wide-accumulator",
        "MSCATTER-ATOM-26",
        "keeps a sum wide and rounds it once, at the end",
        combines(steps::wide_sums),
    ),
    (
        "mscatter-a2a3-add-toward-zero",
        "MSCATTER-ATOM-26",
        "rounds sums toward zero",
        combines(steps::truncating),
    ),
    (
        "mscatter-a2a3-add-saturates",
        "MSCATTER-GAP-05",
        "keeps integer sums at the end of their range",
        Wrong::Other(|_, readings| readings.add_overflow = AddOverflow::Saturate),
    ),
    (
        "mscatter-a2a3-adds-backwards",
        "MSCATTER-ATOM-26",
        "adds the contributions to a slot from the last to the first",
        moves_are(|ops, moves| {
            if ops.atomic == ScatterAtomicOp::Add {
                moves.reverse();
            }
        }),
    ),
    (
        "mscatter-a2a3-row-add-replaces",
        "MSCATTER-ATOM-04",
        "forgets to switch the DMA unit to adding",
        Wrong::Other(|call, _| match call {
            Call::Mscatter(c) if c.mode == Coalesce::Row => c.atomic = ScatterAtomicOp::None,
            _ => {}
        }),
    ),
    (
        "mscatter-a2a3-capacity-of-one-matrix",
        "MSCATTER-CAP-03",
        "takes Shape[3] for the rows of the whole table",
        ND_ROWS_OF_ONE_MATRIX,
    ),
    (
        "mscatter-a2a3-pitch-of-shape",
        "MSCATTER-TABLE-05",
        "takes rows for Shape[4] apart, whatever the stride",
        PITCH_OF_SHAPE,
    ),
    (
        "mscatter-a2a3-pitch-of-dimension-2",
        "MSCATTER-TABLE-04",
        "takes the stride of dimension 2 for the distance of rows",
        Wrong::Other(|call, _| table(call, is_nd_row, |table| table.stride[3] = table.stride[2])),
    ),
    (
        "mscatter-a2a3-nz-blocks-row-major",
        "MSCATTER-NZ-14",
        "takes block rows for block columns and the other way round",
        NZ_BLOCKS_ROW_MAJOR,
    ),
    (
        "mscatter-a2a3-nz-packed",
        "MSCATTER-NZ-14",
        "takes the blocks of an NZ table for packed, whatever the strides",
        Wrong::Other(|call, _| {
            table(call, is_nz, |table| {
                let [_, blocks, rows, height, width] = table.shape.map(|dim| dim.get());
                let block = height * width;
                let strides = [blocks * rows * block, rows * block, block, width, 1];
                table.stride = strides.map(Dim::Dynamic);
            });
        }),
    ),
    (
        "mscatter-a2a3-nz-rows-of-8",
        "MSCATTER-NZ-10",
        "takes a block for 8 rows high",
        selects(|ops, index, capacity| {
            let selected = remap(ops, index, capacity)?;
            let cols = match (ops.nz(), ops.row) {
                (false, _) => return Some(selected),
                (true, true) => 1,
                (true, false) => ops.nz_cols().cast_signed(),
            };
            let (r, c) = (selected / cols, selected % cols);
            Some((r / 8 * 16 + r % 8) * cols + c)
        }),
    ),
    (
        "mscatter-a2a3-nz-first-batch-only",
        "MSCATTER-NZ-11",
        "moves the column blocks of the first batch only",
        NZ_FIRST_BATCH_ONLY,
    ),
    (
        "mscatter-a2a3-nz-capacity-product",
        "MSCATTER-CAP-05",
        "takes Shape[0..3] for the rows of an NZ table",
        NZ_CAPACITY_PRODUCT,
    ),
    (
        "mscatter-a2a3-nz-index-by-columns",
        "MSCATTER-INDEX-04",
        "counts the slots of an NZ table down the columns",
        selects(steps::nz_by_columns),
    ),
    (
        "mscatter-a2a3-nz-source-of-valid-rows",
        "MSCATTER-NZ-12",
        "takes the column blocks of the source for ValidRow rows high",
        NZ_TILE_OF_VALID_ROWS,
    ),
    (
        "mscatter-a2a3-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        lanes_are(|ops| match ops.nz() {
            true => lanes(ops),
            false => steps::padding_too(ops),
        }),
    ),
    (
        "mscatter-a2a3-row-for-element",
        "MSCATTER-SEM-02",
        "takes Elem for Row where the source has one row",
        Wrong::Other(|call, _| match call {
            Call::Mscatter(c) if c.src.valid_row.get() == 1 => c.mode = Coalesce::Row,
            _ => {}
        }),
    ),
    (
        "mscatter-a2a3-rejects-odd-widths",
        "MSCATTER-ALIGN-03",
        "rejects a ValidCol that is no multiple of 32 bytes",
        Wrong::Rejects(|call| {
            let tile = call.data_tile();
            let size = tile.dtype.size() as u64;
            !tile.valid_col.get().saturating_mul(size).is_multiple_of(32)
        }),
    ),
    (
        "mscatter-a2a3-byte-before-the-table",
        "MSCATTER-SEM-04",
        "writes the byte before the table",
        Wrong::Spoil(|memory| spoil::before_the_start(memory, Role::Table)),
    ),
];
