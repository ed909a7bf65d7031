//! The page that shows people what a red run looks like is one of today.

use std::{fs, process::Command};

use crate::common::root;

#[test]
fn the_sample_is_the_page_of_a_red_run_as_it_is_written_now() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let done = Command::new(root().join("scripts/sample"))
        .args(["--page".as_ref(), page.as_os_str()])
        .env("PTODIFF", env!("CARGO_BIN_EXE_ptodiff"))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let now = fs::read_to_string(&page).expect("a page");
    for part in ["violations in ", "Diagnosis: ", "a5:mine"] {
        assert!(now.contains(part), "{part} is not in the page");
    }
    let kept = fs::read_to_string(root().join("reports/sample.html")).expect("a page");
    // Two pages would fill the screen.
    assert!(
        now == kept,
        "reports/sample.html is older: scripts/sample makes it anew"
    );
}
