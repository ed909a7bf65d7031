//! Records of a hunt that are in one piece, and not of the hunt that they are merged with.

use std::fs;

use ptodiff_record::sealed;

use crate::common::ptodiff;

#[test]
fn what_is_no_part_of_one_hunt_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for n in ["1", "2"] {
        let part = format!("hunt --count 600 --known none --partition {n}/2 --record {n}.jsonl");
        let done = ptodiff(at, &part.split(' ').collect::<Vec<_>>());
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let own = fs::read_to_string(at.join("2.jsonl")).expect("a record");
    for (from, to, why) in [
        (
            "\"version\":\"",
            "\"version\":\"9.",
            "their versions of ptodiff differ",
        ),
        (
            "\"ptodiff_hunt\":1",
            "\"ptodiff_hunt\":9",
            "has format 9, this ptodiff reads 1",
        ),
        // The numbers do not add up.
        (
            "\"agree\":",
            "\"agree\":1",
            "line 2 of the record is damaged: it is not about 300 cases",
        ),
    ] {
        let other = sealed(&own.replacen(from, to, 1));
        fs::write(at.join("other.jsonl"), other).expect("a file");
        let merge = ["merge", "1.jsonl", "other.jsonl", "--out", "merged.jsonl"];
        let done = ptodiff(at, &merge);
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(why), "`{why}` is not in:\n{}", done.err);
        assert!(!at.join("merged.jsonl").exists());
    }
}
