//! Random calls, most of them illegal, on memories that do not fit them.

use proptest::{collection::vec, prelude::*, sample::select};
use ptodiff_isa::{
    Call, DType, Dim, GlobalTensor, Layout, Log, Model, Mscatter, Readings, Role, Tgatherb, Tile,
    TileType, TscatterIndex, TscatterMask, reading::GAPS,
};
use ptodiff_model_a2a3::{A2a3, handshakes, run_pipes};
use strum::VariantArray;

use crate::common::{With, memory, mgather, mgather_l1, mscatter, run_on};

/// Any word of a kind.
fn any_of<T: Copy + std::fmt::Debug + VariantArray + 'static>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn dim(values: impl Strategy<Value = u64>) -> impl Strategy<Value = Dim> {
    (any::<bool>(), values).prop_map(|(known, value)| match known {
        true => Dim::Static(value),
        false => Dim::Dynamic(value),
    })
}

/// Mostly `usual`: two calls of three should reach a kernel.
fn often<T: Clone + std::fmt::Debug + 'static>(
    usual: T,
    all: impl Strategy<Value = T>,
) -> impl Strategy<Value = T> {
    prop_oneof![3 => Just(usual), 1 => all]
}

prop_compose! {
    fn a_tile(dtype: impl Strategy<Value = DType> + 'static)(
        dtype in dtype,
        (rows, cols) in (1..40_u64, 1..40_u64),
        (valid_row, valid_col) in (dim(0..40_u64), dim(0..40_u64)),
        location in often(TileType::Vec, any_of()),
        (blayout, slayout) in (any_of(), any_of()),
        fractal in often(512, select(vec![0, 1024, u64::MAX])),
    ) -> Tile {
        Tile { location, dtype, rows, cols, valid_row, valid_col, blayout, slayout, fractal }
    }
}

fn data() -> impl Strategy<Value = Tile> {
    a_tile(any_of())
}

fn index_type() -> impl Strategy<Value = DType> {
    prop_oneof![3 => select(vec![DType::Int32, DType::Uint32]), 1 => any_of()]
}

prop_compose! {
    fn a_table(dtype: impl Strategy<Value = DType> + 'static)(
        dtype in dtype,
        outer in [dim(0..4_u64), dim(0..4_u64)],
        inner in prop::array::uniform3(dim(prop_oneof![0..40_u64, Just(u64::MAX)])),
        stride in prop::array::uniform5(dim(prop_oneof![
            4 => 0..600_u64,
            1 => select(vec![1 << 32, 1 << 40, u64::MAX]),
        ])),
        layout in any_of(),
    ) -> GlobalTensor {
        let shape = [outer[0], outer[1], inner[0], inner[1], inner[2]];
        GlobalTensor { dtype, shape, stride, layout }
    }
}

fn a_call() -> impl Strategy<Value = Call> {
    let index = || a_tile(index_type());
    let gather = (data(), a_table(any_of()), index(), any_of(), any_of()).prop_map(
        |(dst, table, idx, mode, oob)| {
            Call::Mgather(mgather(mode, dst, table, idx).with(|c| c.oob = oob))
        },
    );
    let policies = (any_of(), any_of(), any_of());
    let scatter = (a_table(any_of()), data(), index(), any_of(), policies).prop_map(
        |(table, src, idx, mode, policies)| {
            let change = |c: &mut Mscatter| (c.atomic, c.oob, c.conflict) = policies;
            Call::Mscatter(mscatter(mode, table, src, idx).with(change))
        },
    );
    let operands = (data(), a_table(any_of()), a_table(index_type()));
    let to_l1 = (operands, any::<bool>(), (any_of(), any_of(), any_of())).prop_map(
        |((dst, table, idx), staged, (mode, oob, exec))| {
            let call = mgather_l1(mode, dst, table).with(|c| {
                c.idx = idx.with(|idx| idx.layout = Layout::ND);
                (c.scratch, c.oob, c.exec) = (staged.then_some(table), oob, exec);
            });
            Call::MgatherL1(call)
        },
    );
    let by_index = (data(), data(), index(), any::<bool>()).prop_map(|(dst, src, idx, fits)| {
        let dtype = if fits { dst.dtype } else { src.dtype };
        let src = Tile { dtype, ..src };
        Call::TscatterIndex(TscatterIndex { dst, src, idx })
    });
    let by_mask = (data(), data(), any_of(), any_of()).prop_map(|(dst, src, pattern, axis)| {
        Call::TscatterMask(TscatterMask {
            dst,
            src,
            pattern,
            axis,
        })
    });
    let by_bytes = (data(), data(), index())
        .prop_map(|(dst, src, offset)| Call::Tgatherb(Tgatherb { dst, src, offset }));
    // Boxed: their trees of values would fill a test's stack.
    prop_oneof![
        2 => gather.boxed(),
        2 => scatter.boxed(),
        2 => to_l1.boxed(),
        1 => by_index.boxed(),
        1 => by_mask.boxed(),
        1 => by_bytes.boxed(),
    ]
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
        (table, data, scratch) in (body(), body(), body()),
        index in indices(),
    ) {
        let rejections = A2a3.check(&call, &readings);
        // The data serves as source and as destination.
        let before = memory([
            (Role::Source, data.clone()),
            (Role::Destination, data),
            (Role::Table, table),
            (Role::Index, index),
            (Role::Scratch, scratch),
        ]);
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
