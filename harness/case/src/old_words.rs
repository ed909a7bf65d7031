//! Words of the version before, in the files of users: what is said of them,
//! and the files with the new ones.

use std::path::Path;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, SourceFile, Spot};
use crate::load_error::LoadError;
use crate::notes::Notes;
use crate::source::{self, without_mark};
use crate::yaml;

/// An old word in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OldWord {
    /// Where it stands. It has no bytes where only a person can replace the word: an
    /// escape hides it, or it is double.
    pub spot: Spot,
    /// Whether it is a key, and the new one stands beside it.
    pub is_double: bool,
    /// The word.
    pub old: &'static str,
    /// What it is called now.
    pub new: &'static str,
}

/// A warning for each old word in `words`, at its first place, with the number
/// of places: a corpus has thousands of them.
#[must_use]
pub fn warnings(words: &[OldWord]) -> Vec<Diagnostic> {
    // In the order of the files; there are few words of that age.
    let mut all: Vec<(&OldWord, usize)> = Vec::new();
    // What is double is a mistake that the reader of the mapping tells.
    for word in words.iter().filter(|word| !word.is_double) {
        let same = |(first, _): &&mut (&OldWord, _)| (first.old, first.new) == (word.old, word.new);
        match all.iter_mut().find(same) {
            Some((_, places)) => *places += 1,
            None => all.push((word, 1)),
        }
    }
    all.into_iter()
        .map(|(first, places)| warning(first, places))
        .collect()
}

/// The warning for an old word that stands at so many places.
fn warning(first: &OldWord, places: usize) -> Diagnostic {
    let OldWord { spot, old, new, .. } = first;
    let message = match places {
        1 => format!("`{old}` is now called `{new}`"),
        n => format!("`{old}` is now called `{new}` ({n} places, this is the first)"),
    };
    Diagnostic {
        place: Some(spot.clone()),
        label: format!("write `{new}`"),
        help: Some(
            "`ptodiff fix` rewrites the files; the next version rejects the old word".into(),
        ),
        ..Diagnostic::general(Code::OldWord, message)
    }
}

/// A file and what it is with the new words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renewed {
    /// The file as it is.
    pub file: SourceFile,
    /// Its old words, in the order of the text.
    pub words: Vec<OldWord>,
    /// Its text with the new words, and with the byte-order mark that it had.
    /// Nothing else is changed.
    pub text: String,
}

/// Reads a file of cases or waivers, which need not be right otherwise, and
/// replaces its old words.
///
/// # Errors
/// If it cannot be read, or is no YAML.
pub fn renew(path: &Path) -> Result<Renewed, LoadError> {
    let whole = source::read(path)?;
    let file = without_mark(whole.clone());
    let mark = &whole.text[..whole.text.len() - file.text.len()];
    let mut notes = Notes::new(&file.path, &file.text);
    yaml::document(&mut notes);
    let (words, found) = (notes.old_words, notes.found);
    if !found.is_empty() {
        return Err(LoadError::bad(file, found));
    }
    let mut out = mark.to_owned();
    let mut done = 0;
    let placed = words.iter().map(|word| (&word.spot.span.bytes, word.new));
    for (bytes, new) in placed.filter(|(bytes, _)| !bytes.is_empty()) {
        out.push_str(&file.text[done..bytes.start]);
        out.push_str(new);
        done = bytes.end;
    }
    out.push_str(&file.text[done..]);
    Ok(Renewed {
        words,
        text: out,
        file,
    })
}
