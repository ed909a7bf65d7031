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
            remap: |job, index, capacity| match job.row {
                true => (RIGHT.remap)(job, index, capacity),
                false => wrong::zero_forgotten(job, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-row-zero-forgotten",
        "MGATHER-OOB-14",
        "skips the transfer of a row under Zero and fills nothing",
        Gather {
            remap: |job, index, capacity| match job.row {
                true => wrong::zero_forgotten(job, index, capacity),
                false => (RIGHT.remap)(job, index, capacity),
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
            capacity: |job| match job.row && !job.nz() {
                true => job.shape(3),
                false => (RIGHT.capacity)(job),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-pitch-of-shape",
        "MGATHER-TABLE-05",
        "takes rows for Shape[4] apart, whatever the stride",
        Gather {
            place: |job, selected, c| match job.row && !job.nz() {
                true => at(selected, job.shape(4), c),
                false => (RIGHT.place)(job, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-capacity-product",
        "MGATHER-CAP-05",
        "takes Shape[0..3] for the rows of an NZ table",
        Gather {
            capacity: |job| match job.row && job.nz() {
                true => product(&job.table, 4),
                false => (RIGHT.capacity)(job),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-blocks-row-major",
        "MGATHER-NZ-12",
        "takes block rows for block columns and the other way round",
        Gather {
            place: |job, selected, c| {
                if !job.nz() {
                    return (RIGHT.place)(job, selected, c);
                }
                let mut swapped = job.table;
                swapped.stride.swap(1, 2);
                crate::table::nz_place(&swapped, job.row, selected, c)
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-index-by-columns",
        "MGATHER-INDEX-04",
        "counts the slots of an NZ table down the columns",
        Gather {
            place: |job, selected, c| {
                if job.row || !job.nz() {
                    return (RIGHT.place)(job, selected, c);
                }
                let rows = job.shape(2) * 16;
                let selected = selected.unsigned_abs();
                let strides = job.table.stride.map(|s| s.get());
                nz_at(&job.table, strides, selected % rows, selected / rows)
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-tile-of-valid-rows",
        "MGATHER-NZ-06",
        "takes the column blocks of the tile for ValidRow rows high",
        Gather {
            target: |job, r, c| match job.nz() {
                true => in_blocks(job.dst.valid_row.get(), job.dtype().size(), r, c),
                false => (RIGHT.target)(job, r, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a2a3-nz-first-batch-only",
        "MGATHER-NZ-11",
        "moves the column blocks of the first batch only",
        Gather {
            lanes: |job| {
                let mut all = (RIGHT.lanes)(job);
                let batch = job.shape(1) * job.shape(4);
                all.retain(|(_, c)| !(job.nz() && job.row) || *c < batch);
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
            lanes: |job| {
                let mut all = (RIGHT.lanes)(job);
                if !job.row {
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
