//! What is known, brought up to date: proposed as a diff, not written here.

use std::path::{Path, PathBuf};

use ptodiff_case::waiver::{Date, Waivers};
use similar::TextDiff;

use crate::baseline::Baseline;
use crate::failure::{Failure, Kind};
use crate::judge::{Run, judge, other_run};
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
    let before = present.and_then(|text| Baseline::read(text).ok());
    let before = before.filter(|before| other_run(before, &run.header).is_none());
    let new = &known(run, before.as_ref());
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

/// What `run` shows. Of what is wrong in it stays known what `before` knew, and no more.
fn known(run: &Run, before: Option<&Baseline>) -> Baseline {
    let mut new = run.mended();
    for (clause, on) in &mut new.clauses {
        on.retain(|target, how| {
            let of = |known: &Baseline| known.clauses.get(clause)?.get(target).copied();
            let most = of(&run.shown).max(before.and_then(of));
            *how = (*how).min(most.unwrap_or(*how));
            most.is_some()
        });
    }
    new.clauses.retain(|_, on| !on.is_empty());
    new.gaps.retain(|gap, told| {
        let of = |known: &Baseline| known.gaps.get(gap).copied();
        let most = of(&run.shown).max(before.and_then(of));
        *told = (*told).min(most.unwrap_or(*told));
        most.is_some()
    });
    for red in &run.red {
        let was = before.and_then(|before| before.cases.get(&red.id));
        let was = was.map_or(&[][..], |was| was);
        if let Some(own) = new.cases.get_mut(&red.id) {
            let known = |who: &&String| !red.wrong.contains(who) || was.contains(who);
            *own = own.iter().filter(known).cloned().collect();
        }
    }
    new
}
