//! What a CI system makes of the JUnit face: read back by another reader of XML.

use std::{fmt::Write as _, time::Duration};

use ptodiff_record::Took;
use ptodiff_report::{Groups, Junit, RunTotals};

use crate::made::{self, Record, text};

/// An element of a document that lives as long as the tests.
type Element = roxmltree::Node<'static, 'static>;

fn parsed(xml: String) -> Element {
    let xml: &'static str = xml.leak();
    let document = roxmltree::Document::parse(xml).expect("well formed XML");
    let root = Box::leak(Box::new(document)).root();
    root.first_child().expect("an element")
}

/// All elements of this name in `element`, whatever is between.
fn all(element: Element, name: &'static str) -> impl Iterator<Item = Element> {
    element
        .descendants()
        .filter(move |one| one.has_tag_name(name) && *one != element)
}

/// What is read of a record, which is as its readers want it.
pub(crate) fn junit((header, cases, diagnoses): &Record) -> Element {
    let (mut groups, mut tests) = (Groups::default(), Junit::new(header));
    for case in cases {
        let fails = groups.add(case);
        tests
            .add(case, &Took::default(), &fails)
            .expect("memory takes it");
    }
    diagnoses.iter().for_each(|one| groups.diagnosed(one));
    let (totals, groups) = (RunTotals::of(header), groups.sorted());
    let root = parsed(text(|to| tests.write(to, &totals, &groups, None)));
    is_read_everywhere(root);
    root
}

/// Its elements with what is said of them, and their text.
pub(crate) fn outline(root: Element) -> String {
    const SAID: [&str; 9] = [
        "classname",
        "tests",
        "failures",
        "errors",
        "skipped",
        "type",
        "message",
        "value",
        "time",
    ];
    let mut out = String::new();
    for element in root.descendants().filter(Element::is_element) {
        let deep = "  ".repeat(element.ancestors().count() - 2);
        let _ = write!(out, "{deep}{}", element.tag_name().name());
        if let Some(name) = element.attribute("name") {
            let _ = write!(out, " {name}");
        }
        for said in SAID {
            if let Some(value) = element.attribute(said) {
                let _ = write!(out, " {said}={value}");
            }
        }
        out.push('\n');
        let text = element.text().unwrap_or_default().trim_end();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let _ = writeln!(out, "{deep}| {line}");
        }
    }
    out
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

/// It is valid by the schema of Jenkins, and what GitLab and GitHub read is there.
fn is_read_everywhere(root: Element) {
    let mut found = Vec::new();
    invalid(root, &mut found);
    assert!(found.is_empty(), "{found:#?}");
    for test in all(root, "testcase") {
        // GitLab shows a test by name and class, and counts one with two ends twice.
        let said = |name| test.attribute(name).unwrap_or_default();
        assert!(!said("name").is_empty() && !said("classname").is_empty());
        let ends = ["skipped", "error", "failure"].map(|name| all(test, name).count());
        assert!(ends.iter().sum::<usize>() <= 1, "{test:?}");
        // GitHub's readers find the place in the text: a path, a colon, a line.
        let place = format!("  {}:", said("classname"));
        for failure in all(test, "failure").chain(all(test, "error")) {
            assert!(
                failure.text().is_some_and(|text| text.contains(&place)),
                "{failure:?}"
            );
            assert!(
                failure.attribute("message").is_some_and(|m| !m.is_empty()),
                "{failure:?}"
            );
        }
    }
    // A suite counts its own tests.
    for suite in all(root, "testsuite") {
        for (count, name) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            let with = all(suite, name).count().to_string();
            assert_eq!(suite.attribute(count), Some(&*with), "{count}");
        }
    }
}

#[test]
fn what_the_schema_does_not_take_is_found() {
    let mut found = Vec::new();
    invalid(parsed("<testcase line='3'/>".to_owned()), &mut found);
    assert_eq!(found, ["no name in testcase", "line in testcase"]);
}

/// The models' part of a case and each implementation's have times of their own, and a run
/// says how long it took.
#[test]
fn a_test_has_the_time_of_whoever_it_is_about() {
    let (header, cases, _) = made::record(
        "[{header: {implementations: [{party: 'a5:mine'}]}}, \
         {id: a, targets: {'a5:mine': {verdict: conforms}}}, {is: violating, id: v, group: S}]",
    );
    let ms = Duration::from_millis;
    let (mut timed, mut groups) = (Junit::new(&header), Groups::default());
    for (case, models) in cases.iter().zip([3, 20]) {
        let parties = case.targets.keys().filter(|p| p.form.is_some());
        let took = Took {
            models: ms(models),
            implementations: parties.map(|party| (party.clone(), ms(250))).collect(),
        };
        timed.add(case, &took, &groups.add(case)).expect("kept");
    }
    let (totals, groups) = (RunTotals::of(&header), groups.sorted());
    let root = parsed(text(|to| timed.write(to, &totals, &groups, Some(ms(1500)))));
    let times = |name| -> Vec<String> {
        let said = |e: &Element, name| e.attribute(name).expect("it is there");
        let time = |e: Element| format!("{} {}", said(&e, "name"), said(&e, "time"));
        all(root, name).map(time).collect()
    };
    assert_eq!(root.attribute("time"), Some("1.500"));
    assert_eq!(times("testcase"), ["a 0.003", "v 0.020", "a 0.250"]);
    assert_eq!(times("testsuite"), ["models 0.023", "a5:mine 0.250"]);
    is_read_everywhere(root);
}

/// What counts tests alone must not take a part of a run for all of it.
#[test]
fn a_run_that_was_interrupted_ends_with_an_error() {
    let (header, cases, _) = made::record("[{id: a}, {is: violating, id: v, group: S}]");
    let (mut part, mut groups) = (Junit::new(&header), Groups::default());
    let mut totals = RunTotals::of(&header);
    totals.interrupted = Some(7);
    for case in &cases {
        totals.add(case);
        let fails = groups.add(case);
        part.add(case, &Took::default(), &fails).expect("kept");
    }
    let groups = groups.sorted();
    let root = parsed(text(|to| part.write(to, &totals, &groups, None)));
    let mut found = Vec::new();
    invalid(root, &mut found);
    assert!(found.is_empty(), "{found:#?}");
    let said = |test: Element| ["name", "classname"].map(|name| test.attribute(name));
    assert_eq!(
        all(root, "testcase").map(said).collect::<Vec<_>>(),
        [
            [Some("a"), Some("cases/a.yaml")],
            [Some("v"), Some("cases/a.yaml")],
            [Some("all cases"), Some("ptodiff")]
        ]
    );
    let error = all(root, "error").last().expect("an error");
    let message = error.attribute("message");
    assert_eq!(message, Some("interrupted after 2 of 7 cases"));
}
