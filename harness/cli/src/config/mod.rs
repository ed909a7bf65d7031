//! `ptodiff.toml`: implementations under test and what a run does unless told otherwise.
//!
//! The file stands beside the cases or in a folder above them; the nearest
//! counts. What the command line says wins.

mod read;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use ptodiff_edge::place::from_here;
use ptodiff_impl::Place;
use ptodiff_isa::Target;
use ptodiff_record::Header;

use crate::{exit::Error, files::read_text, plain, readings::ReadingArgs, rules::Rule};

/// What the file is called.
pub(crate) const NAME: &str = "ptodiff.toml";

/// Bytes of such a file: more was not written by hand.
const MOST_BYTES: u64 = 1 << 20;

/// What a file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Config {
    /// In the order of the file.
    pub(crate) implementations: Vec<Implementation>,
    /// What a run does unless told otherwise.
    pub(crate) run: Run,
    /// What a check does unless told otherwise.
    pub(crate) check: Check,
}

/// What `[run]` and `[check]` both say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Common {
    /// `--target`
    pub(crate) targets: Vec<Target>,
    /// `--edition` and `--reading`
    pub(crate) chosen: ReadingArgs,
}

/// `[check]`
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Check {
    pub(crate) common: Common,
    /// `--deny`
    pub(crate) deny: Vec<Rule>,
    /// `--warn`
    pub(crate) warn: Vec<Rule>,
    /// `--allow`
    pub(crate) allow: Vec<Rule>,
}

/// `[impl.NAME]`
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Implementation {
    /// As `--impl` takes it.
    pub(crate) name: String,
    /// The command, as a shell would split it.
    pub(crate) command: String,
    /// The targets that it is; none for each that takes part.
    pub(crate) targets: Vec<Target>,
    /// For one answer.
    pub(crate) time: Option<Duration>,
    /// Of one process, in MiB.
    pub(crate) memory: Option<u64>,
    /// Most processes at once.
    pub(crate) jobs: Option<u16>,
    /// How it reads what the documents leave open.
    pub(crate) chosen: ReadingArgs,
    /// Where it runs: in the file's folder, unless the user is there.
    pub(crate) place: Place,
}

/// `[run]`
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Run {
    pub(crate) common: Common,
    /// `--jobs`
    pub(crate) jobs: Option<u16>,
    /// `--out`
    pub(crate) out: Option<PathBuf>,
}

/// The file that counts for the cases in `places`, if there is one: its path as the user is
/// told of it, and what it says.
///
/// # Errors
/// If it cannot be read or has a mistake, or two of the places have different files.
pub(crate) fn find(places: &[PathBuf]) -> Result<Option<(PathBuf, Config)>, Error> {
    let mut found: Option<PathBuf> = None;
    for place in places {
        let Some(path) = above(place) else { continue };
        match &found {
            Some(other) if *other != path => {
                return Err(Error::usage(format!(
                    "{} and {} both count here: name paths of one of them, or give --no-config",
                    plain::path(&from_here(other)),
                    plain::path(&from_here(&path))
                )));
            }
            _ => found = Some(path),
        }
    }
    found.map(|path| load(&path)).transpose()
}

/// Notes which implementations of a record the file that counts here has a command for. One that
/// cannot be read is told where it is needed.
pub(crate) fn name_commands(header: &mut Header) {
    let Ok(Some((_, config))) = find(&[".".into()]) else {
        return;
    };
    let all = header.implementations.iter_mut();
    for one in all.filter(|one| one.command.is_none()) {
        let name = one.party.form.as_deref();
        let known = config.implementations.iter();
        if known.map(|own| &*own.name).any(|own| Some(own) == name) {
            one.command = Some(String::new());
        }
    }
}

/// The nearest file in the folder `place`, or that of the file, or above it.
fn above(place: &Path) -> Option<PathBuf> {
    let place = fs::canonicalize(place).ok()?;
    place
        .ancestors()
        .map(|folder| folder.join(NAME))
        .find(|path| path.is_file())
}

fn load(path: &Path) -> Result<(PathBuf, Config), Error> {
    let shown = from_here(path);
    let text = read_text(&shown, MOST_BYTES)?;
    let mut config =
        read::read(&text).map_err(|mistake| mistake.error(&shown.to_string_lossy(), &text))?;
    let folder = path.parent().unwrap_or(path);
    if from_here(folder) != Path::new(".") {
        for each in &mut config.implementations {
            each.place.folder = Some(folder.to_owned());
        }
        config.run.out = config.run.out.map(|out| from_here(&folder.join(out)));
    }
    Ok((shown, config))
}
