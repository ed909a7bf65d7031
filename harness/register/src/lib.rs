//! Every statement of the documents with its number, and every gap in them.
//!
//! The one place where they stand is the folders `clauses/` and `gaps/` of
//! this crate, a file a document; they are read when it is built.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use std::{collections::HashMap, sync::OnceLock};

use ptodiff_isa::Target;
use serde::Serialize;

/// What kind of statement a clause is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Fixes a value.
    Value,
    /// Leaves several outcomes open on purpose.
    Freedom,
    /// Promises nothing.
    Undefined,
    /// A constraint that a check enforces, or what checks let through.
    Legality,
    /// A constraint that the caller owes.
    Caller,
    /// What is issued, in which order and how often.
    Trace,
    /// How it is written.
    Syntax,
    /// What the documents leave open without saying so.
    Gap,
}

/// One entry of the register. What is serialized are its texts, for who has the rest: a page
/// is full of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// `MSCATTER-OOB-04`.
    #[serde(skip)]
    pub id: &'static str,
    /// Targets it speaks of, never none.
    #[serde(skip)]
    pub targets: &'static [Target],
    /// What kind of statement it is.
    #[serde(skip)]
    pub kind: Kind,
    /// The statement; of a gap what is unclear.
    pub says: &'static str,
    /// Where in the documents it stands.
    pub source: &'static str,
    /// A smallest experiment that shows whether it holds, or of a gap which
    /// reading does.
    pub experiment: &'static str,
    /// Why nothing here can be a case that covers it, where that is so; of a gap why
    /// no case distinguishes its readings.
    #[serde(skip)]
    pub no_case: Option<&'static str>,
    /// Its readings, where it is a gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
}

impl Entry {
    /// The first sentence of what it says.
    #[must_use]
    pub fn first_sentence(&self) -> &'static str {
        let mut ends = self.says.match_indices(". ").map(|(at, _)| at);
        let goes_on = |at: &usize| {
            let before = &self.says[..*at];
            before.ends_with("i.e") || before.ends_with("e.g")
        };
        let end = ends.find(|at| !goes_on(at));
        end.map_or(self.says, |end| &self.says[..=end])
    }

    /// Of a gap that can only be read in one way: how that is.
    #[must_use]
    pub fn fixed(&self) -> Option<&'static str> {
        let gap = self.gap?;
        let fixed = gap.readings.iter().all(|reading| reading.choice.is_none());
        gap.reading(gap.in_use)
            .filter(|_| fixed)
            .map(|own| own.says)
    }
}

/// How a gap may be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Gap {
    /// Its readings, never none.
    pub readings: &'static [Reading],
    /// The letter of the one that ptodiff has unless told otherwise.
    #[serde(skip)]
    pub in_use: char,
    /// Details of the reading in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<&'static str>,
}

/// One reading of a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Reading {
    /// `a`, `b`, ...
    pub letter: char,
    /// What it says.
    pub says: &'static str,
    /// The parameter and its choice that put it into force, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<(&'static str, &'static str)>,
}

impl Gap {
    /// The reading with this letter.
    #[must_use]
    pub fn reading(&self, letter: char) -> Option<&'static Reading> {
        self.readings.iter().find(|r| r.letter == letter)
    }
}

/// A named set of readings: how a version of the ISA, or a library, reads the gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edition {
    /// `library-2026-08`.
    pub name: &'static str,
    /// What it is.
    pub says: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// Each parameter that is not at its default, or for which no case may ask otherwise, as
    /// [`ptodiff_isa::TargetReadings::set`] takes it, and its choice. That of the documents has
    /// none, and reads every gap as by default.
    pub readings: &'static [(&'static str, &'static str)],
}

/// All editions, that of the documents first.
pub static EDITIONS: &[Edition] = include!(concat!(env!("OUT_DIR"), "/editions.rs"));

static ENTRIES: &[Entry] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// All entries: area by area, in each its clauses, then its gaps.
#[must_use]
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

/// The entry with this number.
#[must_use]
pub fn find(id: &str) -> Option<&'static Entry> {
    static BY_ID: OnceLock<HashMap<&'static str, &'static Entry>> = OnceLock::new();
    let by_id = BY_ID.get_or_init(|| ENTRIES.iter().map(|e| (e.id, e)).collect());
    by_id.get(id).copied()
}
