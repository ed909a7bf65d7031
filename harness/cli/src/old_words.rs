//! Words of the version before in files: read for one version, with a warning.

use std::path::Path;

use ptodiff_case::{OldWord, SourceFile, Style, Waivers, waiver};

use crate::{exit::Error, out::say_as_it_is};

/// Reads a file of waivers, or the `waivers.yaml` of a folder, and warns of old words in it.
pub(crate) fn load_waivers(path: &Path) -> Result<Waivers, Error> {
    let waivers = match path.is_dir() {
        true => waiver::load(&path.join("waivers.yaml"))?,
        false => waiver::load(path)?,
    };
    warn_of(&waivers.old_words, std::slice::from_ref(&waivers.file));
    Ok(waivers)
}

pub(crate) fn warn_of(words: &[OldWord], files: &[SourceFile]) {
    let warnings = ptodiff_case::warnings(words);
    say_as_it_is(ptodiff_case::render(&warnings, files, Style::Coloured));
}
