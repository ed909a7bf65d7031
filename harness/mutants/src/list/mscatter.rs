//! MSCATTER on the CPU simulator, as document 000 has it, and its first revision on A5.

use ptodiff_isa::{CpuForm, FirstRowCapacity};

use super::*;

pub(super) const CPU: &[Row] = &[
    (
        "mscatter-cpu-rows",
        "MSCATTER-SEM-03",
        "moves whole rows by the first index of each",
        Wrong::Other(|call, readings| {
            readings.cpu_form = CpuForm::Templated;
            if let Call::Mscatter(c) = call {
                (c.mode, c.idx.valid_col) = (Coalesce::Row, Dim::Dynamic(1));
            }
        }),
    ),
    (
        "mscatter-cpu-first-writer-wins",
        "MSCATTER-CONF-08",
        "leaves the first writer of a contested slot",
        moves_are(steps::first_wins),
    ),
    (
        "mscatter-cpu-walk-by-columns",
        "MSCATTER-CONF-08",
        "serves the elements column by column",
        moves_are(steps::by_columns),
    ),
    (
        "mscatter-cpu-adds",
        "MSCATTER-SEM-09",
        "adds to the slot and does not replace it",
        combines(|ops, puts, sink| {
            let add = ScatterAtomicOp::Add;
            sink.each(puts, |old, new| combined(add, ops.dtype(), old, new));
        }),
    ),
    (
        "mscatter-cpu-padding-lanes",
        "MSCATTER-SEM-05",
        "scatters the padding columns of the tile, too",
        lanes_are(steps::padding_too),
    ),
    (
        "mscatter-cpu-packed-source",
        "MSCATTER-SEM-03",
        "takes the rows of the source for ValidCol apart",
        Wrong::Other(|call, _| packed(call, Role::Source)),
    ),
    (
        "mscatter-cpu-packed-index",
        "MSCATTER-SEM-03",
        "takes the rows of the index tile for ValidCol apart",
        Wrong::Other(|call, _| packed(call, Role::Index)),
    ),
    (
        "mscatter-cpu-byte-index",
        "MSCATTER-INDEX-06",
        "takes an index for a number of bytes",
        selects(steps::in_bytes),
    ),
];

pub(super) const FIRST: &[Row] = &[
    (
        "mscatter0-a5-row-capacity-of-table",
        "MSCATTER0-CAP-01",
        "takes the number of elements for the number of rows",
        Wrong::Other(|_, readings| readings.first_row_capacity = FirstRowCapacity::Elements),
    ),
    (
        "mscatter0-a5-elem-capacity-of-rows",
        "MSCATTER0-CAP-02",
        "takes the number of rows for the number of elements",
        Wrong::Other(|call, _| match call {
            Call::MscatterFirst(c) if c.idx.cols != 1 => c.table.shape[4] = Dim::Dynamic(1),
            _ => {}
        }),
    ),
    (
        "mscatter0-a5-signed-compare",
        "MSCATTER0-OOB-02",
        "compares an index with the table's size as a signed number",
        SIGNED,
    ),
    (
        "mscatter0-a5-clamp-past-the-end",
        "MSCATTER0-OOB-03",
        "clamps to the table's size, one past the last slot",
        selects(steps::clamp_past_the_end),
    ),
    (
        "mscatter0-a5-wide-remainder",
        "MSCATTER0-OOB-04",
        "widens a negative index to 64 bits before it takes the remainder",
        selects(steps::wide_remainder),
    ),
    (
        "mscatter0-a5-skip-to-slot-0",
        "MSCATTER0-OOB-02",
        "writes to slot 0 what Skip should drop",
        selects(steps::slot_0_for_none),
    ),
    (
        "mscatter0-a5-lost-atomic",
        "MSCATTER0-ATOM-01",
        "loses all but the last of the contributions to a slot",
        moves_are(steps::lost_update),
    ),
    (
        "mscatter0-a5-add-toward-zero",
        "MSCATTER0-ATOM-01",
        "rounds sums toward zero",
        combines(steps::truncating),
    ),
    (
        "mscatter0-a5-max-is-min",
        "MSCATTER0-ATOM-06",
        "takes the minimum for Max",
        Wrong::Other(|call, _| atomic(call, ScatterAtomicOp::Max, ScatterAtomicOp::Min)),
    ),
    (
        "mscatter0-a5-mixed-writers",
        "MSCATTER0-CONF-01",
        "leaves bytes of two writers in a contested slot",
        moves_are(steps::mixed_writers),
    ),
    (
        "mscatter0-a5-source-row-major",
        "MSCATTER0-SEM-02",
        "reads a column-major source as a row-major one",
        TILE_ROW_MAJOR,
    ),
    (
        "mscatter0-a5-byte-past-the-table",
        "MSCATTER0-SEM-01",
        "writes the byte that follows the table",
        Wrong::Spoil(|memory| spoil::past_the_end(memory, Role::Table)),
    ),
];
