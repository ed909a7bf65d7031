//! `.pto` files as a corpus has them.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use ptodiff_case::{
    Case, Code, Corpus, DataFile, Diagnostic, Foreign, Place, Remark, did_you_mean,
};
use ptodiff_isa::Role;

use crate::operation::OURS;
use crate::reader::{self, Found};
use crate::resolve::{self, Resolved};
use crate::text::{self, Fault, Source};
use crate::tokens::{self, Token, Tokens};
use crate::word;

/// How the names of such files end; in a folder only those with the first are read.
const EXTENSIONS: &[&str] = &["pto", "mlir"];

/// Whether the file at `path` is such a text, by its name.
#[must_use]
pub fn is_pto(path: &Path) -> bool {
    let end = path.extension().unwrap_or_default();
    EXTENSIONS.iter().any(|own| end.eq_ignore_ascii_case(own))
}

/// What the user says that the files do not.
#[derive(Debug, Default)]
pub struct Known {
    /// Numbers by the names of values, without `%`; with the function's name and a
    /// point before them for that function alone.
    pub numbers: BTreeMap<String, u64>,
    /// Data for named operands.
    pub data: Option<DataFile>,
    /// Whether cases are for all targets, whatever `pto.target_arch` says.
    pub any_arch: bool,
}

/// Reads `.pto` files.
#[derive(Debug, Default)]
pub struct Files {
    known: Known,
    seen: Mutex<Seen>,
}

/// Names that the files have.
#[derive(Debug, Default)]
struct Seen {
    /// Of numbers that were asked for.
    asked: BTreeSet<String>,
    /// Whether a file has something that could not be read.
    missing: bool,
}

impl Files {
    /// Reads files with what is known beside them.
    #[must_use]
    pub fn new(known: Known) -> Self {
        Self {
            known,
            seen: Mutex::default(),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// The number that the user gives to `name`, in this function before others; both ways to
    /// write it are asked for.
    fn number(&self, function: &str, name: &str) -> Option<u64> {
        let numbers = &self.known.numbers;
        let both = format!("{function}.{name}");
        let found = numbers.get(&both).or(numbers.get(name)).copied();
        self.seen().asked.extend([both, name.to_owned()]);
        found
    }

    fn case(&self, source: Source<'_>, found: &Found<'_, '_>, read: Resolved<'_>) -> Case {
        let mut case = Case::of_call(&name(found), read.call);
        case.id = format!("{}/{}", stem(source.path), case.name);
        case.place = Place {
            file: source.path.to_owned(),
            span: source.span(found.written.name.range()),
            ..case.place
        };
        let written = |(key, _)| found.written.attributes.get(key).is_some();
        case.gives(|own| word::attribute(&read.call, own.key).is_some_and(written));
        if let Some(target) = found.target {
            case.targets.retain(|known| *known == target);
        }
        let operands = read.names.iter().map(|(role, name)| (*role, name.text));
        let operands = operands.map(|(role, name)| (role, name.trim_start_matches('%')));
        let operands: Vec<(Role, &str)> = operands.collect();
        if let Some(data) = &self.known.data {
            data.apply(&mut case, found.function, &operands);
        }
        case
    }
}

impl Foreign for Files {
    fn extensions(&self) -> &'static [&'static str] {
        EXTENSIONS
    }

    fn read(&self, path: &Path, text: &str) -> Corpus {
        let text = &tokens::without_comments(text);
        let lines = text::lines(text);
        let source = Source {
            path,
            text,
            lines: &lines,
        };
        let mut tokens = tokens::tokens(text);
        let mut said = Corpus::default();
        let mut wrong = Vec::new();
        let place = |d: &Diagnostic| d.place.as_ref().map(|spot| spot.span.bytes.start);
        // Of what an operation shares with others they all tell, and where it is defined, too.
        let mut told = BTreeMap::<_, Diagnostic>::new();
        let mut tell = |one: Diagnostic| match told.entry((place(&one), one.message.clone())) {
            Entry::Vacant(first) => drop(first.insert(one)),
            Entry::Occupied(mut same) => same.get_mut().calls.extend(one.calls),
        };
        let given = |function: &str, name: &str| self.number(function, name);
        let any_arch = self.known.any_arch;
        reader::read(source, &tokens, &given, any_arch, &mut wrong, |found| {
            if is_cut(text, &tokens, found.written.name.at) {
                return;
            }
            let given = |name: &str| given(found.function, name);
            match resolve::resolve(found, &given) {
                Ok(mut read) => {
                    let remarks = std::mem::take(&mut read.remarks);
                    let case = self.case(source, found, read);
                    said.remarks.extend(remarks.into_iter().map(|one| Remark {
                        case: case.id.clone(),
                        spot: source.spot(one.at),
                        rule: one.rule,
                        targets: one.targets,
                        clause: one.clause,
                        message: one.message,
                        help: one.help,
                    }));
                    said.cases.push(case);
                }
                Err(faults) => {
                    let told = faults.into_iter().map(|fault| Diagnostic {
                        targets: found.target.into_iter().collect(),
                        calls: vec![source.span(found.written.name.range())],
                        ..source.tell(fault)
                    });
                    told.for_each(&mut tell);
                }
            }
        });
        // What follows from where the text ends is told once.
        let before = tokens.open.map_or("", |open| &text[..open]);
        let last = OURS.iter().filter_map(|(name, _)| before.rfind(name)).max();
        if let Some(last) = last.filter(|last| is_cut(text, &tokens, *last)) {
            wrong.retain(|one| place(one).is_none_or(|at| at < last));
        }
        if let Some(alone) = tokens.alone
            && !(tokens.faults.is_empty() && wrong.is_empty())
        {
            tokens.faults = torn(text, alone, &mut wrong).into_iter().collect();
        }
        wrong.into_iter().for_each(tell);
        said.set_aside.extend(told.into_values());
        let is_pto = |token: &Token<'_>| token.part.text.trim_matches('"').starts_with("pto.");
        let faults = tokens.faults.into_iter().map(|fault| source.tell(fault));
        match tokens.all.iter().any(is_pto) {
            false => said.mistakes.extend(faults),
            // The grammar does not know all that operations of others may have.
            true if tokens.open.is_some() || OURS.iter().any(|(name, _)| text.contains(name)) => {
                said.set_aside.extend(faults)
            }
            true => {}
        }
        said.mistakes.sort_by_key(place);
        said.set_aside.sort_by_key(place);
        self.seen().missing |= !(said.mistakes.is_empty() && said.set_aside.is_empty());
        said
    }

    fn finish(&self) -> Corpus {
        let mut said = Corpus::default();
        let seen = self.seen();
        let unused = |name: &&String| !seen.asked.contains(*name);
        for name in self.known.numbers.keys().filter(unused) {
            let near = did_you_mean(name, seen.asked.iter().map(String::as_str));
            // What could not be read may ask for any value.
            if seen.missing && near.is_none() {
                continue;
            }
            let message = format!("--set {name}: no operation asks for a value of that name");
            let mut unused = Diagnostic::general(Code::UnusedName, message);
            unused.help = near;
            said.mistakes.push(unused);
        }
        if let Some(data) = &self.known.data {
            let (unused, file) = data.finish();
            said.mistakes.extend(unused);
            said.files.push(file);
        }
        said
    }
}

/// That the bracket at `alone` has no partner, unless `wrong` tells it in its operation. The
/// grammar loses its way there: what it finds follows from that.
fn torn(text: &str, alone: usize, wrong: &mut Vec<Diagnostic>) -> Option<Fault> {
    let bracket = &text[alone..=alone];
    let place = |d: &Diagnostic| d.place.as_ref().map_or(0, |spot| spot.span.bytes.start);
    let (before, after) = text.split_at(alone);
    let begin = OURS.iter().filter_map(|(name, _)| before.rfind(name));
    let begin = begin.max().unwrap_or(alone);
    let end = OURS.iter().filter_map(|(name, _)| after.find(name));
    let end = alone + end.min().unwrap_or(after.len());
    let told = |one: &Diagnostic| (begin..end).contains(&place(one));
    if bracket != "<" && wrong.iter().any(told) {
        return None;
    }
    wrong.retain(|one| place(one) < begin);
    let message = match bracket {
        "(" | "[" | "{" | "<" => format!("`{bracket}` is not closed"),
        _ => format!("`{bracket}` closes nothing"),
    };
    Some(*Fault::new(Code::NotMlir, alone..alone + 1, message))
}

/// Whether the operation whose name stands at `at` is the one in which the text ends.
fn is_cut(text: &str, tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(own) = tokens.open.and_then(|open| text.get(at..open)) else {
        return false;
    };
    let others = |(name, _): &(&str, _)| own.matches(*name).count();
    OURS.iter().map(others).sum::<usize>() == 1 && !own.contains("func.") && !own.contains('}')
}

/// The name of a case: its function and number. Only what a name of a case may have
/// is kept of a function's name.
fn name(found: &Found<'_, '_>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
    let kept = found.function.chars().take(120);
    let function: String = kept.map(|c| if plain(c) { c } else { '_' }).collect();
    let function = match function.as_str() {
        "" => "module",
        own => own,
    };
    format!("{function}.{}", found.number)
}

/// The name of the file without its end, as ids have it.
fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}
