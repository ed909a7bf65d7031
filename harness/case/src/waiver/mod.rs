//! Waivers: violations that are known and owned, and for how long.
//!
//! They stand in a YAML file of their own, `reports/waivers.yaml`:
//!
//! ```yaml
//! waivers:
//!   - failure-group: MSCATTER a5 valid MSCATTER-SEM-02
//!     pair: a5
//!     cases: [regressions/torn_row]
//!     cause: the row that the tile ends in is written twice
//!     reference: https://example.org/issues/17
//!     owner: scatter team
//!     expires: 2027-03-31
//! ```
//!
//! A waiver is about one failure group, and hides nothing else that its cases do
//! wrong: one that names a case alone would hide what that case does wrong
//! next year. `pair` is the party or the two parties that the violation is
//! recorded under, or `*` for a failure group that several have. Without `cases`
//! it is about every case that shows the failure group.

mod date;
mod read;

use std::{fmt, path::Path};

use crate::diagnostic::SourceFile;
use crate::load_error::LoadError;
use crate::old_words::OldWord;
use crate::source::{self, without_mark};

pub use date::{Date, day, today};
pub use read::schema;

/// A violation that is known and owned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiver {
    /// The failure group of the violation, as a report prints it.
    pub failure_group: String,
    /// The party (`a5`) or the two parties (`cpu/a5`) that it is recorded
    /// under; `None` for any.
    pub pair: Option<String>,
    /// Ids of the cases that show it, each once; none for every case that does.
    pub cases: Vec<String>,
    /// Why the violation is there.
    pub cause: String,
    /// Where more is to be found about it.
    pub reference: String,
    /// Who is to fix it.
    pub owner: String,
    /// The last day on which it holds, in UTC.
    pub expires: Date,
    /// Line of the file on which it begins, from 1.
    pub line: u32,
}

impl Waiver {
    /// Whether it is about this failure group of `parties` (`a5` or `cpu/a5`) in the case `id`.
    #[must_use]
    pub fn is_about(&self, failure_group: &str, parties: &str, id: &str) -> bool {
        self.failure_group == failure_group
            && self.pair.as_deref().is_none_or(|pair| pair == parties)
            && (self.cases.is_empty() || self.cases.iter().any(|case| case == id))
    }
}

/// Until when it holds, why, and whose it is.
impl fmt::Display for Waiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            expires,
            cause,
            reference,
            owner,
            ..
        } = self;
        write!(f, "waived until {expires}: {cause} ({reference}, {owner})")
    }
}

/// The waivers of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waivers {
    /// Each, in the order of the file.
    pub list: Vec<Waiver>,
    /// The file.
    pub file: SourceFile,
    /// Old words that were read for what they are called now.
    pub old_words: Vec<OldWord>,
}

/// Reads a file of waivers.
///
/// # Errors
/// If it cannot be read or has a mistake.
pub fn load(path: &Path) -> Result<Waivers, LoadError> {
    read::waivers(without_mark(source::read(path)?))
}

/// Reads waivers from a text that stands for a file called `name`.
///
/// # Errors
/// If it has a mistake.
pub fn load_str(name: &str, text: &str) -> Result<Waivers, LoadError> {
    read::waivers(SourceFile {
        path: name.into(),
        text: text.to_owned(),
    })
}
