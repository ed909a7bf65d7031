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
        &["--time", "0", "asm"],
        &["--sanitizer", "bogus", "asm"],
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
    for words in [&["asm", "nosuch"][..], &["case", "nosuch", "file"]] {
        let (code, _, told) = run(&script(), words);
        assert_eq!(code, Some(2));
        assert!(told.contains("there is no target nosuch"), "{told}");
    }
    let (code, out, _) = run(&script(), &["--help"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("usage: "));
}

/// Blocks of what decides on cases and of readers, and nothing else.
#[test]
fn the_compiler_counts_what_a_target_is_about() {
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("rustc");
    let counts = |name: &str| {
        let flags = [
            "-Cpasses=sancov-module",
            "-Cllvm-args=-sanitizer-coverage-level=4",
        ];
        let words = [&["echo", "--crate-name", name][..], &flags].concat();
        run(&compiler, &words)
            .1
            .contains("sanitizer-coverage-level=2")
    };
    for about in ["contract", "judge", "asm", "case", "data", "record", "impl"] {
        assert!(counts(&format!("ptodiff_{about}")), "{about}");
    }
    for other in ["ptodiff_model_a5", "ptodiff_generate", "rustc_apfloat"] {
        assert!(!counts(other), "{other}");
    }
}

/// Each target is built with the compiler that counts little, and run with its
/// own options; a sanitizer has another build.
#[cfg(unix)]
#[test]
fn a_run_says_how_to_build_and_how_to_search() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let cargo = folder.path().join("cargo");
    let log = folder.path().join("log");
    let text = format!(
        "#!/usr/bin/env bash\necho \"$*|${{RUSTC_WRAPPER:-}}|${{RUSTFLAGS:-}}\" >>{}\n\
         [ \"$1 $2\" != \"fuzz ${{BROKEN:-}}\" ]\n",
        log.display()
    );
    fs::write(&cargo, text).expect("a file");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("its mode");
    let path = std::env::var("PATH").expect("a path");
    let run = |broken: &str| {
        let done = Command::new("bash")
            .arg(script())
            .args(["--time", "5", "judge", "st_name"])
            .env("PATH", format!("{}:{path}", folder.path().display()))
            .env("RUSTFLAGS", "--cfg=mine")
            .env("BROKEN", broken)
            .output()
            .expect("bash runs");
        (
            done.status.code(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
    };
    // What does not build found nothing.
    let (code, told) = run("build");
    assert_eq!(code, Some(1));
    assert!(
        told.ends_with("scripts/fuzz: judge does not build\n"),
        "{told}"
    );
    let (code, told) = run("run");
    assert_eq!(code, Some(1));
    assert!(
        told.contains("something was found by judge st_name"),
        "{told}"
    );
    fs::remove_file(&log).expect("a log");
    assert_eq!(run("").0, Some(0));
    let log = fs::read_to_string(log).expect("what cargo was told");
    let searches: Vec<[&str; 3]> = log
        .lines()
        .filter(|line| line.starts_with("fuzz run"))
        .map(|line| {
            let mut parts = line.split('|');
            [(); 3].map(|()| parts.next().expect("three parts"))
        })
        .collect();
    let told: Vec<&str> = searches.iter().map(|[told, ..]| *told).collect();
    assert_eq!(
        told,
        [
            "fuzz run --sanitizer none judge -- -reduce_inputs=0 -use_counters=0 -use_cmp=0 \
             -max_len=256 -max_total_time=5",
            "fuzz run --sanitizer none st_name -- -reduce_inputs=0 -max_total_time=5",
        ]
    );
    for [_, compiler, flags] in searches {
        assert!(compiler.ends_with("/fuzz/rustc"), "{compiler}");
        // What the compiler does is part of the flags: cargo builds anew where it changes.
        assert!(flags.starts_with("--cfg=mine --cfg=counters_"), "{flags}");
    }
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
