//! Implementations of every kind, right and wrong, and what is made of them.
//!
//! With `mock` as its first argument this program is itself an implementation.

mod answers;
mod failures;
mod life;
mod mock;
mod scene;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("mock") {
        return mock::run(&arguments.collect::<Vec<_>>());
    }
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    let all = [answers::TESTS, failures::TESTS, life::TESTS];
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
