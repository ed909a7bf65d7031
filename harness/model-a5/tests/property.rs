//! Random calls of MSCATTER and MGATHER, most of them illegal.

use proptest::prelude::*;

use crate::common::*;
use crate::property_forms::any_readings;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

fn any_dim(small: u64) -> impl Strategy<Value = Dim> {
    let size = prop_oneof![
        8 => 0..=small,
        1 => Just(1 << 40),
        1 => Just(u64::MAX),
    ];
    (size, any::<bool>()).prop_map(|(size, known)| {
        if known {
            Dim::Static(size)
        } else {
            Dim::Dynamic(size)
        }
    })
}

prop_compose! {
    pub(crate) fn any_tile(dtypes: Vec<DType>)(
        dtype in proptest::sample::select(dtypes),
        rows in prop_oneof![9 => 1..=40_u64, 1 => Just(u64::MAX)],
        cols in prop_oneof![9 => 1..=70_u64, 1 => Just(1 << 40)],
        valid_row in 0..=45_u64,
        valid_col in 0..=75_u64,
        known in any::<[bool; 2]>(),
        major in any::<bool>(),
    ) -> Tile {
        let dim = |known, size| if known { Dim::Static(size) } else { Dim::Dynamic(size) };
        Tile {
            rows,
            cols,
            valid_row: dim(known[0], valid_row),
            valid_col: dim(known[1], valid_col),
            blayout: if major { BLayout::RowMajor } else { BLayout::ColMajor },
            ..tile(dtype, 1, 1)
        }
    }
}

prop_compose! {
    pub(crate) fn any_table()(
        dtype in proptest::sample::select(DTYPES.to_vec()),
        shape in proptest::array::uniform5(any_dim(6)),
        stride in proptest::array::uniform5(any_dim(64)),
        layout in proptest::sample::select(vec![Layout::ND, Layout::DN, Layout::NZ]),
    ) -> GlobalTensor {
        GlobalTensor { dtype, shape, stride, layout }
    }
}

/// Under any readings.
fn any_reading_how() -> impl Strategy<Value = How> {
    (any_how(), any_readings()).prop_map(|(how, readings)| {
        let negative_index = how.readings.negative_index;
        let readings = Readings {
            negative_index,
            ..readings
        };
        How { readings, ..how }
    })
}

pub(crate) fn any_how() -> impl Strategy<Value = How> {
    let schedule = prop_oneof![
        Just(Schedule::InOrder),
        Just(Schedule::Reversed),
        any::<u64>().prop_map(Schedule::Shuffled),
    ];
    let negative = prop_oneof![
        Just(NegativeIndex::Unsigned),
        Just(NegativeIndex::Signed),
        Just(NegativeIndex::Intended),
    ];
    (schedule, negative).prop_map(|(schedule, negative_index)| {
        let mut how = how(schedule);
        how.readings.negative_index = negative_index;
        how
    })
}

prop_compose! {
    fn any_call()(
        table in any_table(),
        data in any_tile(DTYPES.to_vec()),
        idx in any_tile(vec![DType::Int32, DType::Uint32, DType::Int64]),
        row in any::<bool>(),
        atomic in 0..4_usize,
        oob in 0..4_usize,
        last in any::<bool>(),
        gathers in any::<bool>(),
    ) -> Call {
        let mode = if row { Coalesce::Row } else { Coalesce::Elem };
        if gathers {
            let oob = [GatherOob::Undefined, GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero][oob];
            return Call::Mgather(Mgather { oob, ..mgather(mode, table, data, idx) });
        }
        let atomic = [
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
            ScatterAtomicOp::Min,
        ][atomic];
        let oob = [ScatterOob::Undefined, ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap][oob];
        let conflict = if last { ScatterConflict::Last } else { ScatterConflict::Default };
        Call::Mscatter(Mscatter { atomic, oob, conflict, ..mscatter(mode, table, data, idx) })
    }
}

/// Index words: small ones, negative ones, anything.
pub(crate) fn any_words() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        6 => 0..40_u32,
        1 => Just(u32::MAX),
        1 => any::<u32>(),
    ];
    proptest::collection::vec(word, 0..300).prop_map(|words| bytes(&words))
}

fn data_role(call: &Call) -> Role {
    match call {
        Call::Mscatter(_) => Role::Source,
        _ => Role::Destination,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_panics_and_a_trace_changes_nothing(
        call in any_call(),
        how in any_reading_how(),
        table in proptest::collection::vec(any::<u8>(), 0..600),
        data in proptest::collection::vec(any::<u8>(), 0..600),
        idx in any_words(),
    ) {
        A5.check(&call, &how.readings);
        let role = data_role(&call);
        let before = memory(&[(Role::Table, table), (role, data), (Role::Index, idx)]);
        let mut silent = before.clone();
        let mut log = Log::default();
        let run = A5.execute(&call, &mut silent, &how, &mut log);
        let mut traced = before.clone();
        let mut full = Log { trace: Some(Vec::new()), ..Log::default() };
        prop_assert_eq!(&run, &A5.execute(&call, &mut traced, &how, &mut full));
        prop_assert_eq!(log.oob_accesses.count, full.oob_accesses.count);
        prop_assert!(silent == traced);
        prop_assert_eq!(silent.get(Role::Index), before.get(Role::Index));
        // Without out-of-bounds accesses the guard zones stand.
        if run.is_ok() && log.oob_accesses.count == 0 {
            for region in &silent.regions {
                let guards = |all: &[u8]| {
                    let end = all.len() - GUARD;
                    all[..GUARD].iter().chain(&all[end..]).all(|byte| *byte == FENCE)
                };
                prop_assert!(guards(region.bytes()));
            }
        }
    }

    #[test]
    fn no_schedule_changes_last_nor_a_gather(
        call in any_call(),
        how in any_reading_how(),
        table in proptest::collection::vec(any::<u8>(), 64..600),
        data in proptest::collection::vec(any::<u8>(), 64..600),
        idx in any_words(),
    ) {
        let tile = call.data_tile();
        if tile.valid_row.get() > tile.rows || tile.valid_col.get() > tile.cols {
            // Positions of such a tile share memory.
            return Ok(());
        }
        if let Call::Mscatter(c) = call
            && (c.atomic != ScatterAtomicOp::None || c.conflict == ScatterConflict::Default)
        {
            return Ok(());
        }
        let role = data_role(&call);
        let before = memory(&[(Role::Table, table), (role, data), (Role::Index, idx)]);
        let ordered = How { schedule: Schedule::InOrder, ..how };
        let mut results = Vec::new();
        for how in [how, ordered] {
            let mut after = before.clone();
            let mut log = Log::default();
            let run = A5.execute(&call, &mut after, &how, &mut log);
            results.push((run, after, log.oob_accesses.count));
        }
        prop_assert!(results[0] == results[1]);
    }
}
