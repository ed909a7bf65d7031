//! Files of lines with checksums, as those of a run's record, for other records.

use std::io::{self, BufRead, Write};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ReadError, jsonl,
    seal::{end, is_end, seal},
};

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
        let mut line = serde_json::to_string(value)?;
        seal(&mut line);
        line.push('\n');
        self.all.update(line.as_bytes());
        self.to.write_all(line.as_bytes())
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
        let number = self.lines + 1;
        let line = match jsonl::text_line(&mut self.from, number)? {
            Some(line) => line,
            None if self.lines == 0 => return Err(ReadError::Empty),
            None => return Err(ReadError::Open { line: self.lines }),
        };
        if !is_end(&line) {
            self.lines = number;
            jsonl::add(&mut self.all, &line);
            return Ok(Some(line));
        }
        if line != end(&self.all) {
            return Err(self.damaged_at(number, ReadError::MOVED));
        }
        match jsonl::text_line(&mut self.from, number + 1)? {
            None => Ok(None),
            Some(_) => {
                Err(self.damaged_at(number + 1, "it follows the line that closes the record"))
            }
        }
    }

    /// What stands in the `line` that was read last.
    ///
    /// # Errors
    /// It was changed, or is none of a `T`.
    pub fn read<T: DeserializeOwned>(&self, line: &str) -> Result<T, ReadError> {
        jsonl::own(line, self.lines)
    }

    /// That the line which was read last is damaged.
    pub fn damaged(&self, why: impl Into<String>) -> ReadError {
        self.damaged_at(self.lines, why)
    }

    fn damaged_at(&self, line: usize, why: impl Into<String>) -> ReadError {
        ReadError::Damaged {
            line,
            why: why.into(),
        }
    }
}
