//! Any call at all, legal or not, on memory of any size.

use proptest::prelude::*;
use ptodiff_isa::{How, Log, Model, OobAccesses, Region};
use ptodiff_model_cpu::Cpu;

use crate::common::run_under;
use crate::strategies::{call, memory, readings};

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
