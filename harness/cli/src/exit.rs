//! Exit codes, and errors that know theirs.

use std::{
    env,
    ffi::OsString,
    fmt::Display,
    io::{self, Write as _},
    process::ExitCode,
};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use ptodiff_case::{Code, Diagnostic, LoadError, Style, nearest};
use ptodiff_edge::{
    text,
    whole::{self, CannotWrite},
};
use ptodiff_report::style::BAD;

use crate::{
    out::{lost, say, say_as_it_is, stdout},
    plain,
};

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything conforms.
    Conforms = 0,
    /// A violation.
    Violation = 1,
    /// Wrong usage or a bad case.
    Usage = 2,
    /// Nothing ran.
    Nothing = 3,
    /// A fault of the harness or of the machine under it.
    Fault = 70,
    /// Ctrl-C, a polite `kill`, or a closed terminal.
    Interrupted = 130,
}

impl Exit {
    /// How what looks for faults ends: whether it found one.
    pub(crate) const fn failed(it: bool) -> Self {
        match it {
            true => Self::Violation,
            false => Self::Conforms,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Error {
    exit: Exit,
    message: String,
}

impl Error {
    /// Names in the message come from others, so it is shown as lines and no more.
    fn new(exit: Exit, message: impl Display) -> Self {
        let message = message.to_string();
        Self {
            exit,
            message: format!(
                "{BAD}error{BAD:#}: {}",
                text::lines(&text::short(&message, text::QUOTES))
            ),
        }
    }

    /// Whether nothing ran, and nothing else is wrong.
    pub(crate) fn is_nothing(&self) -> bool {
        self.exit == Exit::Nothing
    }

    /// Wrong usage.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Wrong usage, shown already with its place.
    pub(crate) fn mistake(shown: String) -> Self {
        Self {
            exit: Exit::Usage,
            message: shown,
        }
    }

    /// And how to go on.
    pub(crate) fn with(mut self, said: Option<String>) -> Self {
        let said = said.map(|said| format!("{}\n", text::line(&said)));
        self.message.extend(said);
        self
    }

    /// Nothing to run.
    pub(crate) fn nothing(message: impl Display) -> Self {
        Self::new(Exit::Nothing, message)
    }

    /// The harness or the machine failed.
    pub(crate) fn fault(message: impl Display) -> Self {
        Self::new(Exit::Fault, message)
    }

    /// Says what went wrong and how the command ends.
    pub(crate) fn report(self) -> Exit {
        // Diagnostics end with a blank line of their own.
        let message = self.message.strip_suffix('\n');
        say(message.unwrap_or(&self.message));
        self.exit
    }
}

/// How a command ends that came to `exit`: where something of its result was
/// lost on standard output, that is a fault of the machine.
pub(crate) fn ended(exit: Exit) -> Exit {
    tell_removed();
    // Nothing else sees what standard output holds back.
    let _ = stdout().flush();
    match (lost(), exit) {
        (Some(why), Exit::Conforms | Exit::Violation | Exit::Nothing) => {
            Error::fault(format!("cannot write to standard output: {why}")).report()
        }
        _ => exit,
    }
}

/// Says which incomplete files were removed.
fn tell_removed() {
    let removed = whole::removed();
    let more = match removed.len().saturating_sub(1) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    if let Some(first) = removed.first() {
        say(format!(
            "removed {}{more}, left incomplete by a ptodiff that was killed",
            plain::path(first)
        ));
    }
}

/// Says what is wrong with the arguments, or what was asked about them. Where
/// the user typed what is not plain, it is shown without colours.
pub(crate) fn wrong_usage(error: &clap::Error, command: fn() -> clap::Command) -> Exit {
    let plain = |word: OsString| text::line(&word.to_string_lossy()) == word.to_string_lossy();
    let shown = error.render();
    let whole = shown.to_string();
    if let Some(told) = told_better(error, &whole, command) {
        say_as_it_is(text::lines(&text::short(&told, &['\'', '`'])));
        return Exit::Usage;
    }
    let short = text::short(&whole, &['\'', '`']);
    let shown = match env::args_os().all(plain) && (short == whole || !error.use_stderr()) {
        true => shown.ansi().to_string(),
        false => text::lines(&short).into_owned(),
    };
    if error.use_stderr() {
        say_as_it_is(shown);
        return Exit::Usage;
    }
    // Output that has no reader is dropped.
    let _ = stdout().write_all(shown.as_bytes());
    Exit::Conforms
}

/// What clap leaves to Rust's parsers, and names that are near.
fn told_better(error: &clap::Error, whole: &str, command: fn() -> clap::Command) -> Option<String> {
    /// What they say, and what a user can do about it.
    const SAID: [(&str, &str); 4] = [
        (
            "invalid digit found in string",
            "a whole number is expected",
        ),
        (
            "cannot parse integer from empty string",
            "a whole number is expected",
        ),
        (
            "number too large to fit in target type",
            "the number is too large",
        ),
        (
            "number too small to fit in target type",
            "the number is too small",
        ),
    ];
    let first = whole.split("\n\n").next().unwrap_or_default();
    let tip = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => elsewhere(word),
        (ErrorKind::ArgumentConflict, _)
            if first.contains("--from <FILE>")
                && env::args_os().nth(1).is_some_and(|own| own == "gate") =>
        {
            Some(
                "the record of --from has its own cases, targets, readings and implementations: \
                 leave the other option out, or --from to run them now"
                    .to_owned(),
            )
        }
        _ => None,
    };
    if let Some(tip) = tip {
        return Some(format!(
            "{first}\n\n  tip: {tip}\n\nFor more information, try '--help'.\n"
        ));
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && !whole.contains("similar")
    {
        let all = command();
        // As deep as the words before it lead.
        let before = env::args_os()
            .skip(1)
            .take_while(|own| own != word.as_str());
        let of = before.fold(&all, |of, own| of.find_subcommand(own).unwrap_or(of));
        let names: Vec<&str> = of.get_subcommands().map(clap::Command::get_name).collect();
        let near = nearest(word, names.iter().copied())?;
        let first = whole.lines().next().unwrap_or_default();
        // As clap says it of what it finds near.
        let told = format!("{first}\n\n  tip: a similar subcommand exists: '{near}'");
        return Some(whole.replacen(first, &told, 1));
    }
    let (said, better) = SAID.iter().find(|(said, _)| whole.contains(said))?;
    Some(whole.replacen(said, better, 1))
}

/// How to say `word` to the command that was called, which others take so.
fn elsewhere(word: &str) -> Option<String> {
    let mut given = env::args_os().filter_map(|own| own.into_string().ok());
    const HERE: [&str; 10] = [
        "gate", "report", "diagnose", "run", "hunt", "list", "check", "cpp", "trace", "export",
    ];
    let command = given.find(|own| HERE.contains(&own.as_str()))?;
    match (command.as_str(), word) {
        ("list", "-t" | "--target") => {
            Some("-E 'target(a5)' lists the cases of a target".to_owned())
        }
        ("cpp" | "trace" | "export", "--filter" | "--filterset" | "-E") => Some(format!(
            "the case is an argument: `ptodiff {command} ID --cases PATH`"
        )),
        (_, option) if env::args_os().nth(1).is_some_and(|first| first == option) => Some(format!(
            "options stand behind the command: `ptodiff {command} {option} ...`"
        )),
        ("run" | "hunt" | "gate", old) if old.starts_with("--subject") => {
            let now = old.replacen("--subject", "--impl", 1);
            Some(format!("it is called `{now}` now"))
        }
        ("list" | "check", "--json") => Some("`--format json` prints it so".to_owned()),
        ("run", "--format" | "--json" | "--junit" | "--md" | "--html") => Some(
            "a run writes report.html, junit.xml, summary.md and run.jsonl, a case a line, below \
             `--out`"
                .to_owned(),
        ),
        ("report", "--format" | "--json") => {
            Some("each has an option: --html, --junit, --md, --annotations, --text".to_owned())
        }
        ("gate", "--out" | "--format" | "--json" | "--junit" | "--md" | "--html") => Some(
            "`ptodiff run` writes the reports, and `ptodiff gate --from RECORD` judges its record"
                .to_owned(),
        ),
        ("gate", "--filter" | "--filterset" | "-E") => Some(format!(
            "a gate looks at all cases, or those of `--cases`; `ptodiff run` takes '{word}'"
        )),
        ("gate", word) if !word.starts_with('-') => {
            Some("`--cases PATH` names cases, and `--from RECORD` the record of a run".to_owned())
        }
        ("report", word) if !word.starts_with('-') => {
            Some("`--from RECORD` names the record of a run".to_owned())
        }
        ("diagnose", "--from") => {
            Some("the record has no option: `ptodiff diagnose RECORD`".to_owned())
        }
        _ => None,
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::fault(format!("cannot write to standard output: {error}"))
    }
}

impl From<CannotWrite> for Error {
    fn from(error: CannotWrite) -> Self {
        match error.is_of_name() {
            true => Self::usage(error),
            false => Self::fault(error),
        }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        let nothing = |one: &Diagnostic| one.code == Code::NothingFound;
        let exit = match error.diagnostics.iter().any(nothing) {
            true => Exit::Nothing,
            false => Exit::Usage,
        };
        Self {
            exit,
            message: error.render(Style::Coloured),
        }
    }
}
