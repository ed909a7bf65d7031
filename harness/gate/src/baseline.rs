//! What a run is known to show, and the file that it stands in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use ptodiff_edge::renamed;
use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, Covers, Header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::shown::{self, Covered, Distinguished};
use crate::strict;

/// Version of the file's format.
const FORMAT: u32 = 3;

/// What a run is known to show. Made by [`bless`](crate::bless()), never by hand.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    ptodiff_baseline: u32,
    /// Targets that took part in it.
    #[serde(deserialize_with = "strict::each_once")]
    pub targets: Vec<Target>,
    /// Implementations that took part in it, as the columns that they are.
    #[serde(default, alias = "subjects", deserialize_with = "strict::each_once")]
    pub implementations: Vec<Party>,
    /// Answers to gaps that it was run under instead of the cases' own, as (gap, choice).
    #[serde(deserialize_with = "strict::readings")]
    pub readings: Vec<(String, String)>,
    /// The seed of its data; in no older file.
    #[serde(default)]
    pub seed: Option<u64>,
    /// In how many orders A5 took a case; in no older file.
    #[serde(default)]
    pub schedules: Option<u32>,
    /// By clause and target how it is covered.
    #[serde(deserialize_with = "strict::clauses")]
    pub clauses: BTreeMap<String, BTreeMap<Target, Covered>>,
    /// By gap how its readings are distinguished.
    #[serde(deserialize_with = "strict::gaps")]
    pub gaps: BTreeMap<String, Distinguished>,
    /// The holes that cases show, each with its instruction.
    #[serde(deserialize_with = "strict::holes")]
    pub holes: BTreeSet<String>,
    /// By case the parties with a result (`a5`), or of implementations with a right rejection or
    /// hang, and the pairs that are compared (`cpu/a5`). Most cases have those of another.
    #[serde(deserialize_with = "strict::cases")]
    pub cases: BTreeMap<String, Arc<[String]>>,
    /// By case the targets of which it expects something; absent before format 2.
    #[serde(default, deserialize_with = "strict::expects")]
    pub expects: BTreeMap<String, Vec<Target>>,
}

/// Why a text is no baseline.
#[derive(thiserror::Error, Debug)]
pub enum BaselineError {
    /// Not JSON, or not of this form.
    #[error("it is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    /// A case that it does not have.
    #[error("it is damaged: its `expects` has the case `{0}`, and its `cases` have not")]
    Absent(String),
    /// Some other JSON.
    #[error("it is no baseline of ptodiff")]
    Other,
    /// Written by a newer ptodiff.
    #[error("it has format {0}, this ptodiff reads up to {FORMAT}: use a newer one")]
    Newer(u64),
}

impl Baseline {
    /// Of a run with this header, in which a test covers each of the clauses
    /// `tests`, before any case.
    pub(crate) fn new(header: &Header, tests: &[&str]) -> Self {
        let implementations = header.implementations.iter();
        Self {
            ptodiff_baseline: FORMAT,
            targets: header.targets.clone(),
            implementations: implementations.map(|i| i.party.clone()).collect(),
            readings: header.readings.clone(),
            seed: Some(header.seed),
            schedules: Some(header.schedules),
            clauses: shown::by_tests(tests),
            gaps: BTreeMap::new(),
            holes: BTreeSet::new(),
            cases: BTreeMap::new(),
            expects: BTreeMap::new(),
        }
    }

    /// Adds what the next case shows; `known` is for lists of results that others have, too.
    pub(crate) fn add(&mut self, case: &CaseRecord, known: &mut BTreeSet<Arc<[String]>>) {
        if shown::sound(case) {
            self.cover(&case.covers);
        }
        let instruction = case.instruction;
        let holes = case.holes.iter();
        self.holes
            .extend(holes.map(|hole| format!("{instruction} {hole}")));
        let results = strict::one_of(known, shown::results(case, &self.implementations));
        self.cases.insert(case.id.clone(), results);
        if !case.covers.targets.is_empty() {
            self.expects
                .insert(case.id.clone(), case.covers.targets.clone());
        }
    }

    /// Adds what a case covers of which nothing is wrong.
    pub(crate) fn cover(&mut self, covers: &Covers) {
        shown::add_clauses(&mut self.clauses, covers);
        shown::add_gap(&mut self.gaps, covers);
    }

    /// Reads the text of a baseline file. What it says twice, and clauses, gaps,
    /// targets and choices that do not exist, are mistakes.
    ///
    /// # Errors
    /// See [`BaselineError`].
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        /// The version comes first: a newer file may have fields unknown here.
        #[derive(Deserialize)]
        struct Version {
            ptodiff_baseline: Option<u64>,
        }
        let version = match serde_json::from_str(text) {
            Ok(Version { ptodiff_baseline }) => ptodiff_baseline,
            // Of other types, or a key twice: the reader of all fields says which.
            Err(error) if error.is_data() => serde_json::from_str::<Map<String, Value>>(text)
                .ok()
                .and_then(|any| any.get("ptodiff_baseline")?.as_u64()),
            Err(error) => return Err(error.into()),
        };
        // A list would be read as the fields in their order.
        let version = version.filter(|_| text.trim_start().starts_with('{'));
        match version {
            None => Err(BaselineError::Other),
            Some(newer) if newer > u64::from(FORMAT) => Err(BaselineError::Newer(newer)),
            Some(_) => {
                let mut read: Self = serde_json::from_str(text)?;
                if let Some(id) = read.expects.keys().find(|id| !read.cases.contains_key(*id)) {
                    return Err(BaselineError::Absent(id.clone()));
                }
                read.renew();
                Ok(read)
            }
        }
    }

    /// Whether its file has an older format than [`Baseline::text`] gives.
    #[must_use]
    pub fn is_older(&self) -> bool {
        self.ptodiff_baseline < FORMAT
    }

    /// Replaces the words of older formats; new ones are never such words.
    fn renew(&mut self) {
        for (_, choice) in &mut self.readings {
            if let Some(new) = renamed::now(renamed::CHOICES, choice) {
                new.clone_into(choice);
            }
        }
        let holes = std::mem::take(&mut self.holes).into_iter();
        let renewed = |hole: String| renamed::in_text(renamed::HOLES, &hole).unwrap_or(hole);
        self.holes = holes.map(renewed).collect();
    }

    /// The text of its file: one line for each thing that it knows, in their
    /// order, so that changes of two branches seldom touch the same line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{{\n  \"ptodiff_baseline\": {FORMAT},\n");
        // A string takes all that is written to it.
        let _ = writeln!(out, "  \"targets\": {},", json(&self.targets));
        // A file of before there were implementations stays as it is.
        if !self.implementations.is_empty() {
            let _ = writeln!(
                out,
                "  \"implementations\": {},",
                json(&self.implementations)
            );
        }
        let _ = writeln!(out, "  \"readings\": {},", json(&self.readings));
        let schedules = self.schedules.map(u64::from);
        for (key, number) in [("seed", self.seed), ("schedules", schedules)] {
            // A file of before they were written stays as it is.
            if let Some(number) = number {
                let _ = writeln!(out, "  \"{key}\": {number},");
            }
        }
        map(&mut out, "clauses", &self.clauses, "},");
        map(&mut out, "gaps", &self.gaps, "},");
        let holes = self.holes.iter().map(json);
        lines(&mut out, "holes", ["[", "],"], holes);
        let cases = self.cases.iter().map(|(id, results)| (id, &**results));
        map(&mut out, "cases", cases, "},");
        map(&mut out, "expects", &self.expects, "}");
        out.push_str("}\n");
        out
    }
}

/// A map that ends with `close`.
fn map<'a, V: Serialize>(
    out: &mut String,
    key: &str,
    map: impl IntoIterator<Item = (&'a String, V)>,
    close: &str,
) {
    let entries = map.into_iter();
    let entries = entries.map(|(name, value)| format!("{}: {}", json(name), json(&value)));
    lines(out, key, ["{", close], entries);
}

/// `"key": {`, an entry a line, `},`.
fn lines(out: &mut String, key: &str, ends: [&str; 2], all: impl Iterator<Item = String>) {
    let [open, close] = ends;
    let _ = write!(out, "  \"{key}\": {open}");
    let mut before = "\n    ";
    for entry in all {
        let _ = write!(out, "{before}{entry}");
        before = ",\n    ";
    }
    let indent = if before.starts_with(',') { "\n  " } else { "" };
    let _ = writeln!(out, "{indent}{close}");
}

/// In one line. Only maps whose keys are no texts could fail, and there are none.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
