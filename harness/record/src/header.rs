//! The first line of a record.

use ptodiff_isa::{Party, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{PartyText, Word};
use crate::{CaseRecord, Part, TargetVerdict};

/// The format's version. It grows with every change of the record's fields: a
/// reader takes its own and older versions and rejects newer ones.
pub const FORMAT: u32 = 6;

/// Schedules that a run has where it is not told: in order, reversed, two shuffles.
pub const DEFAULT_SCHEDULES: u32 = 4;

/// An implementation under test that took part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImplementationRecord {
    /// Its column: the target that it claims to be, and its name.
    #[schemars(with = "PartyText")]
    pub party: Party,
    /// What it called itself when it was greeted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub introduced: String,
    /// The command that started it, where that is to be told: no record has it.
    #[serde(skip)]
    pub command: Option<String>,
}

/// Data folders of a suite, from which inputs and results were read instead of
/// being drawn and made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StData {
    /// The folder that they lie in, as it was named.
    pub folder: String,
    /// The suite.
    #[schemars(with = "Word<Target>")]
    pub suite: Target,
    /// The target whose contract the results were held to.
    #[schemars(with = "Word<Target>")]
    pub held_to: Target,
    /// What of it was asked for and not judged.
    #[serde(default, skip_serializing_if = "Unjudged::is_empty")]
    pub unjudged: Unjudged,
}

impl StData {
    /// The files of a folder that are judged, if they are there and a result is promised.
    pub const FILES: [&str; 2] = ["golden.bin", "output.bin"];

    /// Which of [`Self::FILES`] were judged in `case`. Of what has no result nothing is
    /// promised, whatever stands there.
    #[must_use]
    pub fn judged(&self, case: &CaseRecord) -> [bool; 2] {
        use TargetVerdict::{Conforms, Violates};
        Self::FILES.map(|file| {
            let target = case.targets.get(&Party::form(self.held_to, file));
            target.is_some_and(|own| matches!(own.verdict, Conforms | Violates))
        })
    }
}

/// What was asked for of data folders and not judged, by the ids of its cases.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unjudged {
    /// Cases whose folder cannot be judged, and why, in one line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<(String, String)>,
    /// Cases that have no folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_folder: Vec<String>,
    /// Cases, judged otherwise, whose folder has no `output.bin`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_output: Vec<String>,
    /// Whether it is wanted that folders and `output.bin` are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl Unjudged {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it is less than what was wanted.
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        let missing = self.no_folder.len() + self.no_output.len();
        !self.broken.is_empty() || missing > 0 && !self.partial
    }
}

/// What a run was: enough to repeat it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`] of the writer.
    pub ptodiff_record: u32,
    /// Version of ptodiff that wrote it. What a seed draws may be other data in
    /// another one.
    pub version: String,
    /// Root seed of all data that is drawn.
    pub seed: u64,
    /// Where the data was read from; nowhere for a run that draws it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub st_data: Option<StData>,
    /// Schedules that each A5 case ran under.
    pub schedules: u32,
    /// Answers to gaps that overrode the cases' own, as (gap, choice).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<(String, String)>,
    /// What the files of the cases do not say, as options of the command and their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<(String, String)>,
    /// Whether each case was run again under every other choice that matters for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_readings: bool,
    /// Targets that took part.
    #[schemars(with = "Vec<Word<Target>>")]
    pub targets: Vec<Target>,
    /// Implementations that took part, in the order given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<ImplementationRecord>,
    /// Number of case lines that follow.
    pub cases: usize,
    /// Cases that were not begun, once as many had failed as were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// Which part of a larger run this is; none of a whole one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Options that a command is to repeat which no record knows: those of one machine.
    #[serde(skip)]
    pub typed: Vec<String>,
}

impl Header {
    /// Whether an implementation took part in `case` and did not say that it cannot run it.
    #[must_use]
    pub fn has_answer(&self, case: &CaseRecord) -> bool {
        let mut own = self.implementations.iter();
        own.any(|own| {
            let record = case.targets.get(&own.party);
            record.is_some_and(|record| record.verdict != TargetVerdict::Unsupported)
        })
    }
}
