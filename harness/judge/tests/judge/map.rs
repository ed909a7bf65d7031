//! How every slot of the output came out.

use ptodiff_isa::{DType, Role, ScatterAtomicOp, Target};
use ptodiff_judge::{Answer, each_difference, each_wrong_slot};

use crate::fixture::{Fixture, ints, region};

/// Byte offsets of the slots in which two scenes differ, and whether that is permitted.
fn differing(a: &Fixture, b: &Fixture) -> Vec<(usize, bool)> {
    let (of_a, of_b) = ([a.answer()], [b.answer()]);
    let inputs = [a.input(Target::Cpu, &of_a), b.input(Target::A5, &of_b)];
    let mut seen = Vec::new();
    each_difference(&a.context(), &inputs[0], &inputs[1], |offset, permitted| {
        seen.push((offset, permitted));
    });
    seen
}

#[test]
fn all_differences_are_told_and_which_are_permitted() {
    // Either of two writers in slot 0, one value in slot 4, and slot 6 kept.
    let left = |row: [i32; 2]| {
        let mut fixture = Fixture::scatter(DType::Int32, ScatterAtomicOp::None);
        fixture.one_of(0, &[&ints(&[1]), &ints(&[2])]);
        fixture.exactly(16, &ints(&row[1..]));
        fixture.but(0, &ints(&row[..1])).but(16, &ints(&row[1..]))
    };
    assert_eq!(differing(&left([1, 5]), &left([1, 5])), []);
    let oob_access = left([2, 6]).but(24, &ints(&[9]));
    let told = [(0, true), (16, false), (24, false)];
    assert_eq!(differing(&left([1, 5]), &oob_access), told);
    let mut short = left([2, 6]);
    short.after.regions[0] = region(Role::Table, 24);
    assert_eq!(differing(&left([1, 5]), &short), []);
}

#[test]
fn padding_that_may_be_anything_is_on_no_map() {
    // The first padding slot of a row is free, the next one kept.
    let other = Fixture::gathered().but(6, &[0xee, 0xee]);
    assert_eq!(differing(&Fixture::gathered(), &other), []);
    let both = other.but(8, &[0xee, 0xee]);
    assert_eq!(differing(&Fixture::gathered(), &both), [(8, false)]);
}

#[test]
fn all_wrong_slots_of_all_answers_are_told() {
    let fixture = Fixture::stored();
    let wrong = |answers: &[Answer]| {
        let mut seen = Vec::new();
        let input = fixture.input(Target::A5, answers);
        each_wrong_slot(&fixture.context(), &input, |offset| seen.push(offset));
        seen
    };
    // Slot 3 lies between the rows and is kept.
    let gap = Fixture::stored().but(12, &ints(&[9])).but(24, &ints(&[9]));
    let row = Fixture::stored().but(4, &ints(&[9, 9]));
    let mut short = Fixture::stored();
    short.after.regions[0] = region(Role::Table, 24);
    assert_eq!(wrong(&[fixture.answer()]), []);
    let answers = [gap, Fixture::stored(), short, row].map(|left| left.answer());
    assert_eq!(wrong(&answers), [12, 24, 4, 8]);
}
