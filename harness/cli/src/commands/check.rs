//! `ptodiff check`

mod case;
mod finding;
mod format;
mod remarks;

use std::{collections::BTreeSet, path::PathBuf};

use clap::{Args, ValueEnum};
use ptodiff_case::{Case, Code, Corpus, Diagnostic, Remark};
use ptodiff_edge::place::from_here;
use ptodiff_isa::{Clause, Target};
use ptodiff_runner::Options;
use strum::VariantArray as _;

use crate::{
    args::Selection,
    config, corpus,
    exit::{Error, Exit},
    pto,
    readings::ReadingArgs,
    reports,
    rules::{Rule, Severity, rule, severity},
    select,
    text::{counted, joined},
    values::target,
};

use finding::{Finding, Place};

/// `ptodiff check`
#[derive(Args, Debug)]
#[command(
    after_help = "`-` reads standard input, a case file or the text of a .pto file. A RULE is \
    the word after the severity, or a clause. Exit codes: 0 no error \
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
    /// Make an error of what RULE finds; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub(crate) deny: Vec<Rule>,
    /// Make a warning of what RULE finds; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub(crate) warn: Vec<Rule>,
    /// Say nothing of what RULE finds; may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub(crate) allow: Vec<Rule>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Look for no ptodiff.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

impl Check {
    fn looks_at(&self, target: Target) -> bool {
        self.target.is_empty() || self.target.contains(&target)
    }
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
    /// JUnit XML: each case is a test
    Junit,
}

/// Says of every selected case what is against it, target by target, one line a finding.
/// Where a target's own checks and the contract disagree, that is one too. A mirrored case
/// whose name and content say different things needs a reason.
///
/// # Errors
/// Bad cases, nothing selected, or standard output fails.
pub(crate) fn check(args: &Check) -> Result<Exit, Error> {
    let checked = find(args);
    let is_document = matches!(args.format, CheckFormat::Sarif | CheckFormat::Junit);
    // Who reads one takes no empty file.
    if is_document && checked.as_ref().is_err_and(Error::is_nothing) {
        format::write(args.format, &[], &[], "")?;
    }
    checked
}

fn find(args: &Check) -> Result<Exit, Error> {
    let selection = &args.selection;
    let paths = selection
        .paths
        .iter()
        .filter(|path| !corpus::is_stdin(path));
    select::are_no_ids(&paths.cloned().collect::<Vec<_>>())?;
    corpus::tell(&selection.paths);
    let mut corpus = pto::read(&selection.paths, &selection.beside, &selection.ids())?;
    let idle = without_operation(&corpus);
    let others = match keep(&mut corpus, args) {
        // What was meant may be what has a mistake.
        Err(_) if !corpus.mistakes.is_empty() => {
            corpus.cases.clear();
            0
        }
        kept => kept?,
    };
    let mut all = Findings {
        args,
        options: Options {
            readings: args.chosen.all()?,
            ..Options::default()
        },
        found: Vec::new(),
        expected: 0,
        allowed: 0,
        not_judged: BTreeSet::new(),
    };
    for aside in &corpus.set_aside {
        all.set_aside(aside);
    }
    for case in &corpus.cases {
        all.case(case);
    }
    let ids: BTreeSet<&str> = corpus.cases.iter().map(|case| case.id.as_str()).collect();
    let known = |remark: &&Remark| ids.contains(remark.case.as_str());
    for remark in corpus.remarks.iter().filter(known) {
        all.remark(remark);
    }
    let names = ptodiff_case::check_names(&corpus);
    corpus.mistakes.extend(names);
    let mut summary = summary(&corpus, &all, others);
    if !idle.is_empty() {
        summary += &format!(
            "; without an operation of the four instructions: {}",
            first_of(idle)
        );
    }
    // People see them below, with the lines that they are in.
    if args.format != CheckFormat::Text {
        all.found
            .extend(corpus.mistakes.iter().map(Finding::mistake));
    }
    all.found.sort_by(|a, b| a.place.cmp(&b.place));
    format::write(args.format, &all.found, &corpus.cases, &summary)?;
    corpus.whole()?;
    let failed = all.found.iter().any(|f| f.severity == Severity::Error);
    Ok(Exit::failed(failed))
}

/// Keeps what is to be checked: how many cases are for other targets.
fn keep(corpus: &mut Corpus, args: &Check) -> Result<usize, Error> {
    select::keep(corpus, &args.selection)?;
    // What is set aside has no id to select it by; where nothing else is here it is told.
    if args.selection.selects() && !corpus.cases.is_empty() {
        corpus.set_aside.clear();
    }
    match args.target.is_empty() {
        true => Ok(0),
        false => select::leave_out(corpus, &args.target),
    }
}

/// Files that are named of those passed over: a folder of sources has many.
const MOST_NAMES: usize = 4;

/// That `cases` are legal, and where if that is the same for all.
fn legal_on(args: &Check, cases: &[Case]) -> String {
    let looked_at = |case: &Case| {
        let mut targets = case.targets.clone();
        targets.retain(|target| args.looks_at(*target));
        targets
    };
    match cases.first().map(looked_at) {
        Some(first) if cases.iter().all(|case| looked_at(case) == first) => {
            format!("legal on {}", joined(first, ", "))
        }
        _ => "legal".to_owned(),
    }
}

/// What was looked at, and how much was found; `others` are for other targets.
fn summary(corpus: &Corpus, all: &Findings<'_>, others: usize) -> String {
    let is_judged = |f: &&Finding| !matches!(f.rule, "not-judged" | "unknown-operation");
    let (found, aside): (Vec<_>, Vec<_>) = all.found.iter().partition(is_judged);
    let (found, aside) = (by_severity(&found), by_severity(&aside));
    let beside = [(all.expected, "expected"), (all.allowed, "allowed")];
    let beside = beside.into_iter().filter(|(n, _)| *n > 0);
    let beside = beside.map(|(n, how)| format!("{} {how}", counted(n, "finding")));
    let found = Some(found).filter(|found| !found.is_empty());
    let mut told: Vec<String> = found.into_iter().chain(beside).collect();
    if told.is_empty() && !corpus.cases.is_empty() {
        told.push(legal_on(all.args, &corpus.cases));
    }
    if !aside.is_empty() {
        let calls = Some(all.not_judged.len() as u64).filter(|calls| *calls > 0);
        let calls = calls.map(|calls| format!(": {}", counted(calls, "call")));
        told.push(format!(
            "{aside} in what is not judged{}",
            calls.unwrap_or_default()
        ));
    }
    let cases = counted(corpus.cases.len() as u64, "case");
    let mut text = format!("{cases}: {}", joined(told, "; "));
    if others > 0 {
        let not_for = joined(&all.args.target, ", ");
        text += &format!("; {} not for {not_for}", counted(others as u64, "case"));
    }
    if !corpus.mistakes.is_empty() {
        let mistakes = counted(corpus.mistakes.len() as u64, "mistake");
        text = match corpus.cases.is_empty() && all.found.is_empty() {
            true => format!("no case without a mistake: {mistakes}"),
            false => format!("{text}; {mistakes} in what is written"),
        };
    }
    // What a run wrote is no source of cases, and neither is what it reads beside them.
    let others = corpus.passed_over.iter();
    let others = others
        .filter(|path| !from_here(path).starts_with(reports::OUT) && !path.ends_with(config::NAME));
    let names: Vec<String> = others.map(|path| path.display().to_string()).collect();
    if !names.is_empty() {
        text += &format!("; not case files by their names: {}", first_of(names));
    }
    text
}

/// How many of `found` there are of each severity.
fn by_severity(found: &[&Finding]) -> String {
    let count = |of: Severity| found.iter().filter(|f| f.severity == of).count() as u64;
    let counts = Severity::VARIANTS.iter().map(|of| (count(*of), of.into()));
    let some = counts.filter(|(n, _)| *n > 0);
    joined(some.map(|(n, word)| counted(n, word)), ", ")
}

/// The `.pto` files that have no case, and nothing is said of them.
fn without_operation(corpus: &Corpus) -> Vec<String> {
    let told = corpus.set_aside.iter().chain(&corpus.mistakes);
    let told = told.filter_map(|d| Some(&d.place.as_ref()?.file));
    let cases = corpus.cases.iter().map(|case| &case.place.file);
    let known: BTreeSet<&PathBuf> = told.chain(cases).collect();
    let files = corpus.files.iter().map(|file| &file.path);
    let idle = files.filter(|path| ptodiff_pto::is_pto(path) && !known.contains(path));
    idle.map(|path| path.display().to_string()).collect()
}

/// Names of files, the first of many.
fn first_of(mut names: Vec<String>) -> String {
    if names.len() > MOST_NAMES {
        let more = names.len() - MOST_NAMES;
        names.truncate(MOST_NAMES);
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// What was found so far.
struct Findings<'a> {
    args: &'a Check,
    /// How cases are read; their data is drawn as they say themselves, as in a run.
    options: Options,
    found: Vec<Finding>,
    /// Findings that the cases themselves expect.
    expected: u64,
    /// Findings of rules that the user allows.
    allowed: u64,
    /// Calls that are not judged on all targets, each by its file and its byte.
    not_judged: BTreeSet<(PathBuf, usize)>,
}

impl Findings<'_> {
    /// Adds a finding, as severe as the user wants it.
    fn add(&mut self, mut finding: Finding) {
        let names = |rule: &Rule| rule.names(finding.rule, finding.clause);
        let severity = match () {
            () if self.args.allow.iter().any(names) => {
                self.allowed += 1;
                return;
            }
            () if self.args.deny.iter().any(names) => Severity::Error,
            () if self.args.warn.iter().any(names) => Severity::Warning,
            () => severity(finding.rule),
        };
        finding.severity = severity;
        // What holds on several targets, or of several operands, is one finding.
        let same = |other: &&mut Finding| other.says_the_same(&finding);
        match self.found.iter_mut().rev().take(64).find(same) {
            Some(other) => {
                let new = finding.targets.into_iter();
                let new: Vec<_> = new.filter(|own| !other.targets.contains(own)).collect();
                other.targets.extend(new);
            }
            None => self.found.push(finding),
        }
    }

    /// Whether a rule is asked for that says nothing of its own accord.
    fn is_asked(&self, rule: &str, clause: Option<Clause>) -> bool {
        let mut asked = self.args.deny.iter().chain(&self.args.warn);
        asked.any(|asked| asked.names(rule, clause))
    }

    /// What no case can be made of.
    fn set_aside(&mut self, aside: &Diagnostic) {
        let (mut cpu, mut others) = (Vec::new(), Vec::new());
        if aside.code == Code::NoElementType {
            let of = match aside.targets[..] {
                [] => Target::VARIANTS,
                ref own => own,
            };
            let of = of
                .iter()
                .copied()
                .filter(|target| self.args.looks_at(*target));
            // What CPU takes is not said for all instructions (TSCATTER-GAP-08).
            (cpu, others) = of.partition(|target| *target == Target::Cpu);
        }
        let kind = match aside.code {
            Code::UnknownOperation => "unknown-operation",
            _ => "not-judged",
        };
        let is_judged = !others.is_empty() && cpu.is_empty();
        let rejected = Some(("rejected", others)).filter(|(_, targets)| !targets.is_empty());
        let not_judged = Some((kind, cpu)).filter(|_| !is_judged);
        let place = aside.place.as_ref();
        let line = place.map_or(0, |place| place.span.line);
        let behind = aside.calls.iter().filter(|call| call.line > line);
        let lines: Vec<_> = behind.map(|call| call.line.to_string()).collect();
        let lines = match &lines[..] {
            [] => String::new(),
            [line] => format!("; about the call in line {line}"),
            _ => format!("; about the calls in lines {}", first_of(lines)),
        };
        if let Some(place) = place.filter(|_| not_judged.is_some()) {
            let calls = aside.calls.iter();
            let calls = calls.map(|call| (place.file.clone(), call.bytes.start));
            self.not_judged.extend(calls);
        }
        for (rule, targets) in rejected.into_iter().chain(not_judged) {
            self.add(Finding {
                rule,
                targets,
                message: format!("{}: {}{lines}", aside.code, aside.message),
                ..Finding::mistake(aside)
            });
        }
    }

    fn remark(&mut self, remark: &Remark) {
        let targets = remark.targets.iter().copied();
        let targets = targets.filter(|target| self.args.looks_at(*target));
        let targets: Vec<Target> = targets.collect();
        if targets.is_empty() && !remark.targets.is_empty() {
            return;
        }
        self.add(Finding {
            place: Place::of(&remark.spot.file, &remark.spot.span),
            rule: remark.rule,
            targets,
            clause: remark.clause,
            case: remark.case.clone(),
            message: remark.message.clone(),
            help: remark.help.clone(),
            ..Finding::default()
        });
    }
}
