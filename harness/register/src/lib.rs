//! Every statement of the documents with its number, and every gap in them.
//!
//! The one place where they stand is the folders `clauses/` and `gaps/` of
//! this crate, a file a document; they are read when it is built.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use std::{collections::HashMap, sync::OnceLock};

use ptodiff_isa::Target;

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

/// One entry of the register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// `MSCATTER-OOB-04`.
    pub id: &'static str,
    /// Targets it speaks of, never none.
    pub targets: &'static [Target],
    /// What kind of statement it is.
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
    pub no_case: Option<&'static str>,
    /// Its readings, where it is a gap.
    pub gap: Option<Gap>,
}

/// How a gap may be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Its readings, never none.
    pub readings: &'static [Reading],
    /// The letter of the one that ptodiff has unless told otherwise.
    pub in_use: char,
    /// Details of the reading in use.
    pub how: Option<&'static str>,
}

/// One reading of a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// `a`, `b`, ...
    pub letter: char,
    /// What it says.
    pub says: &'static str,
    /// The parameter and its choice that put it into force, where there is one.
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
    /// Each parameter that is not at its default, as
    /// [`ptodiff_isa::TargetReadings::set`] takes it, and its choice.
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

#[cfg(test)]
mod tests {
    use ptodiff_isa::{Readings, reading::GAPS};

    use super::*;

    #[test]
    fn numbers_run_without_a_hole_in_each_group() {
        let mut groups: HashMap<&str, usize> = HashMap::new();
        for entry in entries() {
            let (group, number) = entry.id.rsplit_once('-').expect("GROUP-NUMBER");
            let last = groups.entry(group).or_default();
            *last += 1;
            assert_eq!(format!("{last:02}"), number, "{}", entry.id);
        }
        assert!(groups.len() > 80, "{} groups", groups.len());
    }

    #[test]
    fn choices_of_readings_are_choices_of_parameters() {
        for entry in entries() {
            let Some(gap) = entry.gap else { continue };
            for reading in gap.readings {
                let Some((parameter, choice)) = reading.choice else {
                    continue;
                };
                let set = Readings::default().set(parameter, choice);
                assert_eq!(set, Ok(()), "{}: {parameter}={choice}", entry.id);
                let default = Readings::default().choice(parameter) == Some(choice);
                assert_eq!(default, reading.letter == gap.in_use, "{}", entry.id);
            }
        }
    }

    #[test]
    fn every_choice_of_a_parameter_is_a_reading_of_a_gap_of_its_own() {
        for parameter in GAPS {
            let gaps = parameter.clauses.iter().map(|clause| {
                let gap = find(clause.0).and_then(|e| e.gap);
                gap.unwrap_or_else(|| panic!("{clause} is no gap of the register"))
            });
            let mut unread = parameter.choices.to_vec();
            for gap in gaps {
                let choices = gap.readings.iter().filter_map(|r| r.choice);
                let own: Vec<&str> = choices
                    .filter(|(name, _)| *name == parameter.name)
                    .map(|(_, choice)| choice)
                    .collect();
                assert!(own.len() > 1, "{} is not set by its gap", parameter.name);
                unread.retain(|choice| !own.contains(choice));
            }
            assert!(unread.is_empty(), "{}: {unread:?}", parameter.name);
        }
    }

    #[test]
    fn editions_differ_from_the_documents_in_readings_that_exist() {
        assert_eq!(
            (EDITIONS[0].name, EDITIONS[0].readings),
            ("documents", &[][..])
        );
        for edition in &EDITIONS[1..] {
            let readings =
                ptodiff_isa::TargetReadings::default().with(edition.readings.iter().copied());
            assert_ne!(
                readings,
                Ok(ptodiff_isa::TargetReadings::default()),
                "{}",
                edition.name
            );
            assert!(readings.is_ok(), "{}", edition.name);
        }
    }

    #[test]
    fn no_entry_is_found_by_half_a_number() {
        assert!(find("MSCATTER-SEM-01").is_some());
        assert!(find("MSCATTER-SEM-").is_none());
    }
}
