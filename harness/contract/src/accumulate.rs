//! Atomic scatters: old content and every contribution, slot by slot.

use ptodiff_isa::{DType, NzRowColumns};

use crate::{
    arithmetic::Arithmetic,
    combine::{
        Cell, Combine, Contribution, FloatExtreme, FloatSum, FlushNoted, IntegerExtreme,
        IntegerSum, SaturatingSum, Settled,
    },
    float::{Bfloat16, Half, Single},
    flushed::Flushed,
    replace::NZ_PADDING,
    runs::{Runs, Stretch, Told, Why},
    scatter::{Field, Footprint},
    writers::Writers,
};

/// Settles every written slot of `field` by Add. False if no target adds such elements.
pub(crate) fn add(
    runs: &mut Runs,
    cell: &mut Cell,
    field: &Field<'_>,
    writers: &mut Writers,
    how: &Arithmetic,
) -> bool {
    macro_rules! integer_sum {
        ($size:literal, $signed:literal) => {
            match how.saturates {
                false => run::<IntegerSum<$size, $signed>>(runs, cell, field, writers, how),
                true => run::<SaturatingSum<$size, $signed>>(runs, cell, field, writers, how),
            }
        };
    }
    macro_rules! float_sum {
        ($format:ty) => {
            match how.flushes {
                false => run::<FloatSum<$format>>(runs, cell, field, writers, how),
                true => run::<FlushNoted<FloatSum<Flushed<$format>>, FloatSum<$format>>>(
                    runs, cell, field, writers, how,
                ),
            }
        };
    }
    match field.dtype {
        DType::Int8 => integer_sum!(1, true),
        DType::Int16 => integer_sum!(2, true),
        DType::Int32 => integer_sum!(4, true),
        DType::Uint32 => integer_sum!(4, false),
        DType::Half => float_sum!(Half),
        DType::Bfloat16 => float_sum!(Bfloat16),
        DType::Float => float_sum!(Single),
        _ => return false,
    }
    true
}

/// The same by Max, or by Min.
pub(crate) fn extreme<const MAX: bool>(
    runs: &mut Runs,
    cell: &mut Cell,
    field: &Field<'_>,
    writers: &mut Writers,
    how: &Arithmetic,
) -> bool {
    type Kept<const MAX: bool> = FloatExtreme<Single, MAX>;
    type Noted<const MAX: bool> = FlushNoted<FloatExtreme<Flushed<Single>, MAX>, Kept<MAX>>;
    match field.dtype {
        DType::Int32 => run::<IntegerExtreme<4, true, MAX>>(runs, cell, field, writers, how),
        DType::Uint32 => run::<IntegerExtreme<4, false, MAX>>(runs, cell, field, writers, how),
        DType::Float if how.flushes => run::<Noted<MAX>>(runs, cell, field, writers, how),
        DType::Float => run::<Kept<MAX>>(runs, cell, field, writers, how),
        _ => return false,
    }
    true
}

fn run<C: Combine>(
    runs: &mut Runs,
    cell: &mut Cell,
    field: &Field<'_>,
    writers: &mut Writers,
    how: &Arithmetic,
) {
    let contribution = |at: usize| {
        let from = at * C::SIZE;
        Contribution {
            bits: field.sources.get(from..from + C::SIZE).map_or(0, pattern),
            step: field.step_of(at),
        }
    };
    // Columns from there on may as well be kept (MSCATTER-GAP-22).
    let open_from = match &field.footprint {
        Footprint::NzRow { columns, .. } if *columns == NzRowColumns::Either => field.plane.cols,
        _ => usize::MAX,
    };
    // What differs between targets does so in every slot of the call.
    let freedom = how.words.one.freedom;
    let mut stretch = Stretch::new(runs, |cited: Cited| Told::Exactly(cited.0));
    let mut settle = |slot: usize, w: &[u32], column: Option<usize>| {
        let offset = slot * C::SIZE;
        let old = &field.table[offset..offset + C::SIZE];
        let all = w.iter().map(|&from| {
            contribution(match column {
                None => from as usize,
                Some(c) => field.row_element(from, c),
            })
        });
        let settled = C::settle(cell, pattern(old), all, how);
        if column.is_some_and(|c| c >= open_from) {
            return or_kept(stretch.pause(), offset, C::SIZE, cell, settled);
        }
        match settled {
            Settled::Exactly(bits, why) => {
                let bytes = &bits.to_le_bytes()[..C::SIZE];
                stretch.bytes(offset, Cited(why.or(freedom)), bytes);
            }
            Settled::OneOf(why) => {
                candidates(stretch.pause(), offset, C::SIZE, &cell.bytes, why);
            }
            Settled::Between(why, wide) => {
                stretch
                    .pause()
                    .between(offset, C::SIZE, &cell.bytes, why, wide);
            }
            Settled::Anything(why) => stretch.pause().anything(offset, C::SIZE, why),
        }
    };
    match &field.footprint {
        Footprint::Element => {
            let mut walk = writers.walk();
            while let Some((slot, w)) = walk.next() {
                settle(slot, w, None);
            }
        }
        Footprint::Row { pitch } => {
            let mut walk = writers.walk();
            while let Some((row, w)) = walk.next() {
                for c in 0..field.plane.cols {
                    settle(row * pitch + c, w, Some(c));
                }
            }
        }
        Footprint::NzRow { nz, columns } => {
            let width = nz.block as usize;
            let held = match columns {
                NzRowColumns::Kept => field.plane.cols,
                NzRowColumns::Either | NzRowColumns::Moved | NzRowColumns::Precondition => {
                    field.padded_cols
                }
            };
            for block in 0..field.padded_cols / width {
                let mut walk = writers.walk();
                while let Some((row, w)) = walk.next() {
                    let at = nz.block_at(row as i64, block as i64) as usize;
                    for c in 0..width.min(held.saturating_sub(block * width)) {
                        settle(at + c, w, Some(block * width + c));
                    }
                }
            }
        }
    }
    stretch.finish();
}

/// The bit pattern of an element of at most 4 bytes.
#[inline]
fn pattern(element: &[u8]) -> u32 {
    let mut wide = [0; 4];
    wide[..element.len()].copy_from_slice(element);
    u32::from_le_bytes(wide)
}

/// What is cited for a slot. Equal if surely equal: the same texts in memory.
#[derive(Clone, Copy)]
struct Cited(Why);

impl PartialEq for Cited {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.is(other.0)
    }
}

/// One slot that holds one of `all`, elements of `size` bytes.
fn candidates(runs: &mut Runs, offset: usize, size: usize, all: &[u8], why: Why) {
    runs.candidates(offset, size, all.len() / size, why, |pool| {
        pool.extend_from_slice(all);
    });
}

/// A column past ValidCol: kept, or what the burst brings (MSCATTER-GAP-22).
fn or_kept(runs: &mut Runs, offset: usize, size: usize, cell: &Cell, settled: Settled) {
    let all = &cell.bytes;
    match settled {
        Settled::Exactly(bits, _) => {
            runs.exactly(offset, &bits.to_le_bytes()[..size], NZ_PADDING);
        }
        Settled::OneOf(_) => runs.one_of(offset, size, all.len() / size, NZ_PADDING, |pool| {
            pool.extend_from_slice(all);
        }),
        Settled::Between(why, wide) => runs.between(offset, size, all, why, wide),
        Settled::Anything(_) => return runs.anything(offset, size, NZ_PADDING),
    }
    runs.or_kept(NZ_PADDING.clause);
}
