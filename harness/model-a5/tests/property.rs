//! Random calls of any form, most of them illegal.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::reading::GAPS;
use ptodiff_model_a5::A5;
use strum::VariantArray;

use crate::common::*;

/// Any word of a kind.
fn any_of<T: Copy + std::fmt::Debug + VariantArray + 'static>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn dim(size: impl Strategy<Value = u64>) -> impl Strategy<Value = Dim> {
    (size, any::<bool>()).prop_map(|(size, known)| match known {
        true => Dim::Static(size),
        false => Dim::Dynamic(size),
    })
}

prop_compose! {
    fn any_tile(dtype: impl Strategy<Value = DType> + 'static)(
        dtype in dtype,
        rows in prop_oneof![9 => 1..=40_u64, 1 => Just(u64::MAX)],
        cols in prop_oneof![9 => 1..=70_u64, 1 => Just(1 << 40)],
        valid_row in dim(0..=45_u64),
        valid_col in dim(0..=75_u64),
        blayout in any_of(),
    ) -> Tile {
        Tile { rows, cols, valid_row, valid_col, blayout, ..tile(dtype, 1, 1) }
    }
}

fn data() -> impl Strategy<Value = Tile> {
    any_tile(any_of())
}

fn index() -> impl Strategy<Value = Tile> {
    use DType::{Int16, Int32, Int64, Uint16, Uint32};
    any_tile(select(vec![
        Int32, Uint32, Int32, Uint32, Int16, Uint16, Int64,
    ]))
}

prop_compose! {
    fn any_table()(
        dtype in any_of(),
        shape in prop::array::uniform5(dim(prop_oneof![
            8 => 0..=6_u64,
            1 => Just(1 << 40),
            1 => Just(u64::MAX),
        ])),
        stride in prop::array::uniform5(dim(0..=64_u64)),
        layout in any_of(),
    ) -> GlobalTensor {
        GlobalTensor { dtype, shape, stride, layout }
    }
}

fn any_launch() -> impl Strategy<Value = Launch> {
    (any_of(), any_of()).prop_map(|(dispatch, flush)| Launch {
        dyn_ub_bytes: None,
        dispatch,
        flush,
    })
}

fn any_call() -> impl Strategy<Value = Call> {
    let scatter = (
        (any_table(), data(), index()),
        (any_of(), any_of(), any_of(), any_of()),
    )
        .prop_map(|((table, src, idx), (mode, atomic, oob, conflict))| {
            let call = mscatter(mode, table, src, idx);
            Call::Mscatter(call.with(|c| (c.atomic, c.oob, c.conflict) = (atomic, oob, conflict)))
        });
    let gather = ((any_table(), data(), index()), (any_of(), any_of())).prop_map(
        |((table, dst, idx), (mode, oob))| {
            Call::Mgather(mgather(mode, table, dst, idx).with(|c| c.oob = oob))
        },
    );
    let policies = (any_of(), any_of(), any_launch(), any::<bool>());
    let first = ((any_table(), data(), index()), policies).prop_map(
        |((table, src, idx), (atomic, oob, launch, by_row))| {
            let cols = if by_row { 1 } else { src.cols };
            let call = mscatter_first(table, src, Tile { cols, ..idx });
            Call::MscatterFirst(call.with(|c| (c.atomic, c.oob, c.launch) = (atomic, oob, launch)))
        },
    );
    let policies = (any_of(), any_of(), any_of(), any_launch());
    let to_l1 = ((any_table(), data(), any_table(), any::<bool>()), policies).prop_map(
        |((table, dst, mut idx, fits), (mode, oob, exec, launch))| {
            idx.dtype = if fits { DType::Int32 } else { idx.dtype };
            let call = mgather_l1(mode, table, dst, idx, Some(table));
            Call::MgatherL1(call.with(|c| (c.oob, c.exec, c.launch) = (oob, exec, launch)))
        },
    );
    let by_index = (data(), data(), index())
        .prop_map(|(dst, src, idx)| Call::TscatterIndex(TscatterIndex { dst, src, idx }));
    let by_mask = (data(), data(), any_of(), any_of()).prop_map(|(dst, src, pattern, axis)| {
        Call::TscatterMask(masked(pattern, dst, src).with(|c| c.axis = axis))
    });
    let by_bytes = (data(), data(), index())
        .prop_map(|(dst, src, offset)| Call::Tgatherb(Tgatherb { dst, src, offset }));
    // Boxed: their trees of values would fill a test's stack.
    prop_oneof![
        3 => scatter.boxed(),
        2 => gather.boxed(),
        1 => first.boxed(),
        1 => to_l1.boxed(),
        1 => by_index.boxed(),
        1 => by_mask.boxed(),
        1 => by_bytes.boxed(),
    ]
}

/// Any choice for each gap, under any schedule.
fn any_how() -> impl Strategy<Value = How> {
    let schedule = prop_oneof![
        Just(Schedule::InOrder),
        Just(Schedule::Reversed),
        any::<u64>().prop_map(Schedule::Shuffled),
    ];
    (schedule, vec(any::<usize>(), GAPS.len())).prop_map(|(schedule, picks)| {
        let mut how = how(schedule);
        for (gap, pick) in GAPS.iter().zip(picks) {
            let choice = gap.choices[pick % gap.choices.len()];
            how.readings.set(gap.name, choice).expect("its own choice");
        }
        how
    })
}

/// Indices are small, negative, or anything.
fn any_memory() -> impl Strategy<Value = Memory> {
    // Few bytes, over and over: to draw them takes most of the test's time.
    let body = || {
        let bytes = (vec(any::<u8>(), 1..67), 0..600_usize);
        bytes.prop_map(|(bytes, len)| bytes.into_iter().cycle().take(len).collect())
    };
    let word = any::<u64>().prop_map(|word| match (word % 8, (word / 8) as u32) {
        (0..6, small) => small % 40,
        (6, _) => u32::MAX,
        (_, any) => any,
    });
    (body(), body(), body(), body(), vec(word, 0..300)).prop_map(
        |(table, src, dst, scratch, words)| {
            memory(&[
                (Role::Table, table),
                (Role::Source, src),
                (Role::Destination, dst),
                (Role::Scratch, scratch),
                (Role::Index, bytes(&words)),
            ])
        },
    )
}

/// Whether each place has one writer at most: positions outside the padded ones share memory.
fn is_exact(call: &Call) -> bool {
    let holds = |tile: &Tile, rows: Dim, cols: u64| rows.get() <= tile.rows && cols <= tile.cols;
    match call {
        Call::Mscatter(c) => {
            c.atomic == ScatterAtomicOp::None
                && c.conflict == ScatterConflict::Last
                && holds(&c.src, c.src.valid_row, c.src.valid_col.get())
        }
        Call::Mgather(c) => holds(&c.dst, c.dst.valid_row, c.dst.valid_col.get()),
        Call::MgatherL1(_) => true,
        Call::TscatterMask(c) => holds(&c.dst, c.src.valid_row, 4 * c.src.valid_col.get()),
        // A block of columns is a run of bytes: in a tile by columns it covers other rows.
        Call::Tgatherb(c) => {
            c.dst.blayout == BLayout::RowMajor
                && holds(&c.dst, c.dst.valid_row, c.dst.valid_col.get())
        }
        Call::MscatterFirst(_) | Call::TscatterIndex(_) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_panics_and_a_trace_changes_nothing(
        call in any_call(),
        how in any_how(),
        before in any_memory(),
    ) {
        let rejected = !A5.check(&call, &how.readings).is_empty();
        let (mut silent, mut traced) = (before.clone(), before.clone());
        let mut log = Log::default();
        let run = A5.execute(&call, &mut silent, &how, &mut log);
        let mut full = Log { trace: Some(Vec::new()), ..Log::default() };
        prop_assert_eq!(&run, &A5.execute(&call, &mut traced, &how, &mut full));
        prop_assert_eq!(log.oob_accesses.count, full.oob_accesses.count);
        prop_assert!(silent == traced);
        if run == Ok(End::Hung) || run.is_err() {
            prop_assert!(silent == before);
        }
        for (region, old) in silent.regions.iter().zip(&before.regions) {
            let staged = region.role == Role::Scratch && matches!(call, Call::MgatherL1(_));
            if region.role != call.output() && !staged {
                prop_assert_eq!(region, old);
            } else if run.is_ok() && log.oob_accesses.count == 0 {
                // Without accesses outside the guard zones stand.
                prop_assert!(*region == self::region(region.role, region.body()));
            }
        }
        // An accepted call is a fault only where no memory could hold it.
        if let Err(Fault(why)) = &run {
            prop_assert!(rejected || why.contains("fits no memory"), "{}", why);
        }
    }

    #[test]
    fn no_schedule_changes_what_has_one_writer(
        call in any_call(),
        how in any_how(),
        before in any_memory(),
    ) {
        let results = [how.schedule, Schedule::InOrder].map(|schedule| {
            let (mut after, mut log) = (before.clone(), Log::default());
            let run = A5.execute(&call, &mut after, &How { schedule, ..how }, &mut log);
            (run, after, log.oob_accesses.count)
        });
        // Accesses outside may meet one another in a guard zone.
        prop_assert!(!is_exact(&call) || results[0].2 > 0 || results[0] == results[1]);
    }
}
