//! What `check` finds.

use std::{fmt, path::Path};

use ptodiff_case::{Case, Diagnostic, Span};
use ptodiff_isa::{Clause, Target};
use serde::Serialize;

use crate::{rules::Severity, text::joined};

/// Where a finding is: what is about no file has none, and what is about one as a whole has
/// no line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub(crate) struct Place {
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(flatten)]
    pub(crate) at: Option<At>,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub(crate) struct At {
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Place {
    pub(super) fn of(path: &Path, span: &Span) -> Self {
        let (line, column) = (span.line, span.column);
        Self {
            file: Some(file(path)),
            at: (line > 0).then_some(At { line, column }),
        }
    }
}

/// A file as other programs compare its name with those that they know.
pub(super) fn file(path: &Path) -> String {
    let plain = path.strip_prefix(".").unwrap_or(path);
    plain.to_string_lossy().into_owned()
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Finding {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) severity: Severity,
    pub(crate) rule: &'static str,
    /// Where it holds; none for what is about how the call is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) targets: Vec<Target>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub(crate) clause: Option<Clause>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) case: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
}

fn number<S: serde::Serializer>(clause: &Option<Clause>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(clause.map_or("", |clause| clause.0))
}

impl Finding {
    /// That `case` has this on `target`.
    pub(super) fn of(case: &Case, target: Target, rule: &'static str, message: String) -> Self {
        Self {
            targets: vec![target],
            ..Self::about(case, rule, message)
        }
    }

    /// That a file has this mistake: its rule is the code.
    pub(super) fn mistake(mistake: &Diagnostic) -> Self {
        let place = mistake.place.as_ref();
        Self {
            place: place.map_or_else(Place::default, |spot| Place::of(&spot.file, &spot.span)),
            rule: mistake.code.id(),
            message: mistake.message.clone(),
            help: mistake.help.clone(),
            ..Self::default()
        }
    }

    /// By this clause.
    pub(super) fn by(self, clause: Clause) -> Self {
        Self {
            clause: Some(clause),
            ..self
        }
    }

    /// With advice.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// That `case` has this whatever the target.
    pub(super) fn about(case: &Case, rule: &'static str, message: String) -> Self {
        Self {
            place: Place::of(&case.place.file, &case.place.span),
            rule,
            case: case.id.clone(),
            message,
            ..Self::default()
        }
    }

    /// Whether the two say the same of one place, whatever the targets.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let anywhere = |finding: &Self| Self {
            targets: Vec::new(),
            ..finding.clone()
        };
        !self.targets.is_empty() && self.place == other.place && anywhere(self) == anywhere(other)
    }

    /// The finding in words: where, by which clause, what, and what helps.
    pub(super) fn told(&self) -> String {
        let mut text = String::new();
        if !self.targets.is_empty() {
            text += &format!("{}: ", joined(&self.targets, ", "));
        }
        if let Some(clause) = self.clause {
            text += &format!("{clause} ");
        }
        text += &self.message;
        if let Some(help) = &self.help {
            text += &format!("; {help}");
        }
        if !self.case.is_empty() {
            text += &format!(" [{}]", self.case);
        }
        text
    }
}
