//! The suites of gathers to L1.

use ptodiff_case::Fill;
use ptodiff_isa::{Call, Coalesce, DType, GatherExec, SLayout, Scope, Target, TileType};

use crate::mirrored::corpus::{cases, class, suite};

#[test]
fn tiles_are_nz_and_data_is_the_suites() {
    for case in cases().iter().filter(|c| class(c) == "MGATHERGM2L1") {
        let Call::MgatherL1(call) = &case.call else {
            panic!("{}", case.id)
        };
        assert_eq!(call.dst.location, TileType::Mat);
        assert_eq!(
            (call.dst.slayout, call.dst.fractal),
            (SLayout::RowMajor, 512)
        );
        let bits = call.table.dtype == DType::Bfloat16;
        let ramp = if bits { Fill::RampBits } else { Fill::Ramp };
        assert_eq!(case.data.table, ramp, "{}", case.id);
        assert_eq!(case.data.destination, Fill::Poison);
        assert_eq!(call.scratch.is_some(), call.mode == Coalesce::Elem);
        if let Some(scratch) = &call.scratch {
            assert_eq!(case.data.scratch, Fill::Zeros, "the suites zero it");
            assert_eq!(scratch.shape[4].get(), call.dst.rows * call.dst.cols);
        }
    }
}

/// The documents name A2/A3 and A5; the cpu suite drives CPU all the same.
#[test]
fn targets_are_those_of_the_documents_or_of_the_suite() {
    for case in cases().iter().filter(|c| class(c) == "MGATHERGM2L1") {
        let Call::MgatherL1(call) = &case.call else {
            panic!("{}", case.id)
        };
        let (scope, targets): (_, &[Target]) = match (suite(case), call.exec) {
            (Target::Cpu, _) => (Scope::AsTheSuite, &[Target::Cpu, Target::A2a3, Target::A5]),
            (_, GatherExec::Simt) => (Scope::Documented, &[Target::A5]),
            _ => (Scope::Documented, &[Target::A2a3, Target::A5]),
        };
        assert_eq!(case.data_readings().scope, scope, "{}", case.id);
        assert_eq!(case.targets, targets, "{}", case.id);
        assert!(case.rejected.is_empty() && case.undefined.is_empty());
    }
}
