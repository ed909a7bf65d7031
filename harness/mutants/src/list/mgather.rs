//! MGATHER to UB, and to L1 on A2/A3 and A5.

use ptodiff_isa::{GatherExec, L1IndexPitch, L1ScratchZero, NdZeroFill};

use super::*;

/// Bounds compared as signed numbers: an index with the top bit set is below any capacity.
fn signed(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    let (index, capacity) = (i64::from(index as i32), capacity.cast_signed());
    match ops.oob {
        ScatterOob::Undefined => Some(index),
        ScatterOob::Clamp => Some(index.min(capacity - 1)),
        ScatterOob::Wrap => Some(index % capacity),
        ScatterOob::Skip => (index < capacity).then_some(index),
    }
}

pub(super) const CPU: &[Row] = &[
    (
        "mgather-cpu-signed-compare",
        "MGATHER-OOB-10",
        "compares an index with the capacity as a signed number",
        Selects(signed),
    ),
    WIDE_REMAINDER.named("mgather-cpu-wide-remainder", "MGATHER-OOB-10"),
    ONE_SUBTRACTION.named("mgather-cpu-one-subtraction", "MGATHER-OOB-05"),
    PAST_THE_LAST_SLOT.named("mgather-cpu-clamp-to-capacity", "MGATHER-OOB-04"),
    (
        "mgather-cpu-zero-forgotten",
        "MGATHER-OOB-07",
        "leaves what the destination held where a zero belongs",
        Cell(|cells, r, c| kept_if(cells, r, c, cells.is_dropped(r, c))),
    ),
    PITCH_OF_TILE.named("mgather-cpu-pitch-of-tile", "MGATHER-TABLE-04"),
    (
        "mgather-cpu-elem-by-strides",
        "MGATHER-TABLE-13",
        "splits an element's number over the last two dimensions and their strides",
        Selects(|ops, index, capacity| {
            let selected = remap(ops, index, capacity)?;
            let [width, stride] = [ops.shape(4), ops.table.stride[3].get()].map(u64::cast_signed);
            match ops.row {
                true => Some(selected),
                false => Some(selected / width * stride + selected % width),
            }
        }),
    ),
    (
        "mgather-cpu-upright-index-lying",
        "MGATHER-SEM-01",
        "looks for the index of every row in the first row of the index tile",
        Other(|call, _| {
            if let (Some(Coalesce::Row), Some(idx)) = (call.mode(), call.tile_mut(Role::Index)) {
                (idx.rows, idx.cols, idx.blayout) = (1, 1, BLayout::RowMajor);
            }
        }),
    ),
    PADDING_FILLED.named("mgather-cpu-padding-lanes", "MGATHER-SEM-03"),
];

pub(super) const A2A3: &[Row] = &[
    SIGNED.named("mgather-a2a3-signed-compare", "MGATHER-OOB-17"),
    SHORT_INDEX.named("mgather-a2a3-short-index", "MGATHER-OOB-17"),
    MASK_FOR_REMAINDER.named("mgather-a2a3-remainder-by-mask", "MGATHER-OOB-05"),
    (
        "mgather-a2a3-zero-forgotten",
        "MGATHER-OOB-16",
        "leaves what the destination held where a zero belongs",
        Cell(|cells, r, c| kept_if(cells, r, c, !is_row(cells.call) && cells.is_dropped(r, c))),
    ),
    (
        "mgather-a2a3-row-zero-forgotten",
        "MGATHER-OOB-14",
        "skips the transfer of a row under Zero and fills nothing",
        Cell(|cells, r, c| {
            let unfilled = cells.is_dropped(r, c) || is_nz(cells.call) && !cells.is_valid(r, c);
            kept_if(cells, r, c, is_row(cells.call) && unfilled)
        }),
    ),
    (
        "mgather-a2a3-negative-zero",
        "MGATHER-OOB-12",
        "delivers the negative zero of a float",
        Cell(|cells, r, c| match cells.tile.dtype {
            DType::Float if cells.is_dropped(r, c) => 0x8000_0000,
            DType::Half | DType::Bfloat16 if cells.is_dropped(r, c) => 0x8000,
            _ => cells.after(r, c),
        }),
    ),
    (
        "mgather-a2a3-zero-fill-too-wide",
        "MGATHER-OOB-14",
        "clears the whole tile for Zero where rows alone are to be filled",
        Other(|_, readings| readings.nd_zero_fill = NdZeroFill::WholeTile),
    ),
    (
        "mgather-a2a3-nz-not-cleared",
        "MGATHER-OOB-13",
        "fills the missing rows of an NZ tile and leaves its padding",
        Cell(|cells, r, c| {
            let padding = is_nz(cells.call) && !cells.is_valid(r, c);
            kept_if(cells, r, c, is_row(cells.call) && padding)
        }),
    ),
    ROWS_OF_ONE_MATRIX.named("mgather-a2a3-capacity-of-one-matrix", "MGATHER-CAP-02"),
    PITCH_OF_SHAPE.named("mgather-a2a3-pitch-of-shape", "MGATHER-TABLE-05"),
    NZ_CAPACITY_PRODUCT.named("mgather-a2a3-nz-capacity-product", "MGATHER-CAP-05"),
    NZ_BLOCKS_ROW_MAJOR.named("mgather-a2a3-nz-blocks-row-major", "MGATHER-NZ-12"),
    NZ_BY_COLUMNS.named("mgather-a2a3-nz-index-by-columns", "MGATHER-INDEX-04"),
    NZ_TILE_OF_VALID_ROWS.named("mgather-a2a3-nz-tile-of-valid-rows", "MGATHER-NZ-06"),
    NZ_FIRST_BATCH_ONLY.named("mgather-a2a3-nz-first-batch-only", "MGATHER-NZ-11"),
    LAST_KEPT.named("mgather-a2a3-last-element-left", "MGATHER-SEM-02"),
    (
        "mgather-a2a3-rejects-part-of-a-block",
        "MGATHER-SHAPE-05",
        "rejects an NZ tile whose ValidRow is no multiple of 16",
        Rejects(|call| is_nz(call) && !call.data_tile().valid_row.get().is_multiple_of(16)),
    ),
    PAST_THE_TILE.named("mgather-a2a3-byte-past-the-tile", "MGATHER-SEM-03"),
];

pub(super) const A5: &[Row] = &[
    SIGNED.named("mgather-a5-signed-compare", "MGATHER-OOB-17"),
    CAPACITY_IS_INSIDE.named("mgather-a5-capacity-is-inside", "MGATHER-OOB-09"),
    ZERO_IS_SLOT_0.named("mgather-a5-zero-is-slot-0", "MGATHER-OOB-15"),
    CLAMP_TO_ZERO.named("mgather-a5-clamp-to-zero", "MGATHER-OOB-04"),
    PITCH_OF_TILE.named("mgather-a5-pitch-of-padded-tile", "MGATHER-TABLE-06"),
    ROW_CAPACITY_PRODUCT.named("mgather-a5-row-capacity-product", "MGATHER-CAP-03"),
    CAPACITY_IN_ELEMENTS.named("mgather-a5-capacity-in-elements", "MGATHER-CAP-03"),
    ELEMENTS_OF_ONE_MATRIX.named("mgather-a5-capacity-of-one-matrix", "MGATHER-CAP-04"),
    DESTINATION_ROW_MAJOR.named("mgather-a5-tile-row-major", "MGATHER-TILE-07"),
    INDEX_AS_TILE.named("mgather-a5-index-as-tile", "MGATHER-TILE-10"),
    PADDING_FILLED.named("mgather-a5-padding-lanes", "MGATHER-SEM-03"),
    (
        "mgather-a5-full-warps-only",
        "MGATHER-LAUNCH-04",
        "launches no warp for the elements that fill none",
        Cell(|cells, r, c| {
            let [rows, cols] = [cells.tile.valid_row, cells.tile.valid_col].map(|dim| dim.get());
            let served = is_row(cells.call) || r * cols + c < rows * cols / 32 * 32;
            kept_if(cells, r, c, cells.is_valid(r, c) && !served)
        }),
    ),
    SCALAR_UNCHECKED.named("mgather-a5-scalar-unchecked", "MGATHER-SEM-05"),
    (
        "mgather-a5-rejects-upright-index",
        "MGATHER-TILE-11",
        "rejects row indices that stand in a column",
        Rejects(|call| match call {
            Call::Mgather(c) => c.mode == Coalesce::Row && c.idx.blayout == BLayout::ColMajor,
            _ => false,
        }),
    ),
    (
        "mgather-a5-table-touched",
        "MGATHER-SEM-03",
        "writes to the table that it reads",
        Spoil(Role::Table, |body| body.clone().next()),
    ),
];

pub(super) const L1_A2A3: &[Row] = &[
    MASK_FOR_REMAINDER.named("mgather-l1-a2a3-remainder-by-mask", "MGATHERL1-OOB-01"),
    ONE_SUBTRACTION.named("mgather-l1-a2a3-one-subtraction", "MGATHERL1-OOB-01"),
    (
        "mgather-l1-a2a3-rows-not-cleared",
        "MGATHERL1-OOB-02",
        "skips the transfer of a row under Zero and clears nothing",
        Cell(|cells, r, c| {
            // A transfer fills up the last block of its row (MGATHERL1-GAP-01).
            let tail = cells
                .tile
                .valid_col
                .get()
                .next_multiple_of(block_cols(&cells.tile));
            let moved = cells.is_valid(r, 0) && c < tail && !cells.is_dropped(r, 0);
            kept_if(cells, r, c, is_row(cells.call) && !moved)
        }),
    ),
    PITCH_OF_SHAPE.named("mgather-l1-a2a3-pitch-of-shape", "MGATHERL1-TABLE-02"),
    ONE_MATRIX.named("mgather-l1-a2a3-capacity-of-one-matrix", "MGATHERL1-CAP-01"),
    (
        "mgather-l1-a2a3-scratch-not-zeroed",
        "MGATHERL1-SCRATCH-05",
        "zeroes the scratch for Zero only",
        Other(|_, readings| readings.l1_scratch_zero = L1ScratchZero::ZeroOnly),
    ),
    (
        "mgather-l1-a2a3-tile-row-major",
        "MGATHERL1-NZ-02",
        "leaves the tile in rows and not in blocks",
        Cell(|cells, r, c| {
            let number = in_tile(&cells.tile, r, c);
            let (r2, c2) = (number / cells.tile.cols, number % cells.tile.cols);
            // Padding is where it was, unless it was cleared.
            let moved = cells.is_valid(r2, c2) || cells.after(r2, c2) != cells.before(r2, c2);
            match moved {
                true => cells.after(r2, c2),
                false => cells.before(r, c),
            }
        }),
    ),
    PAST_THE_LAST_SLOT.named("mgather-l1-a2a3-clamp-to-capacity", "MGATHERL1-OOB-01"),
];

pub(super) const L1_A5: &[Row] = &[
    NZ_TILE_OF_VALID_ROWS.named("mgather-l1-a5-blocks-of-valid-rows", "MGATHERL1-NZ-02"),
    (
        "mgather-l1-a5-index-of-padded-rows",
        "MGATHERL1-INDEX-02",
        "takes the rows of indices for as long as those of the padded tile",
        Other(|call, readings| match call {
            Call::MgatherL1(c) if c.mode == Coalesce::Elem => {
                readings.l1_index_pitch = L1IndexPitch::Strided;
                c.idx.stride[3..].copy_from_slice(&[c.dst.cols, 1].map(Dim::Dynamic));
            }
            _ => {}
        }),
    ),
    SIGNED.named("mgather-l1-a5-signed-compare", "MGATHERL1-OOB-01"),
    ZERO_IS_SLOT_0.named("mgather-l1-a5-zero-is-slot-0", "MGATHERL1-OOB-03"),
    (
        "mgather-l1-a5-simt-padding-left",
        "MGATHERL1-EXEC-07",
        "leaves the padding to what the scratch held where lanes collect the elements",
        Cell(|cells, r, c| match cells.call {
            Call::MgatherL1(call)
                if call.mode == Coalesce::Elem
                    && call.exec == GatherExec::Simt
                    && !cells.is_valid(r, c) =>
            {
                cells.held(Role::Scratch, r, c)
            }
            _ => cells.after(r, c),
        }),
    ),
    ONE_MATRIX.named("mgather-l1-a5-capacity-of-one-matrix", "MGATHERL1-CAP-02"),
    (
        "mgather-l1-a5-zero-tails",
        "MGATHERL1-OOB-02",
        "clears the tile under Clamp and Wrap, too",
        Cell(|cells, r, c| match cells.call {
            Call::MgatherL1(call)
                if call.mode == Coalesce::Row
                    && call.oob != GatherOob::Undefined
                    && !cells.is_valid(r, c) =>
            {
                0
            }
            _ => cells.after(r, c),
        }),
    ),
    PAST_THE_TILE.named("mgather-l1-a5-byte-past-the-tile", "MGATHERL1-SEM-01"),
];
