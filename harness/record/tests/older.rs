//! Records that older versions wrote: they read, and lose nothing.

use std::{fs, path::Path};

use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, FORMAT, Header, TargetVerdict, Verdict, read, sealed, write};
use serde_json::Value;

fn older(format: u32) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/older");
    fs::read_to_string(folder.join(format!("format-{format}.jsonl"))).expect("a record")
}

/// How many numbers, words and texts are in `value`.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(all) => all.iter().map(leaves).sum(),
        Value::Object(all) => all.values().map(leaves).sum(),
        _ => 1,
    }
}

/// The words may be others, but there are as many things said, and what is read
/// back from today's words is the same.
#[test]
fn every_older_format_reads_and_loses_nothing() {
    for format in 1..FORMAT {
        let text = older(format);
        let (header, cases) = read(text.as_bytes()).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(header.ptodiff_record, format);
        let mut again = Vec::new();
        write(&mut again, &header, &cases).unwrap();
        let again = String::from_utf8(again).unwrap();
        // One line closes it.
        assert_eq!(again.lines().count(), text.lines().count() + 1);
        for (is, was) in again.lines().zip(text.lines()) {
            let [is, was] = [is, was].map(|line| serde_json::from_str::<Value>(line).unwrap());
            // It has its checksum.
            assert_eq!(leaves(&is), leaves(&was) + 1, "format {format}: {was}");
        }
        let (again, same) = read(again.as_bytes()).unwrap();
        let of_today = Header {
            ptodiff_record: FORMAT,
            ..header
        };
        assert_eq!((again, same), (of_today, cases));
    }
}

/// The record was written by the last version with the old words, of cases and
/// an implementation that bring up each of them.
#[test]
fn the_words_of_format_5_are_read_for_those_of_today() {
    let (header, cases) = read(older(5).as_bytes()).unwrap();
    assert_eq!(
        header.implementations[0].party,
        Party::form(Target::A5, "m")
    );
    let case =
        |name: &str| -> &CaseRecord { cases.iter().find(|case| case.name == name).expect(name) };
    let of = |case: &CaseRecord, target| case.targets[&Party::of(target)].clone();

    let gathered = case("gathered");
    let mine = &gathered.targets[&Party::form(Target::A5, "m")];
    let groups: Vec<&str> = mine
        .findings
        .iter()
        .map(|f| f.failure_group.as_str())
        .collect();
    assert!(
        groups.contains(&"TGATHERB a5:m valid TGATHERB-SEM-01"),
        "{groups:?}"
    );
    assert!(
        groups
            .iter()
            .any(|g| g.starts_with("TGATHERB a5:m out-of-bounds ")),
        "{groups:?}"
    );
    assert_eq!(mine.out_of_bounds, 3);
    let slot = mine
        .findings
        .iter()
        .find_map(|f| f.slot.as_ref())
        .expect("a slot");
    assert_eq!(
        (&slot.initial.value[..], slot.role.to_string()),
        ("0", "destination".into())
    );
    assert_eq!(gathered.outlier, Some(Party::form(Target::A5, "m")));
    assert_eq!(gathered.covers.clauses, ["TGATHERB-SEM-01"]);

    let rejected = case("refused_here");
    assert_eq!(of(rejected, Target::A5).verdict, TargetVerdict::Rejected);
    assert_eq!(
        rejected.pairs[0].why.as_deref(),
        Some("a2a3 and a5: rejected")
    );
    assert!(rejected.pairs[0].tells_of_a_rejection());

    let hole = "unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read";
    assert_eq!(case("behind_the_table").holes, [hole]);
    assert_eq!(of(case("behind_the_table"), Target::A5).out_of_bounds, 1);

    let single = case("rows_of_a_padded_table");
    assert_eq!(single.verdict, Verdict::Single);
    assert_eq!(single.pairs[0].why.as_deref(), Some("cpu: undefined"));
    let choices: Vec<&str> = single.readings.iter().map(|r| r.choice.as_str()).collect();
    assert_eq!(choices, ["precondition", "precondition"]);

    let by_choice = case("a_duty_by_choice");
    assert_eq!(
        by_choice.readings[0].verdict_under["strided"],
        Verdict::Single
    );
    assert_eq!(
        by_choice.covers.answers[0].expects[&Target::Cpu],
        "undefined"
    );
}

#[test]
fn what_was_told_of_a_run_is_read_in_the_words_of_today() {
    let header = r#"{"ptodiff_record":5,"version":"0","seed":0,"schedules":4,"#;
    let rest = r#""readings":[["row-index-pitch","refused"],["row-pitch","duty"]],"targets":[],"cases":0}"#;
    let (header, _) = read(format!("{header}{rest}\n").as_bytes()).unwrap();
    let told = header
        .readings
        .iter()
        .map(|(gap, choice)| format!("{gap}={choice}"));
    assert_eq!(
        told.collect::<Vec<_>>(),
        ["row-index-pitch=rejected", "row-pitch=precondition"]
    );
}

/// In a record of today an old word is a mistake.
#[test]
fn a_record_of_today_has_no_old_words() {
    let (header, cases) = read(older(5).as_bytes()).unwrap();
    let mut text = Vec::new();
    write(&mut text, &header, &cases).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(read(text.as_bytes()).unwrap().1, cases);
    for (new, old) in [("\"covers\"", "\"witness\""), ("\"single\"", "\"alone\"")] {
        let old = text.replace(new, old);
        assert_ne!(old, text);
        let why = read(sealed(&old).as_bytes()).unwrap_err().to_string();
        assert!(why.contains("unknown"), "{why}");
    }
}
