//! TSCATTER by mask: what is said beside the values of slots, which the enumeration finds.

use crate::common::{calls::*, *};
use ptodiff_isa::*;

use MaskPattern::*;
use Target::{A2a3, A5, Cpu};

/// half [1,16] valid [1,`cols`] into [1,64] valid [1,`wide`].
fn one_row(pattern: MaskPattern, cols: u64, wide: u64) -> TscatterMask {
    TscatterMask {
        dst: tile(DType::Half, [1, 64], [1, wide]),
        src: tile(DType::Half, [1, 16], [1, cols]),
        pattern,
        axis: MaskAxis::Row,
    }
}

#[test]
fn what_is_cited() {
    // half [2,8] into [4,32] valid [2,16]: where the CPU has the form, it promises nothing
    // of the padding (TSCATTER-GAP-09).
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Half, [4, 32], [2, 16]),
        src: tile(DType::Half, [2, 16], [2, 8]),
        ..one_row(P0101, 16, 16)
    });
    let operands = [(Role::Destination, &[0; 256][..]), (Role::Source, &[0; 64])];
    let gap = "TSCATTER-GAP-09";
    let [groups, padding] = ["TSCATTER-MASK-01", "TSCATTER-MASK-11"].map(|by| (by, None));
    for (target, r, expected) in [
        (Cpu, suite(), [(gap, None), (gap, Some(Clause(gap)))]),
        // By the rules of A5, which the gap lends.
        (A2a3, suite(), [(gap, None); 2]),
        (A5, suite(), [groups, padding]),
        (A5, Readings::default(), [groups, padding]),
    ] {
        let p = answer(&call, &operands, target, &r);
        let by = |at| {
            let run = p.operands[0].run_at(at).expect("a run");
            (run.clause.0, run.freedom)
        };
        // Column 16 of row 0 is the first that is not valid.
        assert_eq!([by(0), by(32)], expected, "{target}");
        assert!(p.operands.iter().all(|o| o.guards_free.is_none()));
    }
    // TSCATTER-GAP-13 for a plain move, -MASK-11 for the others.
    for (pattern, cols, kept) in [
        (P1111, 16, "TSCATTER-GAP-13"),
        (P0101, 8, "TSCATTER-MASK-11"),
    ] {
        let call = Call::TscatterMask(one_row(pattern, cols, 16));
        let operands = [(Role::Destination, &[0; 128][..]), (Role::Source, &[0; 32])];
        let p = answer(&call, &operands, A5, &Readings::default());
        assert_eq!(p.operands[0].kept.0, kept);
    }
}
