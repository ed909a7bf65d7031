//! Implementations of every kind, right and wrong, and what is made of them.
//!
//! With `mock` as its first argument this program is itself an implementation.

mod answers;
#[path = "../../../case/tests/blocks.rs"]
mod blocks;
mod common;
mod failures;
mod life;
mod mock;
mod serve;
#[path = "../../../record/tests/shown.rs"]
mod shown;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("mock") {
        return mock::run(&arguments.collect::<Vec<_>>());
    }
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(*name, run).with_ignored_flag(cfg!(windows) && UNIX.contains(name))
    };
    let all = [answers::TESTS, failures::TESTS, life::TESTS];
    let trials = all.iter().copied().flatten().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Tests of what only Unix has: a process that closes one of its pipes, signals, groups
/// whose memory is told, and an answer too many that is not read with the one before.
const UNIX: [&str; 3] = [
    "an_answer_too_many_is_told_of_its_question",
    "a_process_that_reads_no_more_is_of_no_use",
    "memory_of_children_is_watched",
];

/// The tests of a file, by name.
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        pub(crate) const TESTS: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
    };
}
pub(crate) use tests;
