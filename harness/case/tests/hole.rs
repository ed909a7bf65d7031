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

#[test]
fn what_is_wrong_is_named() {
    let why = |text: &str| text.parse::<Hole>().expect_err(text).to_string();
    assert!(why("unchecked-precondition a5 MSCATTER-OOB-02").contains("four words"));
    assert_eq!(
        why("precondition a5 MSCATTER-OOB-02 differs"),
        "`precondition` is no kind of hole"
    );
    assert_eq!(
        why("unchecked-precondition a9 MSCATTER-OOB-02 differs"),
        "`a9` is no target"
    );
    assert!(why("unchecked-precondition a5 MSCATTER-OOB-99 differs").contains("MSCATTER-OOB-99"));
    assert_eq!(
        why("unchecked-precondition a5 MSCATTER-OOB-02 there"),
        "`there` is no place of a hole"
    );
}
