//! Records that are read, and files that are written.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Read as _, Write},
    path::Path,
};

use ptodiff_edge::whole::{self, CannotWrite};
use ptodiff_record::{CaseRecord, Diagnosis, Header, ReadError, Reader};

use crate::{exit::Error, out::stdout_bytes, plain};

/// Whether there is nothing at `path`. A link that leads nowhere is a mistake to tell, and so is
/// what cannot be looked at.
pub(crate) fn is_absent(path: &Path) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    let there = path.symlink_metadata().map_err(|e| e.kind());
    matches!(
        there,
        Err(InvalidFilename | InvalidInput | NotADirectory | NotFound)
    )
}

/// A record that is read case by case.
pub(crate) struct Record {
    /// What messages call it.
    name: String,
    reader: Reader<Box<dyn BufRead>>,
}

impl Record {
    /// Opens the record in the file `path`, in a run's folder of that name, or in standard
    /// input where it is `-`.
    ///
    /// # Errors
    /// If it cannot be read, its header is damaged or too long, or it was written
    /// by a newer ptodiff.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let (name, from) = open_record(path)?;
        match Reader::new(from) {
            Ok(reader) => Ok(Self { name, reader }),
            Err(why) => Err(damaged(&name, &why)),
        }
    }

    /// Its header.
    pub(crate) const fn header(&self) -> &Header {
        self.reader.header()
    }

    /// Takes that of a run which was interrupted, too: it has fewer cases than its header says.
    pub(crate) fn or_interrupted(self) -> Self {
        Self {
            reader: self.reader.or_interrupted(),
            ..self
        }
    }

    /// Hands every case to `take`, up to the end of the record, and returns what was
    /// diagnosed.
    ///
    /// # Errors
    /// If it is damaged anywhere, and what `take` gives.
    pub(crate) fn each(
        mut self,
        mut take: impl FnMut(&CaseRecord) -> Result<(), Error>,
    ) -> Result<Vec<Diagnosis>, Error> {
        for case in self.reader.by_ref() {
            take(&case.map_err(|why| damaged(&self.name, &why))?)?;
        }
        Ok(self.reader.diagnoses().to_vec())
    }
}

fn damaged(name: &str, why: &ReadError) -> Error {
    Error::usage(format!(
        "{}: {}",
        plain::text(name),
        plain::text(&why.to_string())
    ))
}

/// The record in the file `path`, in that of a run where it is the folder of its reports, or
/// in standard input where it is `-`, with the name that messages give it.
///
/// # Errors
/// If it cannot be opened: wrong usage.
pub(crate) fn open_record(path: &Path) -> Result<(String, Box<dyn BufRead>), Error> {
    let path = match path.is_dir() {
        true => Cow::Owned(path.join("run.jsonl")),
        false => Cow::Borrowed(path),
    };
    let name = match is_stream(&path) {
        true => "standard input".into(),
        false => path.to_string_lossy(),
    };
    Ok((name.into_owned(), open_any(&path)?))
}

/// Opens the file `path`, or standard input where it is `-`.
fn open_any(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    Ok(match is_stream(path) {
        // Not locked: who names it twice reads nothing the second time.
        true => Box::new(BufReader::new(io::stdin())),
        false => Box::new(open(path)?),
    })
}

/// Whether the user means standard input or output and no file.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
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

/// The text of the file `path`, or of standard input where it is `-`.
///
/// # Errors
/// If it cannot be read, or is longer than `most` bytes, whole MiB.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, Error> {
    let mut text = String::new();
    let from = open_any(path)?;
    let read = from.take(most + 1).read_to_string(&mut text);
    let read = read.and_then(|long| match long as u64 > most {
        true => Err(io::Error::other(format!(
            "it is longer than {} MiB",
            most >> 20
        ))),
        false => Ok(text),
    });
    read.map_err(|e| cannot_read(path, &e))
}

/// That the file `path` cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::usage(format!("cannot read {}: {error}", plain::path(path)))
}

/// Writes to the file that the user calls `path`, or to standard output where
/// that is `-`. What takes bytes and is no file, such as `/dev/stdout` or a
/// pipe, is written to and stays.
pub(crate) fn write_to(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    // By that name it would not be known when its reader leaves.
    if is_stream(path) || path == Path::new("/dev/stdout") {
        let mut out = BufWriter::new(stdout_bytes());
        write(&mut out)?;
        out.flush()?;
        return Ok(());
    }
    if !takes_bytes(path) {
        return Ok(whole::write(path, |to| write(to))?);
    }
    let written = || {
        let mut to = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut to)?;
        to.flush()
    };
    Ok(written().map_err(CannotWrite::of(path))?)
}

/// Whether [`write_to`] can write `path`: who hunts for hours learns it now.
pub(crate) fn try_write(path: &Path) -> Result<(), Error> {
    match is_stream(path) || takes_bytes(path) {
        true => Ok(()),
        false => Ok(whole::try_write(path)?),
    }
}

/// Whether `path` is there and neither a file nor a folder, links followed.
fn takes_bytes(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}
