//! The rules of `check`: what its findings are called, and how severe they are.

use ptodiff_case::did_you_mean;
use ptodiff_isa::Clause;
use ptodiff_register::Entry;
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
    ("expectation", Severity::Error, "A case states that the call is rejected, undefined or hangs, and that is not so"),
    ("unknown-operation", Severity::Error, "An operation is nearly one of the four instructions, and none that is known"),
    ("disagreement", Severity::Error, "A model's checks and the contract disagree: a fault of ptodiff"),
    ("dropped-policy", Severity::Warning, "The target does not look at a policy of the call"),
    ("undefined-result", Severity::Remark, "The call is legal, and its data leaves the result or a part of it undefined"),
    ("live-row", Severity::Remark, "A policy takes an index that is out of range to a place that other indices mean"),
    ("negative-index", Severity::Remark, "An index is negative: the documents say nothing of it"),
    ("byte-index", Severity::Remark, "The indices look like bytes, not elements"),
    ("element-offset", Severity::Remark, "The offsets look like elements, not bytes"),
    ("wide-offset", Severity::Remark, "Offsets into the table take more than 32 bits"),
    ("same-operand", Severity::Remark, "An operand is read and written, or overlaps one that is written"),
    ("missing-coalesce", Severity::Remark, "The call does not say what one index selects"),
    ("caller", Severity::Remark, "What the program around the call owes; only told where --warn or --deny asks for it"),
    ("reading", Severity::Remark, "The call is legal, and not if a gap with a --reading is read in another way; only told where --warn or --deny asks for it"),
    ("unknown-extent", Severity::Remark, "A valid extent is known at run time alone"),
    ("unknown-strides", Severity::Remark, "How a view lies in GM is not known"),
    ("unknown-launch", Severity::Remark, "A launch has to pass a dynUBufSize, which a .pto file cannot say"),
    ("unknown-target", Severity::Remark, "The device of a module has no target that is known"),
];

/// How severe a finding is.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Severity {
    /// Fails the check.
    #[default]
    Error,
    /// Probably not what was meant.
    Warning,
    /// Legal, and looks wrong.
    Remark,
}

/// How severe the findings of `rule` are unless the user says otherwise.
pub(crate) fn severity(rule: &str) -> Severity {
    let known = RULES.iter().find(|(name, _, _)| *name == rule);
    known.map_or(Severity::Error, |(_, severity, _)| *severity)
}

/// What `--deny`, `--warn` and `--allow` take: a rule, or a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule(String);

impl Rule {
    /// Whether it is about findings of `rule` by `clause`.
    pub(crate) fn names(&self, rule: &str, clause: Option<Clause>) -> bool {
        self.0 == rule || clause.is_some_and(|clause| clause.0 == self.0)
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The clause or gap of the number `text`, in capitals or not; its last part may be one digit.
pub(crate) fn numbered(text: &str) -> Option<&'static Entry> {
    let id = text.to_uppercase();
    let (area, number) = id.rsplit_once('-')?;
    ptodiff_register::find(&format!("{area}-{number:0>2}"))
}

/// The rule of this name.
pub(crate) fn rule(text: &str) -> Result<Rule, String> {
    let known = RULES.iter().map(|(name, _, _)| *name);
    match numbered(text) {
        Some(entry) => Ok(Rule(entry.id.to_owned())),
        None if known.clone().any(|name| name == text) => Ok(Rule(text.to_owned())),
        None => Err(match did_you_mean(text, known.clone()) {
            Some(meant) => format!("no rule and no clause is called so; {meant}"),
            None => format!(
                "expected the number of a clause, or one of {}",
                known.collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}
