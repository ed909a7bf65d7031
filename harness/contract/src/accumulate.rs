//! Atomic scatters: old content and every contribution, slot by slot.

use ptodiff_isa::{DType, ScatterAtomicOp};

use crate::{
    combine::{
        Cell, Combine, Contribution, FloatExtreme, FloatSum, IntegerExtreme, IntegerSum, Settled,
        Words,
    },
    float::{Bfloat16, Half, Single},
    replace::NZ_PADDING,
    runs::Runs,
    scatter::{Field, Footprint},
    writers::Writers,
};

/// Settles every written slot of `field`; `open` where the target promises no
/// order of additions. False if no target combines such elements.
pub(crate) fn accumulate(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &Writers,
    atomic: ScatterAtomicOp,
    open: bool,
    words: &Words,
) -> bool {
    use ScatterAtomicOp::{Add, Max, Min};
    macro_rules! with {
        ($combine:ty) => {{
            run::<$combine>(runs, field, writers, words);
            true
        }};
    }
    match (atomic, field.dtype, open) {
        (Add, DType::Int8, _) => with!(IntegerSum<1, true>),
        (Add, DType::Int16, _) => with!(IntegerSum<2, true>),
        (Add, DType::Int32, _) => with!(IntegerSum<4, true>),
        (Add, DType::Uint32, _) => with!(IntegerSum<4, false>),
        (Add, DType::Half, true) => with!(FloatSum<Half, true>),
        (Add, DType::Half, false) => with!(FloatSum<Half, false>),
        (Add, DType::Bfloat16, true) => with!(FloatSum<Bfloat16, true>),
        (Add, DType::Bfloat16, false) => with!(FloatSum<Bfloat16, false>),
        (Add, DType::Float, true) => with!(FloatSum<Single, true>),
        (Add, DType::Float, false) => with!(FloatSum<Single, false>),
        (Max, DType::Int32, _) => with!(IntegerExtreme<4, true, true>),
        (Max, DType::Uint32, _) => with!(IntegerExtreme<4, false, true>),
        (Max, DType::Float, _) => with!(FloatExtreme<Single, true>),
        (Min, DType::Int32, _) => with!(IntegerExtreme<4, true, false>),
        (Min, DType::Uint32, _) => with!(IntegerExtreme<4, false, false>),
        (Min, DType::Float, _) => with!(FloatExtreme<Single, false>),
        _ => false,
    }
}

fn run<C: Combine>(runs: &mut Runs, field: &Field<'_>, writers: &Writers, words: &Words) {
    let mut cell = Cell::default();
    let element = |at: usize| {
        let from = at * C::SIZE;
        field.sources.get(from..from + C::SIZE).unwrap_or(&[])
    };
    let contribution = |at: usize| Contribution {
        bytes: element(at),
        step: field.step_of(at),
    };
    let mut settle = |runs: &mut Runs, slot: usize, w: &[u32], column: Option<usize>| {
        let offset = slot * C::SIZE;
        let old = &field.table[offset..offset + C::SIZE];
        let settled = match column {
            None => {
                let all = w.iter().map(|&at| contribution(at as usize));
                C::settle(&mut cell, old, all, words)
            }
            Some(c) => {
                let all = w.iter().map(|&r| contribution(field.row_element(r, c)));
                C::settle(&mut cell, old, all, words)
            }
        };
        if column.is_some_and(|c| c >= field.plane.cols) {
            or_kept(runs, offset, old, &mut cell, settled);
        } else {
            put(runs, offset, &cell, C::SIZE, settled, words);
        }
    };
    match &field.footprint {
        Footprint::Element => {
            for (slot, w) in writers.iter() {
                settle(runs, slot, w, None);
            }
        }
        Footprint::Row { pitch } => {
            for (row, w) in writers.iter() {
                for c in 0..field.plane.cols {
                    settle(runs, row * pitch + c, w, Some(c));
                }
            }
        }
        Footprint::NzRow(nz) => {
            let width = nz.block as usize;
            for block in 0..field.padded_cols / width {
                for (row, w) in writers.iter() {
                    let at = nz.block_at(row as i64, block as i64) as usize;
                    for c in 0..width {
                        settle(runs, at + c, w, Some(block * width + c));
                    }
                }
            }
        }
    }
}

fn put(runs: &mut Runs, offset: usize, cell: &Cell, size: usize, settled: Settled, words: &Words) {
    // What differs between targets does so in every slot of the call.
    let freedom = words.one.freedom;
    match settled {
        Settled::Exactly(why) => runs.exactly(offset, &cell.bytes, why.or(freedom)),
        Settled::OneOf(why) => runs.candidates(offset, size, &cell.bytes, why),
        Settled::Between(why) => runs.between(offset, size, &cell.bytes, why),
        Settled::Anything(why) => runs.anything(offset, size, why),
    }
}

/// A column past ValidCol: kept, or what the burst brings (MSCATTER-GAP-22).
fn or_kept(runs: &mut Runs, offset: usize, old: &[u8], cell: &mut Cell, settled: Settled) {
    match settled {
        Settled::Exactly(_) | Settled::OneOf(_) => {
            cell.bytes.extend_from_slice(old);
            runs.candidates(offset, old.len(), &cell.bytes, NZ_PADDING);
        }
        // A2/A3 adds in one order, so an interval does not come up here.
        Settled::Between(_) | Settled::Anything(_) => runs.anything(offset, old.len(), NZ_PADDING),
    }
}
