//! What fails the gate.

use std::fmt;

use ptodiff_edge::text::line;

/// What kind of failure it is, in the order in which they are reported.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display, strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// The record cannot be held against the baseline; nothing else was looked at.
    OtherRun,
    /// A violation that no waiver hides.
    Violation,
    /// A case expects what does not come, and no waiver hides that.
    ExpectationNotMet,
    /// What was wrong once, and not when it was asked again, where that is to fail.
    Flaky,
    /// A waiver past its day, and what it was for.
    WaiverExpired,
    /// A case that is not in the record.
    CaseGone,
    /// A case without a result, or without a comparison, that it had.
    CaseNotRun,
    /// A case that expects nothing any more of a target of which it did.
    ExpectationLost,
    /// A clause or gap that is covered less than it was.
    CoverageLost,
    /// A hole that no case shows.
    HoleGone,
    /// A waiver that hides nothing.
    WaiverUnused,
    /// A waiver that is wider than what it hides.
    WaiverBroad,
}

impl Kind {
    /// Whether it says that the run has violations which no waiver hides.
    #[must_use]
    pub const fn is_of_violations(self) -> bool {
        use Kind::{ExpectationNotMet, Flaky, Violation, WaiverExpired};
        matches!(self, Violation | ExpectationNotMet | Flaky | WaiverExpired)
    }
}

/// One reason why the gate fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Its kind.
    pub kind: Kind,
    /// What it is about: a failure group, a case, a clause, a hole, or the place of a waiver.
    pub about: String,
    /// What is wrong, in one line.
    pub what: String,
    /// What to do, in one line.
    pub remedy: String,
}

/// `KIND ABOUT`, then two lines under it. No control character of a name
/// or a text comes through.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (about, what, remedy) = (line(&self.about), line(&self.what), line(&self.remedy));
        write!(f, "{} {about}\n    {what}\n    {remedy}", self.kind)
    }
}
