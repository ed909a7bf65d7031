//! What a CI system makes of the JUnit face: read back by another reader of XML.

use std::collections::BTreeMap;

use crate::made::{
    BOTH, HOSTILE, agreeing, case, flaky, header, permitted, single, text, violating,
};
use ptodiff_record::CaseRecord;
use ptodiff_report::write_junit;
use quick_xml::events::{BytesStart, Event};
use serde_json::json;

/// An element with its attributes and its own text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn all(&self, name: &str) -> Vec<&Element> {
        let own = self.children.iter().filter(|child| child.name == name);
        own.chain(self.children.iter().flat_map(|child| child.all(name)))
            .collect()
    }

    fn get(&self, attribute: &str) -> &str {
        self.attributes.get(attribute).map_or("", String::as_str)
    }
}

fn element(start: &BytesStart<'_>) -> Element {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("a well formed attribute");
        let key = String::from_utf8(attribute.key.as_ref().to_vec()).expect("text");
        let value = String::from_utf8(attribute.value.to_vec()).expect("text");
        let value = quick_xml::escape::unescape(&value)
            .expect("known entities")
            .into_owned();
        (key, value)
    });
    Element {
        name: String::from_utf8(start.name().as_ref().to_vec()).expect("text"),
        attributes: attributes.collect(),
        ..Element::default()
    }
}

fn parsed(xml: &str) -> Element {
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().expect("well formed XML") {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => open.last_mut().unwrap().children.push(element(&start)),
            Event::End(_) => {
                let done = open.pop().unwrap();
                open.last_mut()
                    .expect("an open element")
                    .children
                    .push(done);
            }
            Event::Text(more) => open
                .last_mut()
                .unwrap()
                .text
                .push_str(&more.decode().unwrap()),
            Event::GeneralRef(name) => {
                let name = String::from_utf8(name.to_vec()).unwrap();
                let text = quick_xml::escape::unescape(&format!("&{name};"))
                    .unwrap()
                    .into_owned();
                open.last_mut().unwrap().text.push_str(&text);
            }
            Event::Eof => break,
            Event::Decl(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(open.len(), 1, "an element is not closed");
    open.remove(0)
}

fn junit(cases: &[CaseRecord]) -> Element {
    parsed(&text(|to| write_junit(to, &header(), cases)))
}

#[test]
fn a_file_is_a_suite_and_a_case_a_test() {
    let other = case("c", json!({"file": "cases/b.yaml"}));
    let skipped = without_result("s", &[]);
    let root = junit(&[
        agreeing("a"),
        violating("v", "S"),
        single("l"),
        skipped,
        other,
    ]);
    let suites = root.all("testsuite");
    let shown: Vec<_> = suites
        .iter()
        .map(|s| {
            [
                s.get("name"),
                s.get("tests"),
                s.get("failures"),
                s.get("skipped"),
            ]
        })
        .collect();
    assert_eq!(
        shown,
        [
            ["cases/a.yaml", "4", "1", "1"],
            ["cases/b.yaml", "1", "0", "0"]
        ]
    );
    let names: Vec<&str> = suites[0]
        .all("testcase")
        .iter()
        .map(|t| t.get("name"))
        .collect();
    assert_eq!(names, ["a", "v", "l", "s"]);
    let seed = suites[0]
        .all("property")
        .into_iter()
        .find(|p| p.get("name") == "seed")
        .unwrap();
    assert_eq!(seed.get("value"), "7");
}

#[test]
fn a_violation_is_a_failure_with_all_that_is_known_of_it() {
    let root = junit(&[violating("v", "MSCATTER a5 valid MSCATTER-SEM-02")]);
    let [failure] = root.all("failure")[..] else {
        panic!()
    };
    assert_eq!(failure.get("type"), "MSCATTER a5 valid MSCATTER-SEM-02");
    assert_eq!(failure.get("message"), "a slot holds what no permit allows");
    for part in [
        "cases/a.yaml:3",
        "a5: MSCATTER a5 valid MSCATTER-SEM-02",
        "schedule reversed",
        "table [0, 3] at byte 12: initial 0 (0x01), a5 5 (0x01); permitted 9",
        "cpu and a5 differ in 1 slot: a5 breaks its contract",
        "ptodiff run cases/a.yaml --filter '=v' --seed 7",
    ] {
        assert!(
            failure.text.contains(part),
            "`{part}` is not in:\n{}",
            failure.text
        );
    }
    let contradiction = json!({
        "verdict": "violation",
        "pairs": [{"targets": ["cpu", "a5"], "verdict": "violation", "differing": 2,
                   "failure_groups": ["MSCATTER cpu/a5 contradiction valid -"]}],
    });
    let root = junit(&[case("x", contradiction)]);
    let failure = root.all("failure")[0];
    assert_eq!(failure.get("type"), "MSCATTER cpu/a5 contradiction valid -");
    assert_eq!(failure.get("message"), "cpu and a5 differ in 2 slots");
}

#[test]
fn what_was_flaky_is_a_flaky_failure_of_a_test_that_passes() {
    let root = junit(&[flaky("f"), agreeing("a")]);
    let suites = root.all("testsuites")[0];
    assert_eq!((suites.get("tests"), suites.get("failures")), ("2", "0"));
    let tests = root.all("testcase");
    let [once] = tests[0].all("flakyFailure")[..] else {
        panic!("{root:?}");
    };
    assert_eq!(
        (once.get("type"), once.get("message")),
        ("flaky a5:mine", BOTH)
    );
    assert!(tests[1].all("flakyFailure").is_empty());
    let properties = root.all("property");
    let flaky = properties.iter().find(|p| p.get("name") == "flaky");
    assert_eq!(flaky.expect("a count").get("value"), "1");
    // Beside a violation of another party it is no failure either.
    let mut red = violating("v", "MSCATTER a5 valid MSCATTER-SEM-02");
    red.targets.extend(
        crate::made::flaky("v")
            .targets
            .split_off(&"a5:mine".parse().expect("a party")),
    );
    let root = junit(&[red]);
    assert_eq!(root.all("failure").len(), 1);
    assert_eq!(root.all("flakyFailure").len(), 1);
}

/// A case that a5 rejects and of which cpu promises nothing; it expects
/// something of `targets`.
fn without_result(id: &str, targets: &[&str]) -> CaseRecord {
    let reason = |clause: &str| json!([{"clause": clause, "why": "so it is"}]);
    let more = json!({
        "verdict": "undefined",
        "targets": {
            "cpu": {"verdict": "undefined", "reasons": reason("MSCATTER-OOB-01")},
            "a5": {"verdict": "rejected", "reasons": reason("MSCATTER-ATOM-10")},
        },
        "pairs": [{"targets": ["cpu", "a5"], "verdict": "not-compared", "why": "a5: rejected"}],
        "covers": {"targets": targets},
    });
    case(id, more)
}

#[test]
fn what_was_held_to_something_passes_and_the_rest_is_skipped_with_the_reason() {
    let mut hole = without_result("hole", &[]);
    hole.holes.push("mscatter unchecked-precondition".into());
    let cases = [
        hole,
        single("l"),
        without_result("expects", &["a5"]),
        without_result("expects nothing", &[]),
        permitted("p", "s"),
        agreeing("a"),
    ];
    let root = junit(&cases);
    let skipped = root.all("skipped");
    let why: Vec<&str> = skipped.iter().map(|s| s.get("message")).collect();
    let expected = "no target has a result, and the record has no expectation of one: \
        cpu undefined by MSCATTER-OOB-01; a5 rejected by MSCATTER-ATOM-10";
    assert_eq!(why, [expected]);
    let tests = root.all("testcase");
    assert!(tests[3].all("skipped").len() == 1 && tests[3].get("name") == "expects nothing");
    let said = tests.iter().map(|test| test.all("system-out"));
    let said: Vec<&str> = said
        .map(|out| out.first().map_or("", |out| out.text.trim()))
        .collect();
    let nothing = "no two results were compared: cpu undefined by MSCATTER-OOB-01; \
        a5 rejected by MSCATTER-ATOM-10";
    let expected = [
        nothing,
        "no two results were compared: cpu conforms; a5 rejected by MSCATTER-ATOM-10",
        nothing,
        "",
        "cpu and a5 differ in 4 slots, permitted by MSCATTER-CONF-06",
        "",
    ];
    assert_eq!(said, expected);
}

#[test]
fn what_an_implementation_cannot_run_is_no_skip_where_the_models_meet() {
    let lacking = json!({"verdict": "unsupported", "why": "no MSCATTER yet"});
    let board = json!({"targets": {"a5:board": lacking}});
    let mut meets = permitted("p", "s");
    let lacks = case("x", board);
    meets.targets.extend(lacks.targets.clone());
    let root = junit(&[meets, lacks]);
    assert!(root.all("skipped").is_empty());
    let said = root.all("system-out");
    let said: Vec<&str> = said.iter().map(|out| out.text.trim()).collect();
    let lacks = "a5:board cannot run it: no MSCATTER yet";
    let differs = "cpu and a5 differ in 4 slots, permitted by MSCATTER-CONF-06";
    assert_eq!(said, [format!("{differs}\n{lacks}"), lacks.to_owned()]);
}

#[test]
fn names_are_text_and_what_xml_cannot_hold_is_shown_as_such() {
    let mut hostile = violating(HOSTILE, HOSTILE);
    hostile.file = HOSTILE.into();
    let out = text(|to| write_junit(to, &header(), &[hostile]));
    // No character that XML 1.0 forbids, escaped or not.
    let forbidden = |c: char| c < ' ' && !"\t\n\r".contains(c) || c == '\u{ffff}';
    assert!(!out.contains(forbidden), "{out:?}");
    assert!(!out.contains("&#"), "{out:?}");
    let root = parsed(&out);
    let shown =
        "a<script>alert(1)</script>\"'&amp;|`x`]]>\u{FFFD}::error::%0A\u{FFFD}[31m\u{FFFD}\u{FFFD}";
    assert_eq!(root.all("testcase")[0].get("name"), shown);
    assert_eq!(root.all("testsuite")[0].get("name"), shown);
    let failure = root.all("failure")[0];
    assert_eq!(failure.get("type"), shown);
    assert!(failure.children.is_empty() && failure.text.contains("<script>"));
}

#[test]
fn one_record_gives_one_text() {
    let cases = [agreeing("a"), violating("v", "S"), single("l")];
    let write = || text(|to| write_junit(to, &header(), &cases));
    assert_eq!(write(), write());
    for word in ["time", "uuid", "hostname"] {
        assert!(!write().contains(&format!(" {word}")), "{word}");
    }
    let empty = junit(&[]);
    assert_eq!(empty.all("testsuites")[0].get("tests"), "0");
}
