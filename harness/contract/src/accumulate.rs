//! Atomic scatters: old content and every contribution, slot by slot.

use ptodiff_isa::{DType, NzRowColumns};

use crate::{
    arithmetic::Arithmetic,
    combine::{
        Accumulator, Combine, Contribution, FloatExtreme, FloatSum, FlushNoted, IntegerExtreme,
        IntegerSum, SaturatingSum, Settled,
    },
    float::{Bfloat16, Half, Single},
    flushed::Flushed,
    replace::NZ_PADDING,
    runs::{Runs, Why},
    scatter_operands::{Footprint, ScatterOperands},
    writers::Writers,
};

/// Settles every written slot by Add. False if no target adds such elements.
pub(crate) fn add(
    runs: &mut Runs,
    operands: &ScatterOperands<'_>,
    writers: &Writers,
    how: &Arithmetic,
) -> bool {
    macro_rules! integer_sum {
        ($size:literal, $signed:literal) => {
            match how.saturates {
                false => run::<IntegerSum<$size, $signed>>(runs, operands, writers, how),
                true => run::<SaturatingSum<$size, $signed>>(runs, operands, writers, how),
            }
        };
    }
    macro_rules! float_sum {
        ($format:ty) => {
            match how.flushes {
                false => run::<FloatSum<$format>>(runs, operands, writers, how),
                true => run::<FlushNoted<FloatSum<Flushed<$format>>, FloatSum<$format>>>(
                    runs, operands, writers, how,
                ),
            }
        };
    }
    match operands.dtype {
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
    operands: &ScatterOperands<'_>,
    writers: &Writers,
    how: &Arithmetic,
) -> bool {
    type Kept<const MAX: bool> = FloatExtreme<Single, MAX>;
    type Noted<const MAX: bool> = FlushNoted<FloatExtreme<Flushed<Single>, MAX>, Kept<MAX>>;
    match operands.dtype {
        DType::Int32 => run::<IntegerExtreme<4, true, MAX>>(runs, operands, writers, how),
        DType::Uint32 => run::<IntegerExtreme<4, false, MAX>>(runs, operands, writers, how),
        DType::Float if how.flushes => run::<Noted<MAX>>(runs, operands, writers, how),
        DType::Float => run::<Kept<MAX>>(runs, operands, writers, how),
        _ => return false,
    }
    true
}

fn run<C: Combine>(
    runs: &mut Runs,
    operands: &ScatterOperands<'_>,
    writers: &Writers,
    how: &Arithmetic,
) {
    let (held, open_from) = match operands.footprint {
        Footprint::NzRow { columns, .. } => match columns {
            NzRowColumns::Kept => (operands.plane.cols, usize::MAX),
            // Columns from there on may as well be kept (MSCATTER-GAP-22).
            NzRowColumns::Either => (usize::MAX, operands.plane.cols),
            NzRowColumns::Moved | NzRowColumns::Precondition => (usize::MAX, usize::MAX),
        },
        Footprint::Element | Footprint::Row { .. } => (usize::MAX, usize::MAX),
    };
    let mut accumulator = Accumulator::default();
    for columns in operands.pieces() {
        for writes in writers.by_slot() {
            for c in columns.start..columns.end.min(held) {
                let offset = operands.offset(writes[0].to, c);
                let old = pattern(&operands.table[offset..offset + C::SIZE]);
                let all = writes.iter().map(|write| Contribution {
                    bits: pattern(operands.source(write, c)),
                    step: write.step,
                });
                let settled = C::settle(&mut accumulator, old, all, how);
                let open = c >= open_from;
                put(runs, offset, C::SIZE, &accumulator.bytes, settled, open);
                if open && !matches!(settled, Settled::Anything(_)) {
                    runs.or_kept(NZ_PADDING.clause);
                }
            }
        }
    }
}

/// Says what was settled of a slot; `open` where it may as well be kept.
fn put(runs: &mut Runs, offset: usize, size: usize, elements: &[u8], settled: Settled, open: bool) {
    let by = |why: Why| if open { NZ_PADDING } else { why };
    match settled {
        Settled::Exactly(bits, why) => {
            runs.exactly(offset, &bits.to_le_bytes()[..size], by(why));
        }
        Settled::OneOf(why) => {
            runs.one_of(offset, size, elements.len() / size, by(why), |pool| {
                pool.extend_from_slice(elements);
            });
        }
        Settled::Between(why, wide) => runs.between(offset, size, elements, why, wide),
        Settled::Anything(why) => runs.anything(offset, size, by(why)),
    }
}

/// The bit pattern of an element of at most 4 bytes.
fn pattern(element: &[u8]) -> u32 {
    let mut wide = [0; 4];
    wide[..element.len()].copy_from_slice(element);
    u32::from_le_bytes(wide)
}
