//! Records that are read, and files that are written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use ptodiff_record::{CaseRecord, Header};

use crate::{exit::Error, plain};

/// A record in memory.
pub(crate) struct Record {
    /// Its header.
    pub(crate) header: Header,
    /// Its cases.
    pub(crate) cases: Vec<CaseRecord>,
}

/// Reads the record in the file `path`.
///
/// # Errors
/// If it cannot be read, is damaged, or was written by a newer ptodiff.
pub(crate) fn read_record(path: &Path) -> Result<Record, Error> {
    let (header, cases) = ptodiff_record::read(open(path)?)
        .map_err(|e| Error::usage(plain::text(&format!("{}: {e}", path.display()))))?;
    Ok(Record { header, cases })
}

/// Opens the file `path`.
///
/// # Errors
/// If it cannot be opened: wrong usage.
pub(crate) fn open(path: &Path) -> Result<BufReader<File>, Error> {
    match File::open(path) {
        Ok(file) => Ok(BufReader::new(file)),
        Err(e) => Err(cannot_read(path, &e)),
    }
}

/// That the file `path` cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::usage(format!("cannot read {}: {error}", plain::path(path)))
}

/// Writes a file whole or not at all: an older one stays until the new one is complete.
///
/// # Errors
/// If it cannot be written, and what `write` gives.
pub(crate) fn write_whole<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> Result<T, Error> {
    let mut part = PathBuf::from(path);
    part.as_mut_os_string().push(".part");
    let written = || {
        let mut to = BufWriter::new(File::create(&part)?);
        let done = write(&mut to)?;
        to.flush()?;
        fs::rename(&part, path)?;
        Ok(done)
    };
    written().map_err(|e| {
        // What could not be finished is of no use; the error that matters is the first.
        let _ = fs::remove_file(&part);
        cannot_write(path, &e)
    })
}

/// That the file or folder `path` cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::fault(format!("cannot write {}: {error}", plain::path(path)))
}

/// Writes to the file `path`, or to standard output where it is `-`.
///
/// # Errors
/// If that cannot be written.
pub(crate) fn write_to(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    if path.as_os_str() == "-" {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut out)?;
        out.flush()?;
        return Ok(());
    }
    write_whole(path, |to| write(to))
}
