//! Operands beside the output, and answers beside a good one.

use ptodiff_isa::{Clause, DType, Role};
use ptodiff_judge::{Answer, Detail, Place};

use crate::fixture::{Fixture, GUARD, STORED, conforms, findings, ints, kept, region};

#[test]
fn the_staging_area_is_a_place_of_its_own() {
    const STAGED: Clause = Clause("MGATHER-GAP-50");
    let mut fixture = Fixture::gathered();
    for memory in [&mut fixture.before, &mut fixture.after] {
        memory.regions.push(region(Role::Scratch, 8));
    }
    let promised = kept(Role::Scratch, DType::Half, STAGED);
    fixture.permits.operands.push(promised);
    conforms(&fixture.verdict());
    fixture.after.regions[3].body_mut()[4] ^= 1;
    let found = findings(fixture.verdict());
    let places: Vec<_> = found.iter().map(|f| (f.place, f.clause)).collect();
    assert_eq!(places, [(Place::Scratch, Some(STAGED))]);
}

#[test]
fn all_bytes_of_a_guard_zone_that_changed_are_counted() {
    let mut fixture = Fixture::stored();
    let end = GUARD + 28;
    for at in [end + 1, end + 4, end + 5] {
        fixture.after.regions[0].bytes_mut()[at] ^= 1;
    }
    let found = findings(fixture.verdict());
    assert_eq!(found.len(), 1);
    let (offset, bytes) = match found[0].detail {
        Detail::Guard { offset, bytes, .. } => (offset, bytes),
        ref other => panic!("{other:?}"),
    };
    assert_eq!((offset, bytes), (29, 3));
}

#[test]
fn free_guard_zones_free_no_slot() {
    let mut fixture = Fixture::stored();
    fixture.permits.operands[0].guards_free = Some(Clause("MSCATTER-GAP-28"));
    fixture.after.regions[0].bytes_mut()[0] ^= 1;
    conforms(&fixture.verdict());
    let found = findings(fixture.but(4, &ints(&[9])).verdict());
    let places: Vec<_> = found.iter().map(|f| (f.place, f.clause)).collect();
    assert_eq!(places, [(Place::Valid, Some(STORED))]);
}

#[test]
fn an_answer_of_another_shape_hides_no_other() {
    let fixture = Fixture::stored();
    let mut short = fixture.ran();
    short.memory.regions.pop();
    let wrong = Fixture::stored().but(4, &ints(&[9]));
    let answers = [Answer::Ran(short), wrong.answer()];
    let found = findings(fixture.judge(&answers));
    let places: Vec<_> = found.iter().map(|f| f.place).collect();
    assert_eq!(places, [Place::Shape, Place::Valid]);
}
