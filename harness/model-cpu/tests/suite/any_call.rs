//! Any call at all, legal or not, on memory of any size.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    Call, DType, Dim, GlobalTensor, How, Log, Memory, Model, Mscatter, OobAccesses, Readings,
    Region, Role, Tgatherb, Tile, TscatterIndex, TscatterMask,
};
use ptodiff_model_cpu::Cpu;
use strum::VariantArray;

use crate::common::{With, gather, gather_l1, run_under, scatter};

/// Any word of a kind.
fn any_of<T: Copy + std::fmt::Debug + VariantArray + 'static>() -> impl Strategy<Value = T> {
    select(T::VARIANTS)
}

fn dim(value: impl Strategy<Value = u64>) -> impl Strategy<Value = Dim> {
    (value, any::<bool>()).prop_map(|(v, known)| match known {
        true => Dim::Static(v),
        false => Dim::Dynamic(v),
    })
}

/// Mostly small, sometimes of a size that no memory has.
fn extent() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => 0_u64..9,
        1 => select(vec![1 << 31, 1 << 32, 1 << 40, 1 << 60, u64::MAX]),
    ]
}

prop_compose! {
    fn tile(dtype: impl Strategy<Value = DType> + 'static)(
        dtype in dtype,
        rows in extent(),
        cols in extent(),
        // Run-time extents drive the loops, so they stay small.
        valid_row in dim(0_u64..9),
        valid_col in dim(0_u64..9),
        (location, blayout, slayout) in (any_of(), any_of(), any_of()),
    ) -> Tile {
        Tile { location, dtype, rows, cols, valid_row, valid_col, blayout, slayout, fractal: 512 }
    }
}

fn data() -> impl Strategy<Value = Tile> {
    tile(any_of())
}

fn index() -> impl Strategy<Value = Tile> {
    prop_oneof![
        tile(select(vec![DType::Int32, DType::Uint32])),
        tile(any_of())
    ]
}

prop_compose! {
    fn table()(
        dtype in any_of(),
        shape in prop::array::uniform5(dim(extent())),
        stride in prop::array::uniform5(dim(extent())),
        layout in any_of(),
    ) -> GlobalTensor {
        GlobalTensor { dtype, shape, stride, layout }
    }
}

/// A call of any instruction but the first revision of MSCATTER.
fn call() -> impl Strategy<Value = Call> {
    let policies = (any_of(), any_of(), any_of(), any_of());
    let to_gm = (table(), data(), index(), policies).prop_map(|(table, src, idx, policies)| {
        let change = |c: &mut Mscatter| (c.mode, c.atomic, c.oob, c.conflict) = policies;
        Call::Mscatter(scatter(table, src, idx).with(change))
    });
    let to_ub = (any_of(), any_of(), data(), table(), index())
        .prop_map(|(mode, oob, dst, table, idx)| Call::Mgather(gather(mode, oob, dst, table, idx)));
    let operands = (data(), table(), table(), prop::option::of(table()));
    let to_l1 = (operands, (any_of(), any_of(), any_of())).prop_map(
        |((dst, table, idx, scratch), (mode, oob, exec))| {
            let call = gather_l1(mode, oob, dst, table, idx);
            Call::MgatherL1(call.with(|c| (c.scratch, c.exec) = (scratch, exec)))
        },
    );
    let by_index = (data(), data(), index())
        .prop_map(|(dst, src, idx)| Call::TscatterIndex(TscatterIndex { dst, src, idx }));
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
        to_gm.boxed(),
        to_ub.boxed(),
        to_l1.boxed(),
        by_index.boxed(),
        by_mask.boxed(),
        by_bytes.boxed(),
    ]
}

/// Any choice for each gap.
fn readings() -> impl Strategy<Value = Readings> {
    vec(any::<usize>(), GAPS.len()).prop_map(|picks| {
        let mut readings = Readings::default();
        for (gap, pick) in GAPS.iter().zip(picks) {
            let choice = gap.choices[pick % gap.choices.len()];
            readings.set(gap.name, choice).expect("its own choice");
        }
        readings
    })
}

/// An operand of any size; its bytes are small numbers so that indices hit.
fn region(role: Role) -> impl Strategy<Value = Region> {
    // A choice of strategies for each byte takes most of the test's time.
    let byte = any::<u16>().prop_map(|word| match (word % 10, (word / 10) as u8) {
        (0..6, _) => 0,
        (6..9, small) => small % 12,
        (_, any) => any,
    });
    (vec(byte, 0..300), 0_usize..20, 0_usize..20).prop_map(move |(bytes, before, after)| {
        let end = bytes.len().saturating_sub(after);
        let start = before.min(end);
        Region::new(role, bytes, start..end)
    })
}

/// Every operand that a call may have, of any size.
fn memory() -> impl Strategy<Value = Memory> {
    let roles = [
        Role::Scratch,
        Role::Table,
        Role::Source,
        Role::Destination,
        Role::Index,
    ];
    Vec::from(roles.map(region)).prop_map(|regions| Memory { regions })
}

/// The image with the operand's own bytes blanked.
fn guards(region: &Region) -> Vec<u8> {
    let mut bytes = region.bytes().to_vec();
    bytes[region.body_range()].fill(0);
    bytes
}

/// Whether it is sure that every write stayed inside: accesses beyond the kept ones are unknown.
fn no_write_outside(oob_accesses: &OobAccesses) -> bool {
    oob_accesses.count <= OobAccesses::KEPT as u64 && oob_accesses.first.iter().all(|s| !s.write)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_call_runs(call in call(), readings in readings(), memory in memory()) {
        let rejections = Cpu.check(&call, &readings);
        prop_assert!(rejections.iter().all(|r| !r.clause.0.is_empty()));
        let plain = run_under(readings, &call, memory.clone(), false);
        let traced = run_under(readings, &call, memory.clone(), true);
        // A trace changes nothing.
        prop_assert_eq!(&plain.memory, &traced.memory);
        prop_assert_eq!(&plain.log.oob_accesses, &traced.log.oob_accesses);
        for (old, new) in memory.regions.iter().zip(&plain.memory.regions) {
            if old.role != call.output() {
                prop_assert_eq!(old, new, "an operand that is only read has changed");
            } else if no_write_outside(&plain.log.oob_accesses) {
                prop_assert_eq!(guards(old), guards(new), "a write outside is not in the log");
            }
        }
    }

    #[test]
    fn an_operand_may_be_missing(
        call in call(),
        missing in any::<prop::sample::Index>(),
        memory in memory(),
    ) {
        let (mut memory, mut log) = (memory, Log::default());
        let operands = call.operands();
        let (missing, _) = operands[missing.index(operands.len())];
        memory.regions.retain(|region| region.role != missing);
        let before = memory.clone();
        prop_assert!(Cpu.execute(&call, &mut memory, &How::default(), &mut log).is_err());
        prop_assert_eq!(memory, before);
    }
}
