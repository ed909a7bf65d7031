//! Atomic scatters: old content and every contribution, slot by slot.

use ptodiff_isa::{DType, NzRowColumns, ScatterAtomicOp};

use crate::{
    arithmetic::Arithmetic,
    combine::{
        Cell, Combine, Contribution, FloatExtreme, FloatSum, FlushNoted, IntegerExtreme,
        IntegerSum, SaturatingSum, Settled,
    },
    float::{Bfloat16, Half, Single},
    flushed::Flushed,
    replace::NZ_PADDING,
    runs::{Runs, Why},
    scatter::{Field, Footprint},
    writers::Writers,
};

/// Settles every written slot of `field`. False if no target combines such elements.
pub(crate) fn accumulate(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &Writers,
    atomic: ScatterAtomicOp,
    how: &Arithmetic,
) -> bool {
    use ScatterAtomicOp::{Add, Max, Min};
    macro_rules! with {
        ($combine:ty) => {
            run::<$combine>(runs, field, writers, how)
        };
    }
    macro_rules! integer_sum {
        ($size:literal, $signed:literal) => {
            match how.saturates {
                false => with!(IntegerSum<$size, $signed>),
                true => with!(SaturatingSum<$size, $signed>),
            }
        };
    }
    macro_rules! float_sum {
        ($format:ty) => {
            match how.flushes {
                false => with!(FloatSum<$format>),
                true => with!(FlushNoted<FloatSum<Flushed<$format>>, FloatSum<$format>>),
            }
        };
    }
    macro_rules! extreme {
        ($format:ty, $max:literal) => {
            match how.flushes {
                false => with!(FloatExtreme<$format, $max>),
                true => with!(
                    FlushNoted<FloatExtreme<Flushed<$format>, $max>, FloatExtreme<$format, $max>>
                ),
            }
        };
    }
    match (atomic, field.dtype) {
        (Add, DType::Int8) => integer_sum!(1, true),
        (Add, DType::Int16) => integer_sum!(2, true),
        (Add, DType::Int32) => integer_sum!(4, true),
        (Add, DType::Uint32) => integer_sum!(4, false),
        (Add, DType::Half) => float_sum!(Half),
        (Add, DType::Bfloat16) => float_sum!(Bfloat16),
        (Add, DType::Float) => float_sum!(Single),
        (Max, DType::Int32) => with!(IntegerExtreme<4, true, true>),
        (Max, DType::Uint32) => with!(IntegerExtreme<4, false, true>),
        (Max, DType::Float) => extreme!(Single, true),
        (Min, DType::Int32) => with!(IntegerExtreme<4, true, false>),
        (Min, DType::Uint32) => with!(IntegerExtreme<4, false, false>),
        (Min, DType::Float) => extreme!(Single, false),
        _ => return false,
    }
    true
}

fn run<C: Combine>(runs: &mut Runs, field: &Field<'_>, writers: &Writers, how: &Arithmetic) {
    let mut cell = Cell::default();
    let element = |at: usize| {
        let from = at * C::SIZE;
        field.sources.get(from..from + C::SIZE).unwrap_or(&[])
    };
    let contribution = |at: usize| Contribution {
        bytes: element(at),
        step: field.step_of(at),
    };
    // Columns from there on may as well be kept (MSCATTER-GAP-22).
    let open_from = match &field.footprint {
        Footprint::NzRow { columns, .. } if *columns == NzRowColumns::Either => field.plane.cols,
        _ => usize::MAX,
    };
    let mut settle = |runs: &mut Runs, slot: usize, w: &[u32], column: Option<usize>| {
        let offset = slot * C::SIZE;
        let old = &field.table[offset..offset + C::SIZE];
        let all = w.iter().map(|&from| {
            contribution(match column {
                None => from as usize,
                Some(c) => field.row_element(from, c),
            })
        });
        let settled = C::settle(&mut cell, old, all, how);
        if column.is_some_and(|c| c >= open_from) {
            or_kept(runs, offset, old, &mut cell, settled);
        } else {
            put(runs, offset, &cell, C::SIZE, settled, how);
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
        Footprint::NzRow { nz, columns } => {
            let width = nz.block as usize;
            let held = match columns {
                NzRowColumns::Kept => field.plane.cols,
                NzRowColumns::Either | NzRowColumns::Moved | NzRowColumns::Duty => {
                    field.padded_cols
                }
            };
            for block in 0..field.padded_cols / width {
                for (row, w) in writers.iter() {
                    let at = nz.block_at(row as i64, block as i64) as usize;
                    for c in 0..width.min(held.saturating_sub(block * width)) {
                        settle(runs, at + c, w, Some(block * width + c));
                    }
                }
            }
        }
    }
}

fn put(
    runs: &mut Runs,
    offset: usize,
    cell: &Cell,
    size: usize,
    settled: Settled,
    how: &Arithmetic,
) {
    // What differs between targets does so in every slot of the call.
    let freedom = how.words.one.freedom;
    match settled {
        Settled::Exactly(why) => runs.exactly(offset, &cell.bytes, why.or(freedom)),
        Settled::OneOf(why) => candidates(runs, offset, size, &cell.bytes, why),
        Settled::Between(why) => runs.between(offset, size, &cell.bytes, why),
        Settled::Anything(why) => runs.anything(offset, size, why),
    }
}

/// One slot that holds one of `all`, elements of `size` bytes.
fn candidates(runs: &mut Runs, offset: usize, size: usize, all: &[u8], why: Why) {
    runs.candidates(offset, size, all.len() / size, why, |pool| {
        pool.extend_from_slice(all);
    });
}

/// A column past ValidCol: kept, or what the burst brings (MSCATTER-GAP-22).
fn or_kept(runs: &mut Runs, offset: usize, old: &[u8], cell: &mut Cell, settled: Settled) {
    match settled {
        Settled::Exactly(_) | Settled::OneOf(_) => {
            cell.bytes.extend(old.iter().copied());
            candidates(runs, offset, old.len(), &cell.bytes, NZ_PADDING);
        }
        Settled::Between(why) => {
            runs.between(offset, old.len(), &cell.bytes, why);
            runs.or_kept(NZ_PADDING.clause);
        }
        Settled::Anything(_) => runs.anything(offset, old.len(), NZ_PADDING),
    }
}
