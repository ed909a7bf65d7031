//! Implementations as a user brings them: a further column in every report, judged by
//! the contract of the target that they claim to be.
//!
//! With `mock` as its first argument this program is itself an implementation. Most tests are
//! pages as those of `tests/cmd`, whose commands name it `mock`.

#[path = "../common/mod.rs"]
mod common;
mod ends;
mod mock;

use std::fs;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("mock") {
        return mock::run(&arguments.next().unwrap_or_default());
    }
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    let mut trials: Vec<Trial> = ends::TESTS.iter().map(trial).collect();
    let folder = common::root().join("harness/cli/tests/implementation/cmd");
    for page in fs::read_dir(&folder).expect("the pages") {
        let page = page.expect("an entry").path();
        let name = page.file_stem().expect("a name").to_string_lossy();
        let (name, folder) = (name.into_owned(), folder.clone());
        let mock = format!("exec '{}' mock \"$@\"\n", own().display());
        trials.push(Trial::test(format!("cmd::{name}"), move || {
            common::console::follow(&folder, &name, &[("mock", &mock)]);
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// This program.
fn own() -> std::path::PathBuf {
    std::env::current_exe().expect("a path")
}

/// `NAME=COMMAND` of a mock called `mine`.
pub(crate) fn mine(behaviour: &str) -> String {
    let own = own();
    let own = own.to_str().expect("UTF-8");
    assert!(!own.contains('\''), "the path has to be quoted otherwise");
    format!("mine='{own}' mock {behaviour}")
}
