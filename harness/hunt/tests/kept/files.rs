//! Cases that are kept as files.

use std::fs;

use ptodiff_case::load;
use ptodiff_hunt::{Known, keep};

use crate::naming;

#[test]
fn a_case_of_a_name_that_is_taken_gets_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("holes");
    assert_eq!(Known::load(&folder).expect("none"), Known::default());
    let weak = naming(&["unchecked-precondition a5 MGATHER-OOB-01 differs"]);
    let files = keep(
        &folder,
        std::slice::from_ref(&weak),
        "ptodiff hunt --count 9 --seed 1",
    )
    .expect("a file");
    assert_eq!(files, [folder.join("holes_mgather.yaml")]);
    let before = fs::read_to_string(&files[0]).expect("text");
    let worse = naming(&["unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read"]);
    keep(
        &folder,
        &[worse.clone(), worse.clone()],
        "ptodiff hunt --count 9 --seed 2",
    )
    .expect("a file");
    let after = fs::read_to_string(&files[0]).expect("text");
    assert!(after.starts_with(&before));
    let cases = load(std::slice::from_ref(&folder)).expect("cases").cases;
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["behind", "behind.2", "behind.3"]);
    assert_eq!(cases[1].holes, worse.holes);
    let known = Known::load(&folder).expect("what was kept");
    assert_eq!(known, Known::of([&weak, &worse, &worse]));
}
