//! Commands, what they print and how they end: the pages of `cmd`.
//!
//! Each section of a page begins in a folder of its own, with the files and commands that stand
//! before the first one. A block `KIND NAME` is a file. In a block `console` all is shown that
//! a command prints, but for `...`; in a block `console some` each line is one of those that it
//! prints, and one behind `! ` is none of them. `$ROOT` is the project; `scatter` and
//! `each` stand in `console.rs`. A command that ends with another code than 0 says `# exits CODE`.

use std::fs;

use crate::{common::root, console::follow};

const FOLDER: &str = "harness/cli/tests/cmd";

macro_rules! pages {
    ($($name:ident)*) => {
        $(#[test] fn $name() { follow(&root().join(FOLDER), stringify!($name), &[]); })*

        #[test]
        fn no_page_is_left_out() {
            let there = fs::read_dir(root().join(FOLDER)).expect("the pages").count();
            assert_eq!([$(stringify!($name)),*].len(), there);
        }
    };
}

pages! {
    anywhere
    arrays
    assembly
    bad_input
    check
    clauses
    commands
    configuration
    cpp
    documents
    drawn
    editions
    ends
    export
    filters
    first_steps
    fix
    forms
    gate
    growth
    hunt
    lattice
    memory
    merge
    mistakes
    options
    outside
    parts
    pto
    report
    selftest
    signals
    st
    texts
    whole
    wording
}
