//! Data for operands that have names, in a file of its own: what `--data` reads
//! beside a `.pto` file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ptodiff_isa::Role;
use serde_json::Value as Json;

use crate::case::Case;
use crate::code::Code;
use crate::data::{self, Elements};
use crate::diagnostic::{Diagnostic, SourceFile};
use crate::format::{FILL, PATTERN};
use crate::load_error::LoadError;
use crate::notes::Notes;
use crate::operand;
use crate::source;
use crate::suggest;
use crate::yaml::{self, Node, Shape, keys};

/// Data by the names of operands, `gather.rows` or `rows`:
///
/// ```yaml
/// indices: {rows: {values: [3, 1, 2]}}
/// operands: {table: arange}
/// ```
#[derive(Debug)]
pub struct DataFile {
    file: SourceFile,
    folder: PathBuf,
    raw: Node,
    usage: Mutex<Usage>,
}

/// What came of the file so far.
#[derive(Default, Debug)]
struct Usage {
    /// Names that operands have, with the list that they stand in.
    known: BTreeSet<(&'static str, String)>,
    /// Those of which the file has data.
    used: BTreeSet<(&'static str, String)>,
    /// Mistakes, each once.
    found: Vec<Diagnostic>,
}

/// Data by the names of operands.
static DATA: Shape = Shape::Map(
    keys! {
        /// Of the indices.
        "indices": Shape::Pairs(&PATTERN, |_| Json::Null),
        /// Of all other operands.
        "operands": Shape::Pairs(&FILL, |_| Json::Null),
    },
    &[],
);

impl DataFile {
    /// Reads such a file.
    ///
    /// # Errors
    /// If it cannot be read or is no such file.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let file = source::without_mark(source::read(path)?);
        let mut notes = Notes::new(&file.path, &file.text);
        match yaml::read(&mut notes, &DATA, "operands") {
            Some(raw) if notes.found.is_empty() => Ok(Self {
                folder: crate::load::folder_of(path).to_owned(),
                raw,
                usage: Mutex::default(),
                file,
            }),
            _ => {
                let found = notes.found;
                Err(LoadError::bad(file, found))
            }
        }
    }

    /// Gives the operands of `case`, which have these names in `function`, the data
    /// that the file has for them.
    pub fn apply(&self, case: &mut Case, function: &str, names: &[(Role, &str)]) {
        let mut notes = Notes::new(&self.file.path, &self.file.text);
        notes.folder = Some(&self.folder);
        let (mut known, mut used) = (Vec::new(), Vec::new());
        for (role, name) in names {
            let (both, name) = (format!("{function}.{name}"), (*name).to_owned());
            let list = match role {
                Role::Index => "indices",
                _ => "operands",
            };
            known.extend([&name, &both].map(|name| (list, name.clone())));
            let Some(elements) = Elements::of(&case.call, *role, 1) else {
                continue;
            };
            let Some(all) = self.raw.get(list) else {
                continue;
            };
            // What is for that function alone wins.
            let mut own = [both, name].into_iter();
            let Some((raw, key)) = own.find_map(|key| Some((all.get(&key)?, key))) else {
                continue;
            };
            used.push((list, key));
            let before = notes.found.len();
            let mut plan = case.data.clone();
            data::put(&mut notes, &mut plan, *role, raw, &elements);
            if *role == Role::Table {
                operand::check_memory(&mut notes, (&case.call, 1, &plan.table), |_| &raw.span);
            }
            if notes.found.len() == before {
                case.data = plan;
            }
        }
        let mut usage = self.usage();
        usage.known.extend(known);
        usage.used.extend(used);
        for found in notes.found {
            if !usage.found.contains(&found) {
                usage.found.push(found);
            }
        }
    }

    /// The mistakes of the file, once it was applied to all cases.
    #[must_use]
    pub fn finish(&self) -> (Vec<Diagnostic>, SourceFile) {
        let usage = self.usage();
        let mut notes = Notes::new(&self.file.path, &self.file.text);
        for (list, what) in [("indices", "index"), ("operands", "operand of data")] {
            let (own, others): (Vec<_>, Vec<_>) =
                usage.known.iter().partition(|(known, _)| *known == list);
            let keys = self.raw.get(list).map_or(&[][..], Node::pairs);
            for (key, _) in keys {
                let name = key.word();
                if usage.used.contains(&(list, name.to_owned())) {
                    continue;
                }
                let is_in = |all: &[&(_, String)]| all.iter().any(|(_, known)| known == name);
                let known: Vec<&str> = own.iter().map(|(_, name)| name.as_str()).collect();
                let (message, help) = match is_in(&own) {
                    true => (
                        format!("no operation takes its data from `{name}`"),
                        Some("what stands under a name with its function counts more".to_owned()),
                    ),
                    false => (
                        format!("no operation has an {what} that is called `{name}`"),
                        match is_in(&others) {
                            true => Some(
                                "indices stand under `indices`, all other data under `operands`"
                                    .to_owned(),
                            ),
                            false => suggest::help(name, &known),
                        },
                    ),
                };
                notes
                    .add(Code::UnusedName, &key.span, message, "not used")
                    .help = help;
            }
        }
        let found = [usage.found.clone(), notes.found].concat();
        (found, self.file.clone())
    }

    fn usage(&self) -> std::sync::MutexGuard<'_, Usage> {
        self.usage
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }
}
