//! MGATHER on the CPU simulator.

use super::{Gather, at, wrong};
use crate::Mutant;

const RIGHT: Gather = Gather::RIGHT;

mutants_of!(Mgather on Cpu, Gather);

pub(super) const ALL: &[Mutant] = &[
    of(
        "mgather-cpu-signed-compare",
        "MGATHER-OOB-10",
        "compares an index with the capacity as a signed number",
        Gather {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mgather-cpu-wide-remainder",
        "MGATHER-OOB-10",
        "widens a negative index to 64 bits before it takes the remainder",
        Gather {
            remap: wrong::wide_remainder,
            ..RIGHT
        },
    ),
    of(
        "mgather-cpu-clamp-to-capacity",
        "MGATHER-OOB-04",
        "clamps to the capacity, one past the last slot",
        Gather {
            remap: wrong::clamp_past_the_end,
            ..RIGHT
        },
    ),
    of(
        "mgather-cpu-zero-forgotten",
        "MGATHER-OOB-07",
        "leaves what the destination held where a zero belongs",
        Gather {
            remap: wrong::zero_forgotten,
            ..RIGHT
        },
    ),
    of(
        "mgather-cpu-pitch-of-tile",
        "MGATHER-TABLE-04",
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
        "mgather-cpu-elem-by-strides",
        "MGATHER-TABLE-13",
        "splits an element's number over the last two dimensions and their strides",
        Gather {
            place: |ops, selected, c| match ops.row {
                true => (RIGHT.place)(ops, selected, c),
                false => {
                    let (number, width) = (selected.unsigned_abs(), ops.shape(4));
                    let stride = ops.table.stride[3].get();
                    at((number / width).cast_signed(), stride, number % width)
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-cpu-upright-index-lying",
        "MGATHER-SEM-01",
        "looks for the index of every row in the first row of the index tile",
        Gather {
            index: |ops, r, c| match ops.row {
                true => r,
                false => (RIGHT.index)(ops, r, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-cpu-padding-lanes",
        "MGATHER-SEM-03",
        "fills the padding columns of the tile, too",
        Gather {
            lanes: wrong::padding_too,
            ..RIGHT
        },
    ),
];
