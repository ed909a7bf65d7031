//! The cases that come with the command, for use without a checkout.
//!
//! A path that is there is a path. One that is not may name a file or a folder of the
//! corpus, with `cases/` before it or not: of the folder `cases` here, otherwise of the
//! files in the command. Those are called what a checkout calls them, so that a run
//! says the same of them.

use std::fs;
use std::io::{Read, stdin};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use flate2::read::DeflateDecoder;
use ptodiff_case::{Corpus, Foreign, SourceFile, load_with};
use ptodiff_edge::place::from_here;

use crate::{
    exit::Error,
    files::{is_absent, is_stream},
    out::say,
    plain,
    text::{counted, joined},
};

/// The folder of cases where none is named.
pub(crate) const USUAL: &str = "cases";

/// A case file of no case: what a hunt writes that found nothing.
pub(crate) const NO_CASE: &str = "cases: []\n";

/// Every file that comes with the command: its path from the project's root, and how many
/// bytes it has of [`BYTES`], where they are one after the other.
const LENGTHS: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// What is in the files; packed, a fifteenth of the command's size is saved.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/corpus.deflate"));
    let mut bytes = Vec::new();
    let read = DeflateDecoder::new(&packed[..]).read_to_end(&mut bytes);
    read.expect("the build packed it");
    bytes
});

/// Every file that comes with the command, by its path from the project's root.
static FILES: LazyLock<Vec<(&str, &[u8])>> = LazyLock::new(|| {
    let mut rest = BYTES.as_slice();
    let file = |(path, length): &(&'static str, usize)| {
        let (bytes, after) = rest.split_at(*length);
        rest = after;
        (*path, bytes)
    };
    LENGTHS.iter().map(file).collect()
});

/// Every file of the corpus: its path below the folder `cases`, and what is in it.
pub(crate) fn files() -> impl Iterator<Item = (&'static Path, &'static [u8])> {
    FILES.iter().filter_map(|(path, bytes)| {
        let below = Path::new(path).strip_prefix(USUAL).ok()?;
        Some((below, *bytes))
    })
}

/// The text of the file that a checkout has at `path`.
pub(crate) fn text(path: &Path) -> Option<&'static str> {
    let (_, bytes) = FILES.iter().find(|(own, _)| Path::new(own) == path)?;
    std::str::from_utf8(bytes).ok()
}

/// What a path that was given, or a place in a file, stands for.
enum CorpusPath {
    /// A file or a folder, or nothing at all.
    Path(PathBuf),
    /// A part of the corpus in the command: its path in a checkout.
    Own(PathBuf),
}

impl CorpusPath {
    fn of(path: &Path) -> Self {
        if !is_absent(path) {
            return Self::Path(path.to_owned());
        }
        if let Some((file, _)) = at_line(path) {
            return Self::of(&file);
        }
        let named = from_here(path);
        let normal = |part| matches!(part, Component::Normal(_));
        if path.as_os_str().is_empty() || !named.components().all(normal) {
            return Self::Path(path.to_owned());
        }
        let usual = Path::new(USUAL).join(&named);
        if usual.exists() {
            return Self::Path(usual);
        }
        let is_own = |own: &&PathBuf| texts(own).next().is_some();
        match [named, usual].iter().find(is_own) {
            Some(own) => Self::Own(own.clone()),
            None => Self::Path(path.to_owned()),
        }
    }
}

/// The path and the line of `FILE:LINE` or `FILE:LINE:COLUMN`, as reports point at a case.
pub(crate) fn at_line(path: &Path) -> Option<(PathBuf, u32)> {
    let (file, line) = path.to_str()?.rsplit_once(':')?;
    let (file, line) = (PathBuf::from(file), line.parse().ok()?);
    if path.symlink_metadata().is_ok() {
        return None;
    }
    at_line(&file).or_else(|| {
        let is_file = match CorpusPath::of(&file) {
            CorpusPath::Path(path) => path.is_file(),
            CorpusPath::Own(own) => own.extension().is_some(),
        };
        is_file.then_some((file, line))
    })
}

/// The line at which the case in `file` begins in which `line` is.
fn begin(corpus: &Corpus, file: &Path, line: u32) -> Result<u32, Error> {
    let own = corpus.files.iter().find(|own| own.path == file);
    let lines = own.map_or(0, |own| own.text.lines().count());
    let name = plain::path(file);
    if line as usize > lines {
        let lines = counted(lines as u64, "line");
        return Err(Error::usage(format!(
            "there is no line {line}: {name} has {lines}"
        )));
    }
    let cases = corpus.cases.iter();
    let places = cases.map(|case| (&case.place.file, &case.place.span));
    // One with a mistake is none of the cases, and no other stands for it.
    let broken = corpus.broken.iter().map(|spot| (&spot.file, &spot.span));
    let begins = places.chain(broken).filter(|(own, _)| *own == file);
    let lines = begins.map(|(_, span)| span.line);
    let first = lines.filter(|first| *first <= line).max();
    // What stands there and is no case says why.
    let aside = corpus.set_aside.iter().filter_map(|aside| {
        let place = aside.place.as_ref().filter(|place| place.file == file)?;
        (place.span.line <= line).then_some((place.span.line, aside))
    });
    let aside = aside.max_by_key(|(line, _)| *line);
    if let Some((at, aside)) = aside.filter(|(at, _)| first.is_none_or(|first| first < *at)) {
        let help = aside.help.iter().map(|help| format!("; {help}"));
        let why: String = std::iter::once(aside.message.clone()).chain(help).collect();
        let why = plain::text(&why);
        return Err(Error::usage(format!(
            "no case is at line {line} of {name}; line {at}: {why}"
        )));
    }
    first.ok_or_else(|| Error::usage(format!("no case begins at line {line} of {name} or above")))
}

/// The case files in the command at `path`, or below it.
fn texts(path: &Path) -> impl Iterator<Item = (&'static str, &'static str)> {
    let cases = FILES.iter().filter(move |(own, _)| {
        Path::new(own).starts_with(path) && Path::new(own).extension().is_some_and(|e| e == "yaml")
    });
    let below = |(own, _): &&(&str, _)| Path::new(own).starts_with(USUAL);
    let texts = cases.filter(below);
    texts.filter_map(|(own, bytes)| Some((*own, std::str::from_utf8(bytes).ok()?)))
}

/// The folders of the corpus, as they may be named.
pub(crate) fn folders() -> Vec<&'static str> {
    let mut all: Vec<&str> = files()
        .filter_map(|(path, _)| path.parent()?.to_str())
        .filter(|folder| !folder.is_empty())
        .collect();
    all.dedup();
    all
}

/// Whether something of the corpus, or anything else, has this path.
pub(crate) fn is_there(path: &Path) -> bool {
    match CorpusPath::of(path) {
        // To read a link that leads nowhere says what is wrong.
        CorpusPath::Path(path) => !is_absent(&path),
        CorpusPath::Own(_) => true,
    }
}

/// Whether `path` is a folder, one of the corpus too.
pub(crate) fn is_folder(path: &Path) -> bool {
    match CorpusPath::of(path) {
        CorpusPath::Path(path) => path.is_dir(),
        CorpusPath::Own(own) => own.extension().is_none(),
    }
}

/// Where a `ptodiff.toml` for the cases in `paths` may stand: cases in the command have
/// the folder that the user is in, and so has standard input.
pub(crate) fn places(paths: &[PathBuf]) -> Vec<PathBuf> {
    let place = |path: &PathBuf| match CorpusPath::of(path) {
        _ if is_stdin(path) => PathBuf::from("."),
        CorpusPath::Path(path) => path,
        CorpusPath::Own(_) => PathBuf::from("."),
    };
    paths.iter().map(place).collect()
}

/// Whether the user means standard input and no file.
pub(crate) fn is_stdin(path: &Path) -> bool {
    is_stream(path) || path == Path::new("/dev/stdin")
}

/// The text of standard input, called as a file of its kind: a line of YAML at the start of
/// one has no sign of MLIR.
fn piped() -> Result<SourceFile, Error> {
    let mut file = ptodiff_case::read_from(Path::new("stdin"), stdin())?;
    let text = file.text.trim_start_matches('\u{FEFF}');
    let lines = text.lines().map(str::trim_start);
    let mut told = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
    let first = told.next().unwrap_or_default();
    let is_key = |(key, _): (&str, &str)| key.chars().all(|c| c.is_alphabetic() || c == '"');
    let yaml = first.starts_with(['{', '-']) || first.split_once(':').is_some_and(is_key);
    file.path.set_extension(if yaml { "yaml" } else { "pto" });
    Ok(file)
}

/// Reads the cases in `paths`, and files that `foreign` reads; of a place in a file, as
/// [`at_line`] has it, the case that is there. Where `words` are given, files
/// are passed over that have none of them: ids or names of cases, numbers of clauses. A file
/// of no case adds nothing.
///
/// # Errors
/// What cannot be read; no file has a case.
pub(crate) fn load(
    paths: &[PathBuf],
    words: &[&str],
    foreign: Option<&dyn Foreign>,
) -> Result<Corpus, Error> {
    let (mut on_disk, mut own) = (Vec::new(), Vec::new());
    let (mut given, mut places, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let found = CorpusPath::of(path);
        let (CorpusPath::Path(file) | CorpusPath::Own(file)) = &found;
        match at_line(path) {
            Some((_, line)) => places.push((from_here(file), line)),
            None => whole.push(from_here(file)),
        }
        match found {
            _ if is_stdin(path) => given.push(piped()?),
            CorpusPath::Path(path) => on_disk.push(path),
            CorpusPath::Own(path) => own.extend(texts(&path)),
        }
    }
    own.sort_unstable();
    own.dedup();
    given.extend(own.into_iter().map(source_file));
    let all = |words: &[&str]| {
        let wanted = |file: &SourceFile| file.text != NO_CASE && may_have(file, words);
        load_with(&on_disk, &given, foreign, &wanted)
    };
    let few = all(words)?;
    // Where none has, the message counts them all.
    let none = few.files.is_empty();
    let mut corpus = if none { all(&[])? } else { few };
    if corpus.files.is_empty() && corpus.mistakes.is_empty() {
        let names = joined(paths.iter().map(|path| plain::path(path)), ", ");
        return Err(Error::nothing(format!(
            "there is no case in {names}: a hunt that finds nothing writes such a file"
        )));
    }
    let is_whole = |file: &Path| {
        let mut whole = whole.iter();
        whole.any(|path| path == Path::new(".") || file.starts_with(path))
    };
    let mut begins = Vec::new();
    for (place, line) in places {
        // One that is given by another name, too, is read as a whole.
        let mut read = corpus.files.iter().map(|own| &own.path);
        // One with a name that no line can show has another in messages.
        let shown = PathBuf::from(plain::path(&place));
        let is = |own: &Path| from_here(own) == place || own == shown;
        let read = read.find(|own| !is_whole(&place) && is(own));
        // What has a mistake is told, and is no case.
        let has = |file: &&PathBuf| {
            let mut cases = corpus.cases.iter();
            corpus.mistakes.is_empty() || cases.any(|case| case.place.file == **file)
        };
        if let Some(file) = read.filter(has) {
            begins.push((file.clone(), begin(&corpus, file, line)?));
        }
    }
    corpus.cases.retain(|case| {
        let own = begins.iter().filter(|(file, _)| case.place.file == *file);
        own.clone().count() == 0 || own.clone().any(|(_, first)| case.place.span.line == *first)
    });
    Ok(corpus)
}

fn source_file((path, text): (&str, &str)) -> SourceFile {
    SourceFile {
        path: path.into(),
        text: text.to_owned(),
    }
}

/// The cases in the command below this path of a checkout, whatever cases the user has,
/// without files that have none of `words`.
///
/// # Errors
/// None: they are read when the command is built and tested.
pub(crate) fn own(path: &Path, words: &[&str]) -> Result<Corpus, Error> {
    let own: Vec<SourceFile> = texts(path).map(source_file).collect();
    Ok(load_with(&[], &own, None, &|file| may_have(file, words))?.whole()?)
}

/// Whether `path` is a file that a hunt wrote which found nothing.
pub(crate) fn is_of_no_case(path: &Path) -> bool {
    // What is longer, or a pipe, is not read for this.
    let is_short = |file: fs::Metadata| file.is_file() && file.len() == NO_CASE.len() as u64;
    path.metadata().is_ok_and(is_short) && fs::read(path).is_ok_and(|own| own == NO_CASE.as_bytes())
}

/// Whether the case file may have one of `words`; any, where there are none.
pub(crate) fn may_have(file: &SourceFile, words: &[&str]) -> bool {
    let stem = file.path.file_stem().unwrap_or_default();
    let may = |word: &&str| match word.split_once('/') {
        None => file.text.contains(word),
        Some((of, name)) => match name.split_once('.') {
            // That of a suite, its test and the name; only these have a dot.
            Some((_, name)) => file.text.contains(name),
            None => stem == of && file.text.contains(name),
        },
    };
    words.is_empty() || words.iter().any(may)
}

/// Whether `path` names cases in the command.
pub(crate) fn is_own(path: &Path) -> bool {
    matches!(CorpusPath::of(path), CorpusPath::Own(_))
}

/// Says so where cases in `paths` are those in the command.
pub(crate) fn tell(paths: &[PathBuf]) {
    if paths.iter().any(|path| is_own(path)) {
        tell_own();
    }
}

/// Says that cases are those in the command.
pub(crate) fn tell_own() {
    say(format!(
        "using the cases in ptodiff {}; `ptodiff export-cases DIR` writes them to files",
        env!("CARGO_PKG_VERSION")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a folder without cases all are those in the command, and each is found by its id.
    #[test]
    fn each_case_is_in_a_file_that_may_have_its_id() {
        let all: Vec<SourceFile> = texts(Path::new(USUAL)).map(source_file).collect();
        let corpus = load_with(&[], &all, None, &|_| true);
        let corpus = corpus.expect("the cases in the command read");
        assert!(corpus.mistakes.is_empty(), "{:?}", corpus.mistakes);
        assert!(corpus.cases.len() > 1000, "{}", corpus.cases.len());
        for case in &corpus.cases {
            let mut own = all.iter().filter(|file| file.path == case.place.file);
            let file = own.next().expect("a file in the command");
            assert!(may_have(file, &[&case.id]), "{}", case.id);
            assert!(may_have(file, &[&case.name]), "{}", case.name);
        }
        let few = all
            .iter()
            .filter(|file| may_have(file, &["tgatherb/reversed"]));
        assert_eq!(few.count(), 1);
    }
}
