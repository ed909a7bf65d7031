//! Any call at all, legal or not, on memory of any size.

use proptest::prelude::*;
use ptodiff_isa::Role::{Destination, Index, Scratch, Source, Table};
use ptodiff_isa::{Call, How, Log, Memory, Model, OobAccesses, Readings, Region, Role};
use ptodiff_model_cpu::Cpu;

use crate::common::run_under;
use crate::strategies::{
    memory, mgather, mgather_l1, mscatter, readings, tgatherb, tscatter_index, tscatter_mask,
};

/// The image with the operand's own bytes blanked.
fn guards(region: &Region) -> Vec<u8> {
    let mut bytes = region.bytes().to_vec();
    bytes[region.body_range()].fill(0);
    bytes
}

/// Whether it is sure that no write strayed: out-of-bounds accesses beyond the kept ones are unknown.
fn no_oob_access_write(oob_accesses: &OobAccesses) -> bool {
    oob_accesses.count <= OobAccesses::KEPT as u64 && oob_accesses.first.iter().all(|s| !s.write)
}

fn check(call: &Call, readings: Readings, memory: &Memory, written: Role) {
    let rejections = Cpu.check(call, &readings);
    assert!(rejections.iter().all(|r| !r.clause.0.is_empty()));
    let plain = run_under(readings, call, memory.clone(), false);
    let traced = run_under(readings, call, memory.clone(), true);
    // A trace changes nothing.
    assert_eq!(plain.memory, traced.memory);
    assert_eq!(plain.log.oob_accesses, traced.log.oob_accesses);
    for (old, new) in memory.regions.iter().zip(&plain.memory.regions) {
        if old.role != written {
            assert_eq!(old, new, "an operand that is only read has changed");
        } else if no_oob_access_write(&plain.log.oob_accesses) {
            assert_eq!(guards(old), guards(new), "a write strayed unseen");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_scatter_runs(
        call in mscatter(),
        readings in readings(),
        memory in memory([Table, Source, Index]),
    ) {
        check(&call, readings, &memory, Table);
    }

    #[test]
    fn any_gather_runs(
        call in mgather(),
        readings in readings(),
        memory in memory([Table, Destination, Index]),
    ) {
        check(&call, readings, &memory, Destination);
    }

    #[test]
    fn any_gather_to_l1_runs(
        call in mgather_l1(),
        readings in readings(),
        memory in memory([Scratch, Table, Destination, Index]),
    ) {
        check(&call, readings, &memory, Destination);
    }

    #[test]
    fn any_tile_to_tile_call_runs(
        call in prop_oneof![tscatter_index(), tscatter_mask(), tgatherb()],
        readings in readings(),
        memory in memory([Source, Destination, Index]),
    ) {
        check(&call, readings, &memory, Destination);
    }

    #[test]
    fn an_operand_may_be_missing(
        call in prop_oneof![
            mscatter(),
            mgather(),
            mgather_l1(),
            tscatter_index(),
            tscatter_mask(),
            tgatherb()
        ],
        missing in any::<prop::sample::Index>(),
        memory in memory([Scratch, Table, Source, Destination, Index]),
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
