//! Calls of every kind, most of them illegal, with operands that need not fit.

use crate::{
    common::{any::*, *},
    question::agrees,
};
use DType::{Float, Half, Int32};
use proptest::prelude::*;
use ptodiff_contract::{data_preconditions, feeders, hangs, legality, permits};
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GatherOob, Layout, Memory, Mgather, Mscatter, MscatterFirst,
    Readings, Role, ScatterAtomicOp, ScatterConflict, ScatterOob, Target,
};

/// Calls that some target accepts, to be damaged in one place.
fn sound() -> Vec<Mscatter> {
    vec![
        scatter(
            matrix(Float, 4, 8),
            tile(Float, [3, 8], [3, 8]),
            tile(Int32, [1, 8], [1, 3]),
            Coalesce::Row,
        ),
        scatter(
            matrix(Half, 4, 8),
            tile(Half, [3, 16], [3, 5]),
            tile(Int32, [3, 8], [3, 5]),
            Coalesce::Elem,
        ),
        scatter(
            matrix(Int32, 4, 3),
            col_major(Int32, [8, 3], [3, 3]),
            col_major(Int32, [8, 1], [3, 1]),
            Coalesce::Row,
        ),
        scatter(
            packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
            nz_tile(Half, [16, 32], [3, 20]),
            tile(Int32, [1, 8], [1, 3]),
            Coalesce::Row,
        ),
        scatter(
            packed(Float, [2, 1, 1, 16, 8], Layout::NZ),
            nz_tile(Float, [16, 16], [3, 9]),
            tile(Int32, [3, 16], [3, 9]),
            Coalesce::Elem,
        ),
    ]
}

fn any_scatter() -> impl Strategy<Value = Mscatter> {
    let base = prop::sample::select(sound());
    (
        base,
        any_table(),
        any_tile(),
        any_tile(),
        0_u8..12,
        extent(),
    )
        .prop_map(|(base, table, src, idx, damage, n)| {
            let mut c = base;
            match damage {
                0 => c.table = table,
                1 => c.src = src,
                2 => c.idx = idx,
                3 => (c.table, c.src, c.idx) = (table, src, idx),
                4 => c.src.valid_row = Dim::Dynamic(n),
                5 => c.idx.valid_col = Dim::Dynamic(n),
                6 => c.table.shape[(n % 5) as usize] = Dim::Dynamic(n),
                7 => c.table.stride[(n % 5) as usize] = Dim::Dynamic(n),
                8 => (c.src.dtype, c.table.dtype) = (src.dtype, src.dtype),
                _ => {}
            }
            c
        })
}

/// What is asked of any call with any operands: an answer that has a form, by
/// the first clause that the call breaks if it breaks one.
pub(crate) fn answer_or_refusal(
    call: &Call,
    steps: &[Memory],
    target: Target,
    readings: &Readings,
) -> Result<(), TestCaseError> {
    agrees(call, steps, target, readings);
    let all: Vec<_> = steps.iter().collect();
    let _ = data_preconditions(call, &all, target, readings);
    let Ok(p) = permits(call, &all, target, readings) else {
        return Ok(());
    };
    let broken = legality(call, target, readings);
    let hung = hangs(call, target, readings);
    if let Some(clause) = broken.first().map(|b| b.clause).or(hung) {
        prop_assert_eq!(p.oob_accesses, Some(clause));
        return Ok(());
    }
    let scratch = matches!(call, Call::MgatherL1(_)).then_some(Role::Scratch);
    for role in [call.output()].into_iter().chain(scratch) {
        let body = steps[0].get(role).expect("an operand").body();
        slots(&p, role, body.len());
    }
    let _ = feeders(call, &all, target, readings, call.output(), 1);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_or_refuses(
        c in any_scatter(),
        policies in (0_usize..4, 0_usize..4, 0_usize..2, 0_usize..4),
        launch in launch(),
        readings in readings(),
        idx in indices(),
        data in prop::collection::vec(any::<u8>(), 2048),
        len in prop::sample::select(vec![0_usize, 7, 128, 2048, 2048, 2048, 2048]),
        calls in 1_usize..3,
    ) {
        use ScatterAtomicOp as Op;
        let (oob, atomic, conflict, gather_oob) = policies;
        let scatter = Mscatter {
            oob: [ScatterOob::Undefined, ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap][oob],
            atomic: [Op::None, Op::Add, Op::Max, Op::Min][atomic],
            conflict: [ScatterConflict::Last, ScatterConflict::Default][conflict],
            launch,
            ..c
        };
        let gather = Mgather {
            dst: c.src,
            table: c.table,
            idx: c.idx,
            mode: c.mode,
            oob: [GatherOob::Undefined, GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero][gather_oob],
            launch,
        };
        let m = memory(&[
            (Role::Table, &data[..len]),
            (Role::Source, &data),
            (Role::Destination, &data),
            (Role::Index, &idx),
        ]);
        let first = MscatterFirst {
            table: c.table,
            src: c.src,
            idx: c.idx,
            atomic: scatter.atomic,
            oob: scatter.oob,
            launch,
        };
        let asked = vec![m.clone(); calls];
        for call in [Call::Mscatter(scatter), Call::Mgather(gather), Call::MscatterFirst(first)] {
            for target in [Target::Cpu, Target::A2a3, Target::A5] {
                answer_or_refusal(&call, &asked, target, &readings)?;
            }
        }
    }
}
