//! What shells complete, and the scripts and pages that come with the command.

use std::{
    env,
    ffi::OsStr,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::{Arg, Args, Command};
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate, env::Shells};
use clap_mangen::Man;
use ptodiff_case::Form;
use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_isa::{
    Coalesce, DType, MaskAxis, MaskPattern, ScatterAtomicOp, ScatterConflict, Target, reading,
};
use ptodiff_register::EDITIONS;
use strum::{VariantArray, VariantNames};

use crate::{
    commands::guide,
    corpus,
    exit::{Error, Exit},
    out::stdout_bytes,
    rules::RULES,
    select,
};

/// The variable in which a shell's script asks for completions.
pub(crate) const VARIABLE: &str = "PTODIFF_COMPLETE";

/// What the script for bash has beside what clap writes.
const BASH: &[u8] = include_bytes!("completion/bash.sh");

/// What that for zsh has: as a file of `fpath` it is the function itself.
const ZSH: &[u8] = b"\n[[ $funcstack[1] == _ptodiff ]] && _clap_dynamic_completer_ptodiff \"$@\"\n";

/// Answers a shell that asks for completions; whether one did.
///
/// # Errors
/// It is none that is known, or standard output fails.
pub(crate) fn asked(command: fn() -> Command) -> Result<bool, Error> {
    let shell = env::var_os(VARIABLE).unwrap_or_default();
    let answer = CompleteEnv::with_factory(command).var(VARIABLE);
    let answered = answer.try_complete(env::args_os(), env::current_dir().ok().as_deref());
    answered.map_err(|error| {
        let error = error.to_string();
        let why = error.strip_prefix("error: ").unwrap_or(&error).trim_end();
        let stem = Path::new(&shell).file_stem().unwrap_or_default();
        match Shells::builtins().completer(&stem.to_string_lossy()) {
            Some(_) => Error::fault(format!("cannot write to standard output: {why}")),
            None => Error::usage(why),
        }
    })
}

/// `ptodiff completions`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

/// `ptodiff man`
#[derive(Args, Debug)]
pub(crate) struct ManPages {
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the script that makes a shell complete.
pub(crate) fn completions(args: &Completions) -> Result<Exit, Error> {
    let shells = Shells::builtins();
    let shell = shells
        .completer(&args.shell)
        .ok_or_else(|| Error::usage(format!("no script for the shell {}", args.shell)))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "ptodiff", "ptodiff", "ptodiff", &mut script)?;
    match &*args.shell {
        "bash" => script.extend(BASH),
        "zsh" => script.extend(ZSH),
        _ => {}
    }
    stdout_bytes().write_all(&script)?;
    Ok(Exit::Conforms)
}

/// Writes a man page for each command.
///
/// # Errors
/// The folder or a page cannot be written.
pub(crate) fn man(args: &ManPages, command: Command) -> Result<Exit, Error> {
    fs::create_dir_all(&args.folder).map_err(CannotWrite::of_folder(&args.folder))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    pages(&command, &args.folder)?;
    Ok(Exit::Conforms)
}

/// Writes the pages of `command` and of those below it.
fn pages(command: &Command, folder: &Path) -> Result<(), Error> {
    for own in command.get_subcommands().filter(|own| !own.is_hide_set()) {
        pages(own, folder)?;
    }
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(whole::write_bytes(
        &folder.join(page.get_filename()),
        &text,
    )?)
}

/// `arg` with the values that shells offer for it.
pub(crate) fn values(arg: Arg) -> Arg {
    let complete: fn(&OsStr) -> Vec<CompletionCandidate> = match arg.get_id().as_str() {
        "target" | "claims" | "suite" | "held_to" => |typed| offered(typed, targets()),
        "form" => |typed| offered(typed, Form::ALL.iter().map(ToString::to_string)),
        "edition" | "editions" => {
            |typed| offered(typed, EDITIONS.iter().map(|e| e.name.to_owned()))
        }
        "reading" => |typed| offered(typed, readings()),
        "case" | "wanted" | "filter" => |typed| offered(typed, ids()),
        "what" => |typed| offered(typed, explained()),
        "topic" => |typed| offered(typed, guide::topics().map(str::to_owned)),
        "deny" | "warn" | "allow" => |typed| offered(typed, rules(typed)),
        "modes" => words::<Coalesce>,
        "dtypes" | "index_dtypes" => words::<DType>,
        "atomics" => words::<ScatterAtomicOp>,
        "conflicts" => words::<ScatterConflict>,
        "patterns" => words::<MaskPattern>,
        "mask_axes" => words::<MaskAxis>,
        _ => return arg,
    };
    arg.add(ArgValueCompleter::new(complete))
}

/// Those of `all` that begin with what is typed, in either case.
fn offered(typed: &OsStr, all: impl IntoIterator<Item = String>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy().to_lowercase();
    let begins = |word: &String| word.to_lowercase().starts_with(&typed);
    all.into_iter()
        .filter(begins)
        .map(CompletionCandidate::new)
        .collect()
}

/// Those of an enumeration.
fn words<T: VariantNames>(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, T::VARIANTS.iter().map(ToString::to_string))
}

/// Rules of `check`, and clauses for who has begun to type: there are hundreds.
fn rules(typed: &OsStr) -> impl Iterator<Item = String> {
    let clauses = ptodiff_register::entries().iter().map(|entry| entry.id);
    let clauses = clauses.filter(|_| !typed.is_empty());
    let rules = RULES.iter().map(|(name, ..)| *name);
    rules.chain(clauses).map(str::to_owned)
}

fn targets() -> impl Iterator<Item = String> {
    <Target as VariantArray>::VARIANTS
        .iter()
        .map(ToString::to_string)
}

fn readings() -> impl Iterator<Item = String> {
    let choices =
        |gap: &'static reading::Gap| gap.choices.iter().map(|c| format!("{}={c}", gap.name));
    reading::GAPS.iter().flat_map(choices)
}

/// The ids of the cases in the usual folder, or in the command; none where it cannot be read.
fn ids() -> impl Iterator<Item = String> {
    let corpus = corpus::load(&[PathBuf::from(corpus::USUAL)], &[], None);
    let cases = corpus.unwrap_or_default().cases;
    cases.into_iter().map(|case| case.id)
}

fn explained() -> impl Iterator<Item = String> {
    let words = select::explainable().map(str::to_owned);
    words.chain(ids())
}
