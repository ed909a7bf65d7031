//! The space of calls that a hunt with a lattice draws from.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use ptodiff_case::{Case, Form, case_yaml};
use ptodiff_generate::random::Space;

use super::Hunt;
use crate::{corpus, exit::Error, plain, pto, text::joined};

/// The calls that `args` name, if they name a lattice.
///
/// # Errors
/// What cannot be read; cases of more than one program, or none of the forms and the target that
/// are asked for.
pub(super) fn space(args: &Hunt) -> Result<Option<Arc<Space>>, Error> {
    let Some(path) = &args.lattice else {
        return Ok(None);
    };
    let chosen = args.chosen.all()?;
    let bad = |why: String| Error::usage(format!("{}: {why}", plain::path(path)));
    let mut cases = read(path)?;
    let program = cases
        .first()
        .map(|case| (case.targets.clone(), case.readings));
    let (targets, meant) = program.unwrap_or_default();
    let [target] = targets[..] else {
        let why = "a program is written for one target, and its first case has several";
        return Err(bad(why.to_owned()));
    };
    let mut others = cases.iter();
    let other = others.find(|case| (&case.targets, case.readings) != (&targets, meant));
    if let Some(other) = other {
        return Err(bad(format!(
            "a program is written for one target and its readings: the first case and `{}` differ",
            other.name
        )));
    }
    let asked = args.target.iter().chain(&args.implementations.claims);
    if let Some(other) = asked.into_iter().find(|asked| **asked != target) {
        let why = format!("no instantiation for {other}: its program is written for {target}");
        return Err(bad(why));
    }
    let forms: BTreeSet<Form> = cases.iter().map(|case| Form::of(&case.call)).collect();
    cases.retain(|case| args.form.is_empty() || args.form.contains(&Form::of(&case.call)));
    if cases.is_empty() {
        return Err(bad(format!(
            "no instantiation of {}; its forms are {}",
            joined(&args.form, ", "),
            joined(&forms, ", ")
        )));
    }
    let chosen = chosen.iter().map(|(gap, choice)| (&**gap, &**choice));
    // Names were checked where they were read.
    let readings = meant.with(chosen).unwrap_or(meant);
    let calls = cases.iter().map(|case| case.call);
    let space = Space::new(target, readings[target], calls).map_err(|e| bad(e.to_string()))?;
    Ok(Some(Arc::new(space)))
}

/// A hash of the cases that `args` name, if they name some.
pub(super) fn fingerprint(args: &Hunt) -> Result<Option<String>, Error> {
    let cases = args.lattice.as_ref().map(read).transpose()?;
    Ok(cases.map(|cases| ptodiff_record::fingerprint(cases.iter().map(case_yaml))))
}

/// The cases in `path`, which is read again for the record.
fn read(path: &PathBuf) -> Result<Vec<Case>, Error> {
    if corpus::is_stdin(path) {
        let why = "--lattice names a file: standard input can be read but once";
        return Err(Error::usage(why));
    }
    if path.extension().is_some_and(|end| end == "json") {
        return Err(Error::usage(format!(
            "{}: a program has a lattice.yaml now: write it again with `ptodiff cpp --harness`",
            plain::path(path)
        )));
    }
    Ok(pto::load_all(std::slice::from_ref(path))?.cases)
}
