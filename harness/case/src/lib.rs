//! The YAML case format: read, check, point at mistakes.
//!
//! `cases/README.md` documents the format, `cases/case-file.schema.json` is
//! its JSON Schema ([`schema()`]). [`waiver`] reads a second kind of file.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod case;
mod clause;
pub mod code;
mod data;
mod data_file;
pub mod diagnostic;
pub mod expect;
pub mod float;
mod form;
mod format;
mod hifloat8;
pub mod hole;
pub mod limits;
mod literal;
pub mod load;
mod load_error;
mod lower;
mod name_check;
mod notes;
mod npy;
pub mod old_words;
mod operand;
pub mod plan;
pub mod schema;
mod selection;
mod source;
pub mod st_name;
mod suggest;
pub mod waiver;
pub mod write;
mod yaml;

pub use case::{Case, ExpectedAt, Place};
pub use code::{Code, explain};
pub use data_file::DataFile;
pub use diagnostic::{Diagnostic, Related, SourceFile, Spot, Style, render};
pub use expect::{
    Expectation, ExpectedOutcome, ExpectedSlot, ExpectedSlots, ExpectedTrace, Spelling,
};
pub use hole::{Hole, HoleKind, HolePlace};
pub use load::{Corpus, Foreign, Remark, Wanted, files, load, load_str, load_with};
pub use load_error::LoadError;
pub use name_check::check_names;
pub use old_words::{OldWord, Renewed, renew, warnings};
pub use operand::{Extents, expanded, lanes};
pub use plan::{DataPlan, Fill, IndexPattern, rows_of};
pub use ptodiff_isa::Form;
pub use schema::schema;
pub use source::read_from;
pub use suggest::{did_you_mean, nearest};
pub use waiver::{Date, Waiver, Waivers};
pub use write::{case_entry, case_yaml, cases_yaml, launch_keys};
pub use yaml::Span;
