//! `scripts/fuzz`, as far as it goes without a build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ptodiff_fuzz::target::TARGETS;

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fuzz")
}

fn run(script: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new("bash").arg(script).args(words).output();
    let Output {
        status,
        stdout,
        stderr,
    } = run.expect("bash runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn it_lists_the_targets() {
    let (code, out, _) = run(&script(), &["list"]);
    assert_eq!(code, Some(0));
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(out.lines().collect::<Vec<_>>(), names);
}

#[test]
fn what_it_is_not_asked_like_that_it_says() {
    for words in [
        &["list", "asm"][..],
        &["case", "asm"],
        &["check", "many"],
        &["check", "1", "2"],
        &["--time", "long", "asm"],
        &["--time"],
        &["--runs", "3"],
    ] {
        let (code, out, told) = run(&script(), words);
        assert_eq!(code, Some(2), "{words:?}");
        assert!(
            out.is_empty() && told.starts_with("usage: "),
            "{words:?}: {told}"
        );
    }
    let (code, _, told) = run(&script(), &["asm", "nosuch"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("there is no target nosuch"), "{told}");
    let (code, out, _) = run(&script(), &["--help"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("usage: "));
}

/// Only the models are built without counters.
#[test]
fn the_compiler_leaves_the_models_without_counters() {
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("rustc");
    let flags = [
        "-Cpasses=sancov-module",
        "-Cllvm-args=-sanitizer-coverage-level=4",
        "-Cdebug-assertions",
    ];
    let of = |name: &str| {
        let words = [&["echo", "--crate-name", name][..], &flags].concat();
        let (code, out, _) = run(&compiler, &words);
        assert_eq!(code, Some(0));
        out
    };
    let all = flags.join(" ");
    assert_eq!(
        of("ptodiff_model_a5"),
        "--crate-name ptodiff_model_a5 -Cdebug-assertions\n"
    );
    assert_eq!(
        of("ptodiff_contract"),
        format!("--crate-name ptodiff_contract {all}\n")
    );
}

/// A target that is declared and has no file, or the other way round, fails
/// the check before anything is built.
#[test]
fn the_check_compares_what_is_declared_with_what_is_there() {
    for (declared, file) in [("here", "there"), ("there", "here")] {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path();
        fs::create_dir_all(root.join("scripts")).expect("a folder");
        fs::create_dir_all(root.join("fuzz/targets")).expect("a folder");
        fs::copy(script(), root.join("scripts/fuzz")).expect("a copy");
        let manifest = format!(
            "[package]\nname = \"x\"\n\n[[bin]]\nname = \"{declared}\"\n\n[lints]\nname = \"y\"\n"
        );
        fs::write(root.join("fuzz/Cargo.toml"), manifest).expect("a manifest");
        fs::write(root.join(format!("fuzz/targets/{file}.rs")), "").expect("a target");
        let (code, out, told) = run(&root.join("scripts/fuzz"), &["check"]);
        assert_eq!(code, Some(1));
        assert_eq!(out, format!("1c1\n< {declared}\n---\n> {file}\n"));
        assert!(told.contains("are not the files"), "{told}");
        assert_eq!(
            run(&root.join("scripts/fuzz"), &["list"]).1,
            format!("{declared}\n")
        );
    }
}
