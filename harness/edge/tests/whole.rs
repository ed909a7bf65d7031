//! Files are written whole or not at all, whatever stands in their place.

#![cfg(unix)]

use std::{
    ffi::OsStr,
    fs, io,
    io::Write,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use ptodiff_edge::whole::{write, write_bytes};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o7777
}

/// Names in a folder, sorted.
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
fn a_new_file_is_there_with_the_permissions_of_any_new_file() {
    let folder = folder();
    let (path, other) = (folder.path().join("new"), folder.path().join("other"));
    write_bytes(&path, b"text").expect("written");
    fs::write(&other, b"").expect("written");
    assert_eq!(fs::read(&path).expect("a file"), b"text");
    assert_eq!(mode(&path), mode(&other));
    assert_eq!(names(folder.path()), ["new", "other"]);
}

#[test]
fn an_older_file_is_replaced_and_keeps_its_permissions() {
    let folder = folder();
    let path = folder.path().join("old");
    for old in [0o600, 0o640, 0o755] {
        fs::write(&path, b"a much longer text").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(old)).expect("set");
        write_bytes(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        assert_eq!(mode(&path), old);
    }
}

#[test]
fn a_write_that_fails_midway_leaves_the_old_file_and_nothing_else() {
    let folder = folder();
    let path = folder.path().join("old");
    fs::write(&path, b"old").expect("written");
    let failed = write(&path, |to| {
        to.write_all(&[b'x'; 1 << 20])?;
        Err::<(), _>(io::Error::other("the moon"))
    });
    let failed = failed.expect_err("it fails").to_string();
    assert_eq!(failed, format!("cannot write {}: the moon", path.display()));
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    assert_eq!(names(folder.path()), ["old"]);
}

/// `fill` panics, as a model that fails might.
#[test]
fn a_panic_midway_leaves_the_old_file_and_nothing_else() {
    let folder = folder();
    let path = folder.path().join("old");
    fs::write(&path, b"old").expect("written");
    let own = path.clone();
    let ended = thread::spawn(move || {
        write(&own, |to| {
            to.write_all(&[b'x'; 1 << 20])?;
            match to.buffer().len() {
                usize::MAX => Ok(()),
                _ => panic!("on purpose"),
            }
        })
    });
    ended.join().expect_err("it panics");
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    assert_eq!(names(folder.path()), ["old"]);
}

#[test]
fn a_reader_has_the_old_file_or_the_new_one_and_nothing_between() {
    let folder = folder();
    let path = folder.path().join("file");
    let text = |n: u8| vec![n; 100_000 + usize::from(n)];
    write_bytes(&path, &text(0)).expect("written");
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = [false; 256];
            while !done.load(Ordering::Relaxed) {
                let read = fs::read(&path).expect("it is always there");
                assert_eq!(read, text(read[0]));
                seen[usize::from(read[0])] = true;
            }
            seen.iter().filter(|seen| **seen).count()
        });
        for n in 1..=255 {
            write_bytes(&path, &text(n)).expect("written");
        }
        done.store(true, Ordering::Relaxed);
        assert!(reader.join().expect("it reads") >= 1);
    });
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn a_link_is_replaced_and_where_it_leads_is_left_alone() {
    let (folder, elsewhere) = (folder(), folder());
    let target = elsewhere.path().join("precious");
    fs::write(&target, b"precious").expect("written");
    let nowhere = elsewhere.path().join("nothing");
    for to in [&target, &nowhere] {
        let path = folder.path().join("link");
        let _ = fs::remove_file(&path);
        symlink(to, &path).expect("a link");
        write_bytes(&path, b"new").expect("written");
        assert!(fs::symlink_metadata(&path).expect("a file").is_file());
        assert_eq!(fs::read(&path).expect("a file"), b"new");
    }
    assert_eq!(fs::read(&target).expect("a file"), b"precious");
    assert_eq!(names(elsewhere.path()), ["precious"]);
}

#[test]
fn what_is_no_file_is_left_alone() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("folder")).expect("a folder");
    let made = Command::new("mkfifo").arg(at("pipe")).status();
    assert!(made.expect("it runs").success());
    let _socket = UnixListener::bind(at("socket")).expect("a socket");
    for name in ["folder", "pipe", "socket"] {
        let why = write_bytes(&at(name), b"new").expect_err(name).to_string();
        assert!(
            why.contains("no file") || why.contains("a file is wanted"),
            "{name}: {why}"
        );
    }
    assert_eq!(names(folder.path()), ["folder", "pipe", "socket"]);
}

#[test]
fn a_file_that_may_not_be_written_is_not() {
    let folder = folder();
    let path = folder.path().join("old");
    fs::write(&path, b"old").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("set");
    let why = write_bytes(&path, b"new").expect_err("it is read-only");
    assert_eq!(why.error.kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(fs::read(&path).expect("a file"), b"old");
}

#[test]
fn names_that_no_file_can_have_are_errors() {
    let folder = folder();
    let at = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let long = [b'x'; 256];
    for path in [
        PathBuf::new(),
        PathBuf::from("/"),
        at(b".."),
        at(b"a\0b"),
        at(&long),
        at(b"missing/file"),
    ] {
        assert!(write_bytes(&path, b"x").is_err(), "{path:?}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
    // The longest that there is, with no room for a suffix, and one that is no text.
    for name in [&long[..255], b"\xff\x1b[31m\n"] {
        write_bytes(&at(name), b"x").expect("written");
        assert_eq!(fs::read(at(name)).expect("a file"), b"x");
    }
}
