//! Records of parts and the record of the whole.

use proptest::prelude::*;
use ptodiff_isa::Target;
use ptodiff_record::{
    CaseRecord, Header, ImplementationRecord, MergeError, Partition, StData, fingerprint, merge,
};
use ptodiff_record::{Part, read, write};
use serde_json::json;

use crate::made::{self, header_with, record};

fn case(id: &str, line: u32) -> CaseRecord {
    made::case(json!({"id": id, "line": line}))
}

fn header() -> Header {
    let readings = json!([["cpu-form", "templated"]]);
    header_with(json!({"readings": readings, "targets": ["cpu", "a5"]}))
}

fn text(header: Header, cases: &[&CaseRecord]) -> String {
    let mut out = Vec::new();
    let cases: Vec<CaseRecord> = cases.iter().map(|case| (*case).clone()).collect();
    write(&mut out, &header, &cases).unwrap();
    String::from_utf8(out).unwrap()
}

fn whole(cases: &[CaseRecord]) -> String {
    text(header(), &cases.iter().collect::<Vec<_>>())
}

fn ids(cases: &[CaseRecord]) -> impl Iterator<Item = &str> {
    cases.iter().map(|c| c.id.as_str())
}

/// The part of `cases` that a run with `partition` records.
fn part(cases: &[CaseRecord], partition: Partition) -> String {
    let part = partition.of(ids(cases));
    let own: Vec<&CaseRecord> = cases.iter().filter(|c| partition.takes(&c.id)).collect();
    let header = Header {
        part: Some(part),
        ..header()
    };
    text(header, &own)
}

fn parts(cases: &[CaseRecord], n: u32) -> Vec<String> {
    let first = Partition::new(1, n).unwrap();
    first.siblings().map(|p| part(cases, p)).collect()
}

fn merged(texts: &[String]) -> Result<String, MergeError> {
    let named = texts.iter().enumerate();
    let mut out = Vec::new();
    merge(
        named.map(|(n, t)| (format!("part{n}"), t.as_bytes())),
        &mut out,
    )?;
    Ok(String::from_utf8(out).unwrap())
}

fn some() -> Vec<CaseRecord> {
    record("- {id: case$n, times: 12}").1
}

proptest! {
    #[test]
    fn every_division_by_hash_merges_to_the_bytes_of_the_whole(
        names in prop::collection::btree_set("[a-z\u{e9}<&\"/]{1,6}", 0..30),
        n in 1_u32..9,
        turn in 0_usize..8,
    ) {
        // Neither ids nor lines rise in the corpus' order.
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort_by_key(|name| fingerprint([name.as_str()]));
        let cases: Vec<CaseRecord> = names.iter().map(|name| case(name, name.len() as u32)).collect();
        let mut texts = parts(&cases, n);
        texts.rotate_left(turn % n as usize);
        prop_assert_eq!(merged(&texts).unwrap(), whole(&cases));
    }

    #[test]
    fn so_does_any_other_division(places in prop::collection::vec(0_usize..5, 0..30)) {
        let cases: Vec<CaseRecord> = (0..places.len()).map(|n| case(&format!("c{n}"), 1)).collect();
        let texts: Vec<String> = (0..5).map(|piece| {
            let at: Vec<usize> = (0..places.len()).filter(|n| places[*n] == piece).collect();
            let own: Vec<&CaseRecord> = at.iter().map(|n| &cases[*n]).collect();
            let partition = Partition::new(piece as u32 + 1, 5).unwrap();
            let part = Part { partition, of: cases.len(), ids: fingerprint(ids(&cases)), texts: String::new(), at, again: vec![] };
            text(Header { part: Some(part), ..header() }, &own)
        }).collect();
        prop_assert_eq!(merged(&texts).unwrap(), whole(&cases));
    }
}

#[test]
fn a_whole_record_is_its_own_only_part() {
    let cases = some();
    let all = whole(&cases);
    assert_eq!(merged(std::slice::from_ref(&all)).unwrap(), all);
    let twice = merged(&[all.clone(), all]).unwrap_err().to_string();
    assert!(
        twice.contains("part0 and part1 both hold `case00`, case 1"),
        "{twice}"
    );
    assert!(matches!(merged(&[]), Err(MergeError::Nothing)));
}

#[test]
fn a_part_that_is_missing_is_named() {
    let cases = some();
    let mut texts = parts(&cases, 3);
    let lost = read(texts[1].as_bytes()).unwrap().1.len();
    assert!(lost > 0, "the test loses nothing");
    texts.remove(1);
    let why = merged(&texts).unwrap_err().to_string();
    let expected =
        format!("{lost} of the 12 cases of the whole are in no record: part 2 of 3 is missing");
    assert_eq!(why, expected);
    let many = merged(&parts(&cases, 40)[..1]).unwrap_err().to_string();
    assert!(many.ends_with(": parts 2-40 of 40 are missing"), "{many}");
}

#[test]
fn parts_of_different_runs_are_not_mixed() {
    let cases = some();
    let base = parts(&cases, 2);
    let differing = |change: &dyn Fn(&mut Header)| {
        let (mut header, cases) = read(base[1].as_bytes()).unwrap();
        change(&mut header);
        let other = text(header, &cases.iter().collect::<Vec<_>>());
        merged(&[base[0].clone(), other]).unwrap_err().to_string()
    };
    assert!(differing(&|h| h.seed = 9).contains("their seeds differ (7 and 9)"));
    let folders = |h: &mut Header| {
        h.st_data = Some(StData {
            folder: "x".into(),
            suite: Target::Cpu,
            held_to: Target::A5,
            unjudged: Default::default(),
        });
    };
    assert!(differing(&folders).contains("data folders differ (none and x of cpu as a5)"));
    assert!(differing(&|h| h.version = "2".into()).contains("versions"));
    assert!(differing(&|h| h.targets.truncate(1)).contains("targets differ (cpu a5 and cpu)"));
    let mine: ImplementationRecord = serde_json::from_str(r#"{"party":"a5:mine"}"#).unwrap();
    let with_mine = |h: &mut Header| h.implementations.push(mine.clone());
    assert!(differing(&with_mine).contains("implementations differ (none and a5:mine)"));
    assert!(differing(&|h| h.readings.clear()).contains("readings differ (cpu-form=templated"));
    assert!(differing(&|h| h.all_readings = true).contains("over all readings"));
    let given = |h: &mut Header| h.beside.push(("--set".into(), "rows=3".into()));
    let said = "numbers and data given differ (none and --set rows=3)";
    assert!(differing(&given).contains(said));
    assert!(differing(&|h| h.schedules = 1).contains("schedules differ (4 and 1)"));
    let older = base[1].replace("\"ptodiff_record\":6,", "\"ptodiff_record\":5,");
    let older: Vec<&str> = older.lines().collect();
    let older = older[..older.len() - 1].iter().map(|line| {
        let (rest, _) = line.split_once(",\"check\"").unwrap();
        format!("{rest}}}\n")
    });
    let why = merged(&[base[0].clone(), older.collect()]).unwrap_err();
    assert!(
        why.to_string().contains("their formats differ (6 and 5)"),
        "{why}"
    );

    let longer = parts(&[some(), vec![case("new", 1)]].concat(), 2);
    let why = merged(&[base[0].clone(), longer[1].clone()])
        .unwrap_err()
        .to_string();
    assert!(
        why.contains("cases of the whole run differ (12 and 13)"),
        "{why}"
    );
    let mut renamed = some();
    renamed[3].id = "renamed".into();
    let why = merged(&[base[0].clone(), parts(&renamed, 2)[1].clone()])
        .unwrap_err()
        .to_string();
    assert!(why.contains("ids of the cases"), "{why}");
}

#[test]
fn places_that_cannot_be_are_rejected() {
    let (header, cases) = read(parts(&some(), 2)[0].as_bytes()).unwrap();
    let with = |change: &dyn Fn(&mut Part)| {
        let mut header = header.clone();
        change(header.part.as_mut().unwrap());
        merged(&[text(header, &cases.iter().collect::<Vec<_>>())])
            .unwrap_err()
            .to_string()
    };
    assert!(with(&|p| p.at.push(11)).contains("places for"));
    assert!(with(&|p| p.at.swap(0, 1)).contains("do not rise"));
    assert!(with(&|p| p.of = 1).contains("in a run of 1 cases"));
    assert!(with(&|p| p.at[1] = p.at[0]).contains("do not rise"));
    // Nothing is made room for.
    assert!(with(&|p| p.of = usize::MAX).contains("are in no record"));
}

#[test]
fn a_record_whose_cases_were_exchanged_is_noticed() {
    let texts = parts(&some(), 2);
    let (header, mut cases) = read(texts[0].as_bytes()).unwrap();
    cases.swap(0, 1);
    let swapped = text(header, &cases.iter().collect::<Vec<_>>());
    let why = merged(&[swapped, texts[1].clone()]).unwrap_err();
    assert!(matches!(why, MergeError::OtherCases), "{why}");
}

#[test]
fn a_damaged_part_is_named() {
    let mut texts = parts(&some(), 2);
    texts[1] = texts[1].replacen("\"verdict\":\"agree\"", "\"verdict\":\"single\"", 1);
    let why = merged(&texts).unwrap_err().to_string();
    assert!(
        why.starts_with("part1: line 2 of the record is damaged: it was changed"),
        "{why}"
    );
}
