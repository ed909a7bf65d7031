//! Random calls of the forms that are not MSCATTER's and MGATHER's current ones,
//! most of them illegal.

use proptest::prelude::*;
use proptest::sample::select;
use strum::VariantArray;

use crate::common::*;
use crate::property::{any_how, any_table, any_tile, any_words};
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

pub(crate) fn any_of<T: Copy + std::fmt::Debug + VariantArray + 'static>()
-> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn any_index() -> impl Strategy<Value = Tile> {
    use DType::*;
    any_tile(vec![Int32, Uint32, Int16, Uint16, Int64])
}

fn any_launch() -> impl Strategy<Value = Launch> {
    (any_of(), any_of()).prop_map(|(dispatch, flush)| Launch {
        dyn_ub_bytes: None,
        dispatch,
        flush,
    })
}

pub(crate) fn any_readings() -> impl Strategy<Value = Readings> {
    let l1 = (any_of(), any_of(), any_of());
    let tscatter = (any_of(), any_of(), any_of(), any_of());
    let tgatherb = (any_of(), any_of());
    let first = (any_of(), any_of(), any_of());
    let forms = (l1, tscatter, tgatherb, first);
    let atomics = (any_of(), any_of(), any_of(), any_of());
    let tables = (any_of(), any_of(), any_of(), any_of());
    (forms, atomics, tables).prop_map(|(forms, atomics, tables)| Readings {
        add_overflow: atomics.0,
        max_min_nan: atomics.1,
        max_min_zero: atomics.2,
        subnormals: atomics.3,
        last_by: tables.0,
        width_check: tables.1,
        row_index_pitch: tables.2,
        index_unit: tables.3,
        ..of_forms(forms)
    })
}

/// Choices for all but the current MSCATTER and MGATHER.
type Forms = (
    (L1RowPadding, L1ScratchZero, L1IndexPitch),
    (ScatterExtent, Unaddressed, MaskPadding, ScatterIndex),
    (OffsetGranularity, UnalignedOffset),
    (FirstMode, FirstConflict, FirstRowCapacity),
);

fn of_forms((l1, tscatter, tgatherb, first): Forms) -> Readings {
    Readings {
        l1_row_padding: l1.0,
        l1_scratch_zero: l1.1,
        l1_index_pitch: l1.2,
        tscatter_extent: tscatter.0,
        tscatter_unaddressed: tscatter.1,
        mask_p1111_padding: tscatter.2,
        tscatter_index: tscatter.3,
        tgatherb_granularity: tgatherb.0,
        tgatherb_unaligned: tgatherb.1,
        first_mode: first.0,
        first_conflict: first.1,
        first_row_capacity: first.2,
        ..Readings::default()
    }
}

fn any_first() -> impl Strategy<Value = Call> {
    let operands = (any_table(), any_tile(DTYPES.to_vec()), any_index());
    let policies = (any_of(), any_of(), any_launch(), any::<bool>());
    (operands, policies).prop_map(|((table, src, idx), (atomic, oob, launch, by_row))| {
        let cols = if by_row { 1 } else { src.cols };
        Call::MscatterFirst(MscatterFirst {
            table,
            src,
            idx: Tile { cols, ..idx },
            atomic,
            oob,
            launch,
        })
    })
}

fn any_l1() -> impl Strategy<Value = Call> {
    let operands = (
        any_tile(DTYPES.to_vec()),
        any_table(),
        any_table(),
        any::<bool>(),
    );
    let policies = (any_of(), any_of(), any_of(), any_launch());
    (operands, policies).prop_map(|((dst, table, mut idx, fits), (mode, oob, exec, launch))| {
        if fits {
            idx.dtype = DType::Int32;
        }
        Call::MgatherL1(MgatherL1 {
            dst,
            table,
            idx,
            scratch: Some(table),
            mode,
            oob,
            exec,
            launch,
        })
    })
}

fn any_call() -> impl Strategy<Value = Call> {
    let data = || any_tile(DTYPES.to_vec());
    let index = (data(), data(), any_index())
        .prop_map(|(dst, src, idx)| Call::TscatterIndex(TscatterIndex { dst, src, idx }));
    let mask = (data(), data(), any_of(), any_of()).prop_map(|(dst, src, pattern, axis)| {
        Call::TscatterMask(TscatterMask {
            dst,
            src,
            pattern,
            axis,
        })
    });
    let gather = (data(), data(), any_index())
        .prop_map(|(dst, src, offset)| Call::Tgatherb(Tgatherb { dst, src, offset }));
    // Boxed: their trees of values would fill a test's stack.
    prop_oneof![
        any_first().boxed(),
        any_l1().boxed(),
        index.boxed(),
        mask.boxed(),
        gather.boxed()
    ]
}

fn any_body() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..600)
}

prop_compose! {
    fn any_memory()(
        table in any_body(),
        src in any_body(),
        dst in any_body(),
        scratch in any_body(),
        idx in any_words(),
    ) -> Memory {
        memory(&[
            (Role::Table, table),
            (Role::Source, src),
            (Role::Destination, dst),
            (Role::Scratch, scratch),
            (Role::Index, idx),
        ])
    }
}

/// Roles that a call may write.
pub(crate) fn written(call: &Call) -> &'static [Role] {
    match call {
        Call::Mscatter(_) | Call::MscatterFirst(_) => &[Role::Table],
        Call::MgatherL1(_) => &[Role::Destination, Role::Scratch],
        _ => &[Role::Destination],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_form_panics_and_a_trace_changes_nothing(
        call in any_call(),
        how in any_how(),
        readings in any_readings(),
        before in any_memory(),
    ) {
        let negative_index = how.readings.negative_index;
        let how = How { readings: Readings { negative_index, ..readings }, ..how };
        let rejected = !A5.check(&call, &how.readings).is_empty();
        let mut silent = before.clone();
        let mut log = Log::default();
        let run = A5.execute(&call, &mut silent, &how, &mut log);
        let mut traced = before.clone();
        let mut full = Log { trace: Some(Vec::new()), ..Log::default() };
        prop_assert_eq!(&run, &A5.execute(&call, &mut traced, &how, &mut full));
        prop_assert_eq!(log.oob_accesses.count, full.oob_accesses.count);
        prop_assert!(silent == traced);
        if run == Ok(End::Hung) || run.is_err() {
            prop_assert!(silent == before);
        }
        for region in &before.regions {
            if !written(&call).contains(&region.role) {
                prop_assert_eq!(silent.get(region.role), Some(region));
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
        // Positions outside the padded ones share memory.
        let holds = |tile: &Tile, rows, cols| rows <= tile.rows && cols <= tile.cols;
        let exact = match &call {
            Call::MgatherL1(_) => true,
            Call::TscatterMask(c) => {
                let Tile { valid_row, valid_col, .. } = c.src;
                holds(&c.dst, valid_row.get(), 4 * valid_col.get())
            }
            Call::Tgatherb(Tgatherb { dst, .. }) => {
                holds(dst, dst.valid_row.get(), dst.valid_col.get())
            }
            _ => false,
        };
        let mut results = Vec::new();
        for schedule in [how.schedule, Schedule::InOrder] {
            let mut after = before.clone();
            let mut log = Log::default();
            let how = How { schedule, ..how };
            let run = A5.execute(&call, &mut after, &how, &mut log);
            results.push((run, after, log.oob_accesses.count));
        }
        // Accesses outside may meet one another in a guard zone.
        prop_assert!(!exact || results[0].2 > 0 || results[0] == results[1]);
    }
}
