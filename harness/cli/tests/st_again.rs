//! An export over folders in which an implementation has left its results.

use std::{fs, path::Path};

use crate::common::{Done, ptodiff, root};

const ONE: &str = "MSCATTERTest.case_elem2d_dyn_float_3x3_in_3x8_64size";
const OTHER: &str = "MSCATTERTest.case_elem2d_dyn_int32_4x8_in_4x8_64size";

fn export(to: &Path, names: &[&str], seed: &str) -> Done {
    let mut args = vec!["st", "export", "--suite", "a5", "--seed", seed, "--out"];
    args.push(to.to_str().unwrap());
    let exact: Vec<String> = names.iter().map(|name| format!("=a5/{name}")).collect();
    args.extend(exact.iter().flat_map(|name| ["--filter", name]));
    ptodiff(&root(), &args)
}

/// All files below `folder`, with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
fn results_are_not_left_beside_inputs_that_they_are_not_of() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let done = export(at, &[ONE, OTHER], "1");
    assert_eq!(done.code, 0, "{}", done.err);
    fs::copy(
        at.join(ONE).join("golden.bin"),
        at.join(ONE).join("output.bin"),
    )
    .unwrap();
    let before = files(at);
    // Neither is the folder without a result written: all or none.
    let done = export(at, &[OTHER, ONE], "2");
    assert_eq!(done.code, 2, "{}", done.out);
    let place = at.join(ONE).join("output.bin");
    let said = format!(
        "error: {} was made from other inputs than these: remove it, or export to another folder\n",
        place.display()
    );
    assert_eq!(done.err, said);
    assert!(files(at) == before, "something was written");
    // The same inputs again harm nothing.
    let done = export(at, &[ONE, OTHER], "1");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(files(at) == before, "something else was written");
    // The other folder alone has no result.
    assert_eq!(export(at, &[OTHER], "2").code, 0);
    fs::remove_file(place).unwrap();
    assert_eq!(export(at, &[ONE], "2").code, 0);
}

#[test]
fn several_results_are_counted_and_the_first_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    export(at, &[ONE, OTHER], "1");
    for name in [ONE, OTHER] {
        fs::write(at.join(name).join("output.bin"), "mine").unwrap();
    }
    let done = export(at, &[ONE, OTHER], "2");
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(
        done.err.contains(
            "/output.bin and 1 more were made from other inputs than these: remove them, or"
        ),
        "{}",
        done.err
    );
}
