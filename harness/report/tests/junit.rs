//! What a CI system makes of the JUnit face: read back by another reader of XML.

use std::time::Duration;

use crate::made::{
    BOTH, HOSTILE, agreeing, case, flaky, header, permitted, plain, single, text, violating,
};
use ptodiff_record::{CaseRecord, Header, Took};
use ptodiff_report::{Groups, Junit, write_groups, write_junit};
use serde_json::{Value, json};

/// An element of a document that lives as long as the tests.
type Element = roxmltree::Node<'static, 'static>;

trait Read {
    fn all(&self, name: &str) -> Vec<Element>;
    fn get(&self, attribute: &str) -> &'static str;
    fn own_text(&self) -> &'static str;
}

impl Read for Element {
    /// All elements of this name in it, whatever is between.
    fn all(&self, name: &str) -> Vec<Element> {
        let all = self.descendants().filter(|one| one.has_tag_name(name));
        all.filter(|one| one != self).collect()
    }

    fn get(&self, attribute: &str) -> &'static str {
        self.attribute(attribute).unwrap_or_default()
    }

    fn own_text(&self) -> &'static str {
        self.text().unwrap_or_default()
    }
}

fn parsed(xml: String) -> Element {
    let xml: &'static str = xml.leak();
    let document = roxmltree::Document::parse(xml).expect("well formed XML");
    Box::leak(Box::new(document)).root()
}

fn junit(cases: &[CaseRecord]) -> Element {
    parsed(text(|to| write_junit(to, &header(), cases)))
}

/// A header in which `a5:mine` takes part.
fn with_mine() -> Header {
    let mut header = header();
    let listed = json!([{"party": "a5:mine"}]);
    header.implementations = serde_json::from_value(listed).expect("implementations");
    header
}

fn beside_mine(cases: &[CaseRecord]) -> Element {
    parsed(text(|to| write_junit(to, &with_mine(), cases)))
}

/// A case in which `a5:mine` did this.
fn mine(id: &str, did: Value) -> CaseRecord {
    let violates = did["verdict"] == "violates";
    let verdict = if violates { "violation" } else { "agree" };
    case(id, json!({"verdict": verdict, "targets": {"a5:mine": did}}))
}

/// `a5:mine` ends with this finding.
fn ends(id: &str, place: &str, what: &str) -> CaseRecord {
    let group = format!("MSCATTER a5:mine {place} - {what}");
    let finding = json!({"failure_group": group, "what": what});
    mine(
        id,
        json!({"verdict": "violates", "findings": [finding], "stderr": ["last words"]}),
    )
}

#[test]
fn an_implementation_is_a_suite_and_so_are_the_models() {
    let other = case("c", json!({"file": "cases/b.yaml"}));
    let cases = [
        agreeing("a"),
        violating("v", "S"),
        without_result("s", &[]),
        ends("w", "valid", "a slot holds what no permit allows"),
        ends("x", "crash", "the implementation was ended by signal 11"),
        ends("t", "timeout", "no answer in 10 s"),
        mine(
            "u",
            json!({"verdict": "unsupported", "why": "no MSCATTER yet"}),
        ),
        mine("p", json!({"verdict": "undefined"})),
        mine("r", json!({"verdict": "rejected"})),
        mine("g", json!({"verdict": "conforms"})),
        other,
    ];
    let root = beside_mine(&cases);
    let suites = root.all("testsuite");
    let counts = ["name", "tests", "failures", "errors", "skipped"];
    let shown: Vec<_> = suites
        .iter()
        .map(|s| counts.map(|name| s.get(name)))
        .collect();
    // Of what takes no part in a case there is no test.
    assert_eq!(
        shown,
        [
            ["models", "11", "1", "0", "1"],
            ["a5:mine", "7", "1", "2", "2"]
        ]
    );
    let all = root.all("testsuites")[0];
    let totals = ["tests", "failures", "errors"].map(|name| all.get(name));
    assert_eq!(totals, ["18", "2", "2"]);
    let of = |suite: usize, what: &str| -> Vec<&str> {
        let tests = suites[suite].all("testcase");
        let those = tests.into_iter().filter(|test| !test.all(what).is_empty());
        those.map(|test| test.get("name")).collect()
    };
    assert_eq!(of(0, "failure"), ["v"]);
    assert_eq!(of(1, "failure"), ["w"]);
    assert_eq!(of(1, "error"), ["x", "t"]);
    assert_eq!(of(1, "skipped"), ["u", "p"]);
    let why = suites[1].all("skipped")[0].get("message");
    assert_eq!(why, "a5:mine cannot run it: no MSCATTER yet");
    let crash = suites[1].all("error")[0];
    assert!(
        crash.own_text().contains("stderr     last words"),
        "{}",
        crash.own_text()
    );
    assert_eq!(
        suites[0].all("testcase")[10].get("classname"),
        "cases/b.yaml"
    );
    let seed = suites[0]
        .all("property")
        .into_iter()
        .find(|p| p.get("name") == "seed");
    assert_eq!(seed.expect("a seed").get("value"), "7");
}

#[test]
fn a_failure_has_the_text_of_the_terminal_and_what_may_be_behind_it() {
    let cases = [violating("v", "S"), violating("w", "S")];
    let (mut groups, header) = (Groups::default(), header());
    let mut all = Junit::new(&header);
    for case in &cases {
        all.add(case, &Took::default(), &groups.add(case))
            .expect("memory takes it");
    }
    let fit = json!({"name": "n", "sentence": "takes the first <writer>", "explains": 2, "contradicts": 0});
    let diagnosis = json!({
        "party": "a5", "failure_group": "S", "failures": 2, "passes": 3, "fits": [fit],
    });
    groups.diagnosed(&serde_json::from_value(diagnosis).expect("a diagnosis"));
    let groups = groups.sorted();
    let root = parsed(text(|to| all.write(to, &groups)));
    let likely = "diagnosis  takes the first <writer>: explains 2 of 2 failures, contradicts none of 3 passes";
    let shown = plain(|to| write_groups(to, &header, &groups));
    let terminal: Vec<&str> = shown.trim().lines().skip(1).collect();
    let failures = root.all("failure");
    let own: Vec<&str> = failures[0].own_text().lines().collect();
    for line in &terminal {
        assert!(own.contains(line), "{line} is not in {own:#?}");
    }
    assert!(terminal.iter().any(|line| line.contains(likely)), "{shown}");
    // The second has its own place, and the same behind it.
    assert!(
        failures[1]
            .own_text()
            .contains("case       w  cases/a.yaml:3"),
        "{}",
        failures[1].own_text()
    );
    assert!(
        failures[1].own_text().contains(likely) && failures[1].own_text().contains("--filter '=w'")
    );
}

/// What the schema `junit-10.xsd` of Jenkins' xUnit plugin lets an element have: attributes,
/// those that it must have, and children. It is strict: GitLab, GitHub's readers and JUnit's
/// own tools take what it takes.
const SCHEMA: &str = "\
testsuites: name time tests failures errors / / testsuite
testsuite: name tests failures errors group time skipped timestamp hostname id package file log url \
/ name tests failures errors / testsuite properties testcase system-out system-err
testcase: name time classname group / name / skipped error failure rerunFailure rerunError \
flakyFailure flakyError system-out system-err
properties: / / property
property: name value / name value /
failure: type message / /
error: type message / /
skipped: type message / /
flakyFailure: type message / type / stackTrace system-out system-err
system-out: / /";

/// What of `element` the schema does not take.
fn invalid(element: Element, found: &mut Vec<String>) {
    let name = element.tag_name().name();
    let mut rules = SCHEMA.lines().filter_map(|line| line.split_once(": "));
    let Some((_, rule)) = rules.find(|(own, _)| *own == name) else {
        found.push(format!("an element {name}"));
        return;
    };
    let mut words = rule
        .split('/')
        .map(|part| part.split_whitespace().collect());
    let [may, must, children]: [Vec<&str>; 3] = std::array::from_fn(|_| words.next().unwrap());
    let lacking = must.iter().filter(|key| !element.has_attribute(**key));
    found.extend(lacking.map(|key| format!("no {key} in {name}")));
    let unknown = element
        .attributes()
        .filter(|key| !may.contains(&key.name()));
    found.extend(unknown.map(|key| format!("{} in {name}", key.name())));
    for child in element.children().filter(Element::is_element) {
        let own = child.tag_name().name();
        if !children.contains(&own) {
            found.push(format!("{own} in {name}"));
        }
        invalid(child, found);
    }
}

#[test]
fn it_is_valid_by_the_schema_of_jenkins_and_what_gitlab_and_github_read_is_there() {
    let cases = [
        agreeing("a"),
        violating("v", "S"),
        without_result("s", &[]),
        ends("x", "crash", "the implementation was ended by signal 11"),
        mine("u", json!({"verdict": "unsupported", "why": "no"})),
        flaky("f"),
        permitted("p", "s"),
    ];
    let root = beside_mine(&cases);
    let mut found = Vec::new();
    invalid(root.first_child().expect("an element"), &mut found);
    assert!(found.is_empty(), "{found:#?}");
    let wrong = parsed("<testcase line='3'/>".to_owned());
    invalid(wrong.first_child().expect("an element"), &mut found);
    assert_eq!(found, ["no name in testcase", "line in testcase"]);
    for test in root.all("testcase") {
        // GitLab shows a test by name and class, and counts one with two ends twice.
        assert!(!test.get("name").is_empty() && !test.get("classname").is_empty());
        let ends = ["skipped", "error", "failure"].map(|name| test.all(name).len());
        assert!(ends.iter().sum::<usize>() <= 1, "{test:?}");
        // GitHub's readers find the place in the text: a path, a colon, a line.
        for failure in test.all("failure").into_iter().chain(test.all("error")) {
            assert!(failure.own_text().contains("cases/a.yaml:3"), "{failure:?}");
            assert!(!failure.get("message").is_empty(), "{failure:?}");
        }
    }
    // A suite counts its own tests.
    for suite in root.all("testsuite") {
        let own = suite.all("testcase");
        assert_eq!(suite.get("tests"), own.len().to_string());
        for (count, name) in [
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            let with = own.iter().filter(|test| !test.all(name).is_empty()).count();
            assert_eq!(suite.get(count), with.to_string(), "{count}");
        }
    }
}

#[test]
fn a_contradiction_is_a_failure_of_the_models() {
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
    let root = beside_mine(&[flaky("f"), mine("a", json!({"verdict": "conforms"}))]);
    let suite = root.all("testsuite")[1];
    assert_eq!((suite.get("tests"), suite.get("failures")), ("2", "0"));
    let tests = suite.all("testcase");
    let [once] = tests[0].all("flakyFailure")[..] else {
        panic!("{root:?}");
    };
    assert_eq!(
        (once.get("type"), once.get("message")),
        ("flaky a5:mine", BOTH)
    );
    assert!(tests[1].all("flakyFailure").is_empty());
    let properties = suite.all("property");
    let flaky = properties.iter().find(|p| p.get("name") == "flaky");
    assert_eq!(flaky.expect("a count").get("value"), "1");
    // Beside a violation of another party it is no failure either.
    let mut red = violating("v", "MSCATTER a5 valid MSCATTER-SEM-02");
    red.targets.extend(
        crate::made::flaky("v")
            .targets
            .split_off(&"a5:mine".parse().expect("a party")),
    );
    let root = beside_mine(&[red]);
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
        .map(|out| out.first().map_or("", |out| out.own_text().trim()))
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
    let board = json!({"targets": {"a5:mine": lacking}});
    let mut meets = permitted("p", "s");
    let lacks = case("x", board);
    meets.targets.extend(lacks.targets.clone());
    let root = beside_mine(&[meets, lacks]);
    let suites = root.all("testsuite");
    assert!(suites[0].all("skipped").is_empty());
    let said = suites[0].all("system-out");
    let said: Vec<&str> = said.iter().map(|out| out.own_text().trim()).collect();
    let differs = "cpu and a5 differ in 4 slots, permitted by MSCATTER-CONF-06";
    assert_eq!(said, [differs]);
    let why: Vec<&str> = suites[1]
        .all("skipped")
        .iter()
        .map(|s| s.get("message"))
        .collect();
    assert_eq!(why, ["a5:mine cannot run it: no MSCATTER yet"; 2]);
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
    let root = parsed(out.clone());
    let shown =
        "a<script>alert(1)</script>\"'&amp;|`x`]]>\u{FFFD}::error::%0A\u{FFFD}[31m\u{FFFD}\u{FFFD}";
    assert_eq!(root.all("testcase")[0].get("name"), shown);
    assert_eq!(root.all("testcase")[0].get("classname"), shown);
    let failure = root.all("failure")[0];
    assert_eq!(failure.get("type"), shown);
    assert!(
        failure.children().all(|part| part.is_text()) && failure.own_text().contains("<script>")
    );
}

/// The models' part of a case and each implementation's have times of their own.
#[test]
fn a_test_has_the_time_of_whoever_it_is_about() {
    let cases = [
        mine("a", json!({"verdict": "conforms"})),
        violating("v", "S"),
    ];
    let ms = Duration::from_millis;
    let (mut timed, mut groups) = (Junit::new(&with_mine()), Groups::default());
    for (case, models) in cases.iter().zip([3, 20]) {
        let parties = case.targets.keys().filter(|p| p.form.is_some());
        let took = Took {
            models: ms(models),
            implementations: parties.map(|party| (party.clone(), ms(250))).collect(),
        };
        timed.add(case, &took, &groups.add(case)).expect("kept");
    }
    let root = parsed(text(|to| timed.write(to, &groups.clone().sorted())));
    let times = |name| -> Vec<String> {
        let all = root.all(name);
        let time = |e: &Element| format!("{} {}", e.get("name"), e.get("time"));
        all.iter().map(time).collect()
    };
    assert_eq!(times("testcase"), ["a 0.003", "v 0.020", "a 0.250"]);
    assert_eq!(times("testsuite"), ["models 0.023", "a5:mine 0.250"]);
    let mut found = Vec::new();
    invalid(root.first_child().expect("an element"), &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn one_record_gives_one_text() {
    let cases = [agreeing("a"), violating("v", "S"), single("l")];
    let write = || text(|to| write_junit(to, &header(), &cases));
    assert_eq!(write(), write());
    for word in ["time", "uuid", "hostname"] {
        assert!(!write().contains(&format!(" {word}")), "{word}");
    }
    // A run says how long it took, in the place that the schema has for it.
    let mut timed = ptodiff_report::Junit::new(&header());
    timed.took(Duration::from_millis(1500));
    let out = text(|to| timed.write(to, &[]));
    let root = parsed(out.clone());
    assert_eq!(root.all("testsuites")[0].get("time"), "1.500");
    let empty = junit(&[]);
    assert_eq!(empty.all("testsuites")[0].get("tests"), "0");
}
