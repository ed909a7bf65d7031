//! The folders of holes that a hunt reads and writes.

use std::{collections::BTreeSet, fs, path::Path};

use ptodiff_edge::{
    place::from_here,
    text,
    whole::{self, CannotWrite},
};
use ptodiff_hunt::Known;

use super::Hunt;
use super::shrunk::KIND;
use crate::{
    corpus::{self, is_own},
    exit::Error,
    files::cannot_read,
};

/// Where the holes are that are known if nothing is said.
pub(super) const USUAL: &str = "cases/holes";

/// The word for no folder.
const NONE: &str = "none";

/// The holes that are known.
///
/// # Errors
/// A folder that is named is not there, or its cases are bad.
pub(super) fn known(args: &Hunt) -> Result<Known, Error> {
    let usual = || match is_own(Path::new(USUAL)) {
        true => Ok(Known::of(&crate::pto::load_all(&[USUAL.into()])?.cases)),
        false => Ok::<_, Error>(Known::load(Path::new(USUAL))?),
    };
    let named = match args.known.as_deref() {
        None => usual()?,
        Some(none) if none.as_os_str() == NONE => Known::default(),
        Some(path) if !path.exists() => {
            let path = text::path(path);
            let why = format!("--known {path}: nothing is there; `{NONE}` stands for no holes");
            return Err(Error::usage(why));
        }
        // What a hunt wrote stands beside what is known.
        Some(path) if corpus::is_of_no_case(path) => usual()?,
        Some(path) if path.is_file() => Known::load(path)?.and(usual()?),
        Some(path) => Known::load(path)?,
    };
    Ok(match &args.keep {
        None => named,
        Some(kept) => Known::load(kept)?.and(named),
    })
}

/// The kinds of violation that a file of `--out` has: those are known, too.
pub(super) fn known_kinds(args: &Hunt) -> Result<BTreeSet<String>, Error> {
    let Some(path) = args.known.as_deref().filter(|path| path.is_file()) else {
        return Ok(BTreeSet::new());
    };
    let text = fs::read_to_string(path).map_err(|e| cannot_read(path, &e))?;
    let kinds = text.lines().filter_map(|line| line.strip_prefix(KIND));
    Ok(kinds.map(str::to_owned).collect())
}

/// Makes `folder`, and a file there that goes away again: who hunts for
/// hours learns now that nothing can be kept.
///
/// # Errors
/// It is no folder, or takes no file; or it would stand here in place of one in the
/// command, with the new cases alone.
pub(super) fn try_out(folder: &Path) -> Result<(), Error> {
    if is_own(folder) && from_here(folder).starts_with(corpus::USUAL) {
        return Err(Error::usage(format!(
            "--keep {}: that folder is in the command, and one here would stand in its place: \
             name another one, as in --keep found",
            text::path(folder)
        )));
    }
    fs::create_dir_all(folder).map_err(CannotWrite::of_folder(folder))?;
    Ok(whole::try_out(folder)?)
}
