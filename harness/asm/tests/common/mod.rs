//! Any call, and a few plain operands.

use proptest::{array::uniform5, option, prelude::*, sample::select};
use ptodiff_asm::{Level, forms};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, Launch, Layout, Mgather,
    MgatherL1, Mscatter, MscatterFirst, SLayout, Tgatherb, Tile, TileType, TscatterIndex,
    TscatterMask,
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
pub(crate) fn tiles() -> BoxedStrategy<Tile> {
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

pub(crate) fn tensors() -> BoxedStrategy<GlobalTensor> {
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

/// A static row-major tile in UB, all of it valid.
pub(crate) fn tile(dtype: DType, rows: u64, cols: u64) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows,
        cols,
        valid_row: Dim::Static(rows),
        valid_col: Dim::Static(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// An NZ tile in L1.
pub(crate) fn mat(dtype: DType, rows: u64, cols: u64) -> Tile {
    Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(dtype, rows, cols)
    }
}

/// `Shape<1, 1, 1, rows, cols>`, `Stride<1, 1, 1, cols, 1>`, as the documents' examples have it.
pub(crate) fn tensor(dtype: DType, rows: u64, cols: u64) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [1, 1, 1, cols, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

/// A scatter without policies.
pub(crate) fn mscatter(table: GlobalTensor, src: Tile, idx: Tile, mode: Coalesce) -> Mscatter {
    Mscatter {
        table,
        src,
        idx,
        mode,
        atomic: Default::default(),
        oob: Default::default(),
        conflict: Default::default(),
        launch: Launch::default(),
    }
}

/// Rows of 16 floats to a table of 64.
pub(crate) fn scatter() -> Mscatter {
    let table = tensor(DType::Float, 64, 16);
    mscatter(
        table,
        tile(DType::Float, 8, 16),
        tile(DType::Int32, 1, 8),
        Coalesce::Row,
    )
}

/// Rows of 16 floats from a table of 64.
pub(crate) fn gather() -> Mgather {
    Mgather {
        dst: tile(DType::Float, 8, 16),
        table: tensor(DType::Float, 64, 16),
        idx: tile(DType::Int32, 1, 8),
        mode: Coalesce::Row,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    }
}

/// TSCATTER of a tile of floats.
pub(crate) fn by_index() -> TscatterIndex {
    let data = tile(DType::Float, 16, 16);
    TscatterIndex {
        dst: data,
        src: data,
        idx: tile(DType::Uint32, 16, 16),
    }
}

/// TGATHERB of bytes, the documents' example.
pub(crate) fn by_offset() -> Tgatherb {
    let data = tile(DType::Uint8, 1, 256);
    Tgatherb {
        dst: data,
        src: data,
        offset: tile(DType::Uint32, 1, 256),
    }
}

/// The form of `call` at `level`.
pub(crate) fn text(call: &Call, level: Level) -> String {
    let form = forms(call).into_iter().find(|form| form.level == level);
    form.expect("the call has this form").text
}
