//! Any call.

use proptest::{array::uniform5, option, prelude::*, sample::select};
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
    prop_oneof![
        (
            (tensors(), tiles(), tiles()),
            (any_word(), any_word(), any_word()),
            any_word(),
            launches()
        )
            .prop_map(
                |((table, src, idx), (mode, atomic, oob), conflict, launch)| {
                    Call::Mscatter(Mscatter {
                        table,
                        src,
                        idx,
                        mode,
                        atomic,
                        oob,
                        conflict,
                        launch,
                    })
                }
            ),
        (
            (tensors(), tiles(), tiles()),
            any_word(),
            any_word(),
            launches()
        )
            .prop_map(|((table, src, idx), atomic, oob, launch)| {
                Call::MscatterFirst(MscatterFirst {
                    table,
                    src,
                    idx,
                    atomic,
                    oob,
                    launch,
                })
            }),
        (
            (tiles(), tensors(), tiles()),
            any_word(),
            any_word(),
            launches()
        )
            .prop_map(|((dst, table, idx), mode, oob, launch)| {
                Call::Mgather(Mgather {
                    dst,
                    table,
                    idx,
                    mode,
                    oob,
                    launch,
                })
            }),
        (
            (tiles(), tensors(), tensors(), option::of(tensors())),
            (any_word(), any_word(), any_word()),
            launches()
        )
            .prop_map(|((dst, table, idx, scratch), (mode, oob, exec), launch)| {
                Call::MgatherL1(MgatherL1 {
                    dst,
                    table,
                    idx,
                    scratch,
                    mode,
                    oob,
                    exec,
                    launch,
                })
            }),
        (tiles(), tiles(), tiles())
            .prop_map(|(dst, src, idx)| Call::TscatterIndex(TscatterIndex { dst, src, idx })),
        (tiles(), tiles(), any_word(), any_word()).prop_map(|(dst, src, pattern, axis)| {
            Call::TscatterMask(TscatterMask {
                dst,
                src,
                pattern,
                axis,
            })
        }),
        (tiles(), tiles(), tiles()).prop_map(|(dst, src, offset)| Call::Tgatherb(Tgatherb {
            dst,
            src,
            offset
        })),
    ]
    .boxed()
}
