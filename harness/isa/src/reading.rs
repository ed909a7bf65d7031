//! Readings: named answers to gaps that change values.
//!
//! The first choice of each enum is the default. A gap without an entry here
//! has one fixed answer, listed in `harness/isa/READINGS.md`.

use serde::{Deserialize, Serialize};

use crate::{Clause, word::words};

words! {
    /// Which form of MSCATTER the CPU simulator has (MSCATTER-GAP-41).
    #[derive(Default)]
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum CpuForm {
        /// As document 000 gives it: element semantics, plain replace, no policies, no bounds.
        #[default]
        Documented,
        /// With A5's template parameters, honoured, as the cpu suite drives it.
        Templated,
    }
}

words! {
    /// What a negative `int32_t` index means on the NPUs (MSCATTER-GAP-01, MGATHER-GAP-02).
    #[derive(Default)]
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum NegativeIndex {
        /// Reading (a): converted to `uint32_t` first, so far above any capacity.
        #[default]
        Unsigned,
        /// Reading (b): signed arithmetic taken literally; -1 passes `idx < capacity`,
        /// clamps to itself, and the C++ remainder keeps its sign.
        Signed,
        /// Reading (c): the mathematical intent; out of bounds, clamps to 0, wraps to `capacity - 1`.
        Intended,
    }
}

words! {
    /// In which order A2/A3 walks an NZ tile in Elem mode, hence which duplicate
    /// is last and how sums round (MSCATTER-GAP-08).
    #[derive(Default)]
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum NzElemOrder {
        /// Block column, then row, then column in the block, as the NZ section says.
        #[default]
        Walk,
        /// Increasing (r, c), as Conflict Resolution says.
        Coordinate,
    }
}

/// The reading in force for every gap that is a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Readings {
    /// Which form of MSCATTER the CPU simulator has.
    pub cpu_form: CpuForm,
    /// What a negative index means on the NPUs; the cpu target casts to
    /// `uint32_t` whatever this says (001 states it).
    pub negative_index: NegativeIndex,
    /// A2/A3 NZ Elem walk order.
    pub nz_elem_order: NzElemOrder,
}

/// A gap that is a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The parameter's name on the command line and in case files.
    pub name: &'static str,
    /// The gaps it answers.
    pub clauses: &'static [Clause],
    /// Its choices, the default first.
    pub choices: &'static [&'static str],
}

/// Every gap that is a parameter.
pub const GAPS: &[Gap] = &[
    Gap {
        name: "cpu-form",
        clauses: &[Clause("MSCATTER-GAP-41")],
        choices: &["documented", "templated"],
    },
    Gap {
        name: "negative-index",
        clauses: &[Clause("MSCATTER-GAP-01"), Clause("MGATHER-GAP-02")],
        choices: &["unsigned", "signed", "intended"],
    },
    Gap {
        name: "nz-elem-order",
        clauses: &[Clause("MSCATTER-GAP-08")],
        choices: &["walk", "coordinate"],
    },
];

impl Readings {
    /// Sets the gap called `name` to `choice`.
    ///
    /// # Errors
    /// Names what is unknown: the gap or the choice.
    pub fn set(&mut self, name: &str, choice: &str) -> Result<(), UnknownReading> {
        let gap = GAPS
            .iter()
            .find(|g| g.name == name || g.clauses.iter().any(|c| c.0 == name))
            .ok_or(UnknownReading::Gap)?;
        let bad = |_| UnknownReading::Choice(gap);
        match gap.name {
            "cpu-form" => self.cpu_form = choice.parse().map_err(bad)?,
            "negative-index" => self.negative_index = choice.parse().map_err(bad)?,
            _ => self.nz_elem_order = choice.parse().map_err(bad)?,
        }
        Ok(())
    }

    /// The choice in force for the gap called `name`.
    #[must_use]
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        match name {
            "cpu-form" => Some(self.cpu_form.into()),
            "negative-index" => Some(self.negative_index.into()),
            "nz-elem-order" => Some(self.nz_elem_order.into()),
            _ => None,
        }
    }
}

/// Why a reading could not be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReading {
    /// There is no such gap parameter.
    Gap,
    /// The gap has no such choice.
    Choice(&'static Gap),
}
