//! `ptodiff init`

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_record::reproduce::word;
use ptodiff_report::style::{BOLD, DIM};

use crate::{
    config,
    exit::{Error, Exit},
    out::stdout,
    plain,
    text::joined,
};

/// `ptodiff init`
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Write a Python implementation to start from, too
    #[arg(long)]
    python: bool,
}

const CASES: &str = include_str!("init/first.yaml");
const CONFIG: &str = include_str!("init/ptodiff.toml");
const IGNORED: &str = "# What a run writes. The waivers and the baseline of a gate in reports/ are kept.\n/reports/out/\n";
const WITH_PYTHON: &str = include_str!("init/python.toml");
const PYTHON: &str = include_str!("init/implementation.py");

/// Writes what a user starts from, and nothing over what is there.
///
/// # Errors
/// A folder or a file cannot be written.
pub(crate) fn init(args: &Init) -> Result<Exit, Error> {
    let config = match args.python {
        true => format!("{CONFIG}\n{WITH_PYTHON}"),
        false => CONFIG.to_owned(),
    };
    let mut files = vec![
        ("cases/first.yaml", CASES),
        (config::NAME, &config),
        (".gitignore", IGNORED),
    ];
    if args.python {
        files.push(("implementation.py", PYTHON));
    }
    let here = args.folder == Path::new(".");
    let cases = args.folder.join("cases");
    fs::create_dir_all(&cases).map_err(CannotWrite::of_folder(&cases))?;
    let mut out = stdout();
    let mut kept = Vec::new();
    for (name, text) in files {
        let path = match here {
            true => PathBuf::from(name),
            false => args.folder.join(name),
        };
        // A link that leads nowhere is there as well.
        match path.symlink_metadata().is_ok() {
            true => {
                kept.push(name);
                writeln!(
                    out,
                    "kept     {}  {DIM}it was there{DIM:#}",
                    plain::path(&path)
                )?;
            }
            false => {
                whole::write_bytes(&path, text.as_bytes())?;
                writeln!(out, "written  {}", plain::path(&path))?;
            }
        }
    }
    if args.python && kept.contains(&config::NAME) {
        writeln!(out, "\nAdd this to {} if it is not there:\n", config::NAME)?;
        for line in WITH_PYTHON.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    let known = config::find(std::slice::from_ref(&args.folder))?;
    let known = known.map_or_else(Vec::new, |(_, config)| config.implementations);
    writeln!(out, "\n{BOLD}Next{BOLD:#}")?;
    if !here {
        writeln!(out, "  cd {}", word(&args.folder.to_string_lossy()))?;
    }
    let tested = match args.python {
        true => "implementation.py".to_owned(),
        false => joined(known.iter().map(|own| &own.name), ", "),
    };
    let (does, then) = match tested.is_empty() {
        false => (
            format!("run the case on the models and on {}", plain::text(&tested)),
            (
                "ptodiff hunt --rules legal --form mgather --count 5000",
                "try legal calls of all kinds on it",
            ),
        ),
        true => (
            "run the case on the models".to_owned(),
            (
                "ptodiff init --python",
                "write an implementation to start from",
            ),
        ),
    };
    for (command, does) in [
        ("ptodiff run", &*does),
        (
            "ptodiff explain gather_elements",
            "show the case, and where it is legal",
        ),
        then,
        ("ptodiff guide", "read more"),
    ] {
        writeln!(out, "  {command}\n      {DIM}{does}{DIM:#}")?;
    }
    Ok(Exit::Conforms)
}
