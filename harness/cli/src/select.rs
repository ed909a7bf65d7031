//! From paths and filters to the cases that were meant.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use ptodiff_case::{Case, Code, Corpus, did_you_mean, nearest};
use ptodiff_edge::text;
use ptodiff_isa::{Instruction, Target, reading::GAPS};
use ptodiff_record::{Part, Partition, fingerprint};
use ptodiff_report::style::WARNING;
use strum::{VariantArray as _, VariantNames};

use crate::{
    args::{Named, Selection},
    commands::guide,
    corpus::{self, USUAL, may_have},
    exit::Error,
    filter::Filter,
    out::say,
    plain,
    pto::{self, PtoArgs},
    rules::RULES,
    text::{counted, joined},
};

/// Loads the corpus and keeps what was selected, in the corpus' order. Says where the cases
/// come from, unless that is to be `quiet`.
///
/// # Errors
/// Bad cases, or nothing selected.
pub(crate) fn load(selection: &Selection, quiet: bool) -> Result<Corpus, Error> {
    let mut corpus = read(selection, &selection.ids(), quiet)?;
    keep(&mut corpus, selection)?;
    Ok(corpus)
}

/// As [`load`], before anything is selected, without files that have none of `words`.
pub(crate) fn read(selection: &Selection, words: &[&str], quiet: bool) -> Result<Corpus, Error> {
    if !quiet {
        corpus::tell(&selection.paths);
    }
    are_no_ids(&selection.paths)?;
    let named = |case: &Case| format!("--filter '={}'", case.id);
    pto::load(&selection.paths, &selection.beside, words, named)
}

/// Keeps what was selected of `corpus`.
///
/// # Errors
/// Nothing selected, or the machine has no room for a sparse table of a case.
pub(crate) fn keep(corpus: &mut Corpus, selection: &Selection) -> Result<(), Error> {
    if corpus.cases.is_empty() && corpus.set_aside.is_empty() {
        return Err(Error::nothing(
            "none of the files has an operation of the four instructions",
        ));
    }
    if corpus.cases.is_empty() {
        return Ok(());
    }
    let all = counted(corpus.cases.len() as u64, "case");
    warn_of_idle(&selection.filter, &corpus.cases);
    let filter = Filter::parse(&selection.filterset, false)?;
    corpus
        .cases
        .retain(|case| wanted(selection, case) && filter.takes(case));
    if corpus.cases.is_empty() {
        let ids = match corpus.set_aside.is_empty() {
            true => format!("{} shows their ids", list_of(&selection.paths)),
            false => "what cannot be judged has no id, and `FILE:LINE` finds it".to_owned(),
        };
        return Err(Error::nothing(format!(
            "none of {all} is selected by {}; {ids}{}",
            selected_by(selection),
            meant(selection)
        )));
    }
    corpus.cases.iter().try_for_each(has_room)
}

/// The command that lists the cases of `paths`, in quotes.
fn list_of(paths: &[PathBuf]) -> String {
    let usual = paths.iter().all(|path| path == Path::new(USUAL));
    let paths = joined(paths.iter().map(|path| text::path(path)), " ");
    match usual {
        true => "`ptodiff list`".to_owned(),
        false => format!("`ptodiff list {paths}`"),
    }
}

/// The options that select, of those that were given.
fn selected_by(selection: &Selection) -> String {
    let given = [
        ("--filter", !selection.filter.is_empty()),
        ("-E", !selection.filterset.is_empty()),
        ("--suite", selection.suite.is_some()),
    ];
    joined(
        given.iter().filter(|(_, is)| *is).map(|(name, _)| name),
        " and ",
    )
}

/// What may have been meant. Nextest takes a part of a name where `id(...)` takes the whole.
fn meant(selection: &Selection) -> &'static str {
    let mut expressions = selection.filterset.iter();
    if expressions.any(|text| text.contains("id(") && !text.contains("id(~")) {
        "; `id(...)` is the whole of one, `id(~...)` a part"
    } else if selection.filter.iter().any(|text| text.contains('(')) {
        "; an expression is for -E"
    } else {
        ""
    }
}

/// That the machine has addresses for the table of `case`, which may be sparse.
fn has_room(case: &Case) -> Result<(), Error> {
    let room = ptodiff_generate::room_for(case);
    room.map_err(|why| Error::fault(format!("{}: {why}", case.id)))
}

/// That none of `paths` is the id of a case, or its name, instead of a file.
///
/// # Errors
/// One is, or nothing has that name.
pub(crate) fn are_no_ids(paths: &[PathBuf]) -> Result<(), Error> {
    if let Some(program) = paths.iter().find(|path| is_program(path)) {
        let name = plain::path(program);
        let with = match program.extension() {
            Some(end) if end == "py" => "python3 ",
            _ if !name.contains('/') => "./",
            _ => "",
        };
        return Err(Error::usage(format!(
            "{name} is a program and no file of cases: what is to be tested stands behind --impl, \
             as in --impl NAME='{with}{name}'"
        )));
    }
    let absent = |path: &&PathBuf| corpus::is_stdin(path) || !corpus::is_there(path);
    let Some(absent) = paths.iter().find(absent) else {
        return Ok(());
    };
    let what = absent.to_string_lossy();
    if corpus::is_stdin(absent) {
        return Err(Error::usage(format!(
            "`{what}`: only `ptodiff check` reads cases from standard input; write them to a file"
        )));
    }
    if pto::is_file(&what) {
        return no_file(absent);
    }
    let Corpus { cases, .. } = corpus::load(&[PathBuf::from(USUAL)], &[], None)?;
    let own = cases
        .iter()
        .find(|case| case.id == what || case.name == what);
    let word = option_for(&what);
    match own.map(|case| case.id.as_str()) {
        Some(id) => Err(Error::usage(format!(
            "`{what}` is a case and no file: name it with --filter '={id}'{word}"
        ))),
        None if absent.extension().is_none() => {
            let below = absent
                .strip_prefix(USUAL)
                .unwrap_or(absent)
                .to_string_lossy();
            let near = near(&below, &cases, &corpus::folders());
            Err(Error::usage(format!(
                "there is no file or folder `{what}`, and no case of that name{word}{near}"
            )))
        }
        None => no_file(absent),
    }
}

/// Whether `path` is a file that is run, by its name or its first bytes.
fn is_program(path: &Path) -> bool {
    const ENDS: [&str; 5] = ["py", "sh", "exe", "so", "bat"];
    const BEGINS: [&[u8]; 3] = [b"#!", b"\x7FELF", b"MZ"];
    if !path.is_file() || pto::is_file(&path.to_string_lossy()) {
        return false;
    }
    let ends = path.extension().and_then(|e| e.to_str());
    let mut first = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read(&mut first));
    ends.is_some_and(|ends| ENDS.contains(&ends))
        || read.is_ok() && BEGINS.iter().any(|begin| first.starts_with(begin))
}

/// That `absent` may be meant for another file; if not, who reads it says what is wrong.
fn no_file(absent: &Path) -> Result<(), Error> {
    let what = absent.to_string_lossy();
    match near_file(absent) {
        Some(meant) => Err(Error::usage(format!("there is no file `{what}`; {meant}"))),
        None => Ok(()),
    }
}

/// How to select by `what`, where it is an instruction or a target.
fn option_for(what: &str) -> String {
    let mut instructions = <Instruction as VariantNames>::VARIANTS.iter();
    if instructions.any(|name| name.eq_ignore_ascii_case(what)) {
        format!("; all cases of the instruction: -E 'instruction({what})'")
    } else if what.to_lowercase().parse::<Target>().is_ok() {
        format!("; all cases of the target: -E 'target({what})'")
    } else {
        String::new()
    }
}

/// The file beside where `absent` would be, or in the command, whose name is nearest.
fn near_file(absent: &Path) -> Option<String> {
    let folder = absent.parent()?;
    let here = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    let entries = here.read_dir().into_iter().flatten().flatten();
    let beside = entries.map(|entry| folder.join(entry.file_name()));
    let files = corpus::files().map(|(path, _)| path);
    let own: Vec<&Path> = files
        .filter(|path| path.extension() == Some("yaml".as_ref()))
        .collect();
    // Files of that name come before names that are like it.
    let same = own
        .iter()
        .filter(|path| path.file_name() == absent.file_name());
    let same: Vec<String> = same
        .map(|path| format!("`{}`", text::path(&Path::new(USUAL).join(path))))
        .collect();
    if !same.is_empty() {
        return Some(format!("did you mean {}?", joined(&same, " or ")));
    }
    let own = own.into_iter();
    let own = own.flat_map(|path| [Path::new(USUAL).join(path), path.to_owned()]);
    let all: Vec<String> = beside.chain(own).map(|path| text::path(&path)).collect();
    did_you_mean(&absent.to_string_lossy(), all.iter().map(String::as_str))
}

/// Leaves out the cases that are for none of `targets`: how many.
///
/// # Errors
/// None is left, and nothing is set aside.
pub(crate) fn leave_out(corpus: &mut Corpus, targets: &[Target]) -> Result<usize, Error> {
    let all = corpus.cases.len();
    corpus
        .cases
        .retain(|case| case.targets.iter().any(|target| targets.contains(target)));
    if corpus.cases.is_empty() && corpus.set_aside.is_empty() {
        let (cases, targets) = (counted(all as u64, "case"), joined(targets, ", "));
        return Err(Error::nothing(format!("none of {cases} is for {targets}")));
    }
    Ok(all - corpus.cases.len())
}

/// Keeps the cases of one part of the run, and says where in the whole they stand.
pub(crate) fn part(corpus: &mut Corpus, partition: Partition) -> Part {
    let part = partition.of(corpus.cases.iter().map(|case| case.id.as_str()));
    let texts = fingerprint(corpus.cases.iter().map(ptodiff_case::case_yaml));
    corpus.cases.retain(|case| partition.takes(&case.id));
    Part { texts, ..part }
}

/// Warns of each of several filters that takes none of `cases`: the others hide it.
fn warn_of_idle(filters: &[String], cases: &[Case]) {
    let idle = |filter: &&String| !cases.iter().any(|case| takes(filter, case));
    for filter in filters.iter().filter(|_| filters.len() > 1).filter(idle) {
        let ids = cases.iter().map(|case| case.id.as_str());
        let near = nearest(filter.trim_start_matches('='), ids);
        let near = near.map_or(String::new(), |id| format!("; did you mean `{id}`?"));
        say(format!(
            "{WARNING}warning{WARNING:#}: --filter '{filter}' selects no case{near}"
        ));
    }
}

/// Whether `--filter FILTER` takes `case`.
fn takes(filter: &str, case: &Case) -> bool {
    match filter.strip_prefix('=') {
        Some(exact) => case.id == exact,
        None => case.id.contains(filter),
    }
}

fn wanted(selection: &Selection, case: &Case) -> bool {
    let mut filters = selection.filter.iter();
    let filter = selection.filter.is_empty() || filters.any(|filter| takes(filter, case));
    filter && selection.suite.is_none_or(|s| case.suite == Some(s))
}

/// The cases below `folder` with this id or name.
///
/// # Errors
/// Bad cases, or none is called so.
pub(crate) fn named(what: &str, folder: &Path, beside: &PtoArgs) -> Result<Vec<Case>, Error> {
    let list = list_of(&[folder.to_owned()]);
    let none = format!("no case is called `{what}`; {list} shows them");
    called(what, (folder, beside), &none, &[])
}

/// What can be explained beside cases.
pub(crate) fn explainable() -> impl Iterator<Item = &'static str> {
    let instructions = <Instruction as VariantNames>::VARIANTS.iter().copied();
    let readings = GAPS.iter().map(|gap| gap.name);
    let rules = RULES.iter().map(|(name, ..)| *name);
    let entries = ptodiff_register::entries().iter().map(|e| e.id);
    let codes = Code::VARIANTS.iter().map(|code| code.id());
    let words = instructions.chain(readings).chain(rules);
    words.chain(entries).chain(codes)
}

/// As [`named`], for who takes clauses, gaps and codes, too.
///
/// # Errors
/// Bad cases, or none is called so.
pub(crate) fn explained(what: &str, folder: &Path, beside: &PtoArgs) -> Result<Vec<Case>, Error> {
    let mut none = format!(
        "`{what}` is no case, no clause or gap of the documents, no instruction, no rule of `check` \
         and no code of a message"
    );
    if guide::speaks_of(what) {
        none += &format!("; `ptodiff guide --search {what}` shows where the guide has it");
    }
    let known: Vec<&str> = explainable().collect();
    called(what, (folder, beside), &none, &known)
}

/// Where there is no such case: `none`, with cases and `others` that look like it.
fn called(
    what: &str,
    (folder, beside): (&Path, &PtoArgs),
    none: &str,
    others: &[&str],
) -> Result<Vec<Case>, Error> {
    let named = |case: &Case| case.id == what || case.name == what;
    let found = pto::load_some(&[folder.to_owned()], beside, &[what])?;
    // Where no file has the word, all have been read.
    let few = found.files.iter().any(|file| may_have(file, &[what]));
    let mut cases = found.whole()?.cases;
    if few && !cases.iter().any(named) {
        // What looks like it may be in any file.
        let files = beside.files()?;
        let mut all = corpus::load(&[folder.to_owned()], &[], Some(&files))?;
        cases = std::mem::take(&mut all.cases);
        if !cases.iter().any(named) {
            // It may be one of those with a mistake.
            all.whole()?;
        }
    }
    if !cases.iter().any(named) {
        let near = near(what, &cases, others);
        // Who has cases may mean one of those in the command.
        if folder == Path::new(USUAL) {
            cases = corpus::own(folder, &[what])?.cases;
        }
        if !cases.iter().any(named) {
            // As in the ids of cases.
            let elsewhere = match what.contains('/') && folder == Path::new(USUAL) {
                true => "; `--cases FILE` looks in a file of yours",
                false => "",
            };
            return Err(Error::usage(format!("{none}{elsewhere}{near}")));
        }
        corpus::tell_own();
    }
    cases.retain(named);
    Ok(cases)
}

/// Whether `what` names a file or a folder of cases, or a place in one, rather than a case.
pub(crate) fn names_file(what: &str) -> bool {
    pto::is_file(what) || corpus::at_line(Path::new(what)).is_some()
}

/// The cases of a file or a folder that `what` names, or the one case below `folder`
/// with this id or name.
///
/// # Errors
/// Bad cases, or none or several are called so.
pub(crate) fn several(what: &str, folder: &Path, beside: &PtoArgs) -> Result<Vec<Case>, Error> {
    if !names_file(what) {
        return only(what, named(what, folder, beside)?).map(|case| vec![case]);
    }
    let paths = [what.into()];
    corpus::tell(&paths);
    let named = |case: &Case| format!("{} --cases {what}", case.id);
    let corpus = pto::load(&paths, beside, &[], named)?;
    match corpus.cases.is_empty() {
        true => Err(Error::nothing(format!(
            "{what} has no operation of the four instructions"
        ))),
        false => Ok(corpus.cases),
    }
}

/// The one case with this id or name, or that of a file.
///
/// # Errors
/// Bad cases, none or several are called so, or the machine has no room for it.
pub(crate) fn one(
    Named {
        case,
        cases,
        beside,
    }: &Named,
) -> Result<Case, Error> {
    only(case, several(case, cases, beside)?)
}

/// The only one of `cases`, which are called `what`.
fn only(what: &str, mut cases: Vec<Case>) -> Result<Case, Error> {
    /// Most ids that are told.
    const MOST: usize = 20;
    if let [_] = cases[..]
        && let Some(case) = cases.pop()
    {
        return has_room(&case).map(|()| case);
    }
    let said = match names_file(what) {
        true => format!("{what} has several cases; give the id of one, and --cases {what}"),
        false => "several cases have that name; give one id".to_owned(),
    };
    let ids = joined(cases.iter().take(MOST).map(|c| &c.id), "\n  ");
    let more = match cases.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    Err(Error::usage(format!("{said}:\n  {ids}{more}")))
}

/// Which of `cases` and `others` `what` may have meant.
fn near(what: &str, cases: &[Case], others: &[&str]) -> String {
    let ids = cases.iter().map(|c| c.id.as_str());
    let all = others.iter().copied().chain(ids);
    let folded = what.to_lowercase();
    let like = |id: &&str| id.to_lowercase().contains(&folded);
    // Ids begin with the name of their file, which is then what was meant.
    let files = cases.iter().map(|case| &*case.place.file);
    let mut files: Vec<&Path> = files
        .filter(|file| file.with_extension("").ends_with(what))
        .map(|file| file.strip_prefix(USUAL).unwrap_or(file))
        .collect();
    files.dedup();
    if files.is_empty() {
        // Who has cases of his own may mean a file of those in the command.
        let own = corpus::files().map(|(path, _)| path);
        files.extend(own.filter(|file| file.with_extension("").ends_with(what)));
    }
    let files: Vec<String> = files.iter().take(5).map(|file| plain::path(file)).collect();
    let mut near: Vec<&str> = files.iter().map(String::as_str).collect();
    if near.is_empty() {
        near.extend(all.clone().filter(like).take(5));
    }
    if near.is_empty() {
        let names = cases.iter().map(|case| &*case.name);
        near.extend(nearest(what, all.chain(names)));
    }
    if what.is_empty() || near.is_empty() {
        String::new()
    } else {
        format!("; did you mean one of these?\n  {}", near.join("\n  "))
    }
}
