//! Calls of every kind, most of them illegal, with operands that need not fit.

use crate::{
    common::{any::*, calls::*, *},
    question::agrees,
};
use DType::{Float, Half, Int8, Int16, Int32, Uint16, Uint32};
use proptest::{prelude::*, sample::select};
use ptodiff_contract::{data_preconditions, feeders, hangs, legality, permits};
use ptodiff_enumerate::enumerate;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};

const PATTERNS: [MaskPattern; 7] = [
    MaskPattern::P0101,
    MaskPattern::P1010,
    MaskPattern::P0001,
    MaskPattern::P0010,
    MaskPattern::P0100,
    MaskPattern::P1000,
    MaskPattern::P1111,
];

/// Calls that some target accepts, to be damaged in one place.
fn sound() -> Vec<Call> {
    let nz = |dtype, shape| packed(dtype, shape, Layout::NZ);
    let one_row = |cols| tile(Int32, [1, 8], [1, cols]);
    let (three, down) = (
        tile(Float, [3, 8], [3, 8]),
        col_major(Int32, [8, 3], [3, 3]),
    );
    let (five, around) = (tile(Half, [3, 16], [3, 5]), tile(Int32, [3, 8], [3, 5]));
    let wide = nz_tile(Half, [16, 32], [3, 20]);
    let deep = nz_tile(Float, [16, 16], [3, 9]);
    let mut calls = Vec::new();
    for (table, data, idx, mode) in [
        (matrix(Float, 4, 8), three, one_row(3), Row),
        (matrix(Half, 4, 8), five, around, Elem),
        (
            matrix(Int32, 4, 3),
            down,
            col_major(Int32, [8, 1], [3, 1]),
            Row,
        ),
        (nz(Half, [1, 2, 2, 16, 16]), wide, one_row(3), Row),
        (
            nz(Float, [2, 1, 1, 16, 8]),
            deep,
            tile(Int32, [3, 16], [3, 9]),
            Elem,
        ),
    ] {
        calls.extend([
            Call::Mscatter(scatter(table, data, idx, mode)),
            Call::Mgather(gather(data, table, idx, mode)),
            Call::MscatterFirst(first(table, data, idx)),
        ]);
    }
    let [short, long] = [[2, 16], [2, 32]].map(|padded| tile(Half, padded, [2, 5]));
    calls.extend([
        Call::MgatherL1(l1(
            l1_tile(Half, [16, 32], [5, 20]),
            matrix(Half, 4, 20),
            matrix(Int32, 1, 5),
            Row,
        )),
        Call::MgatherL1(l1(
            l1_tile(Float, [16, 8], [5, 3]),
            matrix(Float, 4, 8),
            matrix(Uint32, 5, 3),
            Elem,
        )),
        Call::TscatterIndex(TscatterIndex {
            dst: tile(Half, [2, 16], [2, 16]),
            src: short,
            idx: tile(Uint16, [2, 16], [2, 5]),
        }),
        Call::TscatterIndex(TscatterIndex {
            dst: nz_tile(Int8, [16, 32], [16, 32]),
            src: col_major(Int8, [32, 2], [3, 2]),
            idx: col_major(Int16, [16, 2], [3, 2]),
        }),
        Call::TscatterMask(TscatterMask {
            dst: Tile {
                valid_col: Dim::Static(20),
                ..long
            },
            src: short,
            pattern: MaskPattern::P0100,
            axis: MaskAxis::Row,
        }),
        Call::TscatterMask(TscatterMask {
            dst: tile(Half, [20, 16], [20, 5]),
            src: tile(Half, [5, 16], [5, 5]),
            pattern: MaskPattern::P1000,
            axis: MaskAxis::Col,
        }),
        Call::Tgatherb(Tgatherb {
            dst: five,
            src: tile(Half, [2, 16], [2, 16]),
            offset: around,
        }),
    ]);
    calls
}

/// Any policies of a call.
fn set(call: &mut Call, [policy, atomic, pattern]: [usize; 3], launch: Launch) {
    use ScatterAtomicOp as Op;
    let operation = [Op::None, Op::Add, Op::Max, Op::Min][atomic % 4];
    match call {
        Call::Mscatter(c) => {
            (c.oob, c.atomic, c.launch) = (SCATTERS[policy], operation, launch);
            c.conflict = [ScatterConflict::Last, ScatterConflict::Default][pattern % 2];
        }
        Call::MscatterFirst(c) => {
            (c.oob, c.atomic, c.launch) = (SCATTERS[policy], operation, launch);
        }
        Call::Mgather(c) => (c.oob, c.launch) = (GATHERS[policy], launch),
        Call::MgatherL1(c) => {
            (c.oob, c.launch) = (GATHERS[policy], launch);
            c.exec = [GatherExec::Scalar, GatherExec::Simt][usize::from(atomic == 4)];
        }
        Call::TscatterMask(c) if atomic == 4 => c.pattern = PATTERNS[pattern],
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => {}
    }
}

/// What is asked of any call with any operands: an answer that has a form, by
/// the first clause that the call breaks if it breaks one; of the enumeration any.
fn answer_or_refusal(
    call: &Call,
    steps: &[Memory],
    target: Target,
    readings: &Readings,
) -> Result<(), TestCaseError> {
    agrees(call, steps, target, readings);
    let all: Vec<_> = steps.iter().collect();
    let _ = enumerate(call, &all, target, readings);
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
        mut call in select(sound()),
        (damage, at) in (0_u8..8, 0_usize..5),
        role in select(vec![Role::Source, Role::Destination, Role::Index, Role::Table, Role::Scratch]),
        (tile, tensor, extent) in (any_tile(), any_table(), dim()),
        policies in (0_usize..4, 0_usize..5, 0_usize..7),
        launch in launch(),
        readings in readings(),
        idx in indices(),
        data in prop::collection::vec(any::<u8>(), 251),
        len in select(vec![0_usize, 7, 128, 2048, 2048, 2048, 2048]),
        (small, calls) in (any::<bool>(), 1_usize..3),
    ) {
        set(&mut call, policies.into(), launch);
        if let Some(old) = call.tile_mut(role) {
            match damage {
                0..3 => *old = tile,
                3 => old.valid_row = extent,
                4 => old.valid_col = extent,
                5 => old.dtype = tile.dtype,
                _ => {}
            }
        }
        if let Some(old) = call.tensor_mut(role) {
            match damage {
                0..3 => *old = tensor,
                3 => old.shape[at] = extent,
                4 => old.stride[at] = extent,
                5 => old.dtype = tensor.dtype,
                _ => {}
            }
        }
        if damage == 6 {
            for role in [Role::Source, Role::Destination, Role::Scratch, Role::Table] {
                call.tile_mut(role).into_iter().for_each(|own| own.dtype = tile.dtype);
                call.tensor_mut(role).into_iter().for_each(|own| own.dtype = tile.dtype);
            }
        }
        // Small numbers of two bytes too.
        let idx = if small { idx.chunks(4).flat_map(|w| w[..2].to_vec()).collect() } else { idx };
        let idx: Vec<u8> = idx.into_iter().cycle().take(640).collect();
        let data: Vec<u8> = data.into_iter().cycle().take(2048).collect();
        let held = |role| if role == call.output() { &data[..len] } else { &data[..] };
        let m = memory(&[
            (Role::Table, held(Role::Table)),
            (Role::Source, &data),
            (Role::Destination, held(Role::Destination)),
            (Role::Index, &idx),
            (Role::Scratch, &data),
        ]);
        let asked = vec![m; calls];
        for target in [Target::Cpu, Target::A2a3, Target::A5] {
            answer_or_refusal(&call, &asked, target, &readings)?;
        }
    }
}
