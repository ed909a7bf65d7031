//! Clause and gap numbers.

use std::fmt;

use serde::Serialize;

/// The number of one statement of the documents, or of one gap in them, as
/// the register gives it: an instruction, a topic and a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct Clause(pub &'static str);

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
