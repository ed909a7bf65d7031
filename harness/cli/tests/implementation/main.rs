//! Implementations as a user brings them: a further column in every report, judged by
//! the contract of the target that they claim to be.
//!
//! With `mock` as its first argument this program is itself an implementation.

#[path = "../common/mod.rs"]
mod common;
mod config;
mod diagnosis;
mod ends;
mod hunt;
mod mock;
mod planted;
mod reported;
mod reports;
mod verdicts;

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
    let all = [
        config::TESTS,
        verdicts::TESTS,
        diagnosis::TESTS,
        reports::TESTS,
        ends::TESTS,
        hunt::TESTS,
        planted::TESTS,
        reported::TESTS,
    ];
    let trials = all.iter().copied().flatten().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The tests of a file, by name.
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        pub(crate) const TESTS: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
    };
}
pub(crate) use tests;

/// `NAME=COMMAND` of a mock called `mine`.
pub(crate) fn mine(behaviour: &str) -> String {
    let own = std::env::current_exe().expect("a path");
    let own = own.to_str().expect("UTF-8");
    assert!(!own.contains('\''), "the path has to be quoted otherwise");
    format!("mine='{own}' mock {behaviour}")
}
