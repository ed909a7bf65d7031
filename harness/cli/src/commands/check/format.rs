//! Findings as lines, as JSON, as annotations of GitHub and as SARIF.

use std::io::{self, BufWriter, Write};

use ptodiff_edge::{consumer, text};
use ptodiff_report::style::{BAD, BOLD, DIM, WARNING};
use serde_json::json;

use super::{CheckFormat, finding::Finding};
use crate::{
    out::stdout,
    rules::{RULES, Severity},
};

/// Writes all of `found`; as text, then what was looked at.
pub(super) fn write(format: CheckFormat, found: &[Finding], summary: &str) -> io::Result<()> {
    let mut out = BufWriter::new(stdout());
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
    }
    out.flush()
}

/// `FILE:LINE:COL severity rule message`
fn line(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let place = &finding.place;
    let at = format!("{}:{}:{}", place.file, place.line, place.column);
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
        "{at} {style}{word}{style:#} {BOLD}{rule}{BOLD:#} {told}"
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
    let place = &finding.place;
    writeln!(
        out,
        "::{level} file={},line={},col={},title={}::{}",
        consumer::property(&place.file),
        place.line,
        place.column,
        consumer::property(finding.rule),
        consumer::message(&finding.told())
    )
}

/// A log of SARIF 2.1.0. The crate that has its types makes them while it is built, from a
/// schema of 3000 lines; these are the few that are needed.
fn sarif(found: &[Finding]) -> serde_json::Value {
    let rules: Vec<_> = RULES
        .iter()
        .map(|(name, severity, says)| {
            json!({
                "id": name,
                "shortDescription": {"text": says},
                "defaultConfiguration": {"level": level(*severity, "note")},
            })
        })
        .collect();
    let results: Vec<_> = found
        .iter()
        .map(|finding| {
            let place = &finding.place;
            let mut result = json!({
                "ruleId": finding.rule,
                "level": level(finding.severity, "note"),
                "message": {"text": finding.told()},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": uri(&place.file)},
                }}],
            });
            // A line of 0 is none.
            if place.line > 0 {
                result["locations"][0]["physicalLocation"]["region"] =
                    json!({"startLine": place.line, "startColumn": place.column.max(1)});
            }
            result
        })
        .collect();
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
        }],
    })
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
