//! MSCATTER of the first revision, A5 only.

use std::collections::BTreeMap;

use ptodiff_isa::{Role, ScatterAtomicOp};

use super::{Scatter, wrong};
use crate::{Mutant, Wrong, bytes::Element, number::combined, spoil};

const RIGHT: Scatter = Scatter::RIGHT;

mutants_of!(MscatterFirst on A5, Scatter);

pub(super) const ALL: &[Mutant] = &[
    of(
        "mscatter0-a5-row-capacity-of-table",
        "MSCATTER0-CAP-01",
        "takes the number of elements for the number of rows",
        Scatter {
            capacity: |ops| ops.shape(3).saturating_mul(ops.shape(4)),
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-elem-capacity-of-rows",
        "MSCATTER0-CAP-02",
        "takes the number of rows for the number of elements",
        Scatter {
            capacity: |ops| ops.shape(3),
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-signed-compare",
        "MSCATTER0-OOB-02",
        "compares an index with the table's size as a signed number",
        Scatter {
            remap: wrong::signed,
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-clamp-past-the-end",
        "MSCATTER0-OOB-03",
        "clamps to the table's size, one past the last slot",
        Scatter {
            remap: wrong::clamp_past_the_end,
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-wide-remainder",
        "MSCATTER0-OOB-04",
        "widens a negative index to 64 bits before it takes the remainder",
        Scatter {
            remap: wrong::wide_remainder,
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-skip-to-slot-0",
        "MSCATTER0-OOB-02",
        "writes to slot 0 what Skip should drop",
        Scatter {
            remap: wrong::skip_to_zero,
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-lost-atomic",
        "MSCATTER0-ATOM-01",
        "loses all but the last of the contributions to a slot",
        Scatter {
            stores: wrong::lost_update,
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-add-toward-zero",
        "MSCATTER0-ATOM-01",
        "rounds sums toward zero",
        Scatter {
            apply: wrong::truncating,
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-max-is-min",
        "MSCATTER0-ATOM-06",
        "takes the minimum for Max",
        Scatter {
            apply: |ops, all, sink| {
                let atomic = match ops.atomic {
                    ScatterAtomicOp::Max => ScatterAtomicOp::Min,
                    other => other,
                };
                super::each(all, sink, |old, new| {
                    combined(atomic, ops.dtype(), old, new)
                });
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-mixed-writers",
        "MSCATTER0-CONF-01",
        "leaves bytes of two writers in a contested slot",
        Scatter {
            apply: |ops, all, sink| {
                (RIGHT.apply)(ops, all, sink);
                if ops.atomic != ScatterAtomicOp::None {
                    return;
                }
                let first: BTreeMap<i64, Element> =
                    all.iter().rev().map(|(s, e)| (s.to, *e)).collect();
                for (to, element) in first {
                    let mut mixed = sink.get(to);
                    mixed[0] = element[0];
                    sink.put(to, mixed);
                }
            },
            ..RIGHT
        },
    ),
    of(
        "mscatter0-a5-source-row-major",
        "MSCATTER0-SEM-02",
        "reads a column-major source as a row-major one",
        Scatter {
            source: |ops, r, c| r * ops.src.cols + c,
            ..RIGHT
        },
    ),
    with(
        "mscatter0-a5-byte-past-the-table",
        "MSCATTER0-SEM-01",
        "writes the byte that follows the table",
        Wrong::Spoil(|_, _, after| spoil::past_the_end(after, Role::Table)),
    ),
];
