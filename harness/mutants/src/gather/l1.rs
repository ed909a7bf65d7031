//! MGATHER to L1, on A2/A3 and A5.

use ptodiff_isa::{GatherOob, L1ScratchZero, Role, Target};

use super::{Gather, GatherOperands, at, wrong};
use crate::{Mutant, Wrong, bytes::in_blocks, spoil};

const RIGHT: Gather = Gather::RIGHT;

mutants_of!(MgatherL1, Gather);

fn one_matrix(ops: &GatherOperands) -> u64 {
    match ops.row {
        true => ops.shape(3),
        false => ops.shape(3).saturating_mul(ops.shape(4)),
    }
}

pub(super) const ALL: &[Mutant] = &[
    of(
        "mgather-l1-a2a3-rows-not-cleared",
        Target::A2a3,
        "MGATHERL1-OOB-02",
        "skips the transfer of a row under Zero and clears nothing",
        Gather {
            cleared: |ops| !ops.row,
            remap: |ops, index, capacity| match ops.row {
                true => wrong::zero_forgotten(ops, index, capacity),
                false => (RIGHT.remap)(ops, index, capacity),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a2a3-pitch-of-shape",
        Target::A2a3,
        "MGATHERL1-TABLE-02",
        "takes rows for Shape[4] apart, whatever the stride",
        Gather {
            place: |ops, selected, c| match ops.row {
                true => at(selected, ops.shape(4), c),
                false => (RIGHT.place)(ops, selected, c),
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a2a3-capacity-of-one-matrix",
        Target::A2a3,
        "MGATHERL1-CAP-01",
        "takes the rows or slots of one matrix for those of the table",
        Gather {
            capacity: one_matrix,
            ..RIGHT
        },
    ),
    with(
        "mgather-l1-a2a3-scratch-not-zeroed",
        Target::A2a3,
        "MGATHERL1-SCRATCH-05",
        "zeroes the scratch for Zero only",
        Wrong::Reading(|readings| readings.l1_scratch_zero = L1ScratchZero::ZeroOnly),
    ),
    of(
        "mgather-l1-a2a3-tile-row-major",
        Target::A2a3,
        "MGATHERL1-NZ-02",
        "leaves the tile in rows and not in blocks",
        Gather {
            target: |ops, r, c| r * ops.dst.cols + c,
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a2a3-clamp-to-capacity",
        Target::A2a3,
        "MGATHERL1-OOB-01",
        "clamps to the capacity, one past the last row or slot",
        Gather {
            remap: wrong::clamp_past_the_end,
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-blocks-of-valid-rows",
        Target::A5,
        "MGATHERL1-NZ-02",
        "takes the column blocks of the tile for ValidRow rows high",
        Gather {
            target: |ops, r, c| in_blocks(ops.dst.valid_row.get(), ops.dtype().size(), r, c),
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-index-of-padded-rows",
        Target::A5,
        "MGATHERL1-INDEX-02",
        "takes the rows of indices for as long as those of the padded tile",
        Gather {
            index: |ops, r, c| match ops.row {
                true => r,
                false => r * ops.dst.cols + c,
            },
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-signed-compare",
        Target::A5,
        "MGATHERL1-OOB-01",
        "compares an index with the capacity as a signed number",
        Gather {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-zero-is-slot-0",
        Target::A5,
        "MGATHERL1-OOB-03",
        "delivers slot 0 where a zero belongs",
        Gather {
            remap: wrong::zero_is_slot_0,
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-simt-padding-left",
        Target::A5,
        "MGATHERL1-EXEC-07",
        "leaves the padding to what the scratch held where lanes collect the elements",
        Gather {
            cleared: |ops| !ops.simt && (RIGHT.cleared)(ops),
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-capacity-of-one-matrix",
        Target::A5,
        "MGATHERL1-CAP-02",
        "takes the rows or slots of one matrix for those of the table",
        Gather {
            capacity: one_matrix,
            ..RIGHT
        },
    ),
    of(
        "mgather-l1-a5-zero-tails",
        Target::A5,
        "MGATHERL1-OOB-02",
        "clears the tile under Clamp and Wrap, too",
        Gather {
            cleared: |ops| !ops.row || ops.oob != GatherOob::Undefined,
            ..RIGHT
        },
    ),
    with(
        "mgather-l1-a5-byte-past-the-tile",
        Target::A5,
        "MGATHERL1-SEM-01",
        "writes the byte that follows the tile",
        Wrong::Spoil(|_, _, after| spoil::past_the_end(after, Role::Destination)),
    ),
];
