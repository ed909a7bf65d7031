//! Writing a case as YAML that reads back to the same case.

mod expect;
mod operand;

use std::fmt::{Display, Write};

use ptodiff_edge::text::is_hidden;
use ptodiff_isa::{Argument, Call, Clause, Form, Launch, Target, TargetReadings};

use crate::case::Case;
use crate::form::Revision;

/// A case as the text of a case file of its own, in the form of `cases/README.md`.
///
/// Read back from a file with the stem of its id, it is the same case but for
/// its place. Operands are always written, mode and policies too, as comments where the
/// case leaves all of them out, other keys where they differ from their defaults; literals of integers as values, others as bits.
#[must_use]
pub fn case_yaml(case: &Case) -> String {
    cases_yaml(std::slice::from_ref(case))
}

/// A case file of `cases`, which mirror the same ST suite or none, each as in [`case_yaml`].
#[must_use]
pub fn cases_yaml(cases: &[Case]) -> String {
    let mut out = String::from("# yaml-language-server: $schema=../case-file.schema.json\n");
    if let Some(suite) = cases.first().and_then(|case| case.suite) {
        line(&mut out, 0, "suite", suite);
    }
    out.push_str("cases:\n");
    out.extend(cases.iter().map(case_entry));
    out
}

/// What [`case_yaml`] has of a case, without the head of its file.
#[must_use]
pub fn case_entry(case: &Case) -> String {
    let mut out = format!("  - name: {}\n", quoted(&case.name));
    if let Some(about) = &case.about {
        line(&mut out, 4, "about", quoted(about));
    }
    line(&mut out, 4, "instruction", case.call.instruction());
    if matches!(case.call, Call::MscatterFirst(_)) {
        line(&mut out, 4, "revision", <&str>::from(Revision::First));
    }
    // What is left out is told, and not given.
    let mark = if case.leaves_all_out() { "# " } else { "" };
    for Argument { key, value, .. } in case.call.arguments() {
        line(&mut out, 4, &format!("{mark}{key}"), value);
    }
    line(&mut out, 4, "dtype", case.call.data_tile().dtype);
    operand::all(&mut out, &case.call, &case.data);
    let launch = launch_keys(&case.call);
    if !launch.is_empty() {
        line(&mut out, 4, "launch", format!("{{{}}}", launch.join(", ")));
    }
    if case.chunks != 1 {
        line(&mut out, 4, "chunks", case.chunks);
    }
    if case.data.seed != 0 {
        line(&mut out, 4, "seed", case.data.seed);
    }
    if case.targets != Form::of(&case.call).targets() {
        let targets: Vec<_> = case.targets.iter().map(Target::to_string).collect();
        line(&mut out, 4, "targets", format!("[{}]", targets.join(", ")));
    }
    readings(&mut out, &case.readings);
    expectations(&mut out, "rejected", &case.rejected);
    expectations(&mut out, "undefined", &case.undefined);
    expectations(&mut out, "hangs", &case.hangs);
    expect::all(&mut out, case);
    if let Some(reason) = &case.name_differs {
        line(&mut out, 4, "name_differs", quoted(reason));
    }
    out
}

/// The keys that say how the kernel of `call` was launched, where that is not the default.
#[must_use]
pub fn launch_keys(call: &Call) -> Vec<String> {
    let told = call.launch().map(Launch::told).unwrap_or_default();
    let keys = told.iter().map(|(key, value)| format!("{key}: {value}"));
    keys.collect()
}

fn line(out: &mut String, indent: usize, key: &str, value: impl Display) {
    let _ = writeln!(out, "{:indent$}{key}: {value}", "");
}

fn readings(out: &mut String, readings: &TargetReadings) {
    let chosen = readings.chosen();
    if !chosen.is_empty() {
        let set: Vec<_> = chosen
            .iter()
            .map(|(gap, choice)| format!("{gap}: {choice}"))
            .collect();
        line(out, 4, "readings", format!("{{{}}}", set.join(", ")));
    }
}

fn expectations(out: &mut String, key: &str, expected: &[(Target, Clause)]) {
    if expected.is_empty() {
        return;
    }
    let _ = writeln!(out, "    {key}:");
    for target in <Target as strum::VariantArray>::VARIANTS {
        let clauses = expected.iter().filter(|(of, _)| of == target);
        let clauses: Vec<_> = clauses.map(|(_, clause)| clause.0).collect();
        if !clauses.is_empty() {
            line(
                out,
                6,
                (*target).into(),
                format!("[{}]", clauses.join(", ")),
            );
        }
    }
}

/// Words of a list, so many to a line; all lines but the first are indented.
fn in_lines(words: &[String], indent: usize) -> String {
    /// Words to a line.
    const MOST: usize = 16;
    let lines: Vec<_> = words.chunks(MOST).map(|line| line.join(", ")).collect();
    lines.join(&format!(",\n{:indent$}", ""))
}

/// A double-quoted YAML scalar on one line; what is no plain character is escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            _ if c.is_alphanumeric() && !is_hidden(c) => out.push(c),
            _ => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}
