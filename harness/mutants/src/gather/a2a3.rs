//! MGATHER to UB on A2/A3.

use ptodiff_isa::{Call, DType, Layout, NdZeroFill, Role};

use super::{Gather, at, wrong};
use crate::{
    Mutant, Wrong,
    bytes::in_blocks,
    spoil,
    table::{nz_at, product},
};

const RIGHT: Gather = Gather::RIGHT;

mutants_of!(Mgather on A2a3, Gather);

pub(super) const ALL: &[Mutant] = &[
    of(
        "mgather-a2a3-signed-compare",
        "MGATHER-OOB-17",
        "compares an index with the capacity as a signed number",
        Gather {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-short-index",
        "MGATHER-OOB-17",
        "reads the lower 16 bits of an index",
        Gather {
            remap: wrong::short_index,
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-remainder-by-mask",
        "MGATHER-OOB-05",
        "takes the remainder with a mask, as if every capacity were a power of two",
        Gather {
            remap: wrong::masked,
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-zero-forgotten",
        "MGATHER-OOB-16",
        "leaves what the destination held where a zero belongs",
        Gather {
            remap: |ops, index, capacity| match ops.row {
                true => (RIGHT.remap)(ops, index, capacity),
                false => wrong::zero_forgotten(ops, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-row-zero-forgotten",
        "MGATHER-OOB-14",
        "skips the transfer of a row under Zero and fills nothing",
        Gather {
            remap: |ops, index, capacity| match ops.row {
                true => wrong::zero_forgotten(ops, index, capacity),
                false => (RIGHT.remap)(ops, index, capacity),
            },
            cleared: |_| false,
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-negative-zero",
        "MGATHER-OOB-12",
        "delivers the negative zero of a float",
        Gather {
            zero: |dtype| match dtype {
                DType::Float => [0, 0, 0, 0x80, 0, 0, 0, 0],
                DType::Half | DType::Bfloat16 => [0, 0x80, 0, 0, 0, 0, 0, 0],
                _ => [0; 8],
            },
            ..RIGHT
        },
    ),
    with(
        "mgather-a2a3-zero-fill-too-wide",
        "MGATHER-OOB-14",
        "clears the whole tile for Zero where rows alone are to be filled",
        Wrong::Reading(|readings| readings.nd_zero_fill = NdZeroFill::WholeTile),
    ),
    of(
        "mgather-a2a3-nz-not-cleared",
        "MGATHER-OOB-13",
        "fills the missing rows of an NZ tile and leaves its padding",
        Gather {
            cleared: |_| false,
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-capacity-of-one-matrix",
        "MGATHER-CAP-02",
        "takes Shape[3] for the rows of the whole table",
        Gather {
            capacity: |ops| match ops.row && !ops.nz() {
                true => ops.shape(3),
                false => (RIGHT.capacity)(ops),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-pitch-of-shape",
        "MGATHER-TABLE-05",
        "takes rows for Shape[4] apart, whatever the stride",
        Gather {
            place: |ops, selected, c| match ops.row && !ops.nz() {
                true => at(selected, ops.shape(4), c),
                false => (RIGHT.place)(ops, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-capacity-product",
        "MGATHER-CAP-05",
        "takes Shape[0..3] for the rows of an NZ table",
        Gather {
            capacity: |ops| match ops.row && ops.nz() {
                true => product(&ops.table, 4),
                false => (RIGHT.capacity)(ops),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-blocks-row-major",
        "MGATHER-NZ-12",
        "takes block rows for block columns and the other way round",
        Gather {
            place: |ops, selected, c| {
                if !ops.nz() {
                    return (RIGHT.place)(ops, selected, c);
                }
                let mut swapped = ops.table;
                swapped.stride.swap(1, 2);
                crate::table::nz_place(&swapped, ops.row, selected, c)
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-index-by-columns",
        "MGATHER-INDEX-04",
        "counts the slots of an NZ table down the columns",
        Gather {
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
        "mgather-a2a3-nz-tile-of-valid-rows",
        "MGATHER-NZ-06",
        "takes the column blocks of the tile for ValidRow rows high",
        Gather {
            target: |ops, r, c| match ops.nz() {
                true => in_blocks(ops.dst.valid_row.get(), ops.dtype().size(), r, c),
                false => (RIGHT.target)(ops, r, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-first-batch-only",
        "MGATHER-NZ-11",
        "moves the column blocks of the first batch only",
        Gather {
            lanes: |ops| {
                let mut all = (RIGHT.lanes)(ops);
                let batch = ops.shape(1) * ops.shape(4);
                all.retain(|(_, c)| !(ops.nz() && ops.row) || *c < batch);
                all
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-last-element-left",
        "MGATHER-SEM-02",
        "leaves out the last element",
        Gather {
            lanes: |ops| {
                let mut all = (RIGHT.lanes)(ops);
                if !ops.row {
                    all.pop();
                }
                all
            },
            ..RIGHT
        },
    ),
    with(
        "mgather-a2a3-rejects-part-of-a-block",
        "MGATHER-SHAPE-05",
        "rejects an NZ tile whose ValidRow is no multiple of 16",
        Wrong::Rejects(|call| match call {
            Call::Mgather(c) if c.table.layout == Layout::NZ => {
                !c.dst.valid_row.get().is_multiple_of(16)
            }
            _ => false,
        }),
    ),
    with(
        "mgather-a2a3-byte-past-the-tile",
        "MGATHER-SEM-03",
        "writes the byte that follows the tile",
        Wrong::Spoil(|_, _, after| spoil::past_the_end(after, Role::Destination)),
    ),
];
