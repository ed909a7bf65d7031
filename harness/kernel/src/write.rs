//! A program's files, put into a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use ptodiff_edge::{
    text,
    whole::{self, CannotWrite},
};
use thiserror::Error;

use crate::program::{File, MARK};

/// Bytes at a file's head in which the mark of ours must stand.
const HEAD: usize = 256;

/// Why nothing was written, or not all of it.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A file of that name is there and not one of ours. Nothing was written.
    #[error("{} is there and was not written by this command; --force overwrites it", text::path(.0))]
    Foreign(PathBuf),
    /// The file system rejected.
    #[error(transparent)]
    Io(#[from] CannotWrite),
}

/// Writes `files` into `folder`, which is made if it is missing; each appears
/// whole or not at all. Kernels of an earlier program that this one does not
/// have are removed. Unless `force`, a file that is not of an earlier program
/// of ours stays, and then nothing is written.
///
/// # Errors
/// A foreign file, or the file system's.
pub fn write(folder: &Path, files: &[File], force: bool) -> Result<(), WriteError> {
    let at = CannotWrite::of;
    fs::create_dir_all(folder).map_err(at(folder))?;
    let mut stale = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if files.iter().any(|file| file.name == name) {
            if !force && !is_ours(&path).map_err(at(&path))? {
                return Err(WriteError::Foreign(path));
            }
        } else if name.starts_with("kernels_")
            && name.ends_with(".cpp")
            && is_ours(&path).map_err(at(&path))?
        {
            stale.push(path);
        }
    }
    for path in stale {
        fs::remove_file(&path).map_err(at(&path))?;
    }
    for file in files {
        whole::write_bytes(&folder.join(&file.name), file.text.as_bytes())?;
    }
    Ok(())
}

/// Whether an earlier program of ours left the file.
fn is_ours(path: &Path) -> io::Result<bool> {
    use io::Read as _;
    if !path.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    fs::File::open(path)?
        .take(HEAD as u64)
        .read_to_end(&mut head)?;
    Ok(String::from_utf8_lossy(&head).contains(MARK))
}
