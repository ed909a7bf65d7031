//! `ptodiff fix`

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_case::{OldWord, Renewed, renew};
use ptodiff_edge::whole;
use ptodiff_report::style::{BAD, BOLD, DIM};

use crate::{
    commands::gate::{self, Gate},
    corpus,
    exit::{Error, Exit},
    files::cannot_read,
    out::stdout,
    plain,
    text::counted,
};

/// `ptodiff fix`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every file has the new words, 1 with --check one has not, or a word \
    is left that only you can replace; 2 a file that cannot be read or \
    written; 3 no file was found. A file is written whole or not at all."
)]
pub(crate) struct Fix {
    /// Files and folders: case files, waivers, baselines. If not given: `cases`,
    /// reports/waivers.yaml and reports/baseline.json
    paths: Vec<PathBuf>,
    /// Change nothing: say what would change, and end with 1 if anything would
    #[arg(long)]
    check: bool,
}

/// What becomes of one file.
struct Fixed {
    path: PathBuf,
    /// Its text in new words, if that is another one.
    text: Option<String>,
    words: Vec<OldWord>,
}

/// Rewrites files that have words of the version before.
///
/// # Errors
/// If a file cannot be read or written: nothing is written before all are read.
pub(crate) fn fix(args: &Fix) -> Result<Exit, Error> {
    let paths = match args.paths.is_empty() {
        true => usual(),
        false => args.paths.clone(),
    };
    if paths.is_empty() {
        return Err(Error::nothing(format!(
            "there is no folder `{}` here, and no {}: name the files to fix",
            corpus::USUAL,
            Gate::WAIVERS
        )));
    }
    if let Some(path) = paths.iter().find(|path| ptodiff_pto::is_pto(path)) {
        return Err(Error::usage(format!(
            "{}: `fix` is for case files in YAML, waivers and baselines, which may have words of an \
             older version; `ptodiff check` looks at .pto files",
            plain::path(path)
        )));
    }
    let (mut baselines, yaml): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.into_iter().partition(|path| is_baseline(path));
    let beside = yaml.iter().map(|folder| folder.join("baseline.json"));
    baselines.extend(beside.filter(|path| is_baseline(path)));
    baselines.sort();
    baselines.dedup();
    let mut files = Vec::new();
    if !yaml.is_empty() {
        for path in ptodiff_case::files(&yaml)? {
            files.push(of_yaml(path)?);
        }
    }
    for path in baselines {
        files.push(of_baseline(path)?);
    }
    let changed: Vec<&Fixed> = files.iter().filter(|file| file.text.is_some()).collect();
    let mut out = stdout();
    for file in &changed {
        if let (false, Some(text)) = (args.check, &file.text) {
            // A link stays one: its file is replaced.
            let real = fs::canonicalize(&file.path).map_err(|e| cannot_read(&file.path, &e))?;
            whole::write_bytes(&real, text.as_bytes())?;
        }
        say(&mut out, file, args.check)?;
    }
    let left: Vec<&OldWord> = files
        .iter()
        .flat_map(|f| &f.words)
        .filter(by_hand)
        .collect();
    for word in &left {
        let (place, old, new) = (place(word), word.old, word.new);
        let what = match word.is_double {
            true => format!("`{new}` stands beside `{old}`, its old name: keep one, as `{new}`"),
            false => format!("an escape hides `{old}`: write `{new}` there"),
        };
        writeln!(out, "{BAD}left{BAD:#} {place}: {what}")?;
    }
    let (some, all) = (changed.len() as u64, counted(files.len() as u64, "file"));
    match (some, args.check) {
        (0, _) => writeln!(out, "{BOLD}nothing to fix{BOLD:#} in {all}")?,
        (_, true) => writeln!(out, "{BOLD}{some} of {all} would change{BOLD:#}")?,
        (_, false) => writeln!(out, "{BOLD}{some} of {all} rewritten{BOLD:#}")?,
    }
    Ok(Exit::failed(args.check && some > 0 || !left.is_empty()))
}

/// What is fixed where nothing is named: of the usual places those that are there.
fn usual() -> Vec<PathBuf> {
    let waivers = Path::new(Gate::WAIVERS);
    let baseline = waivers.with_file_name("baseline.json");
    let all = [PathBuf::from(corpus::USUAL), waivers.to_owned(), baseline];
    all.into_iter().filter(|path| path.exists()).collect()
}

fn is_baseline(path: &Path) -> bool {
    path.is_file()
        && path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

fn of_yaml(path: PathBuf) -> Result<Fixed, Error> {
    let Renewed { words, text, .. } = renew(&path)?;
    let changes = words.iter().any(|word| !by_hand(&word));
    let text = changes.then_some(text);
    Ok(Fixed { path, text, words })
}

/// A baseline is made by `gate --bless`, so it is written as that writes it.
fn of_baseline(path: PathBuf) -> Result<Fixed, Error> {
    let text = fs::read_to_string(&path).map_err(|e| cannot_read(&path, &e))?;
    let baseline = gate::baseline(&path, &text)?;
    Ok(Fixed {
        text: baseline.is_older().then(|| baseline.text()),
        words: Vec::new(),
        path,
    })
}

fn by_hand(word: &&OldWord) -> bool {
    word.spot.span.bytes.is_empty()
}

fn place(word: &OldWord) -> String {
    let span = &word.spot.span;
    format!("{}:{}:{}", word.spot.file.display(), span.line, span.column)
}

/// A line for each word with `each`, otherwise one for the file.
fn say(out: &mut impl Write, file: &Fixed, each: bool) -> std::io::Result<()> {
    let words: Vec<&OldWord> = file.words.iter().filter(|word| !by_hand(word)).collect();
    if each && !words.is_empty() {
        for word in words {
            let (old, new) = (word.old, word.new);
            writeln!(out, "{}: {old} -> {new}", place(word))?;
        }
        return Ok(());
    }
    let what = match words.len() as u64 {
        0 => "an older format".to_owned(),
        n => counted(n, "word"),
    };
    writeln!(out, "{}  {DIM}{what}{DIM:#}", plain::path(&file.path))
}
