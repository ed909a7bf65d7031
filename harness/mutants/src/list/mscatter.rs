//! MSCATTER on the CPU simulator, as document 000 has it, and its first revision on A5.

use ptodiff_isa::{CpuForm, FirstRowCapacity};

use super::*;

pub(super) const CPU: &[Row] = &[
    (
        "mscatter-cpu-rows",
        "MSCATTER-SEM-03",
        "moves whole rows by the first index of each",
        Other(|call, readings| {
            readings.cpu_form = CpuForm::Templated;
            if let Call::Mscatter(c) = call {
                (c.mode, c.idx.valid_col) = (Coalesce::Row, Dim::Dynamic(1));
            }
        }),
    ),
    FIRST_WINS.named("mscatter-cpu-first-writer-wins", "MSCATTER-CONF-08"),
    BY_COLUMNS.named("mscatter-cpu-walk-by-columns", "MSCATTER-CONF-08"),
    (
        "mscatter-cpu-adds",
        "MSCATTER-SEM-09",
        "adds to the slot and does not replace it",
        Combines(|ops, puts, sink| {
            let add = ScatterAtomicOp::Add;
            sink.each(puts, |old, new| combined(add, ops.dtype(), old, new));
        }),
    ),
    PADDING_SCATTERED.named("mscatter-cpu-padding-lanes", "MSCATTER-SEM-05"),
    (
        "mscatter-cpu-packed-source",
        "MSCATTER-SEM-03",
        "takes the rows of the source for ValidCol apart",
        Other(|call, _| packed(call, Role::Source)),
    ),
    INDEX_PACKED.named("mscatter-cpu-packed-index", "MSCATTER-SEM-03"),
    BYTE_INDEX.named("mscatter-cpu-byte-index", "MSCATTER-INDEX-06"),
];

pub(super) const FIRST: &[Row] = &[
    (
        "mscatter0-a5-row-capacity-of-table",
        "MSCATTER0-CAP-01",
        "takes the number of elements for the number of rows",
        Other(|_, readings| readings.first_row_capacity = FirstRowCapacity::Elements),
    ),
    (
        "mscatter0-a5-elem-capacity-of-rows",
        "MSCATTER0-CAP-02",
        "takes the number of rows for the number of elements",
        Other(|call, _| match call {
            Call::MscatterFirst(c) if c.idx.cols != 1 => c.table.shape[4] = Dim::Dynamic(1),
            _ => {}
        }),
    ),
    SIGNED.named("mscatter0-a5-signed-compare", "MSCATTER0-OOB-02"),
    PAST_THE_LAST_SLOT.named("mscatter0-a5-clamp-past-the-end", "MSCATTER0-OOB-03"),
    WIDE_REMAINDER.named("mscatter0-a5-wide-remainder", "MSCATTER0-OOB-04"),
    ONE_SUBTRACTION.named("mscatter0-a5-one-subtraction", "MSCATTER0-OOB-04"),
    SKIP_TO_SLOT_0.named("mscatter0-a5-skip-to-slot-0", "MSCATTER0-OOB-02"),
    LOST_ATOMIC.named("mscatter0-a5-lost-atomic", "MSCATTER0-ATOM-01"),
    ADD_TOWARD_ZERO.named("mscatter0-a5-add-toward-zero", "MSCATTER0-ATOM-01"),
    (
        "mscatter0-a5-max-is-min",
        "MSCATTER0-ATOM-06",
        "takes the minimum for Max",
        Other(|call, _| atomic(call, ScatterAtomicOp::Max, ScatterAtomicOp::Min)),
    ),
    MIXED_WRITERS.named("mscatter0-a5-mixed-writers", "MSCATTER0-CONF-01"),
    SOURCE_ROW_MAJOR.named("mscatter0-a5-source-row-major", "MSCATTER0-SEM-02"),
    PAST_THE_TABLE.named("mscatter0-a5-byte-past-the-table", "MSCATTER0-SEM-01"),
];
