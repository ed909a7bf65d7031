//! The command as clap has it, with what is the same for all its parts: one
//! letter means one thing everywhere, options stand in groups, each command
//! has examples, and shells complete values.

use clap::{
    Arg, ColorChoice, Command, CommandFactory as _, Parser, Subcommand, builder::PossibleValue,
};

use crate::{commands, completion};

/// Differential conformance testing of the PTO gather and scatter instructions.
#[derive(Parser, Debug)]
#[command(
    name = "ptodiff",
    version,
    after_help = "Exit codes: 0 passed, 1 failed, 2 wrong usage or a bad case, \
    3 nothing was tested, or not all that was asked for, 70 a fault of the harness, \
    130 interrupted. Every command takes --color auto, always or never."
)]
pub(crate) struct Args {
    /// When to colour
    // The help of each command would repeat it.
    #[arg(long, global = true, hide = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Action,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Action {
    /// Run cases on the models, judge every outcome, write the reports
    Run(commands::run::Run),
    /// Make reports of the record of a run
    Report(commands::report::Report),
    /// Name the mistakes that would leave what a failing implementation left
    Diagnose(commands::diagnose::Diagnose),
    /// Compare the records of two runs
    Diff(commands::diff::Diff),
    /// Merge the records of the parts of a run or of a hunt
    Merge(commands::merge::Merge),
    /// Compare a run with what is known: fail on what is new, gone or no longer waived
    Gate(commands::gate::Gate),
    /// List cases
    List(commands::list::List),
    /// Find what is against calls before a compiler does: a line a finding
    Check(commands::check::Check),
    /// Show what a target issues for a case: transfers, scalar accesses, flags, launches
    Trace(commands::trace::Trace),
    /// Print every assembly form of a case, or read one back
    Asm(commands::asm::Asm),
    /// Print the C++ intrinsic call of a case with its types
    Cpp(commands::cpp::Cpp),
    /// Draw random cases and hunt for holes: calls that checks accept and that go wrong
    Hunt(commands::hunt::Hunt),
    /// List the holes that cases say they show
    Holes(commands::holes::Holes),
    /// Say which statements of the documents the cases cover
    Coverage(commands::coverage::CoverageArgs),
    /// List the gaps of the documents, their readings, and what targets do under each
    Gaps(commands::gaps::Gaps),
    /// Write and judge data folders as the ST suites have them
    St(commands::st::St),
    /// Write the data of a case as NumPy arrays
    Export(commands::export::Export),
    /// Write the cases that come with ptodiff to a folder
    ExportCases(commands::export_cases::ExportCases),
    /// Print the JSON Schema of case files, records, waivers or a ptodiff.toml
    Schema(commands::schema::Schema),
    /// Judge an array as the result of a case
    Judge(commands::judge::Judge),
    /// Check that the cases and a hunt catch every wrong model
    Selftest(commands::selftest::Selftest),
    /// Rewrite files that have words of the version before
    Fix(commands::fix::Fix),
    /// Explain a case, a clause or gap of the documents, a rule of `check`, or a code of a message
    Explain(commands::explain::Explain),
    /// Write a first case, a ptodiff.toml and, asked, a Python implementation to start from
    Init(commands::init::Init),
    /// Read the guide: its chapters, one of them, or where it has words
    Guide(commands::guide::Guide),
    /// Print the script that makes a shell complete commands, options and values
    Completions(completion::Completions),
    /// Write a man page for each command
    Man(completion::ManPages),
}

/// Columns of a help text where nothing tells the width of the terminal.
const WIDTH: usize = 80;

/// The letter of the argument `id`: one means the same everywhere.
fn letter(id: &str) -> Option<char> {
    Some(match id {
        "filterset" => 'E',
        "jobs" => 'j',
        "out" => 'o',
        "quiet" => 'q',
        "reading" => 'r',
        "seed" => 's',
        "target" => 't',
        "verbose" => 'v',
        _ => return None,
    })
}

/// The group of options that the argument `id` stands in.
fn group(id: &str) -> Option<&'static str> {
    Some(match id {
        "filter" | "filterset" | "suite" | "partition" | "rerun_failed" | "cases" | "form"
        | "rules" | "max_lanes" | "also" | "lattice" | "pto_set" | "pto_data" => "Which cases",
        "target" | "held_to" | "seed" | "jobs" | "schedules" | "schedule" | "edition"
        | "reading" | "readings" | "count" | "time" | "from" | "quick" | "known" | "no_config"
        | "without" | "show" | "diagnosis" | "deny" | "warn" | "allow" | "fail_unpromised"
        | "fail_flaky" | "fail_fast" | "max_fails" => "How they run",
        "out" | "format" | "no_details" | "status_level" | "shown" | "quiet" | "verbose"
        | "keep" | "record" | "html" | "junit" | "md" | "annotations" | "text" | "all" | "axes" => {
            "What is written"
        }
        _ => return None,
    })
}

/// So few options need no groups.
const FEW: usize = 5;

/// Two commands as typed that show what a command is for.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &[
        "ptodiff init hello --python   # a first case and an implementation",
        "ptodiff run                   # run the cases of the folder `cases`",
        "ptodiff guide                 # the guide's chapters",
    ]),
    ("run", &["ptodiff run", "ptodiff run -t a5 -E 'instruction(mscatter) & dtype(half)'"]),
    ("report", &["ptodiff report --html", "ptodiff report --from run.jsonl --junit - > junit.xml"]),
    ("diagnose", &["ptodiff diagnose reports/out", "ptodiff diagnose run.jsonl --time 5m"]),
    ("diff", &["ptodiff diff old.jsonl new.jsonl", "ptodiff diff old.jsonl new.jsonl -E 'verdict(violation)' --format md"]),
    ("merge", &["ptodiff merge part-1/run.jsonl part-2/run.jsonl -o run.jsonl", "ptodiff merge hunt-*.jsonl -o hunt.jsonl   # then ptodiff hunt --from hunt.jsonl"]),
    ("gate", &["ptodiff gate", "ptodiff gate --bless --write   # accept what a run shows now"]),
    ("list", &["ptodiff list", "ptodiff list -E 'oob(clamp) & !target(cpu)' --format json"]),
    ("check", &["ptodiff check my-cases", "ptodiff check kernels -t a2a3,a5 --format github"]),
    ("trace", &["ptodiff trace elem_capacity -t a2a3", "ptodiff trace elem_capacity -t a5 --schedule 1"]),
    ("asm", &["ptodiff asm elem_capacity --pto > op.pto", "ptodiff asm op.pto --yaml"]),
    ("cpp", &["ptodiff cpp elem_capacity", "ptodiff cpp --harness kernel --target a5 cases/clauses"]),
    ("hunt", &["ptodiff hunt --time 10m", "ptodiff hunt --form mscatter -t a5 --count 100000 --keep"]),
    ("holes", &["ptodiff holes", "ptodiff holes --format json"]),
    ("coverage", &["ptodiff coverage", "ptodiff coverage --axes --from reports/out/run.jsonl"]),
    ("gaps", &["ptodiff gaps", "ptodiff gaps --filter MSCATTER-GAP-10"]),
    ("st", &["ptodiff st export --suite a5 -o data", "ptodiff st check data --suite a5"]),
    ("st export", &["ptodiff st export --suite a5 -o data", "ptodiff st export --suite cpu -E 'dtype(half)' -o data"]),
    ("st check", &["ptodiff st check data --suite a5", "ptodiff st check data --suite a5 --as a2a3 --filter half"]),
    ("export", &["ptodiff export elem_capacity --npy arrays", "ptodiff export elem_capacity --npy arrays -s 1 --permits"]),
    ("export-cases", &["ptodiff export-cases cases", "ptodiff export-cases /tmp/cases"]),
    ("schema", &["ptodiff schema case > case-file.schema.json", "ptodiff schema record"]),
    ("judge", &["ptodiff judge elem_capacity arrays/result-a5.npy --as a5", "ptodiff judge elem_capacity mine.npy --as a5 -s 1 --format json"]),
    ("selftest", &["ptodiff selftest --filter cpu -j 2", "ptodiff selftest --loose --count 10000"]),
    ("fix", &["ptodiff fix", "ptodiff fix my-cases --check"]),
    ("explain", &["ptodiff explain MSCATTER-OOB-04", "ptodiff explain PTO-C003"]),
    ("init", &["ptodiff init", "ptodiff init hello --python"]),
    ("guide", &["ptodiff guide first-case", "ptodiff guide --search waiver"]),
    ("completions", &["source <(ptodiff completions bash)", "ptodiff completions fish > ~/.config/fish/completions/ptodiff.fish"]),
    ("man", &["ptodiff man man1", "man -l man1/ptodiff-run.1"]),
];

/// The command, complete.
pub(crate) fn command() -> Command {
    dressed(Args::command(), "")
}

/// `command`, which its users call `path` after the program's name.
fn dressed(command: Command, path: &str) -> Command {
    let many = command.get_opts().count() >= FEW;
    let command = command
        .max_term_width(WIDTH)
        .mut_args(|arg| argument(arg, many))
        .mut_subcommands(|inner| {
            let own = format!("{path} {}", inner.get_name());
            dressed(inner, own.trim_start())
        });
    let told = command.get_after_help().map(ToString::to_string);
    let after = [examples(path), told.unwrap_or_default()].join("\n\n");
    command.after_help(after.trim().to_owned())
}

fn argument(arg: Arg, many: bool) -> Arg {
    let mut arg = named_values(completion::values(arg));
    if arg.is_positional() {
        return arg;
    }
    let id = arg.get_id().clone();
    if let Some(letter) = letter(id.as_str()) {
        arg = arg.short(letter);
    }
    match group(id.as_str()) {
        Some(title) if many && arg.get_help_heading().is_none() => arg.help_heading(title),
        _ => arg,
    }
}

/// `arg` with its values in its one line: a list of them would make the help
/// of a command three times as long.
fn named_values(arg: Arg) -> Arg {
    let values = match arg.get_action().takes_values() {
        true => arg.get_possible_values(),
        false => Vec::new(),
    };
    let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    if names.is_empty() || arg.is_positional() {
        return arg;
    }
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!("{help}: {}", names.join(", ")))
        .hide_possible_values(true)
}

fn examples(path: &str) -> String {
    let own = EXAMPLES.iter().find(|(of, _)| *of == path);
    let lines = own.map(|(_, lines)| lines.join("\n  "));
    lines.map_or_else(String::new, |lines| format!("Examples:\n  {lines}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a command is called behind the program's name, and those in it.
    fn paths(of: &Command, path: &str) -> Vec<String> {
        let inner = of.get_subcommands().filter(|c| c.get_name() != "help");
        let below = inner.flat_map(|inner| {
            let own = format!("{path} {}", inner.get_name());
            paths(inner, own.trim_start())
        });
        [path.to_owned()].into_iter().chain(below).collect()
    }

    #[test]
    fn every_command_has_examples_that_it_takes() {
        let mut all = command();
        all.build();
        for path in paths(&all, "") {
            let own = EXAMPLES.iter().find(|(of, _)| *of == path);
            let (_, lines) = own.unwrap_or_else(|| panic!("no example of {path}"));
            assert!(lines.len() >= 2, "{path}");
            for line in *lines {
                // A comment, a redirection and a substitution are the shell's.
                let typed = line.trim_start_matches("source <(").trim_end_matches(')');
                let typed = typed.split(" > ").next().unwrap_or_default();
                let words = ptodiff_impl::split(typed).expect("words");
                if words[0] == "ptodiff" {
                    let read = command().try_get_matches_from(&words);
                    assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
                }
            }
        }
    }
}
