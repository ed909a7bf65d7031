//! The mirrored ST suites: all cases are there, and they are what the suites have.
//!
//! Names, totals and rows are copied by hand from the tables of the suites.

pub(crate) mod corpus;
mod rows;

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, check_names};
use ptodiff_isa::{BLayout, Call, DType, Layout, Role, Target};

use crate::mirrored::corpus::{
    CORPUS, cases, class, count, expected, key, of, pattern, policy, suite, table,
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

/// What is counted of a case.
fn facts(case: &Case) -> Vec<String> {
    let (call, operands) = (&case.call, case.call.operands());
    let fills = operands.iter().filter_map(|(role, _)| {
        let fill = case.data.fill(*role)?;
        Some(format!("{role} {}", <&str>::from(fill)))
    });
    let fills: Vec<String> = fills.collect();
    let bits = call.data_tile().dtype == DType::Bfloat16;
    let readings = case.readings.chosen().into_iter();
    let readings: Vec<String> = readings
        .map(|(gap, choice)| format!("{gap}={choice}"))
        .collect();
    let targets = case.targets.iter().map(Target::to_string);
    let targets: Vec<String> = targets.collect();
    let mut all = vec![
        policy(case),
        format!(
            "{}{}",
            if bits { "bfloat16 " } else { "" },
            fills.join(", ")
        ),
        format!("on {}", targets.join(" ")),
    ];
    if !readings.is_empty() {
        all.push(format!("with {}", readings.join(" ")));
    }
    let rejected = case.rejected.iter();
    all.extend(rejected.map(|(target, clause)| format!("{target} rejects by {clause}")));
    let index = call.operand(Role::Index);
    all.extend(index.map(|_| pattern(case).to_owned()));
    let upright = index
        .and_then(|index| index.tile())
        .map(|tile| tile.blayout);
    let in_blocks = call.table().is_some_and(|table| table.layout == Layout::NZ);
    for (is, what) in [
        (
            call.data_tile().valid_row.known().is_none(),
            "rows at run time",
        ),
        (in_blocks, "a table in blocks"),
        (upright == Some(BLayout::ColMajor), "indices in a column"),
        (case.chunks > 1, "several calls"),
        (!case.undefined.is_empty(), "undefined"),
        (case.data.seed != 0, "a seed"),
    ] {
        all.extend(is.then(|| what.to_owned()));
    }
    let ub = call.launch().and_then(|launch| launch.dyn_ub_bytes);
    all.extend(ub.map(|bytes| format!("ub {bytes}")));
    all
}

#[test]
fn all_is_as_often_as_in_the_suites() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases() {
        for fact in facts(case) {
            let line = format!("{} {} : {fact}", class(case), suite(case));
            *found.entry(line).or_default() += 1;
        }
    }
    let lines = found
        .iter()
        .map(|(what, times)| format!("{what} : {times}"));
    let lines: BTreeSet<String> = lines.collect();
    let expected = table(include_str!("counts.txt")).into_iter();
    let expected = expected
        .map(|(suite, rest)| format!("{suite} : {rest}"))
        .collect();
    let differ: Vec<&String> = lines.symmetric_difference(&expected).collect();
    assert!(differ.is_empty(), "{differ:#?}");
}

#[test]
fn gathers_by_offset_are_the_same_eight_in_each_suite() {
    let calls = |target| -> Vec<Call> {
        of("TGATHERB", target)
            .iter()
            .map(|case| case.call)
            .collect()
    };
    assert_eq!(calls(Target::Cpu), calls(Target::A2a3));
    assert_eq!(calls(Target::Cpu), calls(Target::A5));
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
