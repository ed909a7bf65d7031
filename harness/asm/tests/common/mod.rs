//! Any call.

use proptest::{
    array::{uniform3, uniform5},
    option,
    prelude::*,
    sample::select,
};
use ptodiff_isa::{
    Call, Dim, GlobalTensor, Launch, Mgather, MgatherL1, Mscatter, MscatterFirst, Tgatherb, Tile,
    TscatterIndex, TscatterMask,
};
use strum::VariantArray;

fn any_word<T: VariantArray + Clone + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0_u64..70, 1 => any::<u64>(), 1 => Just(u64::MAX)]
}

fn dim() -> BoxedStrategy<Dim> {
    (number(), any::<bool>())
        .prop_map(|(extent, dynamic)| {
            if dynamic {
                Dim::Dynamic(extent)
            } else {
                Dim::Static(extent)
            }
        })
        .boxed()
}

fn padded() -> impl Strategy<Value = u64> {
    prop_oneof![4 => Just(1_u64), 16 => 1_u64..70, 1 => 1..=u64::MAX]
}

/// Boxed, as all below: the trees of values would outgrow a test's stack.
fn tiles() -> BoxedStrategy<Tile> {
    let extents = (padded(), padded(), dim(), dim());
    let layout = (any_word(), any_word(), prop_oneof![Just(512), number()]);
    (any_word(), any_word(), extents, layout)
        .prop_map(
            |(location, dtype, (rows, cols, valid_row, valid_col), (blayout, slayout, fractal))| {
                Tile {
                    location,
                    dtype,
                    rows,
                    cols,
                    valid_row,
                    valid_col,
                    blayout,
                    slayout,
                    fractal,
                }
            },
        )
        .boxed()
}

fn tensors() -> BoxedStrategy<GlobalTensor> {
    (any_word(), uniform5(dim()), uniform5(dim()), any_word())
        .prop_map(|(dtype, shape, stride, layout)| GlobalTensor {
            dtype,
            shape,
            stride,
            layout,
        })
        .boxed()
}

fn launches() -> BoxedStrategy<Launch> {
    (option::of(number()), any_word(), any_word())
        .prop_map(|(dyn_ub_bytes, dispatch, flush)| Launch {
            dyn_ub_bytes,
            dispatch,
            flush,
        })
        .boxed()
}

/// A call of any instruction, legal or not.
pub(crate) fn calls() -> BoxedStrategy<Call> {
    let operands = (uniform3(tiles()), uniform3(tensors()), any::<bool>());
    let scatter = (any_word(), any_word(), any_word());
    let gather = (any_word(), any_word());
    let mask = (any_word(), any_word());
    let policies = (any_word(), scatter, gather, mask, launches());
    (0..7, operands, policies)
        .prop_map(|(form, operands, policies)| {
            let ([src, dst, index], [table, idx, third], staged) = operands;
            let (mode, (atomic, scattered, conflict), (gathered, exec), mask, launch) = policies;
            match form {
                0 => Call::Mscatter(Mscatter {
                    table,
                    src,
                    idx: index,
                    mode,
                    atomic,
                    oob: scattered,
                    conflict,
                    launch,
                }),
                1 => Call::MscatterFirst(MscatterFirst {
                    table,
                    src,
                    idx: index,
                    atomic,
                    oob: scattered,
                    launch,
                }),
                2 => Call::Mgather(Mgather {
                    dst,
                    table,
                    idx: index,
                    mode,
                    oob: gathered,
                    launch,
                }),
                3 => Call::MgatherL1(MgatherL1 {
                    dst,
                    table,
                    idx,
                    scratch: staged.then_some(third),
                    mode,
                    oob: gathered,
                    exec,
                    launch,
                }),
                4 => Call::TscatterIndex(TscatterIndex {
                    dst,
                    src,
                    idx: index,
                }),
                5 => Call::TscatterMask(TscatterMask {
                    dst,
                    src,
                    pattern: mask.0,
                    axis: mask.1,
                }),
                _ => Call::Tgatherb(Tgatherb {
                    dst,
                    src,
                    offset: index,
                }),
            }
        })
        .boxed()
}
