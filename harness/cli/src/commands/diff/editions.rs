//! `ptodiff diff --editions`

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::PathBuf,
};

use ptodiff_case::Case;
use ptodiff_isa::Target;
use ptodiff_register::Edition;
use ptodiff_report::style::{BOLD, DIM};
use ptodiff_runner::{Change, Options, OutcomeKind, changes};

use crate::{
    corpus,
    exit::{Error, Exit},
    filter::Filter,
    out::stdout,
    plain,
    text::{counted, joined},
};

/// Cases that change alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    by: Vec<String>,
    form: String,
    comes: [OutcomeKind; 2],
    promise_only: bool,
    targets: Vec<Target>,
}

/// Says which cases in `paths` come to something else under the second edition
/// than under the first, on which targets, and by which readings.
///
/// # Errors
/// Bad cases, nothing selected, or standard output fails.
pub(super) fn diff(
    [before, after]: [&'static Edition; 2],
    paths: &[PathBuf],
    filter: &Filter,
) -> Result<Exit, Error> {
    let usual = [PathBuf::from(corpus::USUAL)];
    let paths = if paths.is_empty() { &usual[..] } else { paths };
    let mut cases = crate::pto::load_all(paths)?.cases;
    cases.retain(|case| filter.takes(case));
    if cases.is_empty() {
        return Err(Error::nothing("no case is selected"));
    }
    let of = |edition: &Edition| Options {
        readings: crate::readings::of(edition),
        ..Options::default()
    };
    let (old, new) = (of(before), of(after));
    let mut kinds: BTreeMap<Kind, Vec<&Case>> = BTreeMap::new();
    let mut changed = 0_u64;
    for case in &cases {
        let found = changes(case, &old, &new);
        changed += u64::from(!found.is_empty());
        for kind in alike(case, found) {
            kinds.entry(kind).or_default().push(case);
        }
    }
    let mut out = stdout();
    let all = counted(cases.len() as u64, "case");
    let (a, b) = (before.name, after.name);
    writeln!(out, "{BOLD}{a} -> {b}{BOLD:#}: {changed} of {all} change")?;
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(kind, cases)| (kind.by.clone(), usize::MAX - cases.len()));
    let readings: BTreeSet<&Vec<String>> = kinds.iter().map(|(kind, _)| &kind.by).collect();
    for by in readings {
        writeln!(out, "\n{BOLD}{}{BOLD:#}", by.join(", "))?;
        for (kind, cases) in kinds.iter().filter(|(kind, _)| kind.by == *by) {
            write_kind(&mut out, kind, cases)?;
        }
    }
    Ok(Exit::Conforms)
}

/// The kinds of change of one case: targets that change alike are one.
fn alike(case: &Case, found: Vec<Change>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for change in found {
        let same = |kind: &&mut Kind| {
            kind.by == change.by
                && kind.comes == change.comes
                && kind.promise_only == change.promise_only
        };
        match kinds.iter_mut().find(same) {
            Some(kind) => kind.targets.push(change.target),
            None => kinds.push(Kind {
                by: change.by,
                form: ptodiff_case::Form::of(&case.call).to_string(),
                comes: change.comes,
                promise_only: change.promise_only,
                targets: vec![change.target],
            }),
        }
    }
    kinds
}

fn write_kind(out: &mut impl Write, kind: &Kind, cases: &[&Case]) -> Result<(), Error> {
    let what = match kind.comes {
        [OutcomeKind::Result, OutcomeKind::Result] if kind.promise_only => {
            "the same bytes, another promise".to_owned()
        }
        [OutcomeKind::Result, OutcomeKind::Result] => "other bytes".to_owned(),
        [old, new] => format!("{old} -> {new}"),
    };
    let count = counted(cases.len() as u64, "case");
    writeln!(
        out,
        "  {:<24} {:<14} {what}, {count}",
        kind.form,
        joined(&kind.targets, " ")
    )?;
    if let Some(first) = cases.first() {
        let place = format!(
            "{}:{}",
            plain::path(&first.place.file),
            first.place.span.line
        );
        writeln!(out, "  {:<24} {DIM}{}  {place}{DIM:#}", "", first.id)?;
    }
    Ok(())
}
