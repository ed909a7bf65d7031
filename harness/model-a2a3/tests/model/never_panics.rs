//! Random calls, most of them illegal, on memories that do not fit them.

use proptest::{collection::vec, prelude::*, sample::select};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, Launch, Layout, Mgather, Model,
    Mscatter, NegativeIndex, NzElemOrder, Readings, SLayout, ScatterAtomicOp, ScatterConflict,
    ScatterOob, Tile, TileType,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::run;

const DTYPES: [DType; 14] = [
    DType::Int8,
    DType::Uint8,
    DType::Int16,
    DType::Uint16,
    DType::Int32,
    DType::Uint32,
    DType::Int64,
    DType::Uint64,
    DType::Half,
    DType::Bfloat16,
    DType::Float,
    DType::Float8E4M3,
    DType::Float8E5M2,
    DType::Hifloat8,
];

fn dim(values: impl Strategy<Value = u64>) -> impl Strategy<Value = Dim> {
    (any::<bool>(), values).prop_map(|(known, value)| {
        if known {
            Dim::Static(value)
        } else {
            Dim::Dynamic(value)
        }
    })
}

/// Mostly `usual`, at times anything: two calls of three should reach a kernel.
fn often<T: Clone + std::fmt::Debug + 'static>(usual: T, all: Vec<T>) -> impl Strategy<Value = T> {
    prop_oneof![3 => Just(usual), 1 => select(all)]
}

fn a_tile(dtype: impl Strategy<Value = DType>) -> impl Strategy<Value = Tile> {
    (
        often(TileType::Vec, vec![TileType::Vec, TileType::Mat]),
        dtype,
        (1..40_u64, 1..40_u64),
        (dim(0..40_u64), dim(0..40_u64)),
        select(vec![BLayout::RowMajor, BLayout::ColMajor]),
        select(vec![SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor]),
        often(512, vec![0, 1024, u64::MAX]),
    )
        .prop_map(
            |(location, dtype, (rows, cols), (valid_row, valid_col), blayout, slayout, fractal)| {
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
}

fn a_table() -> impl Strategy<Value = GlobalTensor> {
    let outer = || dim(0..4_u64);
    let inner = || dim(prop_oneof![0..40_u64, Just(u64::MAX)]);
    let stride = || {
        dim(prop_oneof![
            4 => 0..600_u64,
            1 => select(vec![1 << 32, 1 << 40, u64::MAX]),
        ])
    };
    (
        select(DTYPES.to_vec()),
        (outer(), outer(), inner(), inner(), inner()),
        [stride(), stride(), stride(), stride(), stride()],
        select(vec![Layout::ND, Layout::NZ, Layout::DN]),
    )
        .prop_map(
            |(dtype, (s0, s1, s2, s3, s4), stride, layout)| GlobalTensor {
                dtype,
                shape: [s0, s1, s2, s3, s4],
                stride,
                layout,
            },
        )
}

fn a_call() -> impl Strategy<Value = Call> {
    let index = prop_oneof![
        3 => select(vec![DType::Int32, DType::Uint32]),
        1 => select(DTYPES.to_vec()),
    ];
    (
        (a_table(), a_tile(select(DTYPES.to_vec())), a_tile(index)),
        select(vec![Coalesce::Row, Coalesce::Elem]),
        select(vec![
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
            ScatterAtomicOp::Min,
        ]),
        0..4_usize,
        any::<bool>(),
    )
        .prop_map(|((table, data, idx), mode, atomic, policy, gather)| {
            let launch = Launch::default();
            if gather {
                Call::Mgather(Mgather {
                    dst: data,
                    table,
                    idx,
                    mode,
                    oob: [
                        GatherOob::Undefined,
                        GatherOob::Clamp,
                        GatherOob::Wrap,
                        GatherOob::Zero,
                    ][policy],
                    launch,
                })
            } else {
                Call::Mscatter(Mscatter {
                    table,
                    src: data,
                    idx,
                    mode,
                    atomic,
                    oob: [
                        ScatterOob::Undefined,
                        ScatterOob::Skip,
                        ScatterOob::Clamp,
                        ScatterOob::Wrap,
                    ][policy],
                    conflict: ScatterConflict::Default,
                    launch,
                })
            }
        })
}

fn some_readings() -> impl Strategy<Value = Readings> {
    (
        select(vec![
            NegativeIndex::Unsigned,
            NegativeIndex::Signed,
            NegativeIndex::Intended,
        ]),
        select(vec![NzElemOrder::Walk, NzElemOrder::Coordinate]),
    )
        .prop_map(|(negative_index, nz_elem_order)| Readings {
            negative_index,
            nz_elem_order,
            ..Readings::default()
        })
}

/// Small, random and extreme indices.
fn indices() -> impl Strategy<Value = Vec<u8>> {
    let index = prop_oneof![
        4 => 0..64_u32,
        1 => any::<u32>(),
        1 => select(vec![u32::MAX, 1 << 31, (1 << 31) - 1, u32::MAX - 63]),
    ];
    vec(index, 0..400).prop_map(|all| all.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Bytes of any length, cheaper than one choice for each.
fn body() -> impl Strategy<Value = Vec<u8>> {
    (0..3000_u32, any::<u32>()).prop_map(|(len, seed)| {
        let byte = |k: u32| (k.wrapping_add(seed).wrapping_mul(0x9E37_79B1) >> 24) as u8;
        (0..len).map(byte).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        // A failure becomes a test of its own.
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// `run` also compares the quiet run with the traced one.
    #[test]
    fn no_call_panics(
        call in a_call(),
        readings in some_readings(),
        table in body(),
        data in body(),
        index in indices(),
    ) {
        let refusals = A2a3.check(&call, &readings);
        let ran = run(call, readings, [table, data, index]);
        // A call that is accepted has a kernel.
        prop_assert!(ran.outcome.is_ok() || !refusals.is_empty());
    }
}
