//! The description of a lattice, as a file.

use std::{collections::BTreeSet, str::FromStr};

use ptodiff_isa::{Call, Target};
use serde::{Deserialize, Serialize};

use super::{Extents, Lattice, LatticeError};
use crate::{Dialect, key};

/// The version of the description.
const FORMAT: u64 = 2;

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
    mask_axes: Vec<ptodiff_isa::MaskAxis>,
    extents: Vec<Extents>,
    outer: Vec<String>,
    table_dtypes: Vec<ptodiff_isa::DType>,
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
            instructions: this.forms.iter().map(ToString::to_string).collect(),
            shapes: this.shapes,
            dtypes: this.dtypes,
            index_dtypes: this.index_dtypes,
            modes: this.modes,
            atomics: this.atomics,
            scatter_oob: this.scatter_oob,
            gather_oob: this.gather_oob,
            conflicts: this.conflicts,
            patterns: this.patterns,
            mask_axes: this.mask_axes,
            extents: this.extents,
            outer: this.outer.iter().map(ToString::to_string).collect(),
            table_dtypes: this.table_dtypes,
            keys: keys.cloned().collect(),
        };
        let mut text = serde_json::to_string_pretty(&description)?;
        text.push('\n');
        Ok(text)
    }

    /// The lattice that a `lattice.json` describes, and the calls that its
    /// program instantiates: those whose keys it lists, each once, with
    /// extents as [`Lattice::calls`] has them.
    ///
    /// # Errors
    /// The text is no description, or of another version, or of no lattice; no key is listed, or
    /// one that the axes do not make.
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
        let lattice = Self {
            dialect: Dialect {
                target: read.target,
                suite_forms: read.suite_forms,
            },
            forms: words("instruction", &read.instructions)?,
            shapes: read.shapes,
            dtypes: read.dtypes,
            index_dtypes: read.index_dtypes,
            modes: read.modes,
            atomics: read.atomics,
            scatter_oob: read.scatter_oob,
            gather_oob: read.gather_oob,
            conflicts: read.conflicts,
            patterns: read.patterns,
            mask_axes: read.mask_axes,
            extents: read.extents,
            outer: words("outer dimensions", &read.outer)?,
            table_dtypes: read.table_dtypes,
        };
        lattice.check()?;
        Ok(lattice)
    }
}

fn words<T: FromStr>(axis: &'static str, words: &[String]) -> Result<Vec<T>, LatticeError> {
    let value = |word: &String| {
        word.parse().map_err(|_| LatticeError::Word {
            axis,
            word: word.clone(),
        })
    };
    words.iter().map(value).collect()
}
