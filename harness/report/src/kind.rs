//! What a group of divergences is.

use ptodiff_record::Finding;

/// What a group of divergences is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A target breaks its contract, or two differ with no clause.
    Violation,
    /// A case expects what does not come: the case may be wrong.
    Expectation,
    /// Either, and a waiver hides it.
    Waived,
    /// Targets differ where clauses permit it.
    Permitted,
}

impl Kind {
    /// What `finding` is one of.
    pub(crate) fn of(finding: &Finding) -> Self {
        match place(&finding.failure_group) {
            Some("expectation") => Self::Expectation,
            _ => Self::Violation,
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Violation => "violation",
            Self::Expectation => "expectation not met",
            Self::Waived => "waived",
            Self::Permitted => "permitted",
        }
    }

    /// Whether it fails a run.
    #[must_use]
    pub const fn fails(self) -> bool {
        matches!(self, Self::Violation | Self::Expectation)
    }
}

/// Whether the clause of `finding` is the word of the party that rejects the call by it, and
/// nobody else's.
pub(crate) fn is_own_word(finding: &Finding) -> bool {
    let is_rejection = place(&finding.failure_group) == Some("rejection");
    is_rejection && finding.clause.is_some() && finding.what.starts_with("rejects")
}

/// The third word of a failure group.
pub(crate) fn place(group: &str) -> Option<&str> {
    group.split(' ').nth(2)
}
