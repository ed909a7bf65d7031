//! What a hunt that takes long says.

use std::{fs, process::Command};

/// A log of CI has no terminal, and nobody waits hours for its first line. Most of the time
/// both hunts are stopped: clocks go on.
#[test]
fn a_long_hunt_says_now_and_then_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let script = "for quiet in '' --quiet; do\n\
        \"$1\" hunt --time 6s --quick --jobs 1 $quiet 2>told$quiet & all=\"$all $!\"\ndone\n\
        sleep 0.5; kill -STOP $all; sleep 4.7; kill -CONT $all\nwait";
    let shell = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_ptodiff")])
        .current_dir(folder.path())
        .status();
    assert!(shell.unwrap().success());
    let lines = |file: &str| {
        let told = fs::read_to_string(folder.path().join(file)).unwrap();
        let lines = told.lines().filter(|line| line.ends_with(" s"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let told = lines("told");
    let parts = told.first().and_then(|line| line.split_once(" cases in "));
    let (cases, seconds) = parts.unwrap_or_else(|| panic!("{told:?}"));
    assert!(cases.replace(',', "").parse::<u64>().is_ok(), "{told:?}");
    // A machine that has other work may be late.
    assert!(["5 s", "6 s", "7 s"].contains(&seconds), "{told:?}");
    assert_eq!(lines("told--quiet"), [""; 0]);
}
