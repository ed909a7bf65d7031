//! Reading files and folders into a corpus.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use ptodiff_edge::place::from_here;
use ptodiff_edge::text;
use ptodiff_isa::{Clause, Target};
use rayon::prelude::*;

use crate::case::Case;
use crate::code::Code;
use crate::diagnostic::{self, Diagnostic, Related, SourceFile, Spot};
use crate::limits::MAX_FOLDERS;
use crate::load_error::LoadError;
use crate::lower;
use crate::old_words::OldWord;
use crate::source::{self, shown, without_mark};

/// Cases that were read, with the texts they come from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Corpus {
    /// Every case, in the order of its file; files by path, as it is named from
    /// the working folder.
    pub cases: Vec<Case>,
    /// Every file that was read.
    pub files: Vec<SourceFile>,
    /// Files below the folders given that are no case files by their name.
    pub passed_over: Vec<PathBuf>,
    /// Old words that were read for what they are called now.
    pub old_words: Vec<OldWord>,
    /// Operations that no case can be made of, in files of another kind. Who does
    /// not say so itself takes them for mistakes.
    pub set_aside: Vec<Diagnostic>,
    /// What is odd about how a case is written.
    pub remarks: Vec<Remark>,
    /// Every mistake, in the order of files, then paths that lead to none. A case with one is
    /// not among the cases.
    pub mistakes: Vec<Diagnostic>,
    /// Where these cases stand.
    pub broken: Vec<Spot>,
}

impl Corpus {
    /// The corpus, for who takes none with mistakes.
    ///
    /// # Errors
    /// If there are mistakes.
    pub fn whole(self) -> Result<Self, LoadError> {
        match self.mistakes.is_empty() {
            true => Ok(self),
            false => Err(LoadError {
                diagnostics: self.mistakes,
                files: self.files,
            }),
        }
    }
}

/// What is odd about how a case is written, though it reads well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The case's id.
    pub case: String,
    /// Where.
    pub spot: Spot,
    /// What kind of remark: `missing-coalesce`.
    pub rule: &'static str,
    /// Targets that it is about, if not the call as such.
    pub targets: Vec<Target>,
    /// The clause that is broken, if one is.
    pub clause: Option<Clause>,
    /// The remark, in one line.
    pub message: String,
    /// What may be done.
    pub help: Option<String>,
}

/// Files that are read at the same time.
const TOGETHER: usize = 32;

/// Reads files of another kind than YAML into cases.
pub trait Foreign: Sync {
    /// How the names of such files end, without the dot. In a folder those with the first
    /// are read: the others are used for more than this.
    fn extensions(&self) -> &'static [&'static str];

    /// What the file at `path` says, without the file.
    fn read(&self, path: &Path, text: &str) -> Corpus;

    /// Mistakes that show when all files are read, and the files that they are in.
    fn finish(&self) -> Corpus;
}

/// Reads case files, and folders of them with all their subfolders.
///
/// A file that is given is read whatever its name; in a folder those ending in
/// `.yaml` and `.yml` are, and the others are listed in [`Corpus::passed_over`].
/// A file that is reached twice is read once. In which order they are given says
/// nothing.
///
/// # Errors
/// If something cannot be read, a file has a mistake, or there is nothing to read.
pub fn load(paths: &[PathBuf]) -> Result<Corpus, LoadError> {
    load_with(paths, &[], None, &|_| true)?.whole()
}

/// As [`load`], with the texts of files that are at hand, and with files that `foreign`
/// reads. Data in `.npy` files is a mistake in a text, which has no file beside it. A file of
/// YAML that is not `wanted` adds nothing, and no mistake.
///
/// # Errors
/// If there is nothing to read; a file or folder that cannot be read is a mistake.
pub fn load_with(
    paths: &[PathBuf],
    texts: &[SourceFile],
    foreign: Option<&dyn Foreign>,
    wanted: Wanted<'_>,
) -> Result<Corpus, LoadError> {
    let mut reader = Reader::default();
    let walk = match paths.is_empty() && !texts.is_empty() {
        true => Walk::default(),
        false => Walk::over(paths, foreign.map(|foreign| foreign.extensions()[0]))?,
    };
    let files = walk.files.into_iter().map(|path| (path, None));
    let texts = texts.iter().map(|file| (file.path.clone(), Some(file)));
    let mut given: Vec<Given<'_>> = files.chain(texts).collect();
    given.sort_by_cached_key(|(path, _)| from_here(path));
    let names = match foreign {
        Some(foreign) => apart(&given, foreign),
        None => BTreeMap::new(),
    };
    // A few at a time, since each is in memory twice.
    for some in given.chunks(TOGETHER) {
        let files: Vec<_> = some
            .par_iter()
            .map(|(path, file)| {
                if let Some(file) = file {
                    return parsed((*file).clone(), None, foreign, wanted);
                }
                let mut read = parsed_at(path, foreign, wanted);
                if let (Some(name), Some(said)) = (names.get(path), &mut read) {
                    rename(said, name);
                }
                read
            })
            .collect();
        files
            .into_iter()
            .flatten()
            .for_each(|file| reader.add(file));
    }
    reader.corpus.passed_over = walk.passed_over.iter().map(|path| shown(path)).collect();
    reader.corpus.mistakes.extend(walk.mistakes);
    if let Some(foreign) = foreign {
        reader.add(foreign.finish());
    }
    Ok(reader.corpus)
}

/// The files that [`load`] reads, in its order.
///
/// # Errors
/// If a file or folder cannot be read, or there is nothing to read.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, LoadError> {
    let Walk {
        files, mistakes, ..
    } = Walk::over(paths, None)?;
    match mistakes.is_empty() {
        true => Ok(files),
        false => Err(LoadError {
            diagnostics: mistakes,
            files: Vec::new(),
        }),
    }
}

/// Reads cases from a text that stands for a file called `name`. No file is
/// read, so data in `.npy` files is a mistake here.
///
/// # Errors
/// If it has a mistake.
pub fn load_str(name: &str, text: &str) -> Result<Corpus, LoadError> {
    let mut reader = Reader::default();
    let file = SourceFile {
        path: PathBuf::from(name),
        text: text.to_owned(),
    };
    reader.add(of_yaml(file, None));
    reader.corpus.whole()
}

/// What tells apart files of one name that `foreign` reads, in the place of that name: their
/// cases have ids of it alone, and who wrote the files may not be free to rename them.
fn apart(given: &[Given<'_>], foreign: &dyn Foreign) -> BTreeMap<PathBuf, String> {
    let mut named: BTreeMap<&OsStr, Vec<&Path>> = BTreeMap::new();
    for (path, _) in given {
        if is_of(path, foreign) {
            let stem = path.file_stem().unwrap_or_default();
            named.entry(stem).or_default().push(path);
        }
    }
    let mut names = BTreeMap::new();
    for alike in named.into_values().filter(|alike| alike.len() > 1) {
        let parents: Vec<Vec<Component<'_>>> = alike
            .iter()
            .map(|path| folder_of(path).components().rev().collect())
            .collect();
        let most = parents.iter().map(Vec::len).max().unwrap_or(0);
        // With this many of the innermost folders, and with the end of its name or without.
        let named = |(n, whole): (usize, bool)| -> BTreeMap<PathBuf, &Path> {
            let each = alike.iter().zip(&parents).map(|(path, all)| {
                let name = if whole {
                    path.file_name()
                } else {
                    path.file_stem()
                };
                let folder: PathBuf = all[..n.min(all.len())].iter().rev().collect();
                (folder.join(name.unwrap_or_default()), *path)
            });
            each.collect()
        };
        // As little as makes them different.
        let ways = (1..=most).map(|n| (n, false));
        let mut ways = ways.chain((0..=most).map(|n| (n, true)));
        let found = ways.find_map(|way| Some(named(way)).filter(|all| all.len() == alike.len()));
        for (name, path) in found.into_iter().flatten() {
            names.insert(path.to_path_buf(), text::path(&name));
        }
    }
    names
}

/// Whether a file may have what is asked for, by its path and its text.
pub type Wanted<'a> = &'a (dyn Fn(&SourceFile) -> bool + Sync);

/// A path, and the file where it is at hand.
type Given<'a> = (PathBuf, Option<&'a SourceFile>);

/// Reads the file at `path`, unless nothing of it is wanted.
fn parsed_at(path: &Path, foreign: Option<&dyn Foreign>, wanted: Wanted<'_>) -> Option<Corpus> {
    match source::read(path) {
        Ok(file) => parsed(file, Some(folder_of(path)), foreign, wanted),
        // The other files may be read nevertheless.
        Err(LoadError { diagnostics, files }) => Some(Corpus {
            files,
            mistakes: diagnostics,
            ..Corpus::default()
        }),
    }
}

fn parsed(
    file: SourceFile,
    folder: Option<&Path>,
    foreign: Option<&dyn Foreign>,
    wanted: Wanted<'_>,
) -> Option<Corpus> {
    match foreign.filter(|foreign| is_of(&file.path, *foreign)) {
        Some(foreign) => {
            let file = without_mark(file);
            let mut said = foreign.read(&file.path, &file.text);
            said.files.push(file);
            Some(said)
        }
        None => wanted(&file).then(|| of_yaml(file, folder)),
    }
}

fn of_yaml(file: SourceFile, folder: Option<&Path>) -> Corpus {
    let file = without_mark(file);
    let mut said = lower::file(&file, folder);
    if !ends_in(&file.path, "yaml") && !ends_in(&file.path, "yml") {
        let syntax = said.mistakes.iter_mut();
        for one in syntax.filter(|one| one.code == Code::Syntax) {
            let help = "a file is read as YAML unless its name ends in `.pto` or `.mlir`";
            one.help.get_or_insert_with(|| help.to_owned());
        }
    }
    said.files.push(file);
    said
}

/// Gives the ids of its cases this in place of the file's name.
fn rename(said: &mut Corpus, name: &str) {
    let ids = said.cases.iter_mut().map(|case| &mut case.id);
    for id in ids.chain(said.remarks.iter_mut().map(|remark| &mut remark.case)) {
        let (_, rest) = id.split_once('/').unwrap_or_default();
        *id = format!("{name}/{rest}");
    }
}

#[derive(Default)]
struct Reader {
    corpus: Corpus,
    /// The places of the cases among all, by their ids: no id is there twice.
    ids: HashMap<String, usize>,
}

impl Reader {
    fn add(&mut self, mut said: Corpus) {
        let all = &mut self.corpus;
        for case in said.cases {
            if let Some(first) = self.ids.get(&case.id) {
                said.mistakes.push(duplicate(&case, &all.cases[*first]));
                said.broken.push(case.place.spot());
                continue;
            }
            self.ids.insert(case.id.clone(), all.cases.len());
            all.cases.push(case);
        }
        diagnostic::in_order(&mut said.mistakes);
        all.mistakes.append(&mut said.mistakes);
        all.broken.append(&mut said.broken);
        for mut file in said.files {
            // It grew while it was read, and stays as long as its cases.
            file.text.shrink_to_fit();
            all.files.push(file);
        }
        all.set_aside.append(&mut said.set_aside);
        all.remarks.append(&mut said.remarks);
        all.old_words.append(&mut said.old_words);
    }
}

fn duplicate(case: &Case, first: &Case) -> Diagnostic {
    let message = format!("there are two cases `{}`", case.id);
    let mut diagnostic = case.mistake(Code::DuplicateCase, message);
    diagnostic.label = "the second".to_owned();
    if [&case.place.file, &first.place.file]
        .iter()
        .any(|path| !ends_in(path, "yaml") && !ends_in(path, "yml"))
    {
        let help = "an id has the file's name and no folder: rename one, or give one at a time";
        diagnostic.help = Some(help.to_owned());
    }
    diagnostic.related.push(Related {
        spot: first.place.spot(),
        label: "the first".to_owned(),
    });
    diagnostic
}

/// The files below what was given.
#[derive(Default)]
struct Walk {
    files: Vec<PathBuf>,
    passed_over: Vec<PathBuf>,
    /// What cannot be read.
    mistakes: Vec<Diagnostic>,
    /// How the names of other files end that are read.
    foreign: Option<&'static str>,
    /// Real paths, so that links cannot lead round in circles or a file be read twice.
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    fn over(paths: &[PathBuf], foreign: Option<&'static str>) -> Result<Self, LoadError> {
        let mut walk = Self {
            foreign,
            ..Self::default()
        };
        // However they were typed, and in whatever order: the same cases are one run.
        let mut own: Vec<PathBuf> = paths.iter().map(|path| named(path)).collect();
        own.sort_by_cached_key(|path| from_here(path));
        for path in &own {
            walk.visit(path, true, 0);
        }
        // What a folder passes over may be given itself.
        let is_read = |path: &PathBuf| path.canonicalize().is_ok_and(|p| walk.seen.contains(&p));
        walk.passed_over.retain(|path| !is_read(path));
        walk.files.sort_by_cached_key(|path| from_here(path));
        if walk.files.is_empty() && walk.mistakes.is_empty() {
            let names: Vec<_> = paths.iter().map(|p| p.display().to_string()).collect();
            let message = format!("no case files in {}", names.join(", "));
            let mut nothing = Diagnostic::general(Code::NothingFound, message);
            let help = "case files end in `.yaml`, `.yml` or `.pto`; a file that ends in `.mlir` \
                        is read if it is named itself";
            nothing.help = Some(help.to_owned());
            return Err(LoadError::general(nothing));
        }
        Ok(walk)
    }

    /// Adds what is at `path`, or that it cannot be read.
    fn visit(&mut self, path: &Path, given: bool, depth: usize) {
        if let Err(why) = self.enter(path, given, depth) {
            let why = LoadError::unreadable(&shown(path), &why);
            self.mistakes.extend(why.diagnostics);
        }
    }

    fn enter(&mut self, path: &Path, given: bool, depth: usize) -> io::Result<()> {
        let kind = fs::metadata(path)?;
        if given && !kind.is_dir() && !kind.is_file() {
            return Err(source::neither());
        }
        let real = fs::canonicalize(path)?;
        let ends = ["yaml", "yml"].into_iter().chain(self.foreign);
        let named = ends.into_iter().any(|end| ends_in(path, end));
        if !kind.is_dir() && !given && !named {
            self.passed_over.push(path.to_owned());
            return Ok(());
        }
        if !self.seen.insert(real) {
            return Ok(());
        }
        if !kind.is_dir() {
            self.files.push(path.to_owned());
            return Ok(());
        }
        if depth >= MAX_FOLDERS {
            return Err(io::Error::other("folders nest too deep"));
        }
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        for entry in &entries {
            self.visit(entry, false, depth + 1);
        }
        Ok(())
    }
}

/// Whether the name of `path` ends in `.end`, in capitals or not.
fn ends_in(path: &Path, end: &str) -> bool {
    path.extension()
        .is_some_and(|own| own.eq_ignore_ascii_case(end))
}

/// Whether `foreign` reads the file at `path`.
fn is_of(path: &Path, foreign: &dyn Foreign) -> bool {
    let mut extensions = foreign.extensions().iter();
    extensions.any(|end| ends_in(path, end))
}

/// A path that was given as messages name it and as it is read: from the working
/// folder, unless that would lead out of it and up to the root.
fn named(path: &Path) -> PathBuf {
    let own = from_here(path);
    match path.is_absolute() && own.starts_with("..") {
        true => path.to_owned(),
        false => own,
    }
}

/// The folder that a file stands in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
