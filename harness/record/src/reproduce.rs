//! The command that runs a case again, from what its record says.

use crate::{CaseRecord, DEFAULT_SCHEDULES, Finding, Header, ImplementationRecord};

/// The command that runs one case again, with the same data, for a POSIX shell. It runs the whole
/// file where the case fails behind others alone.
#[must_use]
pub fn reproduce(header: &Header, case: &CaseRecord) -> String {
    let mut findings = case.targets.values().flat_map(|own| &own.findings);
    let file = &case.file;
    if findings.any(|finding| finding.what.contains(Finding::BEHIND)) {
        let (command, file) = (command(header), format!("{}{}", here(file), word(file)));
        return format!("{command} {file}{}", arguments(header));
    }
    format!(
        "{} {}{} --filter {}{}",
        command(header),
        here(file),
        word(file),
        quoted(&format!("={}", case.id)),
        arguments(header)
    )
}

/// The command that the file of a case follows.
#[must_use]
pub fn command(header: &Header) -> String {
    let Some(data) = &header.st_data else {
        return "ptodiff run".to_owned();
    };
    let here = here(&data.folder);
    let mut command = format!("ptodiff st check {here}{}", word(&data.folder));
    command.push_str(&format!(" --suite {}", data.suite));
    if data.held_to != data.suite {
        command.push_str(&format!(" --as {}", data.held_to));
    }
    command.push_str(" --cases");
    command
}

/// What stands before a name that begins as an option does, and would be taken for one.
fn here(name: &str) -> &'static str {
    match name.starts_with('-') {
        true => "./",
        false => "",
    }
}

/// What a run was told that its cases do not say, as arguments.
#[must_use]
pub fn arguments(header: &Header) -> String {
    let mut arguments = match header.st_data {
        Some(_) => String::new(),
        None => format!(" --seed {}", header.seed),
    };
    if header.schedules != DEFAULT_SCHEDULES {
        arguments.push_str(&format!(" --schedules {}", header.schedules));
    }
    for (gap, choice) in &header.readings {
        arguments.push_str(&format!(" --reading {}", word(&format!("{gap}={choice}"))));
    }
    for (option, value) in &header.beside {
        arguments.push_str(&format!(" {} {}", word(option), word(value)));
    }
    for ImplementationRecord { party, command, .. } in &header.implementations {
        let name = word(party.form.as_deref().unwrap_or_default());
        // The record knows no command: that is of one machine.
        let command = match command.as_deref() {
            // A file of the user's has it.
            Some("") => String::new(),
            Some(command) => format!("={}", word(command)),
            None => "=...".to_owned(),
        };
        arguments.push_str(&format!(" --impl {name}{command} --as {}", party.target));
    }
    for option in &header.typed {
        arguments.push_str(&format!(" {option}"));
    }
    arguments
}

/// A word for a shell, quoted where it must be.
#[must_use]
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// A word that a shell takes as it stands: names come from files of others.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
