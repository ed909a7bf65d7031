//! `ptodiff.toml`: implementations under test and what a run does unless told otherwise.
//!
//! The file stands beside the cases or in a folder above them; the nearest
//! counts. What the command line says wins.

mod read;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use ptodiff_edge::place::from_here;
use ptodiff_impl::Place;
use ptodiff_isa::Target;
use ptodiff_record::Header;
use ptodiff_register::Edition;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Deserialize;

use crate::{
    exit::Error,
    files::{is_absent, read_text},
    plain,
    reports::OUT,
    rules::Rule,
};

/// What the file is called.
pub(crate) const NAME: &str = "ptodiff.toml";

/// Bytes of such a file: more was not written by hand.
const MOST_BYTES: u64 = 1 << 20;

/// What a `ptodiff.toml` says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(title = "ptodiff.toml")]
pub(crate) struct Config {
    /// Implementations under test, by name.
    #[serde(rename = "impl", deserialize_with = "read::implementations")]
    #[schemars(with = "BTreeMap<String, Implementation>")]
    pub(crate) implementations: Vec<Implementation>,
    /// What `run`, `hunt` and `gate` do unless told otherwise.
    pub(crate) run: Run,
    /// What `check` does unless told otherwise.
    pub(crate) check: Check,
}

// What `[check]` and `[run]` share stands in both: serde lets unknown keys pass beside what it
// flattens.
/// `[check]`
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct Check {
    /// Targets, all where none is named.
    #[serde(deserialize_with = "read::targets")]
    #[schemars(schema_with = "read::schema_of_targets")]
    pub(crate) targets: Vec<Target>,
    /// The edition as which the gaps are read.
    #[serde(deserialize_with = "read::edition")]
    #[schemars(schema_with = "read::schema_of_edition")]
    pub(crate) edition: Option<&'static Edition>,
    /// How gaps are read.
    #[serde(deserialize_with = "read::readings")]
    #[schemars(schema_with = "read::schema_of_readings")]
    pub(crate) readings: Vec<(String, String)>,
    /// Rules and clauses whose findings are errors.
    #[serde(deserialize_with = "read::rules")]
    #[schemars(schema_with = "read::schema_of_rules")]
    pub(crate) deny: Vec<Rule>,
    /// Those whose findings are warnings.
    #[serde(deserialize_with = "read::rules")]
    #[schemars(schema_with = "read::schema_of_rules")]
    pub(crate) warn: Vec<Rule>,
    /// Those whose findings are not told.
    #[serde(deserialize_with = "read::rules")]
    #[schemars(schema_with = "read::schema_of_rules")]
    pub(crate) allow: Vec<Rule>,
}

// One of the command line has a name and a command, or a name alone until the file's takes its
// place. The schema is of the file.
/// `[impl.NAME]`
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Implementation {
    #[serde(skip)]
    pub(crate) name: String,
    /// Whether a file has it.
    #[serde(skip)]
    pub(crate) is_in_file: bool,
    /// The command as a shell would split it, or its words.
    #[serde(deserialize_with = "read::command")]
    #[schemars(schema_with = "read::schema_of_command")]
    pub(crate) command: String,
    /// The targets that it is: each that takes part if none is named.
    #[serde(default, rename = "target", deserialize_with = "read::targets")]
    #[schemars(schema_with = "read::schema_of_targets")]
    pub(crate) targets: Vec<Target>,
    /// For one answer: `90`, `90s`, `10m`, `2h`.
    #[serde(default, deserialize_with = "read::time")]
    #[schemars(schema_with = "read::schema_of_time")]
    pub(crate) time: Option<Duration>,
    /// Most MiB of one process.
    #[serde(default, deserialize_with = "read::memory")]
    #[schemars(with = "u64", range(min = 1, max = 1_048_576))]
    pub(crate) memory: Option<u64>,
    /// Most processes at once.
    #[serde(default, deserialize_with = "read::jobs")]
    #[schemars(with = "u16", range(min = 1, max = 1024))]
    pub(crate) jobs: Option<u16>,
    /// The edition that it follows.
    #[serde(default, deserialize_with = "read::edition")]
    #[schemars(schema_with = "read::schema_of_edition")]
    pub(crate) edition: Option<&'static Edition>,
    /// How it reads what the documents leave open.
    #[serde(default, deserialize_with = "read::readings")]
    #[schemars(schema_with = "read::schema_of_readings")]
    pub(crate) readings: Vec<(String, String)>,
    /// Variables of its environment. It runs in the folder of the file.
    #[serde(default, rename = "env", deserialize_with = "read::place")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub(crate) place: Place,
}

/// `[run]`
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct Run {
    /// Targets, all where none is named.
    #[serde(deserialize_with = "read::targets")]
    #[schemars(schema_with = "read::schema_of_targets")]
    pub(crate) targets: Vec<Target>,
    /// The edition as which the gaps are read.
    #[serde(deserialize_with = "read::edition")]
    #[schemars(schema_with = "read::schema_of_edition")]
    pub(crate) edition: Option<&'static Edition>,
    /// How gaps are read.
    #[serde(deserialize_with = "read::readings")]
    #[schemars(schema_with = "read::schema_of_readings")]
    pub(crate) readings: Vec<(String, String)>,
    /// Threads.
    #[serde(deserialize_with = "read::jobs")]
    #[schemars(with = "u16", range(min = 1, max = 1024))]
    pub(crate) jobs: Option<u16>,
    /// The folder of the reports, from that of the file.
    pub(crate) out: Option<PathBuf>,
}

/// The JSON Schema of such a file, for editors.
pub(crate) fn schema() -> serde_json::Value {
    SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<Config>()
        .into()
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

/// Where a run puts its reports unless told, with the file that counts here.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn out() -> Result<PathBuf, Error> {
    let own = find(&[".".into()])?.and_then(|(_, config)| config.run.out);
    Ok(own.unwrap_or_else(|| OUT.into()))
}

/// The nearest file in the folder `place`, or that of the file, or above it.
fn above(place: &Path) -> Option<PathBuf> {
    let place = fs::canonicalize(place).ok()?;
    place
        .ancestors()
        .map(|folder| folder.join(NAME))
        .find(|path| !is_absent(path))
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
