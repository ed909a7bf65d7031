//! MSCATTER on A2/A3.

use std::cmp::Reverse;

use ptodiff_isa::AddOverflow;

use super::*;

pub(super) const ALL: &[Row] = &[
    SIGNED.named("mscatter-a2a3-signed-compare", "MSCATTER-OOB-13"),
    SHORT_INDEX.named("mscatter-a2a3-short-index", "MSCATTER-INDEX-03"),
    CLAMP_TO_ZERO.named("mscatter-a2a3-clamp-to-zero", "MSCATTER-OOB-08"),
    MASK_FOR_REMAINDER.named("mscatter-a2a3-remainder-by-mask", "MSCATTER-OOB-10"),
    (
        "mscatter-a2a3-last-row-skipped",
        "MSCATTER-OOB-12",
        "lets Skip drop an index one below the capacity",
        Selects(|ops, index, capacity| match ops.oob {
            ScatterOob::Skip if index + 1 == capacity => None,
            _ => remap(ops, index, capacity),
        }),
    ),
    SKIP_TO_SLOT_0.named("mscatter-a2a3-skip-to-slot-0", "MSCATTER-OOB-04"),
    (
        "mscatter-a2a3-skip-ends-the-loop",
        "MSCATTER-OOB-05",
        "leaves the loop at the first index that Skip drops",
        Moves(|_, moves| {
            let before = moves.iter().take_while(|one| one.slot.is_some());
            let before = before.count();
            moves.truncate(before);
        }),
    ),
    FIRST_WINS.named("mscatter-a2a3-first-writer-wins", "MSCATTER-CONF-02"),
    TORN_ROWS.named("mscatter-a2a3-torn-row", "MSCATTER-CONF-01"),
    BY_COLUMNS.named("mscatter-a2a3-walk-by-columns", "MSCATTER-CONF-16"),
    (
        "mscatter-a2a3-nz-blocks-backwards",
        "MSCATTER-NZ-13",
        "serves the column blocks of an NZ tile from the last to the first",
        Moves(|ops, moves| {
            let width = block_cols(&ops.tile);
            if ops.nz() && !ops.row {
                moves.sort_by_key(|one| (Reverse(one.c / width), one.r));
            }
        }),
    ),
    LOST_ATOMIC.named("mscatter-a2a3-lost-update", "MSCATTER-ATOM-05"),
    WIDE_ACCUMULATOR.named("mscatter-a2a3-wide-accumulator", "MSCATTER-ATOM-26"),
    ADD_TOWARD_ZERO.named("mscatter-a2a3-add-toward-zero", "MSCATTER-ATOM-26"),
    (
        "mscatter-a2a3-add-saturates",
        "MSCATTER-GAP-05",
        "keeps integer sums at the end of their range",
        Other(|_, readings| readings.add_overflow = AddOverflow::Saturate),
    ),
    (
        "mscatter-a2a3-adds-backwards",
        "MSCATTER-ATOM-26",
        "adds the contributions to a slot from the last to the first",
        Moves(|ops, moves| {
            if ops.atomic == ScatterAtomicOp::Add {
                moves.reverse();
            }
        }),
    ),
    (
        "mscatter-a2a3-row-add-replaces",
        "MSCATTER-ATOM-04",
        "forgets to switch the DMA unit to adding",
        Other(|call, _| match call {
            Call::Mscatter(c) if c.mode == Coalesce::Row => c.atomic = ScatterAtomicOp::None,
            _ => {}
        }),
    ),
    ROWS_OF_ONE_MATRIX.named("mscatter-a2a3-capacity-of-one-matrix", "MSCATTER-CAP-03"),
    PITCH_OF_SHAPE.named("mscatter-a2a3-pitch-of-shape", "MSCATTER-TABLE-05"),
    (
        "mscatter-a2a3-pitch-of-dimension-2",
        "MSCATTER-TABLE-04",
        "takes the stride of dimension 2 for the distance of rows",
        Other(|call, _| table(call, is_nd_row, |table| table.stride[3] = table.stride[2])),
    ),
    NZ_BLOCKS_ROW_MAJOR.named("mscatter-a2a3-nz-blocks-row-major", "MSCATTER-NZ-14"),
    (
        "mscatter-a2a3-nz-packed",
        "MSCATTER-NZ-14",
        "takes the blocks of an NZ table for packed, whatever the strides",
        Other(|call, _| {
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
        Selects(|ops, index, capacity| {
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
    NZ_FIRST_BATCH_ONLY.named("mscatter-a2a3-nz-first-batch-only", "MSCATTER-NZ-11"),
    NZ_CAPACITY_PRODUCT.named("mscatter-a2a3-nz-capacity-product", "MSCATTER-CAP-05"),
    NZ_BY_COLUMNS.named("mscatter-a2a3-nz-index-by-columns", "MSCATTER-INDEX-04"),
    NZ_TILE_OF_VALID_ROWS.named("mscatter-a2a3-nz-source-of-valid-rows", "MSCATTER-NZ-12"),
    (
        "mscatter-a2a3-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        Lanes(|ops| match ops.nz() {
            true => lanes(ops),
            false => with_padding(ops),
        }),
    ),
    (
        "mscatter-a2a3-row-for-element",
        "MSCATTER-SEM-02",
        "takes Elem for Row where the source has one row",
        Other(|call, _| match call {
            Call::Mscatter(c) if c.src.valid_row.get() == 1 => c.mode = Coalesce::Row,
            _ => {}
        }),
    ),
    (
        "mscatter-a2a3-rejects-odd-widths",
        "MSCATTER-ALIGN-03",
        "rejects a ValidCol that is no multiple of 32 bytes",
        Rejects(|call| {
            let tile = call.data_tile();
            let size = tile.dtype.size() as u64;
            !tile.valid_col.get().saturating_mul(size).is_multiple_of(32)
        }),
    ),
    (
        "mscatter-a2a3-byte-before-the-table",
        "MSCATTER-SEM-04",
        "writes the byte before the table",
        Spoil(Role::Table, |body| body.start.checked_sub(1)),
    ),
];
