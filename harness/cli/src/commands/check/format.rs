//! Findings as lines, as JSON, as annotations of GitHub, as SARIF and as JUnit XML.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use anstream::adapter::strip_str;
use ptodiff_case::{Case, Code};
use ptodiff_edge::{consumer, text};
use ptodiff_report::style::{BAD, BOLD, DIM, WARNING};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::json;

use super::{
    CheckFormat,
    finding::{At, Finding, Place, file},
};
use crate::{
    out::stdout,
    rules::{RULES, Severity},
    text::joined,
};

/// Writes all that is `found` of `cases`; as text, then what was looked at.
pub(super) fn write(
    format: CheckFormat,
    found: &[Finding],
    cases: &[Case],
    summary: &str,
) -> io::Result<()> {
    let mut out = stdout();
    match format {
        CheckFormat::Text => {
            for finding in found {
                line(&mut out, finding)?;
            }
            writeln!(out, "{DIM}{}{DIM:#}", text::line(summary))?;
        }
        CheckFormat::Json => {
            for finding in found {
                consumer::json(&mut out, finding)?;
            }
        }
        CheckFormat::Github => {
            for finding in found {
                annotation(&mut out, finding)?;
            }
        }
        CheckFormat::Sarif => {
            consumer::json(&mut out, &sarif(found))?;
        }
        CheckFormat::Junit => {
            out.write_all(junit(found, cases)?.as_bytes())?;
        }
    }
    Ok(())
}

/// `FILE:LINE:COL severity rule message`
fn line(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let Place { file, at } = &finding.place;
    let at = at.map(|at| at.to_string());
    let mut at = joined(file.iter().chain(&at), ":");
    if !at.is_empty() {
        at.push(' ');
    }
    let (at, told) = (text::line(&at), finding.told());
    let word: &str = finding.severity.into();
    let (rule, told) = (finding.rule, text::line(&told));
    let style = match finding.severity {
        Severity::Error => BAD,
        Severity::Warning => WARNING,
        Severity::Remark => Default::default(),
    };
    writeln!(
        out,
        "{at}{style}{word}{style:#} {BOLD}{rule}{BOLD:#} {told}"
    )
}

/// The word for `severity`, where a remark is called so.
fn level(severity: Severity, remark: &'static str) -> &'static str {
    match severity {
        Severity::Remark => remark,
        other => other.into(),
    }
}

fn annotation(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let level = level(finding.severity, "notice");
    let Place { file, at } = &finding.place;
    let file = file.iter();
    let file = file.map(|file| format!("file={}", consumer::property(file)));
    let at = at.map(|at| format!("line={},col={}", at.line, at.column));
    let title = format!("title={}", consumer::property(finding.rule));
    writeln!(
        out,
        "::{level} {}::{}",
        joined(file.chain(at).chain([title]), ","),
        consumer::message(&finding.told())
    )
}

/// A log of SARIF 2.1.0. The crate that has its types makes them while it is built, from a
/// schema of 3000 lines; these are the few that are needed.
fn sarif(found: &[Finding]) -> serde_json::Value {
    // GitHub shows no rule without all three texts.
    let rule = |id: &str, severity, says: &str, full: &str| {
        json!({
            "id": id,
            "shortDescription": {"text": says},
            "fullDescription": {"text": full},
            "help": {"text": format!("`ptodiff explain {id}` says more")},
            "defaultConfiguration": {"level": level(severity, "note")},
        })
    };
    let codes: BTreeSet<&str> = found.iter().map(|finding| finding.rule).collect();
    let codes: Vec<Code> = codes.into_iter().filter_map(Code::from_id).collect();
    let mistakes = codes.iter();
    let mistakes =
        mistakes.map(|code| rule(code.id(), Severity::Error, code.title(), code.explanation()));
    let own = RULES
        .iter()
        .map(|(name, severity, says)| rule(name, *severity, says, says));
    let rules: Vec<_> = own.chain(mistakes).collect();
    let (mut results, mut notes) = (Vec::new(), Vec::new());
    for finding in found {
        let mut result = json!({
            "level": level(finding.severity, "note"),
            "message": {"text": finding.told()},
        });
        // GitHub takes no result without a file: what is wrong in none is how this was called.
        let Some(file) = &finding.place.file else {
            result["descriptor"] = json!({"id": finding.rule});
            notes.push(result);
            continue;
        };
        let mut location = json!({"artifactLocation": {"uri": uri(file)}});
        if let Some(At { line, column }) = finding.place.at {
            location["region"] = json!({"startLine": line, "startColumn": column.max(1)});
        }
        result["ruleId"] = json!(finding.rule);
        result["locations"] = json!([{"physicalLocation": location}]);
        results.push(result);
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "ptodiff",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            // Columns are counted so.
            "columnKind": "unicodeCodePoints",
            "results": results,
            "invocations": [{
                // What has a mistake was not looked at.
                "executionSuccessful": codes.is_empty(),
                "toolConfigurationNotifications": notes,
            }],
        }],
    })
}

/// As JUnit XML: a case is a test, and so is a finding that is of no case. Errors are a failure.
fn junit(found: &[Finding], cases: &[Case]) -> io::Result<String> {
    let mut of_case: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    let mut suite = TestSuite::new("ptodiff check");
    for finding in found {
        match finding.case.as_str() {
            "" => {
                let Place { file, at } = &finding.place;
                let at = at.map(|at| at.to_string());
                let name = joined(at.as_deref().into_iter().chain([finding.rule]), " ");
                suite.add_test_case(test(&name, file.as_deref(), &[finding])?);
            }
            id => of_case.entry(id).or_default().push(finding),
        }
    }
    for case in cases {
        let own = of_case.get(case.id.as_str()).map_or(&[][..], Vec::as_slice);
        suite.add_test_case(test(&case.id, Some(&file(&case.place.file)), own)?);
    }
    let mut report = Report::new("ptodiff check");
    report.add_test_suite(suite);
    let text = report.to_string().map_err(io::Error::other)?;
    // The schema has it for a suite alone.
    Ok(text.replacen(" skipped=\"0\"", "", 1))
}

fn test(name: &str, file: Option<&str>, found: &[&Finding]) -> io::Result<TestCase> {
    let mut lines = Vec::new();
    for finding in found {
        line(&mut lines, finding)?;
    }
    let lines = strip_str(&String::from_utf8_lossy(&lines)).to_string();
    let lines = consumer::xml_lines(&lines);
    let error = found.iter().find(|f| f.severity == Severity::Error);
    let status = match error {
        Some(first) => {
            let mut failed = TestCaseStatus::non_success(NonSuccessKind::Failure);
            failed.set_type(first.rule);
            failed.set_message(consumer::xml(&first.told()));
            failed.set_description(lines.as_str());
            failed
        }
        None => TestCaseStatus::success(),
    };
    let mut test = TestCase::new(consumer::xml(name), status);
    if let Some(file) = file {
        test.set_classname(consumer::xml(file));
    }
    if error.is_none() && !lines.is_empty() {
        test.set_system_out(lines);
    }
    Ok(test)
}

/// A path as a reference of a URI.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}
