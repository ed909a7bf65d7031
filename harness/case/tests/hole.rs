//! The text of a hole.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Clause, Target};
use strum::VariantArray;

#[test]
fn a_hole_reads_back_from_its_text() {
    for kind in HoleKind::VARIANTS {
        for place in HolePlace::VARIANTS {
            let hole = Hole {
                kind: *kind,
                targets: vec![Target::Cpu, Target::A5],
                clauses: vec![Clause("MSCATTER-GAP-01"), Clause("MSCATTER-OOB-02")],
                place: *place,
            };
            assert_eq!(hole.to_string().parse(), Ok(hole));
        }
    }
}
