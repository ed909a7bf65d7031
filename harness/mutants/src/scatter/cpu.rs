//! MSCATTER on the CPU simulator, as document 000 has it.

use super::{Scatter, at, wrong};
use crate::Mutant;

const RIGHT: Scatter = Scatter::RIGHT;

mutants_of!(Mscatter on Cpu, Scatter);

pub(super) const ALL: &[Mutant] = &[
    of(
        "mscatter-cpu-rows",
        "MSCATTER-SEM-03",
        "moves whole rows by the first index of each",
        Scatter {
            index: |ops, r, _| r * ops.idx.cols,
            place: |ops, selected, _| at(selected, ops.shape(4), 0),
            stores: |_, stores| {
                for store in stores {
                    store.to = store.to.saturating_add(store.c.cast_signed());
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter-cpu-first-writer-wins",
        "MSCATTER-CONF-08",
        "leaves the first writer of a contested slot",
        Scatter {
            stores: wrong::first_wins,
            ..RIGHT
        },
    ),
    of(
        "mscatter-cpu-walk-by-columns",
        "MSCATTER-CONF-08",
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
        "mscatter-cpu-adds",
        "MSCATTER-SEM-09",
        "adds to the slot and does not replace it",
        Scatter {
            apply: wrong::adding,
            ..RIGHT
        },
    ),
    of(
        "mscatter-cpu-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        Scatter {
            lanes: wrong::padding_too,
            ..RIGHT
        },
    ),
    of(
        "mscatter-cpu-packed-source",
        "MSCATTER-SEM-03",
        "takes the rows of the source for ValidCol apart",
        Scatter {
            source: |ops, r, c| r * ops.src.valid_col.get() + c,
            ..RIGHT
        },
    ),
    of(
        "mscatter-cpu-packed-index",
        "MSCATTER-SEM-03",
        "takes the rows of the index tile for ValidCol apart",
        Scatter {
            index: |ops, r, c| r * ops.idx.valid_col.get() + c,
            ..RIGHT
        },
    ),
    of(
        "mscatter-cpu-byte-index",
        "MSCATTER-INDEX-06",
        "takes an index for a number of bytes",
        Scatter {
            place: |ops, selected, _| selected / ops.dtype().size() as i64,
            ..RIGHT
        },
    ),
];
