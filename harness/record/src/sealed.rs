//! Files of lines with checksums: the record of a run, and other records.

use std::io::{self, BufRead, Write};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    FORMAT,
    seal::{self, end, is_end},
};

/// Bytes of one line of a record, its end not counted.
pub const MAX_LINE: u64 = 16 << 20;

/// Why a record could not be read.
#[derive(thiserror::Error, Debug)]
pub enum ReadError {
    /// The file could not be read.
    #[error("cannot read the record: {0}")]
    Io(#[from] io::Error),
    /// The file is empty.
    #[error("the record is empty: it has no header line")]
    Empty,
    /// Written by a newer ptodiff.
    #[error(
        "the record has format {found}, this ptodiff reads up to {FORMAT}: use the ptodiff that wrote it, or a newer one"
    )]
    Newer {
        /// The record's format.
        found: u64,
    },
    /// Something else than a record.
    #[error(
        "this is no record of a run: `ptodiff run` writes one, run.jsonl, with what is made of it"
    )]
    None,
    /// The record of a hunt.
    #[error("this is the record of a hunt: `ptodiff hunt --from` says what it found")]
    Hunt,
    /// No record of a hunt where one should be.
    #[error("this is no record of a hunt: `ptodiff hunt --record` writes one")]
    NoHunt,
    /// The record of a hunt, of another format.
    #[error(
        "the record of the hunt has format {found}, this ptodiff reads {own}: use the ptodiff that wrote it"
    )]
    OtherHunt {
        /// The record's format.
        found: u64,
        /// The one that is read.
        own: u32,
    },
    /// A line is not what it should be.
    #[error("line {line} of the record is damaged: {why}")]
    Damaged {
        /// From 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A line is longer than any that is written.
    #[error("line {line} of the record has more than {} MiB", MAX_LINE >> 20)]
    LongLine {
        /// From 1.
        line: usize,
    },
    /// There are more cases than the header says: nothing after these was read.
    #[error(
        "the record is damaged: its header promises {promised} cases, more follow in line {line}"
    )]
    More {
        /// As the header says.
        promised: usize,
        /// The first line too many, from 1.
        line: usize,
    },
    /// Lines are missing.
    #[error(
        "the record is not whole: its header promises {promised} cases, {found} follow; it ends with line {}",
        found + 1
    )]
    CutOff {
        /// As the header says.
        promised: usize,
        /// As found.
        found: usize,
    },
    /// The run was interrupted.
    #[error(
        "the record is of a run that was interrupted after {found} of {promised} cases: it stands for no whole run"
    )]
    Interrupted {
        /// As the header says.
        promised: usize,
        /// As found.
        found: usize,
    },
    /// The line that closes it is missing.
    #[error("the record is not whole: it ends with line {line}, before the line that closes it")]
    Open {
        /// The last line, from 1.
        line: usize,
    },
}

/// What is wrong with a last line that closes other lines.
const MOVED: &str =
    "its checksum is not that of the lines before it: one was taken out, put in or moved";

/// Writes lines, each with its checksum, and the one over all that closes them.
#[derive(Debug)]
pub struct SealedWriter<W> {
    to: W,
    /// Over all lines so far.
    all: blake3::Hasher,
}

impl<W: Write> SealedWriter<W> {
    /// Begins a file.
    pub fn new(to: W) -> Self {
        let all = blake3::Hasher::new();
        Self { to, all }
    }

    /// Writes `value`, an object with something in it, as the next line.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn put(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = seal::line(value)?;
        self.line(&line)
    }

    /// Writes the next line, which has its checksum.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        add(&mut self.all, line);
        self.to.write_all(line.as_bytes())?;
        self.to.write_all(b"\n")
    }

    /// Closes the file. One that is not closed is not whole.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn finish(mut self) -> io::Result<()> {
        writeln!(self.to, "{}", end(&self.all))?;
        self.to.flush()
    }
}

/// Reads what a [`SealedWriter`] wrote.
#[derive(Debug)]
pub struct SealedReader<R> {
    from: R,
    /// Lines so far.
    lines: usize,
    all: blake3::Hasher,
}

impl<R: BufRead> SealedReader<R> {
    /// Of this file.
    pub fn new(from: R) -> Self {
        Self {
            from,
            lines: 0,
            all: blake3::Hasher::new(),
        }
    }

    /// The next line as it stands, without its end, its checksum checked by
    /// [`SealedReader::read`]; none where the file was closed.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn line(&mut self) -> Result<Option<String>, ReadError> {
        let line = match self.next()? {
            Some(line) => line,
            None if self.lines == 0 => return Err(ReadError::Empty),
            None => return Err(self.open()),
        };
        if !is_end(&line) {
            self.take(&line);
            return Ok(Some(line));
        }
        match self.close(&line)? {
            None => Ok(None),
            Some(line) => Err(damaged(line, "it follows the line that closes the record")),
        }
    }

    /// The line that follows those that were taken, whatever it is.
    pub(crate) fn next(&mut self) -> Result<Option<String>, ReadError> {
        let number = self.number();
        text_line(&mut self.from, number)
    }

    /// The number of the line that follows those that were taken, from 1.
    pub(crate) const fn number(&self) -> usize {
        self.lines + 1
    }

    /// Takes the next line, which is not the one that closes the file.
    pub(crate) fn take(&mut self, line: &str) {
        add(&mut self.all, line);
        self.lines += 1;
    }

    /// Takes the next line as the one that closes the file: the number of a line after it,
    /// if there is one.
    pub(crate) fn close(&mut self, line: &str) -> Result<Option<usize>, ReadError> {
        if line != end(&self.all) {
            return Err(damaged(self.number(), MOVED));
        }
        let after = self.number() + 1;
        Ok(text_line(&mut self.from, after)?.map(|_| after))
    }

    /// That nothing follows, and what closes the file is missing.
    pub(crate) const fn open(&self) -> ReadError {
        ReadError::Open { line: self.lines }
    }

    /// What stands in the `line` that was read last.
    ///
    /// # Errors
    /// It was changed, or is none of a `T`.
    pub fn read<T: DeserializeOwned>(&self, line: &str) -> Result<T, ReadError> {
        read(line, self.lines)
    }

    /// That the line which was read last is damaged.
    pub fn damaged(&self, why: impl Into<String>) -> ReadError {
        damaged(self.lines, why)
    }
}

fn add(all: &mut blake3::Hasher, line: &str) {
    all.update(line.as_bytes());
    all.update(b"\n");
}

pub(crate) fn damaged(line: usize, why: impl Into<String>) -> ReadError {
    ReadError::Damaged {
        line,
        why: why.into(),
    }
}

/// What stands in the line with this number.
pub(crate) fn read<T: DeserializeOwned>(line: &str, number: usize) -> Result<T, ReadError> {
    let body = seal::checked(line).map_err(|why| damaged(number, why))?;
    serde_json::from_str(&body).map_err(|e| damaged(number, in_its_line(&e)))
}

/// Line `number` without its end, if there is one.
fn text_line(from: impl BufRead, number: usize) -> Result<Option<String>, ReadError> {
    let mut bytes = Vec::new();
    // With an end of two bytes.
    let read = from.take(MAX_LINE + 2).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.ends_with(b"\n") {
        bytes.pop();
        if bytes.ends_with(b"\r") {
            bytes.pop();
        }
    }
    if bytes.len() as u64 > MAX_LINE {
        return Err(ReadError::LongLine { line: number });
    }
    let text = String::from_utf8(bytes).map_err(|_| damaged(number, "it is not UTF-8"))?;
    Ok(Some(text))
}

/// What is wrong with a line: it was read alone, so that its number there is always 1.
pub(crate) fn in_its_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let column = error.column();
    match text.strip_suffix(&format!(" at line 1 column {column}")) {
        Some(what) => format!("{what} at column {column}"),
        None => text,
    }
}
