//! What is known, brought up to date: proposed as a diff, not written here.

use std::path::{Path, PathBuf};

use ptodiff_case::waiver::{Date, Waivers};
use similar::TextDiff;

use crate::failure::{Failure, Kind};
use crate::judge::{Run, judge};
use crate::prune;

/// A file as it is and as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Which.
    pub path: PathBuf,
    /// Its text; `None` where there is no such file yet.
    pub before: Option<String>,
    /// Its text as proposed.
    pub after: String,
}

/// What a run would have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blessing {
    /// Files that would change.
    pub changes: Vec<Change>,
    /// What would fail the gate even so: only people can fix it.
    pub remaining: Vec<Failure>,
}

impl Blessing {
    /// All changes as one unified diff without colours, which `patch -p1` and
    /// `git apply` take; empty where nothing would change.
    #[must_use]
    pub fn diff(&self) -> String {
        self.changes.iter().map(Change::diff).collect()
    }
}

impl Change {
    /// The change as a unified diff.
    #[must_use]
    pub fn diff(&self) -> String {
        let path = self
            .path
            .display()
            .to_string()
            .replace(std::path::MAIN_SEPARATOR, "/");
        let path = path.trim_start_matches('/');
        let old = match &self.before {
            Some(_) => format!("a/{path}"),
            None => "/dev/null".to_owned(),
        };
        TextDiff::from_lines(self.before.as_deref().unwrap_or_default(), &self.after)
            .unified_diff()
            .header(&old, &format!("b/{path}"))
            .to_string()
    }
}

/// Why nothing is proposed.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum CannotBless {
    /// The record is of a part of a run.
    #[error("{0}")]
    OtherRun(String),
    /// There are violations that no waiver hides.
    #[error(
        "the run has violations that no waiver hides: fix or waive them first, the baseline is of a run that passes"
    )]
    Violations {
        /// Those.
        violations: Vec<Failure>,
        /// As [`Judged::entries`](crate::Judged::entries).
        entries: Vec<String>,
    },
}

/// Proposes what is to change so that the gate passes `run`: the baseline in
/// the file `path`, whose text is `present` where there is one, becomes that of
/// the run, and waivers that hide nothing go. A waiver is never added, widened
/// or given a later day: that is for people to do.
///
/// # Errors
/// If the run has violations, or is only a part of one.
pub fn bless(
    run: &Run,
    path: &Path,
    present: Option<&str>,
    waivers: &Waivers,
    today: Date,
) -> Result<Blessing, CannotBless> {
    let new = &run.shown;
    let judged = judge(new, waivers, run, today);
    if let Some(other) = judged.failures.iter().find(|f| f.kind == Kind::OtherRun) {
        return Err(CannotBless::OtherRun(format!(
            "{}: {}",
            other.what, other.remedy
        )));
    }
    let (violations, mut remaining): (Vec<Failure>, Vec<Failure>) = judged
        .failures
        .into_iter()
        .partition(|f| f.kind.is_of_violations());
    if !violations.is_empty() {
        return Err(CannotBless::Violations {
            violations,
            entries: judged.entries,
        });
    }
    let mut changes = Vec::new();
    let after = new.text();
    if present != Some(after.as_str()) {
        changes.push(Change {
            path: path.to_owned(),
            before: present.map(str::to_owned),
            after,
        });
    }
    if !judged.unused.is_empty()
        && let Some(pruned) = prune::without(waivers, &judged.unused)
    {
        remaining = judge(new, &pruned, run, today).failures;
        changes.push(Change {
            path: waivers.file.path.clone(),
            before: Some(waivers.file.text.clone()),
            after: pruned.file.text,
        });
    }
    Ok(Blessing { changes, remaining })
}
