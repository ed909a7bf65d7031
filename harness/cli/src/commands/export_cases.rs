//! `ptodiff export-cases`

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_edge::whole::CannotWrite;

use crate::{
    corpus,
    exit::{Error, Exit},
    files::cannot_read,
    out::stdout,
    plain,
    text::counted,
};

/// `ptodiff export-cases`
#[derive(Args, Debug)]
pub(crate) struct ExportCases {
    /// The folder, which is not there or is empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the cases in the command to a folder, all or none.
///
/// # Errors
/// The folder has something in it, or cannot be written.
pub(crate) fn export_cases(args: &ExportCases) -> Result<Exit, Error> {
    let folder = &args.folder;
    let place = place(folder)?;
    let above = place.parent().filter(|above| *above != Path::new(""));
    let above = above.unwrap_or(Path::new("."));
    fs::create_dir_all(above).map_err(CannotWrite::of_folder(above))?;
    // Whole under another name first: who looks finds all of it or nothing.
    let part = tempfile::Builder::new()
        .prefix(ptodiff_edge::whole::PREFIX)
        .tempdir_in(above)
        // Its own message names a temporary folder.
        .map_err(|e| CannotWrite::of(folder)(e.kind().into()))?;
    let mut count = 0;
    for (path, bytes) in corpus::files() {
        let to = part.path().join(path);
        let written =
            fs::create_dir_all(to.parent().unwrap_or(&to)).and_then(|()| fs::write(&to, bytes));
        written.map_err(CannotWrite::of(&folder.join(path)))?;
        count += 1;
    }
    open_to_others(part.path()).map_err(CannotWrite::of(folder))?;
    // Some systems put no folder in the place of another, even of an empty one.
    let _ = fs::remove_dir(&place);
    fs::rename(part.path(), &place).map_err(CannotWrite::of(folder))?;
    // It has another name now.
    let _ = part.keep();
    let files = counted(count, "file");
    writeln!(
        stdout(),
        "written  {files} to {}: the cases of ptodiff {}",
        plain::path(folder),
        env!("CARGO_PKG_VERSION")
    )?;
    Ok(Exit::Conforms)
}

/// Where `folder` is to be, links followed.
fn place(folder: &Path) -> Result<PathBuf, Error> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(Error::usage(format!(
            "{} is not empty: name a folder that is not there",
            plain::path(folder)
        ))),
        Ok(false) => {
            let place = fs::canonicalize(folder).map_err(|e| cannot_read(folder, &e))?;
            let here = std::env::current_dir().and_then(fs::canonicalize);
            match here.is_ok_and(|here| here.starts_with(&place)) {
                // Who stands in it would stand nowhere.
                true => Err(Error::usage(
                    "you are in that folder: name one below it, as in `ptodiff export-cases cases`",
                )),
                false => Ok(place),
            }
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(folder.to_owned()),
        Err(_) if folder.is_file() => Err(Error::usage(format!(
            "{} is a file: name a folder that is not there",
            plain::path(folder)
        ))),
        Err(e) => Err(cannot_read(folder, &e)),
    }
}

/// Gives the folder `part`, which is its maker's alone, the permissions of those in it.
fn open_to_others(part: &Path) -> io::Result<()> {
    let mut inner = fs::read_dir(part)?.filter_map(Result::ok);
    let inner = inner.find(|entry| entry.path().is_dir());
    match inner {
        Some(inner) => fs::set_permissions(part, inner.metadata()?.permissions()),
        None => Ok(()),
    }
}
