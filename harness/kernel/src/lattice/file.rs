//! The description of a lattice, as a file.

use std::collections::BTreeSet;

use ptodiff_case::Form;
use ptodiff_isa::{Call, Target};
use serde::{Deserialize, Serialize};

use super::{Lattice, LatticeError};
use crate::{Dialect, key};

/// The version of the description.
const FORMAT: u64 = 1;

/// What every version of it has.
#[derive(Deserialize)]
struct Version {
    format: u64,
}

/// What stands in `lattice.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    written_by: String,
    format: u64,
    target: Target,
    suite_forms: bool,
    instructions: Vec<String>,
    shapes: Vec<(u64, u64)>,
    dtypes: Vec<ptodiff_isa::DType>,
    index_dtypes: Vec<ptodiff_isa::DType>,
    modes: Vec<ptodiff_isa::Coalesce>,
    atomics: Vec<ptodiff_isa::ScatterAtomicOp>,
    scatter_oob: Vec<ptodiff_isa::ScatterOob>,
    gather_oob: Vec<ptodiff_isa::GatherOob>,
    conflicts: Vec<ptodiff_isa::ScatterConflict>,
    patterns: Vec<ptodiff_isa::MaskPattern>,
    /// What the program holds, for people and for other programs.
    keys: Vec<String>,
}

fn description(text: &str) -> Result<Description, LatticeError> {
    // Another version may have other fields: its number is asked for first.
    let Version { format } = serde_json::from_str(text)?;
    match format {
        FORMAT => Ok(serde_json::from_str(text)?),
        other => Err(LatticeError::Format(other)),
    }
}

impl Lattice {
    /// The axes and the `keys` of the calls, as JSON.
    pub(crate) fn describe<'a>(
        &self,
        mark: &str,
        keys: impl Iterator<Item = &'a String>,
    ) -> Result<String, serde_json::Error> {
        let this = self.clone();
        let description = Description {
            written_by: mark.to_owned(),
            format: FORMAT,
            target: this.dialect.target,
            suite_forms: this.dialect.suite_forms,
            instructions: this.forms.iter().map(Form::to_string).collect(),
            shapes: this.shapes,
            dtypes: this.dtypes,
            index_dtypes: this.index_dtypes,
            modes: this.modes,
            atomics: this.atomics,
            scatter_oob: this.scatter_oob,
            gather_oob: this.gather_oob,
            conflicts: this.conflicts,
            patterns: this.patterns,
            keys: keys.cloned().collect(),
        };
        let mut text = serde_json::to_string_pretty(&description)?;
        text.push('\n');
        Ok(text)
    }

    /// The lattice that a `lattice.json` describes.
    ///
    /// # Errors
    /// The text is no description, or of another version, or of no lattice.
    pub fn read(text: &str) -> Result<Self, LatticeError> {
        Self::of_description(description(text)?)
    }

    /// The lattice that a `lattice.json` describes, and the calls that its
    /// program instantiates: those whose keys it lists, each once, with
    /// extents as [`Lattice::calls`] has them.
    ///
    /// # Errors
    /// As [`Lattice::read`]; no key is listed, or one that the axes do not make.
    pub fn instances(text: &str) -> Result<(Self, Vec<Call>), LatticeError> {
        let read = description(text)?;
        let mut listed: BTreeSet<String> = read.keys.iter().cloned().collect();
        let twice = listed.len() < read.keys.len();
        if listed.is_empty() {
            return Err(LatticeError::Empty("keys"));
        }
        let lattice = Self::of_description(read)?;
        let mut calls = lattice.calls()?;
        calls.retain(|call| listed.remove(&key(call, lattice.dialect)));
        match listed.into_iter().next() {
            Some(key) => Err(LatticeError::Key(key)),
            None if twice => Err(LatticeError::Twice("keys")),
            None => Ok((lattice, calls)),
        }
    }

    fn of_description(read: Description) -> Result<Self, LatticeError> {
        let form = |word: &String| {
            word.parse::<Form>().map_err(|_| LatticeError::Word {
                axis: "instruction",
                word: word.clone(),
            })
        };
        let lattice = Self {
            dialect: Dialect {
                target: read.target,
                suite_forms: read.suite_forms,
            },
            forms: read
                .instructions
                .iter()
                .map(form)
                .collect::<Result<_, _>>()?,
            shapes: read.shapes,
            dtypes: read.dtypes,
            index_dtypes: read.index_dtypes,
            modes: read.modes,
            atomics: read.atomics,
            scatter_oob: read.scatter_oob,
            gather_oob: read.gather_oob,
            conflicts: read.conflicts,
            patterns: read.patterns,
        };
        lattice.check()?;
        Ok(lattice)
    }
}
