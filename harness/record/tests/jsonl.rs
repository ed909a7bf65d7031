//! A record as lines: what is written is read, and nothing else is.

use std::io;

use ptodiff_record::{
    CaseRecord, FORMAT, Header, MAX_LINE, Part, ReadError, Reader, TargetVerdict, Verdict, Writer,
    line, read, sealed, write,
};
use serde_json::json;

use crate::made::{self, header_with};

fn header(cases: usize) -> Header {
    header_with(json!({"seed": 0, "targets": [], "cases": cases}))
}

/// `value` as a line with its checksum.
fn sealed_line(value: &impl serde::Serialize) -> String {
    let text = sealed(&serde_json::to_string(value).unwrap());
    text.split_inclusive('\n').next().unwrap().to_owned()
}

/// A header alone, whatever it promises.
fn first(cases: usize) -> String {
    sealed_line(&header(cases))
}

fn case(id: &str) -> CaseRecord {
    let found = json!([{"failure_group": "g", "what": "w"}]);
    made::case(json!({
        "is": "bare", "id": id, "name": "\u{e9}", "verdict": "violation",
        "targets": {"cpu": {"verdict": "conforms"}, "a5": {"verdict": "violates", "findings": found}},
    }))
}

fn whole(cases: &[CaseRecord]) -> String {
    let mut out = Vec::new();
    write(&mut out, &header(0), cases).unwrap();
    String::from_utf8(out).unwrap()
}

fn why(text: impl AsRef<[u8]>) -> String {
    read(text.as_ref()).unwrap_err().to_string()
}

#[test]
fn no_bit_of_a_record_can_be_another() {
    let good = whole(&[case("a"), case("b")]).into_bytes();
    read(&good[..]).unwrap();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(read(&bad[..]).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn a_run_that_was_interrupted_is_taken_for_no_whole_one() {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, &header(3)).unwrap();
    writer.case(&case("a")).unwrap();
    writer.interrupted().unwrap();
    assert!(matches!(
        read(&out[..]),
        Err(ReadError::Interrupted {
            promised: 3,
            found: 1
        })
    ));
    let part = |text: &[u8]| Reader::new(text).unwrap().or_interrupted().count();
    assert_eq!(part(&out), 1);
    // It says how many stand before it.
    let text = String::from_utf8(out).unwrap();
    let other = sealed(&text.replace("{\"interrupted\":1", "{\"interrupted\":2"));
    let why = why(&other);
    assert!(
        why.contains("it says that 2 cases stand before it"),
        "{why}"
    );
}

#[test]
fn no_record_that_was_cut_is_read() {
    let good = whole(&[case("a"), case("b")]);
    for end in 0..good.len() - 1 {
        let why = read(&good.as_bytes()[..end]).map(|_| end);
        assert!(why.is_err(), "{end} bytes");
    }
    // The line is there, its end is not.
    assert!(read(good.trim_end().as_bytes()).is_ok());
    let lines: Vec<&str> = good.split_inclusive('\n').collect();
    let open = why(lines[..3].concat());
    assert!(
        open.contains("ends with line 3, before the line that closes it"),
        "{open}"
    );
    let two = "its header promises 2 cases, 1 follow; it ends with line 2";
    assert!(why(lines[..2].concat()).contains(two));
    assert!(why([lines[0], lines[1], lines[3]].concat()).contains(two));
    let more = [&lines[..], &lines[..1]].concat().concat();
    assert!(
        why(&more).contains("more follow in line 5"),
        "{}",
        why(&more)
    );
}

#[test]
fn a_line_that_was_changed_is_named_and_so_is_one_that_moved() {
    let good = whole(&[case("a"), case("b")]);
    let changed = good.replacen("\"name\":\"\u{e9}\"", "\"name\":\"e\"", 2);
    let expected = "line 2 of the record is damaged: it was changed: its checksum is another";
    assert_eq!(why(&changed), expected);
    let header = good.replace("\"seed\":0", "\"seed\":1");
    assert!(why(&header).starts_with("line 1 of the record is damaged: it was changed"));
    let lines: Vec<&str> = good.split_inclusive('\n').collect();
    let moved = [lines[0], lines[2], lines[1], lines[3]].concat();
    assert!(why(&moved).starts_with("line 4 of the record is damaged: its checksum"));
    let twice = [lines[0], lines[1], lines[1], lines[3]].concat();
    assert_eq!(
        why(&twice),
        "line 3 of the record is damaged: the case `a` is there twice"
    );
    let bare = good.replacen(",\"check\":", ",\"chick\":", 1);
    assert!(why(&bare).contains("line 1 of the record is damaged: it has no checksum"));
    // Line ends of another system are none of what is said.
    assert!(read(good.replace('\n', "\r\n").as_bytes()).is_ok());
}

/// Also where the checksums are right: of somebody's own tool, or in an older record.
#[test]
fn a_verdict_that_does_not_follow_is_named() {
    let with = |change: &dyn Fn(&mut CaseRecord)| {
        let mut bad = case("b");
        change(&mut bad);
        why(whole(&[case("a"), bad]))
    };
    assert_eq!(
        with(&|bad| bad.verdict = Verdict::Agree),
        "line 3 of the record is damaged: its verdict is `agree`, and what is found makes it `violation`"
    );
    let fine = TargetVerdict::Conforms;
    let all = |bad: &mut CaseRecord| bad.targets.values_mut().for_each(|t| t.verdict = fine);
    assert!(with(&all).contains("a5 has findings, and its verdict is `conforms`"));
    let nothing = |bad: &mut CaseRecord| {
        bad.targets.values_mut().for_each(|t| t.findings.clear());
    };
    assert!(with(&nothing).contains("a5 violates, and nothing is found"));
    let pair = |verdict: &'static str, differing: u64| {
        move |bad: &mut CaseRecord| {
            let pair = json!({
                "targets": ["cpu", "a5"], "verdict": verdict, "differing": differing,
            });
            bad.pairs.push(serde_json::from_value(pair).unwrap());
        }
    };
    assert!(with(&pair("agree", 3)).contains("differ in 3 slots, and their verdict is `agree`"));
    assert!(with(&pair("permitted", 0)).contains("differ in 0 slots"));
    let absent = |bad: &mut CaseRecord| {
        bad.targets.pop_first();
        pair("violation", 1)(bad);
    };
    assert!(with(&absent).contains("and cpu takes no part"));
}

#[test]
fn what_is_no_record_is_rejected_by_its_first_line() {
    let none =
        "this is no record of a run: `ptodiff run` writes one, run.jsonl, with what is made of it";
    for text in [
        "{}",
        "not json",
        "cases:",
        "{\"a\": x}\n",
        &"[".repeat(1 << 20),
    ] {
        assert_eq!(why(text), none);
    }
    // A newer one has fields that are not known.
    let newer = FORMAT + 1;
    let newer = format!("{{\"ptodiff_record\": {newer}, \"moon\": \"full\"}}\n");
    for (text, said) in [
        (&b""[..], "the record is empty".to_owned()),
        (
            newer.as_bytes(),
            format!(
                "the record has format {}, this ptodiff reads up to {FORMAT}:",
                FORMAT + 1
            ),
        ),
        (
            b"{\"ptodiff_record\":6,",
            "line 1 of the record is damaged: EOF".to_owned(),
        ),
        (
            b"\xff\n",
            "line 1 of the record is damaged: it is not UTF-8".to_owned(),
        ),
    ] {
        assert!(why(text).starts_with(&said), "{}", why(text));
    }
}

/// What gives the same byte without an end, and counts.
struct Endless(u8, u64);

impl io::Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        into.fill(self.0);
        self.1 += into.len() as u64;
        Ok(into.len())
    }
}

#[test]
fn a_line_without_an_end_is_read_no_further_than_a_line_may_be() {
    for byte in [b'x', b'[', 0] {
        let mut from = io::BufReader::new(Endless(byte, 0));
        let error = read(&mut from).unwrap_err();
        assert!(matches!(error, ReadError::LongLine { line: 1 }), "{error}");
        assert!(from.into_inner().1 < MAX_LINE + (1 << 16));
    }
}

#[test]
fn the_longest_line_is_written_and_read_and_a_longer_one_is_neither() {
    let own = line(&case("")).unwrap();
    for (more, fits) in [(0, true), (1, false)] {
        let long = case(&"x".repeat(MAX_LINE as usize - own.len() + more));
        assert_eq!(line(&long).is_ok(), fits, "{more}");
        let text = sealed_line(&long);
        for end in ["\n", "\r\n", ""] {
            let all = format!("{}{}{end}", first(1), text.trim_end());
            let error = why(&all);
            assert_eq!(
                error.contains("before the line that closes"),
                fits,
                "{error}"
            );
            assert_eq!(
                error.contains("line 2 of the record has more than 16 MiB"),
                !fits
            );
        }
    }
}

#[test]
fn a_header_that_no_reader_takes_is_not_written() {
    let part = Part {
        partition: "hash:1/1".parse().unwrap(),
        of: 3_000_000,
        ids: String::new(),
        texts: String::new(),
        at: (0..3_000_000).collect(),
        again: vec![],
    };
    let part = Header {
        part: Some(part),
        ..header(3_000_000)
    };
    let mut out = Vec::new();
    let error = Writer::new(&mut out, &part).unwrap_err().to_string();
    assert!(error.contains("divide the run into more parts"), "{error}");
    assert!(out.is_empty());
}

#[test]
fn a_record_has_as_many_cases_as_it_says() {
    let mut few = Writer::new(Vec::new(), &header(2)).unwrap();
    few.case(&case("a")).unwrap();
    assert!(few.finish().unwrap_err().to_string().contains("lacks 1"));
    let mut many = Writer::new(Vec::new(), &header(0)).unwrap();
    assert!(many.case(&case("a")).is_err());
}

#[test]
fn cases_beyond_those_promised_are_not_read() {
    let mut all = first(0);
    all.push_str(&"what is this?\n".repeat(1000));
    let mut from = all.as_bytes();
    let error = read(&mut from).unwrap_err();
    assert!(
        matches!(
            error,
            ReadError::More {
                promised: 0,
                line: 2
            }
        ),
        "{error}"
    );
    assert!(from.len() > 13_000, "{} bytes are left", from.len());
}

#[test]
fn deep_nesting_and_numbers_out_of_range_are_damage() {
    for case in [
        "[".repeat(1 << 20),
        "{\"a\":".repeat(1 << 20),
        "{\"line\": 99999999999999999999999}".to_owned(),
        "{\"line\": 1e999}".to_owned(),
        "\u{0}".repeat(100),
        "{\"id\": 3}".to_owned(),
    ] {
        let error = read(format!("{}{case}\n", first(1)).as_bytes()).unwrap_err();
        let damaged = matches!(error, ReadError::Damaged { line: 2, .. });
        assert!(damaged, "{error}");
    }
    let error = read(first(usize::MAX).as_bytes()).unwrap_err();
    let cut_off = matches!(error, ReadError::CutOff { found: 0, .. });
    assert!(cut_off, "{error}");
}

#[test]
fn a_damaged_line_has_one_number_and_a_column() {
    let line = sealed("{\"id\": 3}");
    assert_eq!(
        why(first(1) + line.lines().next().unwrap()),
        "line 2 of the record is damaged: invalid type: integer `3`, expected a string at column 8"
    );
}
