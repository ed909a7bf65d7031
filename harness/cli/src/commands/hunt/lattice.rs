//! The space of calls that a hunt with a lattice draws from.

use std::{io::Read as _, path::Path, sync::Arc};

use ptodiff_case::Form;
use ptodiff_edge::text;
use ptodiff_generate::random::Space;
use ptodiff_isa::{CpuForm, Readings, Scope, Target, TargetReadings};
use ptodiff_kernel::{Dialect, Lattice};

use super::Hunt;
use crate::{
    exit::Error,
    files::{cannot_read, open},
    text::joined,
};

/// Bytes of a description: that of the largest program takes a fiftieth.
const MOST_BYTES: u64 = 32 << 20;

/// The instantiations that `args` name, if they name a lattice.
///
/// # Errors
/// The file cannot be read or describes no lattice, or none of its
/// instantiations is of the forms and the target that are asked for.
pub(super) fn space(args: &Hunt) -> Result<Option<Arc<Space>>, Error> {
    let Some(path) = &args.lattice else {
        return Ok(None);
    };
    let chosen = args.chosen.all()?;
    let bad = |why: String| Error::usage(format!("{}: {why}", text::path(path)));
    let (lattice, mut calls) =
        Lattice::instances(&description(path)?).map_err(|e| bad(e.to_string()))?;
    let target = lattice.dialect.target;
    let asked = args.target.iter().chain(&args.implementations.claims);
    if let Some(other) = asked.into_iter().find(|asked| **asked != target) {
        let why = format!("no instantiation for {other}: its program is written for {target}");
        return Err(bad(why));
    }
    calls.retain(|call| args.form.is_empty() || args.form.contains(&Form::of(call)));
    if calls.is_empty() {
        return Err(bad(format!(
            "no instantiation of {}; its forms are {}",
            joined(&args.form, ", "),
            joined(&lattice.forms, ", ")
        )));
    }
    let meant = TargetReadings::from(meant(lattice.dialect));
    let chosen = chosen.iter().map(|(gap, choice)| (&**gap, &**choice));
    // Names were checked where they were read.
    let readings = meant.with(chosen).unwrap_or(meant);
    let space = Space::new(target, readings[target], calls).map_err(|e| bad(e.to_string()))?;
    Ok(Some(Arc::new(space)))
}

/// A hash of the description that `args` name, if they name one.
pub(super) fn fingerprint(args: &Hunt) -> Result<Option<String>, Error> {
    let text = args.lattice.as_deref().map(description).transpose()?;
    Ok(text.map(|text| ptodiff_record::fingerprint([&text[..]])))
}

fn description(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let read = open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(|e| cannot_read(path, &e))?;
    if text.len() as u64 > MOST_BYTES {
        let why = format!("{}: no lattice takes so many bytes", text::path(path));
        return Err(Error::usage(why));
    }
    Ok(text)
}

/// The readings under which the forms of `dialect` are there.
fn meant(dialect: Dialect) -> Readings {
    let mut readings = Readings::default();
    if dialect.suite_forms {
        readings.scope = Scope::AsTheSuite;
    }
    if dialect.target == Target::Cpu {
        readings.cpu_form = match dialect.suite_forms {
            true => CpuForm::Templated,
            false => CpuForm::Documented,
        };
    }
    readings
}
