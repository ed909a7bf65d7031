//! From a case file as written to checked [`Case`]s.

mod answers;
mod call;
mod case;
mod expect;
mod keys;
mod operands;
mod policy;
mod slots;

use std::collections::BTreeSet;
use std::path::Path;

use crate::case::Case;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notes::Notes;
use crate::raw::RawFile;
use crate::yaml::{self, Document, Renamed, Span};

use keys::Keys;

/// A case, and where its name stands.
pub(crate) type Named = (Case, Span);

/// The cases of one file, every mistake in it, and its old words. A case with a
/// mistake is not among them. Files that it names are below `folder`, if they can be read at all.
pub(crate) fn file(
    path: &Path,
    text: &str,
    folder: Option<&Path>,
) -> (Vec<Named>, Vec<Diagnostic>, Vec<Renamed>) {
    let mut notes = Notes::new(path, text);
    notes.folder = folder;
    let (read, faults, old) = yaml::read_all::<RawFile>(text, Document::Cases);
    let cases = read.map(|raw| lower_file(&mut notes, &raw));
    let cases = cases.unwrap_or_default();
    for fault in faults {
        notes.fault(fault, "cases");
    }
    // A mistake in what cases share is met once for each.
    let mut seen = BTreeSet::new();
    notes.found.retain(|mistake| {
        let bytes = mistake.place.as_ref().map(|spot| spot.span.bytes.clone());
        let bytes = bytes.unwrap_or_default();
        seen.insert((
            bytes.start,
            bytes.end,
            mistake.code,
            mistake.message.clone(),
        ))
    });
    (cases, notes.found, old)
}

fn lower_file(notes: &mut Notes<'_>, raw: &RawFile) -> Vec<Named> {
    let suite = raw.suite.as_ref().and_then(|w| notes.name("suite", w));
    if let Some(defaults) = &raw.defaults {
        for (key, span) in keys::own_alone(&defaults.value) {
            let Some(span) = span else { continue };
            let message = format!("`defaults` cannot give `{key}`: every case has its own");
            notes.add(Code::UnknownKey, span, message, "not in `defaults`");
        }
    }
    if raw.cases.value.is_empty() {
        notes.add(
            Code::NoCases,
            &raw.cases.span,
            "the file has no cases",
            "an empty list",
        );
    }
    let defaults = raw.defaults.as_ref().map(|d| &d.value);
    let lower = |case| case::lower(notes, suite, &Keys::new(defaults, case));
    raw.cases.value.iter().filter_map(lower).collect()
}
