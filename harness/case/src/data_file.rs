//! Data for operands that have names, in a file of its own: what `--data` reads
//! beside a `.pto` file.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use ptodiff_data::place;
use ptodiff_isa::Role;

use crate::case::Case;
use crate::code::Code;
use crate::data::{self, Elements};
use crate::diagnostic::{Diagnostic, SourceFile};
use crate::limits;
use crate::load_error::LoadError;
use crate::notes::Notes;
use crate::operand;
use crate::raw::{RawFill, RawPattern, Value};
use crate::source;
use crate::suggest;
use crate::word::Choice;
use crate::yaml::{self, Document, Located};

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
    raw: RawDataFile,
    usage: Mutex<Usage>,
}

/// What came of the file so far.
#[derive(Default, Debug)]
struct Usage {
    /// Names that an operation has.
    used: BTreeSet<String>,
    /// Mistakes, each once.
    found: Vec<Diagnostic>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDataFile {
    indices: Option<Located<Named<RawPattern>>>,
    operands: Option<Located<Named<RawFill>>>,
}

/// Data by name.
#[derive(Debug)]
struct Named<T>(Vec<(Value<Choice>, Located<T>)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping from operands to their data")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Named(pairs))
            }
        }
        deserializer.deserialize_map(Pairs(std::marker::PhantomData))
    }
}

impl<T> Named<T> {
    /// What there is for `name` of `function`: what is for that function alone wins.
    fn of(&self, function: &str, name: &str) -> Option<&(Value<Choice>, Located<T>)> {
        let both = format!("{function}.{name}");
        let of = |wanted: &str| self.0.iter().find(|(key, _)| key.value.text == wanted);
        of(&both).or_else(|| of(name))
    }
}

impl DataFile {
    /// Reads such a file.
    ///
    /// # Errors
    /// If it cannot be read or is no such file.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let bad = |diagnostics, files| LoadError::Bad { diagnostics, files };
        let file = match source::read(path)? {
            Ok(file) => file,
            Err(rejected) => return Err(bad(vec![rejected.diagnostic], vec![rejected.file])),
        };
        let text = source::without_mark(file.text);
        let file = SourceFile { text, ..file };
        let mut notes = Notes::new(&file.path, &file.text);
        match yaml::read::<RawDataFile>(&file.text, Document::Cases).0 {
            Ok(raw) => Ok(Self {
                folder: crate::load::folder_of(path).to_owned(),
                raw,
                usage: Mutex::default(),
                file,
            }),
            Err(fault) => {
                notes.fault(fault, "operands");
                Err(bad(notes.found, vec![file.clone()]))
            }
        }
    }

    /// Gives the operands of `case`, which have these names in `function`, the data
    /// that the file has for them.
    pub fn apply(&self, case: &mut Case, function: &str, names: &[(Role, &str)]) {
        let mut notes = Notes::new(&self.file.path, &self.file.text);
        notes.folder = Some(&self.folder);
        let mut used = Vec::new();
        for (role, name) in names {
            let Some(elements) = elements(case, *role) else {
                continue;
            };
            let (indices, operands) = (self.raw.indices.as_ref(), self.raw.operands.as_ref());
            if *role == Role::Index {
                if let Some((key, raw)) = indices.and_then(|all| all.value.of(function, name)) {
                    used.push(&key.value.text);
                    if let Some(pattern) = data::pattern(&mut notes, raw, &elements) {
                        case.data.index = pattern;
                    }
                }
            } else if let Some((key, raw)) = operands.and_then(|all| all.value.of(function, name)) {
                used.push(&key.value.text);
                let Some(fill) = data::fill(&mut notes, raw, &elements) else {
                    continue;
                };
                let memory = limits::case_memory(&case.call, 1, &fill);
                let large = memory.is_none_or(|bytes| bytes > limits::MAX_CASE_MEMORY);
                if *role == Role::Table && large {
                    operand::too_large(&mut notes, &raw.span, memory, Some(*role), None);
                } else {
                    case.data.set_fill(*role, fill);
                }
            }
        }
        let mut usage = self.usage();
        usage.used.extend(used.into_iter().cloned());
        for found in notes.found {
            if !usage.found.contains(&found) {
                usage.found.push(found);
            }
        }
    }

    /// The mistakes of the file, once it was applied to all cases: `known` are the
    /// names that it may have.
    #[must_use]
    pub fn finish(&self, known: &BTreeSet<String>) -> (Vec<Diagnostic>, SourceFile) {
        let usage = self.usage();
        let mut notes = Notes::new(&self.file.path, &self.file.text);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let indices = self.raw.indices.iter();
        let indices = indices.flat_map(|all| all.value.0.iter().map(|(key, _)| (key, "index")));
        let operands = self.raw.operands.iter();
        let operands =
            operands.flat_map(|all| all.value.0.iter().map(|(key, _)| (key, "operand of data")));
        for (key, what) in indices.chain(operands) {
            let name = &key.value.text;
            if !usage.used.contains(name) {
                let message = format!("no operation has an {what} that is called `{name}`");
                notes
                    .add(Code::UnusedName, &key.span, message, "not used")
                    .help = match known.contains(&name.as_str()) {
                    true => Some(
                        "indices stand under `indices`, all other data under `operands`".to_owned(),
                    ),
                    false => suggest::help(name, &known),
                };
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

/// What the operand of `role` has data for.
fn elements(case: &Case, role: Role) -> Option<Elements> {
    let operand = case.call.operand(role)?;
    let mut extents = place::extents(operand);
    if operand.tile().is_some() || role == Role::Index {
        extents.insert(0, 1);
    }
    Some(Elements {
        dtype: operand.dtype(),
        count: limits::data_elements(role, operand, 1)?,
        extents,
        table: data::table_of(role, operand),
    })
}
