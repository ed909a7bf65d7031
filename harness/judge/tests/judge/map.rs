//! How every slot of the output came out.

use ptodiff_isa::{DType, Role, ScatterAtomicOp, Target};
use ptodiff_judge::{Answer, each_difference, each_wrong_slot};

use crate::scene::{Scene, ints, region};

/// Byte offsets of the slots in which two scenes differ, and whether that is permitted.
fn differing(a: &Scene, b: &Scene) -> Vec<(usize, bool)> {
    let (of_a, of_b) = ([a.answer()], [b.answer()]);
    let sides = [a.side(Target::Cpu, &of_a), b.side(Target::A5, &of_b)];
    let mut seen = Vec::new();
    each_difference(&a.ground(), &sides[0], &sides[1], |offset, permitted| {
        seen.push((offset, permitted));
    });
    seen
}

#[test]
fn all_differences_are_told_and_which_are_permitted() {
    // Either of two writers in slot 0, one value in slot 4, and slot 6 kept.
    let left = |row: [i32; 2]| {
        let mut scene = Scene::scatter(DType::Int32, ScatterAtomicOp::None);
        scene.one_of(0, &[&ints(&[1]), &ints(&[2])]);
        scene.exactly(16, &ints(&row[1..]));
        scene.but(0, &ints(&row[..1])).but(16, &ints(&row[1..]))
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
    let other = Scene::gathered().but(6, &[0xee, 0xee]);
    assert_eq!(differing(&Scene::gathered(), &other), []);
    let both = other.but(8, &[0xee, 0xee]);
    assert_eq!(differing(&Scene::gathered(), &both), [(8, false)]);
}

#[test]
fn all_wrong_slots_of_all_answers_are_told() {
    let scene = Scene::stored();
    let wrong = |answers: &[Answer]| {
        let mut seen = Vec::new();
        let side = scene.side(Target::A5, answers);
        each_wrong_slot(&scene.ground(), &side, |offset| seen.push(offset));
        seen
    };
    // Slot 3 lies between the rows and is kept.
    let gap = Scene::stored().but(12, &ints(&[9])).but(24, &ints(&[9]));
    let row = Scene::stored().but(4, &ints(&[9, 9]));
    let mut short = Scene::stored();
    short.after.regions[0] = region(Role::Table, 24);
    assert_eq!(wrong(&[scene.answer()]), []);
    let answers = [gap, Scene::stored(), short, row].map(|left| left.answer());
    assert_eq!(wrong(&answers), [12, 24, 4, 8]);
}

#[test]
fn nothing_is_wrong_where_nothing_is_promised() {
    let scene = Scene::stored().but(0, &ints(&[9]));
    let answers = [scene.answer()];
    let mut side = scene.side(Target::A5, &answers);
    side.permits = None;
    each_wrong_slot(&scene.ground(), &side, |offset| panic!("{offset}"));
}
