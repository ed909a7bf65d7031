//! Reading files of which nothing is known but where they should be.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Nothing has this name.
    #[error("there is no such file")]
    Missing,
    /// A link, a folder, a device or a pipe.
    #[error("not a plain file")]
    NotPlain,
    /// It has another length than asked for.
    #[error("{found} bytes, {expected} are needed")]
    Length {
        /// Bytes that it has.
        found: u64,
        /// Bytes that it must have.
        expected: u64,
    },
    /// Its length changed while it was read.
    #[error("changed while it was read")]
    Changed,
    /// The system rejects.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Opens a plain file for reading: never a link, and nothing that could block.
///
/// # Errors
/// If there is none, it is not plain, or the system rejects.
pub fn open(path: &Path) -> Result<(File, u64), FileError> {
    let plain = |kind: fs::FileType| match kind.is_file() {
        true => Ok(()),
        false => Err(FileError::NotPlain),
    };
    let found = fs::symlink_metadata(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => FileError::Missing,
        _ => FileError::Io(e),
    })?;
    // Before it is opened: opening a pipe would wait for its other end.
    plain(found.file_type())?;
    let file = File::open(path)?;
    let opened = file.metadata()?;
    plain(opened.file_type())?;
    Ok((file, opened.len()))
}

/// All of a plain file that must have `expected` bytes. Memory is taken as
/// bytes come, and for no more than are expected.
///
/// # Errors
/// If it cannot be opened, has another length, or changes while it is read.
pub fn exactly(path: &Path, expected: u64) -> Result<Vec<u8>, FileError> {
    let (file, found) = open(path)?;
    if found != expected {
        return Err(FileError::Length { found, expected });
    }
    let bytes = up_to(file, expected)?;
    if bytes.len() as u64 != expected {
        return Err(FileError::Changed);
    }
    Ok(bytes)
}

/// At most one byte more than `most` of what `from` gives.
pub(crate) fn up_to(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a folder, or takes one that is there and is no link.
///
/// # Errors
/// What the system says, or that something else has the name.
pub fn folder(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            if fs::symlink_metadata(path)?.is_dir() {
                return Ok(());
            }
            Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "something else has this name",
            ))
        }
        other => other,
    }
}
