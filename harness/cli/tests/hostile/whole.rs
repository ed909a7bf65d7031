//! Files that are written whole or not at all, seen from outside.

use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use crate::{
    common::{Done, folder_with, ptodiff, scatter},
    shell,
};

/// Every name in `out`, and what each file holds.
fn held(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder.join("out")).expect("a folder");
    let mut all: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("a file"))
        })
        .collect();
    all.sort();
    all
}

/// Runs `ptodiff ARGS` where no file may have more than so many blocks of 512 bytes.
fn small_disk(folder: &Path, blocks: u32, args: &[&str]) -> Done {
    // The signal would end it: ignored, a write fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f \"$1\" && cd \"$2\" && shift 2 && exec \"$@\"";
    let blocks = blocks.to_string();
    let mut words = vec![
        OsStr::new(&blocks),
        folder.as_os_str(),
        OsStr::new(env!("CARGO_BIN_EXE_ptodiff")),
    ];
    words.extend(args.iter().map(OsStr::new));
    shell(script, &words).into()
}

const RUN: [&str; 4] = ["run", "a.yaml", "--out", "out"];

#[test]
fn a_disk_that_is_full_midway_leaves_every_older_file() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    assert_eq!(ptodiff(at, &RUN).code, 0);
    let before = held(at);
    assert_eq!(before.len(), 6);
    // Not even the record, and all but the page.
    for (blocks, says) in [(1, "run.jsonl"), (100, "report.html")] {
        let done = small_disk(at, blocks, &RUN);
        assert_eq!(done.code, 70, "{}{}", done.out, done.err);
        assert!(
            done.err
                .contains(&format!("cannot write out/{says}: File too large")),
            "{}",
            done.err
        );
        assert_eq!(held(at), before);
    }
    let hunt = ["hunt", "--count", "99", "--record", "hunt.jsonl"];
    assert_eq!(ptodiff(at, &hunt).code, 0);
    let whole = fs::read(at.join("out/run.jsonl")).expect("a record");
    for args in [
        &["merge", "out/run.jsonl", "--out", "out/run.jsonl"][..],
        &["merge", "hunt.jsonl", "--out", "out/run.jsonl"],
        &["hunt", "--count", "99", "--record", "out/run.jsonl"],
        &["report", "--from", "out/run.jsonl", "--html"],
        &["export", "one", "--cases", "a.yaml", "--npy", "out"],
        &["cpp", "--harness", "out", "--cases", "a.yaml"],
    ] {
        let done = small_disk(at, 0, args);
        assert_eq!(done.code, 70, "{args:?}: {}{}", done.out, done.err);
        assert!(done.err.contains("File too large"), "{}", done.err);
        assert_eq!(held(at), before, "{args:?}");
    }
    assert_eq!(fs::read(at.join("out/run.jsonl")).expect("a record"), whole);
}

#[test]
fn what_may_not_be_written_is_not() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    assert_eq!(ptodiff(at, &RUN).code, 0);
    let page = at.join("out/report.html");
    fs::write(&page, "mine").expect("written");
    fs::set_permissions(&page, fs::Permissions::from_mode(0o444)).expect("set");
    let done = ptodiff(at, &RUN);
    assert_eq!(done.code, 70, "{}", done.err);
    assert!(
        done.err
            .contains("out/report.html: the file there may not be written"),
        "{}",
        done.err
    );
    assert_eq!(fs::read(&page).expect("a file"), b"mine");
    // A folder in which nothing can be made, whoever asks.
    symlink("/proc/self", at.join("proc")).expect("a link");
    let done = ptodiff(at, &["run", "a.yaml", "--out", "proc"]);
    assert_eq!(done.code, 70, "{}", done.err);
    assert!(
        done.err.contains("cannot write proc/run.jsonl"),
        "{}",
        done.err
    );
}

#[test]
fn a_report_has_the_permissions_of_any_file_and_keeps_those_it_has() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    let mode = |name: &str| {
        let file = fs::metadata(at.join(name)).expect("a file");
        file.permissions().mode() & 0o777
    };
    assert_eq!(ptodiff(at, &RUN).code, 0);
    assert_eq!(mode("out/run.jsonl"), mode("a.yaml"));
    let record = at.join("out/run.jsonl");
    fs::set_permissions(&record, fs::Permissions::from_mode(0o600)).expect("set");
    assert_eq!(ptodiff(at, &RUN).code, 0);
    assert_eq!(mode("out/run.jsonl"), 0o600);
}
