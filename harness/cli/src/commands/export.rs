//! `ptodiff export`

use std::{fs, io::Write, path::PathBuf};

use clap::Args;
use ptodiff_case::Case;
use ptodiff_data::{npy, place};
use ptodiff_isa::{Clause, DType, Memory, Operand, Role};
use ptodiff_runner::{Options, required};

use crate::{
    args::Named,
    exit::{Error, Exit},
    files::{self, cannot_write},
    out::stdout,
    plain, select,
};

/// `ptodiff export`
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// Which case.
    #[command(flatten)]
    case: Named,
    /// Write every operand before the call, and each target's result, as `.npy` files to DIR
    #[arg(long, value_name = "DIR")]
    npy: PathBuf,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// An array to be written.
struct Array {
    /// The file's name without its ending.
    name: String,
    dtype: DType,
    extents: Vec<u64>,
    data: Vec<u8>,
}

/// Writes the data of a case as NumPy arrays.
///
/// # Errors
/// No such case, several of that name, or the files cannot be written.
pub(crate) fn export(args: &Export) -> Result<Exit, Error> {
    let case = &select::one(&args.case.case, &args.case.cases)?;
    let options = Options {
        seed: args.seed,
        ..Options::default()
    };
    let mut arrays = operands(case, &options)?;
    let mut without = Vec::new();
    for target in &case.targets {
        match required(case, *target, &options) {
            Err(why) => without.push(why),
            Ok(r) if !r.undefined.is_empty() => {
                let clauses: Vec<String> = r.undefined.iter().map(Clause::to_string).collect();
                without.push(format!("{target} is undefined by {}", clauses.join(", ")));
            }
            Ok(r) => {
                let role = case.call.output();
                arrays.push(array(case, role, format!("result-{target}"), &[&r.memory])?);
            }
        }
    }
    fs::create_dir_all(&args.npy).map_err(|e| cannot_write(&args.npy, e))?;
    let mut out = stdout();
    for Array {
        name,
        dtype,
        extents,
        data,
    } in arrays
    {
        let path = args.npy.join(format!("{name}.npy"));
        let mut bytes = Vec::with_capacity(data.len() + 128);
        npy::write(&mut bytes, dtype, &extents, &data).map_err(|e| cannot_write(&path, e))?;
        files::write_bytes(&path, &bytes)?;
        let spelled = npy::spelled(dtype);
        writeln!(
            out,
            "{}: {extents:?} of {dtype}, stored as {spelled}",
            plain::path(&path)
        )?;
    }
    for why in without {
        writeln!(out, "no result: {why}")?;
    }
    Ok(Exit::Conforms)
}

/// Every operand before the call, under its role's name.
fn operands(case: &Case, options: &Options) -> Result<Vec<Array>, Error> {
    let steps = ptodiff_generate::stimulus(case, options.seed).steps;
    let roles = case.call.operands().into_iter().map(|(role, _)| role);
    roles
        .map(|role| {
            let steps: Vec<&Memory> = steps.iter().filter(|s| s.get(role).is_some()).collect();
            array(case, role, role.to_string(), &steps)
        })
        .collect()
}

/// The operand that plays `role`, after each other as each of `steps` has it.
fn array(case: &Case, role: Role, name: String, steps: &[&Memory]) -> Result<Array, Error> {
    let whole = || {
        let operand: Operand<'_> = case.call.operand(role)?;
        let mut extents = place::extents(operand);
        if steps.len() > 1 {
            extents.insert(0, steps.len() as u64);
        }
        let mut data = Vec::new();
        for step in steps {
            data.extend(place::take(operand, step.get(role)?.body())?);
        }
        Some((operand.dtype(), extents, data))
    };
    let (dtype, extents, data) = whole().ok_or_else(|| {
        Error::usage(format!(
            "{}: the {role} has values without a place: its boxes do not divide its padded extents",
            plain::text(&case.id)
        ))
    })?;
    Ok(Array {
        name,
        dtype,
        extents,
        data,
    })
}
