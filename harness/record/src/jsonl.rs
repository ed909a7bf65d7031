//! Reading and writing `run.jsonl`, a line at a time: neither holds more of it
//! than one case.

use std::{
    collections::HashSet,
    io::{self, BufRead, Write},
};

use serde::{Deserialize, Serialize};

use crate::{
    CaseRecord, Diagnosis, FORMAT, Header, MAX_LINE, ReadError, SealedReader, SealedWriter, older,
    seal,
    sealed::{self, damaged, in_its_line},
};

/// The line of a diagnosis; the first key tells it from a case.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagnosed<T> {
    diagnosis: T,
}

/// The line that ends the cases of a run that was interrupted.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Interrupted {
    /// Cases before it.
    interrupted: usize,
}

const INTERRUPTED: &str = "{\"interrupted\":";

/// How the record of a hunt begins, which is no record of a run.
pub const HUNT: &str = "{\"ptodiff_hunt\":";

const DIAGNOSIS: &str = "{\"diagnosis\":";

/// Writes a record: its header, each case, what was diagnosed, and what closes it.
#[derive(Debug)]
pub struct Writer<W> {
    to: SealedWriter<W>,
    /// Cases that are written.
    written: usize,
    /// Cases that the header promises and that are not yet written.
    left: usize,
}

impl<W: Write> Writer<W> {
    /// Begins a record.
    ///
    /// # Errors
    /// What the writer gives, or that the header is longer than a line may be.
    pub fn new(to: W, header: &Header) -> io::Result<Self> {
        let line = seal::line(header)?;
        if line.len() as u64 > MAX_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the header is longer than {} MiB: divide the run into more parts",
                    MAX_LINE >> 20
                ),
            ));
        }
        let mut to = SealedWriter::new(to);
        to.line(&line)?;
        Ok(Self {
            to,
            written: 0,
            left: header.cases,
        })
    }

    /// Writes the next case.
    ///
    /// # Errors
    /// What the writer gives, or as [`line()`].
    pub fn case(&mut self, case: &CaseRecord) -> io::Result<()> {
        let line = line(case)?;
        self.line(&line)
    }

    /// Writes the next case from its [`line()`].
    ///
    /// # Errors
    /// What the writer gives, or that the header promises no such case.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let more = || io::Error::other("there are more cases than the header of the record says");
        self.left = self.left.checked_sub(1).ok_or_else(more)?;
        self.written += 1;
        self.to.line(line)
    }

    /// Writes a diagnosis, after all cases.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn diagnosis(&mut self, diagnosis: &Diagnosis) -> io::Result<()> {
        self.to.put(&Diagnosed { diagnosis })
    }

    /// Closes the record of a run that was interrupted before its last case: it says so.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn interrupted(mut self) -> io::Result<()> {
        let interrupted = self.written;
        self.to.put(&Interrupted { interrupted })?;
        self.to.finish()
    }

    /// Closes the record. One that is not closed is not whole.
    ///
    /// # Errors
    /// What the writer gives, or that the header promises more cases.
    pub fn finish(self) -> io::Result<()> {
        if self.left > 0 {
            let missing = format!("the record lacks {} of its cases", self.left);
            return Err(io::Error::other(missing));
        }
        self.to.finish()
    }
}

/// The line of a case, without its end.
///
/// # Errors
/// If it is longer than [`MAX_LINE`]: no reader would take it.
pub fn line(case: &CaseRecord) -> io::Result<String> {
    let line = seal::line(case)?;
    if line.len() as u64 <= MAX_LINE {
        return Ok(line);
    }
    let long = format!(
        "the line of `{}` has more than {} MiB",
        case.id,
        MAX_LINE >> 20
    );
    Err(io::Error::new(io::ErrorKind::InvalidData, long))
}

/// Writes a whole record of these cases, whatever number the header has.
///
/// # Errors
/// As [`Writer`].
pub fn write(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let header = Header {
        ptodiff_record: FORMAT,
        cases: cases.len(),
        ..header.clone()
    };
    let mut to = Writer::new(to, &header)?;
    cases.iter().try_for_each(|case| to.case(case))?;
    to.finish()
}

/// Reads a whole record into memory.
///
/// # Errors
/// See [`ReadError`]; a record is taken whole or not at all.
pub fn read(from: impl BufRead) -> Result<(Header, Vec<CaseRecord>), ReadError> {
    let mut reader = Reader::new(from)?;
    let cases = reader.by_ref().collect::<Result<_, _>>()?;
    Ok((reader.header, cases))
}

/// Reads a record case by case: an iterator over its cases, which fails once.
///
/// Who does not come to its end knows nothing of the lines that follow.
#[derive(Debug)]
pub struct Reader<R> {
    from: SealedReader<R>,
    header: Header,
    /// Cases so far.
    found: usize,
    /// What was diagnosed, complete at the end.
    diagnoses: Vec<Diagnosis>,
    ids: HashSet<[u8; 16]>,
    /// Whether it may be of a run that was interrupted.
    takes_part: bool,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn new(from: R) -> Result<Self, ReadError> {
        let mut from = SealedReader::new(from);
        let first = from.next()?.ok_or(ReadError::Empty)?;
        let header = read_header(&first)?;
        from.take(&first);
        Ok(Self {
            from,
            header,
            found: 0,
            diagnoses: Vec::new(),
            ids: HashSet::new(),
            takes_part: false,
            ended: false,
        })
    }

    /// Takes a record of a run that was interrupted, too, which is otherwise an error at its
    /// end: it has fewer cases than its header says.
    #[must_use]
    pub const fn or_interrupted(mut self) -> Self {
        self.takes_part = true;
        self
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// What was diagnosed: nothing before the last case was read.
    #[must_use]
    pub fn diagnoses(&self) -> &[Diagnosis] {
        &self.diagnoses
    }

    fn advance(&mut self) -> Result<Option<CaseRecord>, ReadError> {
        // An older record has no checksums.
        let is_sealed = !older::is_older(u64::from(self.header.ptodiff_record));
        let (promised, found) = (self.header.cases, self.found);
        if found == promised {
            return self.end(is_sealed).map(|()| None);
        }
        let line = self.from.next()?;
        let line = line.filter(|line| !(is_sealed && seal::is_end(line)));
        let line = line.ok_or(ReadError::CutOff { promised, found })?;
        self.from.take(&line);
        if is_sealed && line.starts_with(INTERRUPTED) {
            let Interrupted { interrupted } = self.from.read(&line)?;
            if interrupted != found {
                let other = format!("it says that {interrupted} cases stand before it");
                return Err(self.from.damaged(other));
            }
            self.end(is_sealed)?;
            return match self.takes_part {
                true => Ok(None),
                false => Err(ReadError::Interrupted { promised, found }),
            };
        }
        let case: CaseRecord = match is_sealed {
            true => self.from.read(&line)?,
            false => renewed(&line).map_err(|e| self.from.damaged(in_its_line(&e)))?,
        };
        case.holds().map_err(|why| self.from.damaged(why))?;
        if !self.ids.insert(short(&case.id)) {
            let twice = format!("the case `{}` is there twice", case.id);
            return Err(self.from.damaged(twice));
        }
        self.found += 1;
        Ok(Some(case))
    }

    /// What follows the last case.
    fn end(&mut self, is_sealed: bool) -> Result<(), ReadError> {
        let mut next = self.from.next()?;
        while let Some(line) = next.take_if(|line| is_sealed && line.starts_with(DIAGNOSIS)) {
            self.from.take(&line);
            let read: Diagnosed<Diagnosis> = self.from.read(&line)?;
            self.diagnoses.push(read.diagnosis);
            next = self.from.next()?;
        }
        let more = match next {
            None if is_sealed => return Err(self.from.open()),
            None => None,
            Some(line) if is_sealed && seal::is_end(&line) => self.from.close(&line)?,
            Some(_) => Some(self.from.number()),
        };
        let promised = self.header.cases;
        match more {
            None => Ok(()),
            Some(line) => Err(ReadError::More { promised, line }),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<CaseRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.advance();
        self.ended = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}

/// What stands for an id where only its sameness counts.
fn short(id: &str) -> [u8; 16] {
    let hash = *blake3::hash(id.as_bytes()).as_bytes();
    std::array::from_fn(|n| hash[n])
}

/// A case of an older record.
fn renewed(line: &str) -> serde_json::Result<CaseRecord> {
    let mut value = serde_json::from_str(line)?;
    older::renew(&mut value);
    serde_json::from_value(value)
}

/// The version is looked at before anything else: a newer header may have
/// fields that this reader does not know.
fn read_header(line: &str) -> Result<Header, ReadError> {
    let no_header = |e| damaged(1, in_its_line(&e));
    if line.starts_with(HUNT) {
        return Err(ReadError::Hunt);
    }
    // Where the word does not even stand, it is another file.
    if !line.contains("\"ptodiff_record\"") {
        return Err(ReadError::None);
    }
    let mut any: serde_json::Value = serde_json::from_str(line).map_err(no_header)?;
    let found = any.get("ptodiff_record");
    let found = found.and_then(serde_json::Value::as_u64);
    let found = found.ok_or(ReadError::None)?;
    if found > u64::from(FORMAT) {
        return Err(ReadError::Newer { found });
    }
    if older::is_older(found) {
        older::renew(&mut any);
        return serde_json::from_value(any).map_err(no_header);
    }
    sealed::read(line, 1)
}
