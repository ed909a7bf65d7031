//! What a CI job shows of a record: a summary in Markdown, annotations.

use crate::made::{
    BOTH, HOSTILE, agreeing, case, first_sentence, flaky, header, outside_code, permitted, plain,
    single, text, violating,
};
use ptodiff_record::{CaseRecord, Partition};
use ptodiff_report::{groups, write_annotations, write_groups, write_markdown};
use serde_json::json;

fn markdown(cases: &[CaseRecord]) -> String {
    text(|to| write_markdown(to, &header(), cases))
}

#[test]
fn a_summary_has_counts_matrix_and_groups() {
    let gather = case("g", json!({"instruction": "MGATHER"}));
    let cases = [
        violating("v", "MSCATTER a5 valid MSCATTER-SEM-02"),
        violating("w", "MSCATTER a5 valid MSCATTER-SEM-02"),
        permitted("p", "MSCATTER cpu/a5 permitted valid MSCATTER-CONF-06"),
        single("l"),
        gather,
    ];
    let out = markdown(&cases);
    let expected = "\
## ptodiff: FAILED 2 of 5 cases in 1 group

1 agree, 1 permitted, 1 single, 2 violation

Seed 7, 4 schedules, ptodiff `0.1.0`

| instruction | pair | agree | permitted | violation | not compared |
|---|---|--:|--:|--:|--:|
| MSCATTER | `cpu/a5` | 0 | 1 | 2 | 1 |
| MGATHER | `cpu/a5` | 1 | 0 | 0 | 0 |

### Violation `MSCATTER a5 valid MSCATTER-SEM-02`, 2 cases

```text
  case       v  cases/a.yaml:3
  slot       table [0, 3], byte 12; schedule reversed
  expected   9
  got        5 (0x01) from a5, as it was before the call
  rule       MSCATTER-SEM-02: RULE
```

```sh
ptodiff run cases/a.yaml --filter '=v' --seed 7
```

### Permitted `MSCATTER cpu/a5 permitted valid MSCATTER-CONF-06`, 1 case

```text
  case       p  cases/a.yaml:3
  found      cpu and a5 differ in 4 slots
  rule       MSCATTER-CONF-06: PERMIT
```

```sh
ptodiff run cases/a.yaml --filter '=p' --seed 7
```

";
    let expected = expected.replace("RULE", &first_sentence("MSCATTER-SEM-02"));
    let expected = expected.replace("PERMIT", &first_sentence("MSCATTER-CONF-06"));
    assert_eq!(out, expected);
    assert!(
        markdown(&[agreeing("a")])
            .starts_with("## ptodiff: PASSED 1 case, no implementation tested\n")
    );
}

#[test]
fn an_implementation_that_ran_nothing_has_not_passed() {
    let mut header = header();
    let listed = json!([{"party": "a5:mine"}]);
    header.implementations = serde_json::from_value(listed).expect("implementations");
    let lacks = json!({"targets": {"a5:mine": {"verdict": "unsupported", "why": "no"}}});
    let cases = [case("a", lacks)];
    let out = text(|to| write_markdown(to, &header, &cases));
    let begins = "## ptodiff: NOTHING TESTED 1 case, 1 not run\n\n`a5:mine` ran no case.\n";
    assert!(out.starts_with(begins), "{out}");
}

#[test]
fn a_summary_says_what_the_run_was_told() {
    let mut told = header();
    told.readings = vec![("scope".into(), "as-the-suite".into())];
    told.part = Some(Partition::new(2, 3).unwrap().of(["a", "b"]));
    let out = text(|to| write_markdown(to, &told, &[]));
    assert!(
        out.contains("`scope=as-the-suite`, part `hash:2/3` of 2 cases"),
        "{out}"
    );
}

#[test]
fn a_summary_shows_twenty_groups_and_counts_the_others() {
    let cases: Vec<CaseRecord> = (0..25)
        .map(|n| violating(&format!("v{n}"), &format!("S{n:02}")))
        .collect();
    let out = markdown(&cases);
    assert_eq!(out.matches("### Violation").count(), 20);
    assert!(
        out.ends_with("And 5 more groups of divergences.\n"),
        "{out}"
    );
    assert!(!markdown(&cases[..20]).contains("more groups"));
}

#[test]
fn a_summary_stays_below_a_mebibyte_and_says_that_it_is_cut() {
    let long = "x".repeat(200_000);
    let mut cases: Vec<CaseRecord> = (0..19)
        .map(|n| violating(&format!("{n}{long}"), &format!("S{n:02}")))
        .collect();
    // It would fit.
    cases.push(violating("short", "S19"));
    let out = markdown(&cases);
    assert!(!out.contains("S19"), "the order would be another");
    assert!(out.len() < 1 << 20, "{}", out.len());
    assert!(out.len() > 1 << 19, "{}", out.len());
    assert!(out.ends_with("have all.*\n"), "{}", &out[out.len() - 200..]);
    assert_eq!(
        out.matches("```sh\n").count() * 4,
        out.matches("```").count()
    );
}

#[test]
fn names_in_a_summary_are_code() {
    let mut hostile = violating(HOSTILE, HOSTILE);
    hostile.file = HOSTILE.into();
    let out = markdown(&[hostile]);
    let shown =
        "``a<script>alert(1)</script>\"'&amp;\\|`x`]]> ::error::%0A\u{FFFD}[31m\u{FFFD}\u{ffff}``";
    assert!(
        out.contains(&format!("### Violation {shown}, 1 case\n")),
        "{out}"
    );
    assert!(!out.contains(|c: char| c.is_control() && c != '\n'));
    let seen = outside_code(&out);
    assert!(seen.contains("Violation"), "{seen}");
    assert!(
        !seen.contains("script") && !seen.contains("alert"),
        "{seen}"
    );
}

fn annotations(cases: &[CaseRecord]) -> Vec<String> {
    let out = text(|to| write_annotations(to, &header(), cases));
    out.lines().map(str::to_owned).collect()
}

#[test]
fn a_violation_is_an_error_at_its_case() {
    let lines = annotations(&[
        violating("v", "MSCATTER a5 valid MSCATTER-SEM-02"),
        violating("w", "MSCATTER a5 valid MSCATTER-SEM-02"),
        permitted("p", "s"),
    ]);
    let rule = first_sentence("MSCATTER-SEM-02");
    let error = "::error file=cases/a.yaml,line=3,title=MSCATTER a5 valid MSCATTER-SEM-02::\
        violation MSCATTER a5 valid MSCATTER-SEM-02, 2 cases%0A\
        \x20 case       v  cases/a.yaml:3%0A\
        \x20 slot       table [0, 3], byte 12; schedule reversed%0A\
        \x20 expected   9%0A\
        \x20 got        5 (0x01) from a5, as it was before the call%0A";
    let expected = [
        &format!(
            "{error}  rule       MSCATTER-SEM-02: {rule}%0A  \
             reproduce  ptodiff run cases/a.yaml --filter '=v' --seed 7"
        ),
        "::notice title=ptodiff::3 cases: 1 permitted, 2 violation",
    ];
    assert_eq!(lines, expected);
    assert_eq!(
        annotations(&[agreeing("a")]),
        ["::notice title=ptodiff::1 case: 1 agree"]
    );
}

#[test]
fn what_was_flaky_is_counted_and_shown_with_both_answers_and_is_no_error() {
    let all: Vec<CaseRecord> = (0..10).map(|n| flaky(&format!("f{n}"))).collect();
    let lines = annotations(&all[..1]);
    let told = format!("::notice file=cases/a.yaml,line=3,title=flaky a5%3Amine::f0: {BOTH}");
    let counts = "::notice title=ptodiff::1 case: 1 agree; flaky in 1 case";
    assert_eq!(lines, [told.as_str(), counts]);
    let lines = annotations(&all);
    // Of many the first are named.
    assert_eq!(lines.len(), 9);
    assert!(
        lines[8].ends_with("10 agree; flaky in 10 cases"),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|line| line.starts_with("::error")));

    let out = markdown(&all);
    assert!(out.starts_with("## ptodiff: PASSED 10 cases"), "{out}");
    let told = format!(
        "### Flaky in 10 cases\n\nWrong once, and not when asked again in a new process.\n\n\
        - `f0` in `cases/a.yaml:3`: `a5:mine: {BOTH}`\n"
    );
    assert!(out.contains(&told), "{out}");
    assert!(out.ends_with("- and 2 more\n\n"), "{out}");
    assert!(!markdown(&[agreeing("a")]).contains("Flaky"));
}

#[test]
fn a_pair_that_no_clause_lets_differ_says_why_it_may_not() {
    let pair = json!({
        "targets": ["cpu", "a5"], "verdict": "violation", "differing": 2,
        "why": "no clause lets them differ", "failure_groups": ["s"],
    });
    let cases = [case("c", json!({"verdict": "violation", "pairs": [pair]}))];
    let found = "  found      cpu and a5 differ in 2 slots: no clause lets them differ";
    let faces = [
        markdown(&cases),
        annotations(&cases)[0].replace("%0A", "\n"),
        plain(|to| write_groups(to, &header(), &groups(&cases))),
    ];
    for face in faces {
        assert!(face.contains(&format!("\n{found}\n")), "{face}");
    }
}

#[test]
fn ten_errors_and_a_notice_that_counts_the_others() {
    let cases: Vec<CaseRecord> = (0..12)
        .map(|n| violating(&format!("v{n}"), &format!("S{n:02}")))
        .collect();
    let lines = annotations(&cases);
    assert_eq!(lines.len(), 11);
    assert!(lines[..10].iter().all(|line| line.starts_with("::error ")));
    assert!(lines[10].ends_with("; 2 more failure groups are not annotated"));
    assert!(!annotations(&cases[..10])[10].contains("more"));
}

#[test]
fn no_name_ends_a_command_or_begins_one() {
    let mut hostile = violating(HOSTILE, HOSTILE);
    hostile.file = "a,line=1::x%\r\n::error::y".into();
    let lines = annotations(&[hostile]);
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let start =
        "::error file=a%2Cline=1%3A%3Ax%25%0D%0A%3A%3Aerror%3A%3Ay,line=3,title=a<script>alert(1)";
    assert!(lines[0].starts_with(start), "{}", lines[0]);
    assert!(
        lines[0].contains("%0A%3A%3Aerror%3A%3A%250A"),
        "{}",
        lines[0]
    );
    assert!(!lines[0].contains(char::is_control));
}
