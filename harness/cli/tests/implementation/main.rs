//! Implementations as a user brings them: a further column in every report, judged by
//! the contract of the target that they claim to be.
//!
//! With `mock` as its first argument this program is itself an implementation. The tests are
//! pages as those of `tests/cmd`, whose commands name it `mock`.

#[path = "../../../case/tests/blocks.rs"]
mod blocks;
#[path = "../common/mod.rs"]
mod common;
#[path = "../console.rs"]
mod console;
mod mock;
#[path = "../../../impl/tests/implementation/serve.rs"]
#[allow(dead_code, reason = "no mock here reads questions itself")]
mod serve;
#[path = "../../../record/tests/shown.rs"]
#[allow(dead_code, reason = "a page of commands is followed in another way")]
mod shown;

use std::fs;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("mock") {
        return mock::run(&arguments.next().unwrap_or_default());
    }
    let mut trials = Vec::new();
    let own = std::env::current_exe().expect("a path");
    let folder = common::root().join("harness/cli/tests/implementation/cmd");
    for page in fs::read_dir(&folder).expect("the pages") {
        let page = page.expect("an entry").path();
        let name = page.file_stem().expect("a name").to_string_lossy();
        let (name, folder) = (name.into_owned(), folder.clone());
        let mock = format!("exec '{}' mock \"$@\"\n", own.display());
        trials.push(Trial::test(format!("cmd::{name}"), move || {
            console::follow(&folder, &name, &[("mock", &mock)]);
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
