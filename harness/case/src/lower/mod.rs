//! From a case file as written to checked [`Case`]s.

mod call;
mod case;
mod expect;
mod keys;
mod operands;
mod slots;

use std::path::Path;

use crate::case::Case;
use crate::code::Code;
use crate::diagnostic::{SourceFile, Spot};
use crate::format::{FILE, OWN_ALONE};
use crate::load::Corpus;
use crate::notes::Notes;
use crate::yaml::{self, Node};

use keys::Keys;

/// The cases of one file, every mistake in it, and its old words. A case with a
/// mistake is not among them. Files that it names are below `folder`, if they can be read at all.
pub(crate) fn file(file: &SourceFile, folder: Option<&Path>) -> Corpus {
    let mut notes = Notes::new(&file.path, &file.text);
    notes.folder = folder;
    let root = yaml::read(&mut notes, &FILE, "cases");
    let lowered = root.map(|root| lower_file(&mut notes, &root));
    let (cases, broken) = lowered.unwrap_or_default();
    Corpus {
        cases,
        broken,
        old_words: notes.old_words,
        mistakes: notes.found,
        ..Corpus::default()
    }
}

fn lower_file(notes: &mut Notes<'_>, root: &Node) -> (Vec<Case>, Vec<Spot>) {
    let suite = root.get("suite").and_then(|w| notes.name("suite", w));
    let defaults = root.get("defaults");
    for key in OWN_ALONE {
        if let Some(node) = defaults.and_then(|defaults| defaults.get(key)) {
            let message = format!("`defaults` cannot give `{key}`: every case has its own");
            notes.add(Code::UnknownKey, &node.span, message, "not in `defaults`");
        }
    }
    let Some(cases) = root.get("cases") else {
        return Default::default();
    };
    notes.not_empty(Code::NoCases, cases, "the file has no cases");
    let (mut lowered, mut broken) = (Vec::new(), Vec::new());
    for node in cases.items() {
        match case::lower(notes, suite, &Keys::new(defaults, node)) {
            Some(case) => lowered.push(case),
            None => broken.push(Spot {
                file: notes.file.to_owned(),
                span: node.span.clone(),
            }),
        }
    }
    (lowered, broken)
}
