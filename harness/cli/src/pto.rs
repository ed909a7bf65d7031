//! `.pto` files among the cases, and what the user says that they do not.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use clap::Args as ClapArgs;
use ptodiff_case::{Case, Code, Corpus, DataFile};
use ptodiff_pto::{Files, Known};

use crate::{corpus, exit::Error, out::say, plain};

/// What `.pto` files do not say.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct PtoArgs {
    /// A value that no constant of a .pto file says
    #[arg(id = "pto_set", long = "set", value_name = "NAME=N", value_parser = number)]
    numbers: Vec<(String, u64)>,
    /// Data of .pto operands by their names
    #[arg(id = "pto_data", long = "data", value_name = "FILE")]
    data: Option<PathBuf>,
    /// Whether cases are for all targets, whatever `pto.target_arch` says.
    #[arg(skip)]
    pub(crate) any_arch: bool,
}

impl PtoArgs {
    /// Reads files with what these options say.
    pub(crate) fn files(&self) -> Result<Files, Error> {
        let mut known = Known {
            any_arch: self.any_arch,
            ..Known::default()
        };
        for (name, number) in &self.numbers {
            if let Some(before) = known.numbers.insert(name.clone(), *number)
                && before != *number
            {
                return Err(Error::usage(format!(
                    "--set gives {name} twice, as {before} and as {number}: one is right"
                )));
            }
        }
        known.data = self.data.as_deref().map(DataFile::load).transpose()?;
        Ok(Files::new(known))
    }

    /// The arguments that say the same, as pairs of option and value.
    pub(crate) fn arguments(&self) -> Vec<(String, String)> {
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|(name, n)| ("--set".to_owned(), format!("{name}={n}")));
        let data = self.data.iter();
        let data = data.map(|path| ("--data".to_owned(), path.to_string_lossy().into_owned()));
        numbers.chain(data).collect()
    }
}

fn number(text: &str) -> Result<(String, u64), String> {
    let pair = text.split_once('=').and_then(|(name, number)| {
        let name = name.trim_start_matches('%');
        Some((name.to_owned(), number.parse().ok()?)).filter(|_| !name.is_empty())
    });
    pair.ok_or_else(|| "expected NAME=N, as in rows=64".to_owned())
}

/// Reads case files, those of YAML and `.pto` files. Operations with elements that no
/// target has are told and left out; others that no case can be made of are mistakes, unless
/// `words` name cases that there are. Where `words` are given, files without them are passed
/// over.
///
/// # Errors
/// What cannot be read, and every mistake in it; `named` says how one case is chosen.
pub(crate) fn load(
    paths: &[PathBuf],
    beside: &PtoArgs,
    words: &[&str],
    named: impl Fn(&Case) -> String,
) -> Result<Corpus, Error> {
    let corpus = apart(paths, beside, words)?;
    let places = corpus.mistakes.iter().filter_map(|d| d.place.as_ref());
    let torn: BTreeSet<&Path> = places.map(|spot| &*spot.file).collect();
    let whole = |case: &&Case| {
        let file = &*case.place.file;
        ptodiff_pto::is_pto(file) && torn.contains(file)
    };
    let said = corpus.cases.iter().find(whole).map(|case| {
        format!(
            "other operations of {file} can be read: `ptodiff check {file}` looks at them, and \
             {named} chooses one",
            file = plain::path(&case.place.file),
            named = named(case),
        )
    });
    let read = corpus.whole();
    read.map_err(|bad| Error::from(bad).with(said))
}

/// As [`load`], of all cases, with nothing that `.pto` files do not say. Says where the cases
/// come from.
pub(crate) fn load_all(paths: &[PathBuf]) -> Result<Corpus, Error> {
    Ok(load_some(paths, &PtoArgs::default(), &[])?.whole()?)
}

/// As [`load()`], with the mistakes in the corpus. Says where the cases come
/// from.
///
/// # Errors
/// What cannot be read; no target takes what is there.
pub(crate) fn load_some(
    paths: &[PathBuf],
    beside: &PtoArgs,
    words: &[&str],
) -> Result<Corpus, Error> {
    corpus::tell(paths);
    apart(paths, beside, words)
}

fn apart(paths: &[PathBuf], beside: &PtoArgs, words: &[&str]) -> Result<Corpus, Error> {
    let mut corpus = read(paths, beside, words)?;
    let is_there = |word: &&str| {
        let mut cases = corpus.cases.iter();
        cases.any(|case| case.id == **word || case.name == **word)
    };
    // Who names cases asks for nothing else.
    if !words.is_empty() && words.iter().all(is_there) {
        corpus.set_aside.clear();
    }
    let aside = std::mem::take(&mut corpus.set_aside);
    let (out, wrong): (Vec<_>, Vec<_>) = aside
        .into_iter()
        .partition(|d| d.code == Code::NoElementType);
    corpus.mistakes.extend(wrong);
    for each in &out {
        say(format!(
            "left out, no case can be made of it: {}",
            each.summary()
        ));
    }
    match corpus.cases.is_empty() && corpus.mistakes.is_empty() && !out.is_empty() {
        true => Err(Error::nothing("no case can be made of what is here")),
        false => Ok(corpus),
    }
}

/// As [`load_some`], with all operations that no case can be made of set aside.
pub(crate) fn read(paths: &[PathBuf], beside: &PtoArgs, words: &[&str]) -> Result<Corpus, Error> {
    let files = beside.files()?;
    let corpus = corpus::load(paths, words, Some(&files))?;
    crate::old_words::warn_of(&corpus.old_words, &corpus.files);
    Ok(corpus)
}

/// Whether `what` names a `.pto` or `.mlir` file, a case file or a folder rather than a case.
pub(crate) fn is_file(what: &str) -> bool {
    let path = Path::new(what);
    let end = path.extension().unwrap_or_default();
    let is_yaml = ["yaml", "yml"]
        .iter()
        .any(|own| end.eq_ignore_ascii_case(own));
    ptodiff_pto::is_pto(path) || is_yaml || corpus::is_folder(path)
}
