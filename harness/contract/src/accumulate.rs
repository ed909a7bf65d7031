//! Atomic scatters: old content and every contribution, slot by slot.

use ptodiff_isa::NzRowColumns;

use crate::{
    arithmetic::Arithmetic,
    combine::{Combine, Contribution, Held, Settled},
    operands::number,
    replace::NZ_PADDING,
    runs::Runs,
    scatter_operands::{Footprint, ScatterOperands},
    writers::Writers,
};

/// Settles every written slot by an atomic operation.
pub(crate) fn accumulate(
    runs: &mut Runs,
    operands: &ScatterOperands<'_>,
    writers: &Writers,
    combine: Combine,
    how: &Arithmetic,
) {
    let reading = match operands.footprint {
        Footprint::NzRow { columns, .. } => columns,
        Footprint::Element | Footprint::Row { .. } => NzRowColumns::Moved,
    };
    let size = operands.dtype.size();
    let mut all = Vec::new();
    for columns in operands.pieces() {
        for writes in writers.by_slot() {
            for c in columns.clone() {
                // Columns from ValidCol on are kept, or may as well be (MSCATTER-GAP-22).
                let past_valid = c >= operands.plane.cols;
                if past_valid && reading == NzRowColumns::Kept {
                    continue;
                }
                let open = past_valid && reading == NzRowColumns::Either;
                let offset = operands.offset(writes[0].to, c);
                let old = number(&operands.table[offset..offset + size]) as u32;
                all.clear();
                all.extend(writes.iter().map(|write| Contribution {
                    bits: number(operands.source(write, c)) as u32,
                    step: write.step,
                }));
                let (held, why) = combine.settle(old, &all, how);
                let by = match writes {
                    [one] if why.clause == how.one.clause => one.by.or(how.lent),
                    _ => how.lent,
                };
                put(runs, offset, size, (held, why.rather(by)), open);
            }
        }
    }
}

/// Says what was settled of a slot; `open` where it may as well be kept.
fn put(runs: &mut Runs, offset: usize, size: usize, (held, why): Settled, open: bool) {
    let by = if open { NZ_PADDING } else { why };
    let bytes = |elements: &[u32]| -> Vec<u8> {
        let each = elements.iter().map(|bits| bits.to_le_bytes());
        each.flat_map(|bytes| bytes.into_iter().take(size))
            .collect()
    };
    match held {
        Held::Exactly(bits) => runs.exactly(offset, &bits.to_le_bytes()[..size], by),
        Held::OneOf(all) => runs.one_of(offset, size, &bytes(&all), by),
        Held::Between(all, wide) => runs.between(offset, size, &bytes(&all), why, wide),
        Held::Anything => return runs.anything(offset, size, by),
    }
    if open {
        runs.or_kept(NZ_PADDING.clause);
    }
}
