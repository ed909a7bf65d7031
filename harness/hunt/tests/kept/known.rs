//! Which holes a known one covers.

use ptodiff_case::Form;
use ptodiff_hunt::{Known, explain};

use crate::{hole, naming};

#[test]
fn a_hole_is_known_by_form_kind_targets_and_clauses_and_by_how_bad_it_is() {
    let same = hole("unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read");
    let known = Known::of([&naming(&[&same.to_string()])]);
    let has = |kind: &str, of: &str| known.has(Form::Mgather, &hole(&format!("{kind} {of}")));
    let unchecked = "unchecked-precondition";
    for of in [
        "a5 MGATHER-OOB-01 out-of-bounds-read",
        "a5 MGATHER-OOB-01 differs",
        "a5 MGATHER-OOB-01+MGATHER-OOB-02 out-of-bounds-write",
    ] {
        assert!(has(unchecked, of), "{of}");
    }
    for of in [
        "a5 MGATHER-OOB-01 out-of-bounds-write",
        "a5 MGATHER-OOB-02 out-of-bounds-read",
        "cpu MGATHER-OOB-01 out-of-bounds-read",
    ] {
        assert!(!has(unchecked, of), "{of}");
    }
    assert!(!has(
        "static-only-check",
        "a5 MGATHER-OOB-01 out-of-bounds-read"
    ));
    assert!(!known.has(Form::Mscatter, &same));
    assert!(!Known::default().has(Form::Mgather, &same));
}

/// More than is known by one of two clauses is not known of each of them.
#[test]
fn two_clauses_do_not_make_each_of_them_known() {
    let two = "unchecked-precondition a5 MGATHER-OOB-01+MGATHER-OOB-02 out-of-bounds-read";
    let known = Known::of([&naming(&[two])]);
    let one = hole("unchecked-precondition a5 MGATHER-OOB-01 undefined");
    assert!(known.has(Form::Mgather, &hole(two)));
    assert!(!known.has(Form::Mgather, &one));
}

#[test]
fn a_hole_is_lacked_if_it_is_unknown_and_few_clauses_are_to_blame() {
    let three = "unchecked-precondition a5 MGATHER-OOB-01+MGATHER-OOB-02+MGATHER-SEM-01 differs";
    let four = "unchecked-precondition a5 MGATHER-OOB-01+MGATHER-OOB-02+MGATHER-SEM-01+MGATHER-SEM-02 differs";
    let nothing = Known::default();
    assert!(nothing.lacks(Form::Mgather, &hole(three)));
    assert!(!nothing.lacks(Form::Mgather, &hole(four)));
    let known = Known::of([&naming(&[three])]);
    assert!(!known.lacks(Form::Mgather, &hole(three)));
}

/// One that shows nothing else would be listed and run twice: nobody would notice that it
/// is gone.
#[test]
fn every_kept_case_of_the_project_shows_what_the_others_do_not_and_explains_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/holes");
    let corpus = ptodiff_case::load(&[folder.into()]).expect("cases");
    let cases = &corpus.cases;
    assert!(cases.len() > 100, "{}", cases.len());
    for case in cases {
        let others = Known::of(cases.iter().filter(|other| other.id != case.id));
        let own = |hole| others.lacks(Form::of(&case.call), hole);
        assert!(case.holes.iter().any(own), "{}", case.id);
        let about = case.about.as_deref().unwrap_or_default();
        assert_eq!(about.trim(), explain(&case.holes), "{}", case.id);
    }
}
