//! MSCATTER: what is said beside the values of slots, which the enumeration finds.

use crate::common::{said::*, scatters::*, *};
use ptodiff_isa::*;

use DType::Float;
use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];

#[test]
fn row_replaces_whole_rows() {
    // MSCATTER-SEM-01.
    for target in NPUS {
        let said = into_zeros(&rows_of_eight(2), &numbered(2, 8), &[3, 0], target, &[]);
        assert_eq!(fills(&said.slots), [Some(2.0), None, None, Some(1.0)]);
        // A row is one run, and the others are kept (MSCATTER-SEM-04).
        assert_eq!(said.cited(), [("MSCATTER-SEM-01", None); 2]);
        let p = &said.permits;
        assert!(p.oob_accesses.is_none() && p.operands[0].guards_free.is_none());
        assert!(runs(p, Role::Source).is_empty() && runs(p, Role::Index).is_empty());
        assert_eq!(p.operands[0].kept.0, "MSCATTER-SEM-04");
    }
}

#[test]
fn a_negative_index_has_readings_where_the_cpu_has_policies() {
    // MSCATTER-GAP-01, -41: Wrap over ten slots; 2^32 - 1 mod 10 is 5.
    let call = Mscatter {
        oob: ScatterOob::Wrap,
        ..eight(10)
    };
    let mut idx = up_to(8);
    idx[7] = -1;
    for (choice, slot) in [
        ("unsigned", Some(5)),
        ("intended", Some(9)),
        ("signed", None),
    ] {
        let choices = [("cpu-form", "templated"), ("negative-index", choice)];
        let said = into_zeros(&call, &words(&up_to(8)), &idx, Cpu, &choices);
        let mut sevens = (0..10).filter(|at| said.slots[*at] == Slot::word(7));
        assert_eq!(sevens.next_back(), slot, "{choice}");
        let outside = Some("MSCATTER-GAP-01").filter(|_| slot.is_none());
        assert_eq!(said.excused(), outside, "{choice}");
    }
    // Its documented form has none, and any result whatever is read (MSCATTER-OOB-16).
    for choice in ["unsigned", "intended", "signed"] {
        let choices = [("negative-index", choice)];
        let said = into_zeros(&call, &words(&up_to(8)), &idx, Cpu, &choices);
        assert!(said.all_open(), "{choice}");
    }
}

#[test]
fn undefined_promises_nothing() {
    // MSCATTER-OOB-03, -16.
    for (target, clause) in [(A2a3, "MSCATTER-OOB-03"), (Cpu, "MSCATTER-OOB-16")] {
        let idx = [0, 1, 2, 3, 4, 5, 6, 8];
        let said = into_zeros(&eight(8), &words(&up_to(8)), &idx, target, &[]);
        assert!(said.all_open());
        let whole: Vec<_> = said.runs().iter().map(|run| run.clause.0).collect();
        assert_eq!(whole, [clause]);
        assert_eq!(said.excused(), Some(clause));
        let operands = said.permits.operands.iter();
        let guards: Vec<_> = operands
            .filter_map(|o| Some((o.role, o.guards_free?)))
            .collect();
        assert_eq!(
            guards,
            [(Role::Table, Clause(clause))],
            "no operand that is read"
        );
    }
    // A call that breaks a precondition is promised nothing either.
    let call = Mscatter {
        table: matrix(Float, 4, 16),
        ..rows_of_eight(2)
    };
    let said = into_zeros(&call, &numbered(2, 8), &[0, 1], A5, &[]);
    assert!(said.all_open());
    assert_eq!(said.excused(), Some("MSCATTER-TABLE-07"));
}
