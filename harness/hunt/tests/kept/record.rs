//! The JSON Schema of the record of a hunt is true of what is written.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Form, Hole};
use ptodiff_hunt::{
    Asked, Found, Group, HUNT_FORMAT, HuntHeader, Seen, read_record, schema, write_record,
};
use ptodiff_isa::{Party, Target};
use ptodiff_record::{ImplementationRecord, Partition, Verdict, sealed};
use serde_json::Value;

use crate::broken::broken;

/// A record that has every line there is, with every field, and what it is of.
fn record() -> (String, Found) {
    let party = Party::form(Target::A5, "mine");
    let header = HuntHeader {
        ptodiff_hunt: HUNT_FORMAT,
        version: "0.2.0".to_owned(),
        seed: u64::MAX,
        count: 1000,
        options: vec![("--quick".to_owned(), String::new())],
        lattice: Some("ab".to_owned()),
        implementations: vec![ImplementationRecord {
            party: party.clone(),
            introduced: "toy".to_owned(),
            command: None,
        }],
        part: Partition::new(2, 4).ok(),
    };
    let seen = Seen {
        count: 3,
        first: 250,
    };
    let failures = |group: &str| BTreeMap::from([(group.to_owned(), seen)]);
    let hole: Hole = "legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read"
        .parse()
        .unwrap();
    let form: Form = "mscatter".parse().unwrap();
    let found = Found {
        cases: 250,
        verdicts: BTreeMap::from([(Verdict::Agree, 200), (Verdict::Hangs, 50)]),
        relations: BTreeMap::from([("permutation", 7)]),
        readings: 9,
        several: 1,
        holes: BTreeMap::from([(Group::of(form, &hole), BTreeMap::from([(vec![hole], seen)]))]),
        unexplained: failures("U"),
        implementations: failures("V"),
        flaky: failures("F"),
        wrong: BTreeMap::from([("V".to_owned(), BTreeSet::from([250, 253, 499]))]),
        right: BTreeMap::from([(party.clone(), BTreeSet::from([251, 498]))]),
        asked: BTreeMap::from([(
            party,
            Asked {
                cases: 250,
                unsupported: 5,
            },
        )]),
    };
    let mut text = Vec::new();
    write_record(&mut text, &header, &found).unwrap();
    (String::from_utf8(text).unwrap(), found)
}

#[test]
fn what_is_read_is_what_was_written() {
    let (text, found) = record();
    assert_eq!(read_record(text.as_bytes()).unwrap().1, found);
}

#[test]
fn the_schema_takes_every_line_there_is() {
    let (text, _) = record();
    assert_eq!(broken(&schema(), text.lines()), [""; 8]);
}

#[test]
fn the_schema_rejects_what_the_reader_rejects() {
    let (good, _) = record();
    assert!(read_record(good.as_bytes()).is_ok());
    let mut bad_lines = Vec::new();
    for (from, to) in [
        ("\"readings\":9", "\"readings\":-9"),
        ("\"a5:mine\"", "\"a9:mine\""),
        ("\"unsupported\":5", "\"unsupported\":-5"),
        ("\"flaky\":", "\"seldom\":"),
        ("\"first\":250", "\"last\":250"),
        ("\"several\":1", "\"moon\":1"),
        ("\"right\":[251", "\"right\":[-251"),
        ("\"cases\":[250", "\"cases\":[\"250\""),
    ] {
        // Sealed anew: it is not for its checksums that it is rejected.
        let lines = good.lines().filter(|line| !line.starts_with("{\"end\""));
        let plain = lines.map(|line| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            value.as_object_mut().unwrap().remove("check");
            format!("{value}\n")
        });
        let text: String = plain.collect();
        assert!(read_record(sealed(&text).as_bytes()).is_ok(), "{from}");
        let bad = sealed(&text.replacen(from, to, 1));
        assert!(read_record(bad.as_bytes()).is_err(), "{from}");
        let changed = bad.lines().find(|line| line.contains(to));
        bad_lines.push(changed.expect("it is there").to_owned());
    }
    for (line, wrong) in bad_lines.iter().zip(broken(&schema(), &bad_lines)) {
        assert_ne!(wrong, "", "{line}");
    }
}
