//! MGATHER to UB on A5.

use ptodiff_isa::{BLayout, Call, Coalesce, Role};

use super::{Found, Gather, at, wrong};
use crate::{Mutant, Wrong, spoil, table::product};

const RIGHT: Gather = Gather::RIGHT;

mutants_of!(Mgather on A5, Gather);

pub(super) const ALL: &[Mutant] = &[
    of(
        "mgather-a5-signed-compare",
        "MGATHER-OOB-17",
        "compares an index with the capacity as a signed number",
        Gather {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-capacity-is-inside",
        "MGATHER-OOB-09",
        "lets Zero pass an index that equals the capacity",
        Gather {
            remap: wrong::capacity_is_inside,
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-zero-is-slot-0",
        "MGATHER-OOB-15",
        "delivers slot 0 where a zero belongs",
        Gather {
            remap: wrong::zero_is_slot_0,
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-clamp-to-zero",
        "MGATHER-OOB-04",
        "clamps to slot 0 what is above the capacity",
        Gather {
            remap: |ops, index, capacity| match ops.oob {
                ptodiff_isa::GatherOob::Clamp if u64::from(index) >= capacity => Found::At(0),
                _ => (RIGHT.remap)(ops, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-pitch-of-padded-tile",
        "MGATHER-TABLE-06",
        "takes the rows of the table for as far apart as those of the padded tile",
        Gather {
            place: |ops, selected, c| match ops.row {
                true => at(selected, ops.dst.cols, c),
                false => (RIGHT.place)(ops, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-row-capacity-product",
        "MGATHER-CAP-03",
        "counts the rows of all outer dimensions",
        Gather {
            capacity: |ops| match ops.row {
                true => product(&ops.table, 4),
                false => (RIGHT.capacity)(ops),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-capacity-of-one-matrix",
        "MGATHER-CAP-04",
        "takes Shape[3] * Shape[4] for the table's size",
        Gather {
            capacity: |ops| match ops.row {
                true => (RIGHT.capacity)(ops),
                false => ops.shape(3).saturating_mul(ops.shape(4)),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-tile-row-major",
        "MGATHER-TILE-07",
        "writes a column-major tile as a row-major one",
        Gather {
            target: |ops, r, c| r * ops.dst.cols + c,
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-index-as-tile",
        "MGATHER-TILE-10",
        "reads the index tile in the layout of the destination",
        Gather {
            index: |ops, r, c| match (ops.row, ops.idx, ops.dst.blayout) {
                (false, Some(idx), BLayout::RowMajor) => r * idx.cols + c,
                (false, Some(idx), BLayout::ColMajor) => c * idx.rows + r,
                _ => (RIGHT.index)(ops, r, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-padding-lanes",
        "MGATHER-SEM-03",
        "fills the padding columns of the tile, too",
        Gather {
            lanes: wrong::padding_too,
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-full-warps-only",
        "MGATHER-LAUNCH-04",
        "launches no warp for the elements that fill none",
        Gather {
            lanes: wrong::full_warps,
            ..RIGHT
        },
    ),
    of(
        "mgather-a5-scalar-unchecked",
        "MGATHER-SEM-05",
        "looks at no policy in the scalar path of a single element",
        Gather {
            remap: |ops, index, capacity| {
                let single = (ops.dst.valid_row.get(), ops.dst.valid_col.get()) == (1, 1);
                match single && !ops.row {
                    true => Found::At(index.into()),
                    false => (RIGHT.remap)(ops, index, capacity),
                }
            },
            ..RIGHT
        },
    ),
    with(
        "mgather-a5-rejects-upright-index",
        "MGATHER-TILE-11",
        "rejects row indices that stand in a column",
        Wrong::Rejects(|call| match call {
            Call::Mgather(c) => c.mode == Coalesce::Row && c.idx.blayout == BLayout::ColMajor,
            _ => false,
        }),
    ),
    with(
        "mgather-a5-table-touched",
        "MGATHER-SEM-03",
        "writes to the table that it reads",
        Wrong::Spoil(|_, _, after| spoil::first_byte(after, Role::Table)),
    ),
];
