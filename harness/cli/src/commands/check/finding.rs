//! What `check` finds, and how severe it is.

use std::path::Path;

use ptodiff_case::{Case, Span, nearest};
use ptodiff_isa::{Clause, Target};
use serde::Serialize;

/// Every rule: its name, how severe it is, and what it finds.
#[rustfmt::skip]
pub(crate) const RULES: &[(&str, Severity, &str)] = &[
    ("rejected", Severity::Error, "The target's own checks reject the call"),
    ("precondition", Severity::Error, "The checks accept the call, and a precondition of the caller is broken"),
    ("hang", Severity::Error, "The call never returns"),
    ("budget", Severity::Error, "The operands need more of the unified buffer than there is, or than was asked for"),
    ("alignment", Severity::Error, "An operand is not aligned as a document asks"),
    ("not-judged", Severity::Error, "ptodiff cannot judge the operation"),
    ("disagreement", Severity::Error, "A model's checks and the contract disagree: a fault of ptodiff"),
    ("dropped-policy", Severity::Warning, "The target does not look at a policy of the call"),
    ("live-row", Severity::Remark, "A policy takes an index that is out of range to a place that other indices mean"),
    ("negative-index", Severity::Remark, "An index is negative: the documents say nothing of it"),
    ("byte-index", Severity::Remark, "The indices look like bytes, not elements"),
    ("wide-offset", Severity::Remark, "Offsets into the table take more than 32 bits"),
    ("same-operand", Severity::Remark, "An operand is read and written"),
    ("missing-coalesce", Severity::Remark, "The call does not say what one index selects"),
    ("caller", Severity::Remark, "What the program around the call owes; only told where --warn asks for it"),
    ("unknown-extent", Severity::Remark, "A valid extent is known at run time alone"),
];

/// How severe a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// Fails the check.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Legal, and looks wrong.
    Remark,
}

impl Severity {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
        }
    }
}

/// How severe the findings of `rule` are unless the user says otherwise.
pub(super) fn severity(rule: &str) -> Severity {
    let known = RULES.iter().find(|(name, _, _)| *name == rule);
    known.map_or(Severity::Error, |(_, severity, _)| *severity)
}

/// What `--warn` and `--allow` take: a rule, or a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule(String);

impl Rule {
    /// Whether it is about findings of `rule` by `clause`.
    pub(super) fn names(&self, rule: &str, clause: Option<Clause>) -> bool {
        self.0 == rule || clause.is_some_and(|clause| clause.0 == self.0)
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The rule of this name.
pub(crate) fn rule(text: &str) -> Result<Rule, String> {
    let known = RULES.iter().map(|(name, _, _)| *name);
    let clause = ptodiff_register::find(&text.to_uppercase());
    match clause {
        Some(entry) => Ok(Rule(entry.id.to_owned())),
        None if known.clone().any(|name| name == text) => Ok(Rule(text.to_owned())),
        None => Err(match nearest(text, known.clone()) {
            Some(near) => format!("no rule and no clause is called so; did you mean `{near}`?"),
            None => format!(
                "expected the number of a clause, or one of {}",
                known.collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}

/// Where a finding is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub(crate) struct Place {
    /// The file.
    pub(crate) file: String,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
}

impl Place {
    pub(super) fn of(file: &Path, span: &Span) -> Self {
        Self {
            file: file.to_string_lossy().into_owned(),
            line: span.line,
            column: span.column,
        }
    }
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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

    /// That `case` has this whatever the target.
    pub(super) fn about(case: &Case, rule: &'static str, message: String) -> Self {
        Self {
            place: Place {
                file: case.place.file.to_string_lossy().into_owned(),
                line: case.place.line,
                column: case.place.column,
            },
            severity: Severity::Error,
            rule,
            targets: Vec::new(),
            clause: None,
            case: case.id.clone(),
            message,
            help: None,
        }
    }

    /// Whether the two say the same of one place on different targets.
    pub(super) fn is_same_elsewhere(&self, other: &Self) -> bool {
        let said = |f: &Self| {
            (
                f.rule,
                f.clause,
                f.severity,
                f.case.clone(),
                f.message.clone(),
                f.help.clone(),
            )
        };
        self.place == other.place
            && said(self) == said(other)
            && !self
                .targets
                .iter()
                .any(|target| other.targets.contains(target))
            && !self.targets.is_empty()
    }

    /// The finding in words: where, by which clause, what, and what helps.
    pub(super) fn told(&self) -> String {
        let mut text = String::new();
        if !self.targets.is_empty() {
            let names: Vec<&str> = self.targets.iter().map(|t| (*t).into()).collect();
            text += &format!("{}: ", names.join(", "));
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
