//! Who takes part in a comparison.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::Target;

/// One column of a comparison: a target running the case as it stands, or a
/// further form of it on that target. Written `a5`, or `a5:Simt`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Party {
    /// The target whose contract it is held to.
    pub target: Target,
    /// What sets it apart from the case itself; `None` for the case itself.
    pub form: Option<Arc<str>>,
}

impl Party {
    /// `target` running the case as it stands.
    #[must_use]
    pub const fn of(target: Target) -> Self {
        Self { target, form: None }
    }

    /// A further form of the case on `target`.
    #[must_use]
    pub fn form(target: Target, form: &str) -> Self {
        Self {
            target,
            form: Some(form.into()),
        }
    }

    /// Whether the two are compared: every target with every other one, a
    /// further form with the case itself on its own target.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.target == other.target || self.form.is_none() && other.form.is_none()
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            None => f.pad(self.target.into()),
            Some(form) => f.pad(&format!("{}:{form}", self.target)),
        }
    }
}

impl FromStr for Party {
    type Err = strum::ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split_once(':') {
            None => Self::of(text.parse()?),
            Some((target, form)) => Self::form(target.parse()?, form),
        })
    }
}

impl TryFrom<String> for Party {
    type Error = strum::ParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Party> for String {
    fn from(party: Party) -> Self {
        party.to_string()
    }
}
