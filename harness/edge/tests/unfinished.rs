//! Files that are not complete are known to the whole program, so this test is
//! alone in its own.

use std::{fs, io, io::Write, path::Path};

use ptodiff_edge::whole::{PREFIX, drop_unfinished, write};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |e: io::Result<fs::DirEntry>| e.expect("an entry").file_name();
    let mut all: Vec<String> = entries
        .map(|e| name(e).to_string_lossy().into_owned())
        .collect();
    all.sort();
    all
}

#[test]
fn who_ends_in_the_middle_can_leave_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old");
    fs::write(&path, b"old").expect("written");
    let failed = write(&path, |to| {
        to.write_all(b"half")?;
        let both = names(folder.path());
        assert!(both[0].starts_with(PREFIX), "{both:?}");
        drop_unfinished();
        assert_eq!(names(folder.path()), ["old"]);
        Ok(())
    });
    assert!(failed.is_err(), "there was nothing to put in its place");
    assert_eq!(fs::read(&path).expect("a file"), b"old");
}
