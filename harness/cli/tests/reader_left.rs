//! A reader of standard output who has seen enough and leaves, as `head` does.

use std::{fs, io::Read, path::Path, process::Stdio};

use crate::common::{command, ptodiff, root, scatter, suites};

#[test]
fn a_reader_that_leaves_does_not_lose_the_record() {
    let out = tempfile::tempdir().unwrap();
    let mut child = command(&root())
        .arg("run")
        .arg(suites())
        .arg("--out")
        .arg(out.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.path().join("run.jsonl").exists());
}

#[test]
fn a_reader_that_leaves_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |name: &str, text: &str| fs::write(at.join(name), text).unwrap();
    write("waivers.yaml", "waivers: []\n");
    write("a.yaml", &scatter("one", ""));
    let gate = ["gate", "--cases", "a.yaml", "--baseline", "waivers.yaml"];
    let bless = [&gate[..], &["--bless", "--write"]].concat();
    for args in [&["run", "a.yaml", "--out", "before"][..], &bless] {
        let done = ptodiff(at, args);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    write(
        "a.yaml",
        &scatter("one", "    rejected: {a5: MSCATTER-TILE-01}\n"),
    );
    let suite = "cases/st/mscatter-a5.yaml";
    let case = "MSCATTERTest.case_elem2d_dyn_float_3x3_in_3x8_64size";
    let filter = format!("=a5/{case}");
    let exported = ptodiff(
        &root(),
        &[
            "st",
            "export",
            "--suite",
            "a5",
            "--cases",
            suite,
            "--filter",
            &filter,
            "--out",
            &path(at, "data"),
        ],
    );
    assert_eq!(exported.code, 0, "{}", exported.err);
    let place = at.join("data").join(case);
    let bytes = fs::read(place.join("golden.bin")).unwrap().len();
    fs::write(place.join("output.bin"), vec![0xa5; bytes]).unwrap();
    let corpus = path(&root(), "cases/clauses/mscatter.yaml");
    for args in [
        &["run", "a.yaml", "--out", "after"][..],
        &["diff", "before/run.jsonl", "after/run.jsonl"],
        &gate,
        &[
            "gate",
            "--from",
            "after/run.jsonl",
            "--baseline",
            "waivers.yaml",
        ],
        &["coverage", "a.yaml"],
        &[
            "st",
            "check",
            "data",
            "--suite",
            "a5",
            "--cases",
            &path(&root(), suite),
        ],
        &["selftest", "--filter", "tgatherb-a5-rounded-down", &corpus],
    ] {
        let heard = ptodiff(at, args);
        assert_eq!(heard.code, 1, "{args:?}: {}{}", heard.out, heard.err);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let left = command(at).args(args).stdout(writer).output().unwrap();
        let err = String::from_utf8_lossy(&left.stderr);
        assert_eq!(left.status.code(), Some(1), "{args:?}: {err}");
        assert_eq!(err, heard.err, "{args:?}");
    }
}

/// `name` in `folder`, as an argument.
fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}
