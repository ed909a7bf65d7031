//! Random calls, most of them illegal, on memories that do not fit them.

use proptest::{collection::vec, prelude::*, sample::select};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Launch, Layout, Log,
    MaskAxis, MaskPattern, Memory, Mgather, MgatherL1, Model, Mscatter, Readings, Role, SLayout,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Tgatherb, Tile, TileType, TscatterIndex,
    TscatterMask, reading::GAPS,
};
use ptodiff_model_a2a3::{A2a3, handshakes, run_pipes};

use crate::common::{memory, run_on};

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

fn a_table(dtype: impl Strategy<Value = DType>) -> impl Strategy<Value = GlobalTensor> {
    let outer = || dim(0..4_u64);
    let inner = || dim(prop_oneof![0..40_u64, Just(u64::MAX)]);
    let stride = || {
        dim(prop_oneof![
            4 => 0..600_u64,
            1 => select(vec![1 << 32, 1 << 40, u64::MAX]),
        ])
    };
    (
        dtype,
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

/// Operands of any call: two tensors, three tiles.
type Parts = ((GlobalTensor, GlobalTensor), (Tile, Tile, Tile));

fn parts() -> impl Strategy<Value = Parts> {
    let index = || {
        prop_oneof![
            3 => select(vec![DType::Int32, DType::Uint32]),
            1 => select(DTYPES.to_vec()),
        ]
    };
    let data = || select(DTYPES.to_vec());
    (
        (a_table(data()), a_table(index())),
        (a_tile(data()), a_tile(data()), a_tile(index())),
    )
}

fn a_call() -> impl Strategy<Value = Call> {
    let choices = (0..4_usize, 0..4_usize, any::<bool>(), any::<bool>());
    (parts(), 0..9_usize, choices).prop_map(|(parts, form, choices)| call(parts, form, choices))
}

/// Two calls of five are those of MSCATTER and MGATHER into UB.
fn call(parts: Parts, form: usize, (a, b, mode, other): (usize, usize, bool, bool)) -> Call {
    let ((table, mut gm_index), (dst, mut src, idx)) = parts;
    let launch = Launch::default();
    let mode = if mode { Coalesce::Row } else { Coalesce::Elem };
    let oob = [
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ][a];
    match form {
        0 | 1 => Call::Mgather(Mgather {
            dst,
            table,
            idx,
            mode,
            oob,
            launch,
        }),
        2 | 3 => Call::Mscatter(Mscatter {
            table,
            src,
            idx,
            mode,
            atomic: [
                ScatterAtomicOp::None,
                ScatterAtomicOp::Add,
                ScatterAtomicOp::Max,
                ScatterAtomicOp::Min,
            ][b],
            oob: [
                ScatterOob::Undefined,
                ScatterOob::Skip,
                ScatterOob::Clamp,
                ScatterOob::Wrap,
            ][a],
            conflict: ScatterConflict::Default,
            launch,
        }),
        4 | 5 => {
            gm_index.layout = Layout::ND;
            Call::MgatherL1(MgatherL1 {
                dst,
                table,
                idx: gm_index,
                scratch: other.then_some(table),
                mode,
                oob,
                exec: if b == 0 {
                    GatherExec::Simt
                } else {
                    GatherExec::Scalar
                },
                launch,
            })
        }
        6 => {
            src.dtype = if other { dst.dtype } else { src.dtype };
            Call::TscatterIndex(TscatterIndex { dst, src, idx })
        }
        7 => Call::TscatterMask(TscatterMask {
            dst,
            src,
            pattern: [
                MaskPattern::P0101,
                MaskPattern::P1010,
                MaskPattern::P0001,
                MaskPattern::P0010,
                MaskPattern::P0100,
                MaskPattern::P1000,
                MaskPattern::P1111,
            ][a + b],
            axis: if other { MaskAxis::Row } else { MaskAxis::Col },
        }),
        _ => Call::Tgatherb(Tgatherb {
            dst,
            src,
            offset: idx,
        }),
    }
}

/// Any choice for each gap.
fn some_readings() -> impl Strategy<Value = Readings> {
    vec(any::<usize>(), GAPS.len()).prop_map(|picks| {
        let mut readings = Readings::default();
        for (gap, pick) in GAPS.iter().zip(picks) {
            let choice = gap.choices[pick % gap.choices.len()];
            readings.set(gap.name, choice).expect("its own choice");
        }
        readings
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

    /// `run_on` also compares the quiet run with the traced one.
    #[test]
    fn no_call_panics(
        call in a_call(),
        readings in some_readings(),
        table in body(),
        data in body(),
        index in indices(),
        scratch in body(),
    ) {
        let rejections = A2a3.check(&call, &readings);
        let before = operands(data, table, index, scratch);
        let ran = run_on(call, readings, before.clone());
        // A call that is accepted has a kernel.
        prop_assert!(ran.outcome.is_ok() || !rejections.is_empty());

        let without = handshakes(&call).into_iter().map(Some).chain([None]);
        for without in without {
            let (mut memory, mut log) = (before.clone(), Log::default());
            let ended = run_pipes(&call, &mut memory, &readings, without, &mut log);
            prop_assert_eq!(ended.is_ok(), ran.outcome.is_ok());
        }
    }
}

/// The data serves as source and as destination.
fn operands(data: Vec<u8>, table: Vec<u8>, index: Vec<u8>, scratch: Vec<u8>) -> Memory {
    memory([
        (Role::Source, data.clone()),
        (Role::Destination, data),
        (Role::Table, table),
        (Role::Index, index),
        (Role::Scratch, scratch),
    ])
}
