//! Files that are not what they should be.

use std::{fs, path::Path};

use ptodiff_data::file::{FileError, exactly, folder, open};

fn why(path: &Path, expected: u64) -> String {
    exactly(path, expected).unwrap_err().to_string()
}

#[test]
fn a_file_of_another_length_and_what_is_no_file_is_said() {
    let at = tempfile::tempdir().unwrap();
    let path = at.path().join("a.bin");
    assert_eq!(why(&path, 3), "there is no such file");
    fs::write(&path, [1, 2, 3]).unwrap();
    assert_eq!(exactly(&path, 3).unwrap(), [1, 2, 3]);
    assert_eq!(why(&path, 4), "3 bytes, 4 are needed");
    assert_eq!(why(&path, 2), "3 bytes, 2 are needed");
    assert_eq!(why(at.path(), 3), "not a plain file");
    // A file of a terabyte that has no bytes on the disk is not read.
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(why(&path, 3), "1099511627776 bytes, 3 are needed");
}

#[cfg(unix)]
#[test]
fn links_devices_and_pipes_are_not_opened() {
    let at = tempfile::tempdir().unwrap();
    let target = at.path().join("a.bin");
    fs::write(&target, [1, 2, 3]).unwrap();
    let link = at.path().join("link.bin");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(matches!(open(&link), Err(FileError::NotPlain)));
    assert!(matches!(
        open(Path::new("/dev/zero")),
        Err(FileError::NotPlain)
    ));
    let pipe = at.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    assert!(matches!(open(&pipe), Err(FileError::NotPlain)));
}

/// A file of `/proc` says that it is empty and is not: it changes under the reader.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_has_more_than_it_said_is_rejected() {
    assert_eq!(
        why(Path::new("/proc/self/stat"), 0),
        "changed while it was read"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_is_no_link_to_one() {
    let at = tempfile::tempdir().unwrap();
    let elsewhere = at.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let linked = at.path().join("linked");
    std::os::unix::fs::symlink(&elsewhere, &linked).unwrap();
    assert!(folder(&linked).is_err(), "a link to a folder");
    assert!(folder(&elsewhere).is_ok());
    assert!(folder(&at.path().join("new")).is_ok());
    fs::write(at.path().join("file"), "x").unwrap();
    assert!(folder(&at.path().join("file")).is_err());
}
