//! Putting files into a folder.

use std::fs;

use ptodiff_kernel::{File, WriteError, write};

fn ours(name: &str, more: &str) -> File {
    File {
        name: name.to_owned(),
        text: format!("// Written by ptodiff cpp --harness.\n{more}"),
    }
}

#[test]
fn an_earlier_program_is_replaced_and_its_kernels_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("a/b");
    let first = [
        ours("main.cpp", "1"),
        ours("kernels_00.cpp", "1"),
        ours("kernels_01.cpp", "1"),
    ];
    write(&out, &first, false).expect("written");
    // Of others: a kernel by its name alone, and a header that the user wrote.
    fs::write(out.join("kernels_02.cpp"), "mine").expect("a file");
    fs::write(out.join("ptodiff_board.hpp"), "mine").expect("a file");
    let second = [ours("main.cpp", "2"), ours("kernels_00.cpp", "2")];
    write(&out, &second, false).expect("written");
    let entries = fs::read_dir(&out).expect("a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "kernels_00.cpp",
            "kernels_02.cpp",
            "main.cpp",
            "ptodiff_board.hpp"
        ]
    );
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("text");
    assert_eq!(read("main.cpp"), second[0].text);
    assert_eq!(read("kernels_00.cpp"), second[1].text);
}

#[test]
fn a_foreign_file_stops_all_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let old = [ours("kernels_05.cpp", "old")];
    write(here, &old, false).expect("written");
    fs::write(here.join("main.cpp"), "mine").expect("a file");
    let new = [ours("kernels_00.cpp", "new"), ours("main.cpp", "new")];
    match write(here, &new, false).expect_err("a foreign file") {
        WriteError::Foreign(path) => assert_eq!(path, here.join("main.cpp")),
        WriteError::Io { path, error } => panic!("{}: {error}", path.display()),
    }
    assert!(!here.join("kernels_00.cpp").exists() && here.join("kernels_05.cpp").exists());
    write(here, &new, true).expect("forced");
    assert_eq!(
        fs::read_to_string(here.join("main.cpp")).expect("text"),
        new[1].text
    );
}

/// What cannot be replaced leaves no half of a file and no temporary one.
#[test]
fn a_write_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::create_dir(here.join("main.cpp")).expect("a folder in the way");
    let error = write(here, &[ours("main.cpp", "new")], true).expect_err("a folder");
    assert!(matches!(error, WriteError::Io { .. }), "{error}");
    let entries = fs::read_dir(here).expect("a folder");
    assert_eq!(entries.count(), 1);
    let file = here.join("file");
    fs::write(&file, "").expect("a file");
    let error = write(&file, &[], false).expect_err("no folder");
    assert!(
        error.to_string().starts_with(&file.display().to_string()),
        "{error}"
    );
}
