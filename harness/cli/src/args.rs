//! The command line.

mod output;
mod records;

use std::{path::PathBuf, time::Duration};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use ptodiff_case::{Form, nearest};
use ptodiff_isa::{Target, reading};
use ptodiff_record::Partition;
use strum::VariantNames as _;

use crate::partition;
use crate::pto::PtoArgs;
use crate::readings::ReadingArgs;

pub(crate) use output::{Limit, OutputArgs, StatusLevel};
pub(crate) use records::{Diff, DiffFormat, Gate, Merge, Report};

/// Differential conformance testing of the PTO gather and scatter instructions.
#[derive(Parser, Debug)]
#[command(name = "ptodiff", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 passed, 1 failed, 2 wrong usage or a bad case, \
    3 nothing was tested, 70 a fault of the harness, 130 interrupted. Every command takes \
    --color auto, always or never."
)]
pub(crate) struct Args {
    /// When to colour
    // The help of each command would repeat it.
    #[arg(long, global = true, hide = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Run cases on the models, judge every outcome, write the reports
    Run(Run),
    /// Make reports of the record of a run
    Report(Report),
    /// Name the mistakes that would leave what a failing implementation left
    Diagnose(crate::commands::diagnose::Diagnose),
    /// Compare the records of two runs
    Diff(Diff),
    /// Merge the records of the parts of a run or of a hunt
    Merge(Merge),
    /// Compare a run with what is known: fail on what is new, gone or no longer waived
    Gate(Gate),
    /// List cases
    List(List),
    /// Find what is against calls before a compiler does: a line a finding
    Check(Check),
    /// Show what a target issues for a case: transfers, scalar accesses, flags, launches
    Trace(Trace),
    /// Print every assembly form of a case, or read one back
    Asm(Asm),
    /// Print the C++ intrinsic call of a case with its types
    Cpp(Cpp),
    /// Draw random cases and hunt for holes: calls that checks accept and that go wrong
    Hunt(Hunt),
    /// List the holes that cases show
    Holes(Holes),
    /// Say which statements of the documents the cases cover
    Coverage(Coverage),
    /// List the gaps of the documents, their readings, and what targets do under each
    Gaps(Gaps),
    /// Write and judge data folders as the ST suites have them
    St(crate::commands::st::St),
    /// Write the data of a case as NumPy arrays
    Export(crate::commands::export::Export),
    /// Write the cases that come with ptodiff to a folder
    ExportCases(crate::commands::export_cases::ExportCases),
    /// Print the JSON Schema of case files, records or waivers
    Schema(crate::commands::schema::Schema),
    /// Judge an array as the result of a case
    Judge(crate::commands::judge::Judge),
    /// Check that the cases and a hunt catch every wrong model
    Selftest(crate::commands::selftest::Selftest),
    /// Rewrite files that have words of the version before
    Fix(crate::commands::fix::Fix),
    /// Explain a case, a clause or gap of the documents, or a code of a message
    Explain(Explain),
    /// Write a first case, a ptodiff.toml and, asked, a Python implementation to start from
    Init(crate::commands::init::Init),
    /// Read the guide: its chapters, one of them, or where it has words
    Guide(crate::commands::guide::Guide),
    /// Print the script that makes a shell complete commands, options and values
    Completions(crate::completion::Completions),
    /// Write a man page for each command
    Man(crate::completion::ManPages),
}

/// Which cases.
#[derive(ClapArgs, Debug)]
pub(crate) struct Selection {
    /// Case files or folders of them
    #[arg(default_value = "cases")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only cases whose id contains TEXT, or is TEXT where it begins with `=`; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// Only cases that EXPR selects, as in 'dtype(half) & !target(cpu)'
    #[arg(long, value_name = "EXPR")]
    pub(crate) filterset: Vec<String>,
    /// Only cases that mirror this suite
    #[arg(long, value_name = "SUITE", value_parser = target)]
    pub(crate) suite: Option<Target>,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

impl Selection {
    /// The ids of the cases, where they are given whole.
    pub(crate) fn ids(&self) -> Vec<&str> {
        let ids = self.filter.iter().map(|text| text.strip_prefix('='));
        ids.collect::<Option<_>>().unwrap_or_default()
    }
}

/// One case.
#[derive(ClapArgs, Debug)]
pub(crate) struct Named {
    /// The case's id or name
    pub(crate) case: String,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
}

/// `ptodiff run`
#[derive(ClapArgs, Debug)]
pub(crate) struct Run {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Only these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; as many as cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Schedules of each case on A5
    #[arg(long, default_value_t = ptodiff_record::DEFAULT_SCHEDULES, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) schedules: u32,
    /// How long to look what explains failures
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::diagnosis::time)]
    pub(crate) diagnosis: std::time::Duration,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// Judge each case under all readings
    #[arg(long, value_name = "WHICH", value_enum)]
    pub(crate) readings: Option<Readings>,
    /// Only part K of N of the cases, or that of the engine's variables
    #[arg(long, value_name = "K/N|auto", value_parser = partition::partition)]
    pub(crate) partition: Option<Partition>,
    /// Only cases that fail in this record
    #[arg(long, value_name = "RECORD")]
    pub(crate) rerun_failed: Option<PathBuf>,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = "reports/out")]
    pub(crate) out: PathBuf,
    /// Keep traces, slots and texts out of the record
    #[arg(long)]
    pub(crate) no_details: bool,
    /// What is printed.
    #[command(flatten)]
    pub(crate) output_args: OutputArgs,
    /// Fail on differences where nothing is promised
    #[arg(long)]
    pub(crate) fail_unpromised: bool,
    /// When it stops.
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// The arguments that the other parts of the run have, too.
    #[arg(skip)]
    pub(crate) again: Vec<String>,
    /// Which implementations take part.
    #[command(flatten)]
    pub(crate) implementations: crate::implementations::Implementations,
}

/// When texts are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Readings that a run goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Readings {
    /// Every choice of every gap that matters for a case
    All,
}

/// How a list is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

/// `ptodiff list`
#[derive(ClapArgs, Debug)]
pub(crate) struct List {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `ptodiff check`
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "A RULE is the word after the severity, or a clause. Exit codes: 0 no error \
    was found, 1 one was, 2 a file that cannot be read, 3 nothing was checked."
)]
pub(crate) struct Check {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Only these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// Make a warning of what RULE finds; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = crate::commands::check::rule)]
    pub(crate) warn: Vec<crate::commands::check::Rule>,
    /// Say nothing of what RULE finds; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = crate::commands::check::rule)]
    pub(crate) allow: Vec<crate::commands::check::Rule>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Look for no ptodiff.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckFormat {
    /// A line a finding
    Text,
    /// One JSON object a line
    Json,
    /// Annotations of a GitHub check
    Github,
    /// A SARIF log
    Sarif,
}

/// `ptodiff trace`
#[derive(ClapArgs, Debug)]
pub(crate) struct Trace {
    /// Which case.
    #[command(flatten)]
    pub(crate) case: Named,
    /// The target: cpu, a2a3 or a5
    #[arg(long, value_name = "TARGET", value_parser = target)]
    pub(crate) target: Target,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of the schedule, as a run counts them: 0 in order, 1 reversed, then shuffles
    #[arg(long, default_value_t = 0)]
    pub(crate) schedule: u32,
    /// Leave out this handshake (`before V->S`, `caller MTE2->V`) and show what goes wrong
    #[arg(long, value_name = "HANDSHAKE")]
    pub(crate) without: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `ptodiff asm`
#[derive(ClapArgs, Debug)]
pub(crate) struct Asm {
    /// The case's id or name, or a .pto file or folder for all of its operations
    #[arg(required_unless_present = "read")]
    pub(crate) case: Option<String>,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// Print it as a .pto file
    #[arg(long, conflicts_with_all = ["read", "yaml"])]
    pub(crate) pto: bool,
    /// Print it as a case file
    #[arg(long, conflicts_with = "read")]
    pub(crate) yaml: bool,
    /// Read one assembly form from FILE (`-` for standard input) and print it as a case
    #[arg(long, value_name = "FILE", conflicts_with = "case")]
    pub(crate) read: Option<PathBuf>,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

/// `ptodiff cpp`
#[derive(ClapArgs, Debug)]
pub(crate) struct Cpp {
    /// The case's id or name, or a .pto file; with --harness any number of them, of case files and of folders,
    /// and all cases if none is given
    #[arg(required_unless_present = "Sources", value_name = "CASE")]
    pub(crate) wanted: Vec<String>,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// The target: cpu, a2a3 or a5; all of the case's if not given, with --harness cpu
    #[arg(long, value_name = "TARGET", value_parser = target)]
    pub(crate) target: Option<Target>,
    /// What --harness writes.
    #[command(flatten)]
    pub(crate) sources: crate::commands::cpp::Sources,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

/// `ptodiff hunt`
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 nothing is unexplained, whatever holes there are; 1 something \
    is, or an implementation is wrong; 3 an implementation could run no case."
)]
pub(crate) struct Hunt {
    /// How many cases; 1,000,000 if not given
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000_000_000),
        conflicts_with = "time"
    )]
    pub(crate) count: Option<u64>,
    /// For how long instead: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = crate::commands::hunt::duration)]
    pub(crate) time: Option<Duration>,
    /// Only part K of N, or that of the engine's variables
    #[arg(long, value_name = "K/N|auto", value_parser = partition::share, conflicts_with_all = ["time", "keep", "out"], requires = "record")]
    pub(crate) partition: Option<Partition>,
    /// Root seed of cases and data
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; as many as the machine has cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Only cases of these forms; all if not given
    #[arg(long, value_name = "FORM", value_delimiter = ',', value_parser = form)]
    pub(crate) form: Vec<Form>,
    /// Only these targets: cpu, a2a3, a5
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target)]
    pub(crate) target: Vec<Target>,
    /// Rules that they keep to, a mix if not given
    #[arg(long, value_enum)]
    pub(crate) rules: Option<HuntRules>,
    /// Most elements of a data tile's valid region: 64 if not given, with --lattice the whole tile
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65536))]
    pub(crate) max_lanes: Option<u64>,
    /// Run each case once: no open readings, no relations
    #[arg(long)]
    pub(crate) quick: bool,
    /// Write a smallest case of each hole that is new to the files of DIR
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "cases/holes")]
    pub(crate) keep: Option<PathBuf>,
    /// Keep what the cases of these files or folders show, too
    #[arg(long, value_name = "PATH", requires = "keep")]
    pub(crate) also: Vec<PathBuf>,
    /// Known holes, or a FILE of --out: cases/holes if not given, or `none`; those in
    /// the DIR of --keep, too
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) known: Option<PathBuf>,
    /// Print case NUMBER as YAML, and hunt for nothing
    #[arg(
        long,
        value_name = "NUMBER",
        conflicts_with_all = ["keep", "time", "out", "implementation", "record"]
    )]
    pub(crate) show: Option<u64>,
    /// Draw nothing: tell and keep what RECORD counted
    #[arg(
        long,
        value_name = "RECORD",
        conflicts_with_all = ["count", "time", "seed", "form", "target", "rules", "max_lanes", "quick", "edition", "reading", "show", "partition", "record"]
    )]
    pub(crate) from: Option<PathBuf>,
    /// Write what was counted to FILE, for --from and merge
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write a smallest case of each kind of failure to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How long to explain violations
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::diagnosis::time)]
    pub(crate) diagnosis: Duration,
    /// Which calls may be drawn.
    #[command(flatten)]
    pub(crate) within: crate::commands::hunt::LatticeArgs,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// Which implementations take part.
    #[command(flatten)]
    pub(crate) implementations: crate::implementations::Implementations,
}

/// Which rules the cases of a hunt keep to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HuntRules {
    /// All: they are legal
    Legal,
    /// All but one
    Broken,
    /// None
    Wild,
}

/// `ptodiff holes`
#[derive(ClapArgs, Debug)]
pub(crate) struct Holes {
    /// Case files or folders of them
    #[arg(default_value = "cases/holes")]
    pub(crate) paths: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = HolesFormat::Text)]
    pub(crate) format: HolesFormat,
}

/// How holes are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HolesFormat {
    /// For people
    Text,
    /// One JSON object a line
    Json,
    /// A table for a page
    Markdown,
}

/// `ptodiff coverage`
#[derive(ClapArgs, Debug)]
pub(crate) struct Coverage {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// What came of the cases in this record, instead of running them now
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Instead of clauses: which promised combinations of form, policies, elements and layouts no case has
    #[arg(long)]
    pub(crate) axes: bool,
    /// Name every clause and gap, or every combination, with its cases
    #[arg(long)]
    pub(crate) all: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `ptodiff gaps`
#[derive(ClapArgs, Debug)]
pub(crate) struct Gaps {
    /// Case files or folders of them
    #[arg(default_value = "cases")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only gaps whose number contains TEXT; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `ptodiff explain`
#[derive(ClapArgs, Debug)]
pub(crate) struct Explain {
    /// A case's id or name, a .pto file, a clause (MSCATTER-OOB-04), a gap, or a code (PTO-C003)
    pub(crate) what: String,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

pub(crate) fn target(text: &str) -> Result<Target, String> {
    text.to_lowercase()
        .parse()
        .map_err(|_| format!("expected cpu, a2a3 or a5{}", near(text, Target::VARIANTS)))
}

fn form(text: &str) -> Result<Form, String> {
    text.parse().map_err(|_| {
        let names: Vec<&str> = Form::ALL.iter().map(|form| (*form).into()).collect();
        format!("the forms are {}{}", names.join(", "), near(text, &names))
    })
}

/// The parameter, after its target if it is of one, and its choice.
pub(crate) fn reading_choice(text: &str) -> Result<(String, String), String> {
    let (gap, choice) = text.split_once('=').ok_or("expected GAP=CHOICE")?;
    match ptodiff_isa::TargetReadings::default().set(gap, choice) {
        Ok(()) => Ok((gap.to_owned(), choice.to_owned())),
        Err(reading::UnknownReading::Gap) => {
            let names: Vec<&str> = reading::GAPS.iter().map(|g| g.name).collect();
            Err(match near(gap, &names) {
                none if none.is_empty() => {
                    format!("no gap is called {gap}; there are {}", names.join(", "))
                }
                near => format!("no gap is called {gap}{near}"),
            })
        }
        Err(reading::UnknownReading::Choice(gap)) => {
            let near = near(choice, gap.choices);
            Err(format!(
                "{} is one of {}{near}",
                gap.name,
                gap.choices.join(", ")
            ))
        }
    }
}

/// Which of `known` was meant, to stand at the end of a message.
fn near(word: &str, known: &[&str]) -> String {
    let near = nearest(word, known.iter().copied());
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
