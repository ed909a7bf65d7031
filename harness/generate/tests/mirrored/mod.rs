//! The mirrored ST suites: all cases are there, and they are what the suites have.
//!
//! Names, totals and rows are copied by hand from the tables of the suites.

pub(crate) mod corpus;
mod draws;
mod in_gm;
mod on_chip;
mod rows;
mod to_l1;

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::check_names;
use ptodiff_isa::Role;

use crate::mirrored::corpus::{
    CORPUS, cases, class, count, expected, key, pattern, policy, suite, table,
};

#[test]
fn all_names_and_no_others() {
    let list = include_str!("../../../../cases/st/NAMES.txt");
    let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    let cases = cases();
    let written: BTreeSet<String> = cases.iter().map(key).collect();
    assert_eq!(list.lines().count(), 551);
    assert_eq!(cases.len(), 551);
    assert_eq!(written, listed);
    assert_eq!(
        count(cases, |c| format!("{} {}", class(c), suite(c))),
        expected([
            ("MSCATTER cpu", 64),
            ("MSCATTER a2a3", 76),
            ("MSCATTER a5", 64),
            ("MGATHER cpu", 35),
            ("MGATHER a2a3", 63),
            ("MGATHER a5", 35),
            ("MGATHERGM2L1 cpu", 36),
            ("MGATHERGM2L1 a2a3", 24),
            ("MGATHERGM2L1 a5", 36),
            ("TSCATTER cpu", 34),
            ("TSCATTER a2a3", 28),
            ("TSCATTER a5", 32),
            ("TGATHERB cpu", 8),
            ("TGATHERB a2a3", 8),
            ("TGATHERB a5", 8),
        ])
    );
    let file = |c: &ptodiff_case::Case| c.place.file.file_name().map(|f| f.to_owned());
    for case in cases {
        let expected = format!("{}-{}.yaml", class(case).to_lowercase(), suite(case));
        let expected = expected.replace("mgathergm2l1", "mgather_gm2l1");
        assert_eq!(file(case), Some(expected.into()), "{}", case.id);
    }
}

#[test]
fn policies_and_patterns_are_as_often_as_in_the_suites() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases() {
        let suite = format!("{} {}", class(case), suite(case));
        *found
            .entry(format!("{suite} : {}", policy(case)))
            .or_default() += 1;
        if case.call.operand(Role::Index).is_some() {
            *found
                .entry(format!("{suite} : {}", pattern(case)))
                .or_default() += 1;
        }
    }
    let lines = found
        .iter()
        .map(|(what, times)| format!("{what} : {times}"));
    let expected = table(include_str!("counts.txt"));
    let expected = expected
        .iter()
        .map(|(suite, rest)| format!("{suite} : {rest}"));
    assert_eq!(lines.collect::<BTreeSet<_>>(), expected.collect());
}

#[test]
fn names_that_differ_say_why_and_no_others_do() {
    let found: Vec<String> = check_names(&CORPUS).iter().map(|d| d.summary()).collect();
    assert!(found.is_empty(), "{found:#?}");
    // By instruction 9 block counts and 1 row count, 1 clamp and, of a scatter
    // on cpu and a5, 1 skip that names do not say; no_dup that repeats, on both.
    let in_gm = 2 * (9 + 1) + 2 + 2 + 2;
    let differ = cases().iter().filter(|c| c.name_differs.is_some());
    let by_class = count(&differ.cloned().collect::<Vec<_>>(), |c| {
        format!("{} {}", class(c), c.name.contains("_simt_"))
    });
    // Twelve calls that the cpu suite names after an executor that it does not ask for.
    assert_eq!(by_class["MGATHERGM2L1 true"], 12);
    assert_eq!(by_class.values().sum::<usize>(), in_gm + 12);
}
