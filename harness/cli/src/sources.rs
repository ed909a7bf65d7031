//! Which rules of the harness cite a clause, and which of its tests cover
//! one: found in its source when it is built.

use ptodiff_report::coverage::CoveringTest;

/// A place in the harness that cites a clause.
pub(crate) struct Rule {
    /// The clause.
    pub(crate) clause: &'static str,
    /// File and line.
    pub(crate) place: &'static str,
    /// The function that it stands in.
    pub(crate) name: &'static str,
}

/// Every citation, file by file.
pub(crate) const RULES: &[Rule] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// Every test that covers a clause, file by file.
pub(crate) const TESTS: &[CoveringTest] = include!(concat!(env!("OUT_DIR"), "/tests.rs"));
