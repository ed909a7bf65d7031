//! The check of a target without a fuzzer, as a library and as a command.

use std::fs;
use std::process::{Command, Output};

use ptodiff_fuzz::target::{JUDGE, TARGETS, Target};

fn command(words: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_fuzz_input"))
        .args(words)
        .output();
    let Output {
        status,
        stdout,
        stderr,
    } = run.expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_check_ends_at_the_first_input_that_is_wrong() {
    let of = |byte| (format!("input-{byte}"), vec![byte]);
    let inputs = [of(0), of(1), of(2), of(3)];
    let finds = |run| Target { run, ..JUDGE };
    let wrong = finds(|bytes| match bytes {
        [0] => Ok(()),
        _ => Err(format!("{bytes:?}")),
    });
    let found = wrong.first_wrong(&inputs);
    assert_eq!(found, Some((&inputs[1], "[1]".to_owned())));
    assert_eq!(wrong.first_wrong(&inputs[..1]), None);
    let panics = finds(|bytes| {
        assert!(bytes[0] < 3, "three");
        Ok(())
    });
    let found = panics.first_wrong(&inputs);
    assert_eq!(found, Some((&inputs[3], "panicked: three".to_owned())));
}

#[test]
fn the_command_writes_as_many_seeds_as_it_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let path = folder.to_str().expect("a name in letters");
    let (code, out, told) = command(&["seeds", path, "40"]);
    assert_eq!((code, told.as_str()), (Some(0), ""));
    assert_eq!(out.lines().count(), TARGETS.len());
    let files = |target: &Target| {
        let folder = fs::read_dir(folder.join(target.name)).expect("a folder");
        folder.count()
    };
    for target in TARGETS {
        assert!((20..=40).contains(&files(target)), "{}", target.name);
    }
    // Texts too, not only what comes first.
    let asm = folder.join("asm");
    let mut names = fs::read_dir(asm).expect("a folder").flatten();
    assert!(names.any(|file| file.file_name().to_string_lossy().starts_with("text-")));

    for words in [&["check", path, "many"][..], &["check", path], &["sed"]] {
        let (code, out, told) = command(words);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{words:?}");
        assert!(told.contains("usage: "), "{told}");
    }
}
