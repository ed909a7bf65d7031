//! What a run is known to show, and the file that it stands in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use ptodiff_edge::renamed;
use ptodiff_isa::{Party, Target};
use serde::{Deserialize, Serialize};

use crate::judge::Run;
use crate::shown::{self, Covered, Told};

/// Version of the file's format.
const FORMAT: u32 = 3;

/// What a run is known to show. Made by [`bless`](crate::bless()), never by hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    ptodiff_baseline: u32,
    /// Targets that took part in it.
    pub targets: Vec<Target>,
    /// Implementations that took part in it, as the columns that they are.
    #[serde(default, alias = "subjects")]
    pub implementations: Vec<Party>,
    /// Answers to gaps that it was run under instead of the cases' own, as (gap, choice).
    pub readings: Vec<(String, String)>,
    /// By clause and target how it is covered.
    pub clauses: BTreeMap<String, BTreeMap<Target, Covered>>,
    /// By gap how its readings are distinguished.
    pub gaps: BTreeMap<String, Told>,
    /// The holes that cases show, each with its instruction.
    pub holes: BTreeSet<String>,
    /// By case the parties with a result (`a5`), and the pairs that are compared (`cpu/a5`).
    pub cases: BTreeMap<String, Vec<String>>,
    /// By case the targets of which it expects something; absent before format 2.
    #[serde(default)]
    pub expects: BTreeMap<String, Vec<Target>>,
}

/// Why a text is no baseline.
#[derive(thiserror::Error, Debug)]
pub enum BaselineError {
    /// Not JSON, or not of this form.
    #[error("it is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    /// Some other JSON.
    #[error("it is no baseline of ptodiff")]
    Other,
    /// Written by a newer ptodiff.
    #[error("it has format {0}, this ptodiff reads up to {FORMAT}: use a newer one")]
    Newer(u64),
}

impl Baseline {
    /// The baseline of `run`.
    #[must_use]
    pub fn of(run: &Run<'_>) -> Self {
        let cases = run.cases.iter();
        Self {
            ptodiff_baseline: FORMAT,
            targets: run.header.targets.clone(),
            implementations: parties(run),
            readings: run.header.readings.clone(),
            clauses: shown::clauses(run.cases, run.tests),
            gaps: shown::gaps(run.cases),
            holes: shown::holes(run.cases),
            cases: cases
                .map(|case| (case.id.clone(), shown::results(case)))
                .collect(),
            expects: shown::expectations(run.cases),
        }
    }

    /// Reads the text of a baseline file.
    ///
    /// # Errors
    /// See [`BaselineError`].
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        // The version comes first: a newer file may have fields unknown here.
        let any: serde_json::Value = serde_json::from_str(text)?;
        match any
            .get("ptodiff_baseline")
            .and_then(serde_json::Value::as_u64)
        {
            None => Err(BaselineError::Other),
            Some(newer) if newer > u64::from(FORMAT) => Err(BaselineError::Newer(newer)),
            Some(_) => {
                let mut read: Self = serde_json::from_str(text)?;
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
        map(&mut out, "clauses", &self.clauses, "},");
        map(&mut out, "gaps", &self.gaps, "},");
        let holes = self.holes.iter().map(json);
        lines(&mut out, "holes", ["[", "],"], holes);
        map(&mut out, "cases", &self.cases, "},");
        map(&mut out, "expects", &self.expects, "}");
        out.push_str("}\n");
        out
    }
}

fn parties(run: &Run<'_>) -> Vec<Party> {
    let implementations = run.header.implementations.iter();
    implementations
        .map(|implementation| implementation.party.clone())
        .collect()
}

/// A map that ends with `close`.
fn map<V: Serialize>(out: &mut String, key: &str, map: &BTreeMap<String, V>, close: &str) {
    let entries = map
        .iter()
        .map(|(name, value)| format!("{}: {}", json(name), json(value)));
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
