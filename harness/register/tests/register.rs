//! Numbers, choices and editions, each against what they are of.

use std::collections::HashMap;

use ptodiff_isa::{Readings, TargetReadings, reading::GAPS};
use ptodiff_register::{EDITIONS, entries, find};

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
fn no_first_sentence_ends_in_an_abbreviation() {
    let long = find("MGATHER-OOB-12").expect("a clause").first_sentence();
    assert!(long.contains("i.e. "), "{long}");
    for entry in entries() {
        let first = entry.first_sentence();
        assert!(entry.says.starts_with(first) && !first.is_empty());
        let ends = ["i.e.", "e.g."].iter().any(|end| first.ends_with(end));
        assert!(!ends, "{}: {first}", entry.id);
    }
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
        let readings = TargetReadings::default().with(edition.readings.iter().copied());
        assert_ne!(readings, Ok(TargetReadings::default()), "{}", edition.name);
        assert!(readings.is_ok(), "{}", edition.name);
    }
}

#[test]
fn no_entry_is_found_by_half_a_number() {
    assert!(find("MSCATTER-SEM-01").is_some());
    assert!(find("MSCATTER-SEM-").is_none());
}
