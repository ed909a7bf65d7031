//! The chapters and tables that are written from the program: they are made anew with
//! `UPDATE=1 cargo test -p ptodiff --bin ptodiff generated`.

use std::{env, fmt::Write as _, fs, path::PathBuf};

use clap::{Arg, Command, builder::StyledStr};
use ptodiff_case::Code;
use ptodiff_isa::reading::GAPS;
use strum::VariantArray as _;

use crate::command::command;

fn path(topic: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("guide/{topic}.md"))
}

/// Holds the chapter in the tree against `text`.
fn is_current(topic: &str, text: &str) {
    let path = path(topic);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, text).expect("it can be written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == text,
        "{topic}.md is not current: UPDATE=1 cargo test -p ptodiff --bin ptodiff generated"
    );
}

#[test]
fn the_chapter_of_messages_is_current() {
    let mut text = String::from(
        "# Messages\n\n\
         Every mistake in a case file or a file of waivers has a code, which keeps its meaning. \
         `ptodiff explain PTO-C003` shows one of these.\n",
    );
    for code in Code::VARIANTS {
        write!(
            text,
            "\n## {}: {}\n\n{}\n",
            code.id(),
            code.title(),
            code.explanation()
        )
        .expect("text");
    }
    is_current("messages", &text);
}

#[test]
fn the_table_of_readings_is_current() {
    const HEAD: &str = "| reading | choices | about | gaps |\n|---|---|---|---|\n";
    let topic = "readings-and-editions";
    let page = fs::read_to_string(path(topic)).expect("a chapter");
    let (before, rest) = page.split_once(HEAD).expect("a table");
    let (_, after) = rest.split_once("\n\n").expect("text after it");
    let mut text = format!("{before}{HEAD}");
    for gap in GAPS {
        let choices: Vec<String> = gap.choices.iter().map(|c| format!("`{c}`")).collect();
        let gaps: Vec<&str> = gap.clauses.iter().map(|c| c.0).collect();
        let (choices, gaps) = (choices.join(", "), gaps.join(", "));
        writeln!(
            text,
            "| `{}` | {choices} | {} | {gaps} |",
            gap.name, gap.about
        )
        .expect("text");
    }
    is_current(topic, &format!("{text}\n{after}"));
}

#[test]
fn the_chapter_of_the_command_line_is_current() {
    let mut text = String::from(
        "# Command line\n\n\
         Every command with its arguments and options; `ptodiff COMMAND --help` says the same.\n\n\
         `ptodiff completions SHELL` prints a script that makes a shell complete them, \
         `ptodiff man DIR` writes man pages.\n",
    );
    let mut all = command();
    all.build();
    let codes = plain(all.get_after_help());
    let codes = codes.split("\n\n").last().unwrap_or_default();
    write!(text, "\n{codes}\n").expect("text");
    write_command(&mut text, &all, "ptodiff");
    is_current("command-line", &text);
}

fn plain(text: Option<&StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}

fn write_command(text: &mut String, of: &Command, path: &str) {
    for inner in of
        .get_subcommands()
        .filter(|c| !c.is_hide_set() && c.get_name() != "help")
    {
        let own = format!("{path} {}", inner.get_name());
        let about = plain(inner.get_about());
        let usage = inner.clone().render_usage().to_string();
        let usage = usage
            .trim_start_matches("Usage: ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        write!(text, "\n## {own}\n\n{about}.\n\n```text\n{usage}\n```\n\n").expect("text");
        for arg in inner
            .get_arguments()
            .filter(|a| !a.is_hide_set() && a.get_id() != "help")
        {
            writeln!(text, "- {}", described(arg)).expect("text");
        }
        let after = plain(inner.get_after_help());
        for block in after.split("\n\n").filter(|b| !b.is_empty()) {
            match block.strip_prefix("Examples:\n") {
                Some(examples) => {
                    let lines: Vec<&str> = examples.lines().map(str::trim).collect();
                    write!(text, "\n```sh\n{}\n```\n", lines.join("\n")).expect("text");
                }
                None => write!(text, "\n{block}\n").expect("text"),
            }
        }
        write_command(text, inner, &own);
    }
}

fn described(arg: &Arg) -> String {
    let takes = arg.get_action().takes_values();
    let names = arg.get_value_names().unwrap_or_default().iter();
    let value: String = names
        .filter(|_| takes)
        .map(|name| format!(" {name}"))
        .collect();
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}{value}"),
        (None, Some(long)) => format!("--{long}{value}"),
        _ => value.trim().to_owned(),
    };
    let help = plain(arg.get_help());
    let told = takes && !arg.is_hide_default_value_set();
    let values = arg.get_default_values().iter().filter(|_| told);
    let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
    let default = match values.is_empty() {
        true => String::new(),
        false => format!("; `{}` if not given", values.join(" ")),
    };
    format!("`{name}`: {help}{default}")
}
