//! Reading and writing `run.jsonl`, a line at a time: neither holds more of it
//! than one case.

use std::{
    collections::HashSet,
    io::{self, BufRead, Write},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{CaseRecord, Diagnosis, FORMAT, Header, older, seal};

/// Bytes of one line of a record, its end not counted.
pub const MAX_LINE: u64 = 16 << 20;

/// The line of a diagnosis; the first key tells it from a case.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagnosed<T> {
    diagnosis: T,
}

/// How the record of a hunt begins, which is no record of a run.
pub const HUNT: &str = "{\"ptodiff_hunt\":";

const DIAGNOSIS: &str = "{\"diagnosis\":";

/// Writes a record: its header, each case, what was diagnosed, and what closes it.
#[derive(Debug)]
pub struct Writer<W> {
    to: W,
    /// Over all lines so far.
    all: blake3::Hasher,
    /// Cases that the header promises and that are not yet written.
    left: usize,
}

impl<W: Write> Writer<W> {
    /// Begins a record.
    ///
    /// # Errors
    /// What the writer gives, or that the header is longer than a line may be.
    pub fn new(to: W, header: &Header) -> io::Result<Self> {
        let line = sealed(header)?;
        if line.len() as u64 > MAX_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the header is longer than {} MiB: divide the run into more parts",
                    MAX_LINE >> 20
                ),
            ));
        }
        let mut own = Self {
            to,
            all: blake3::Hasher::new(),
            left: header.cases,
        };
        own.put(&line)?;
        Ok(own)
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
        self.put(line)
    }

    /// Writes a diagnosis, after all cases.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn diagnosis(&mut self, diagnosis: &Diagnosis) -> io::Result<()> {
        let line = sealed(&Diagnosed { diagnosis })?;
        self.put(&line)
    }

    /// Closes the record. One that is not closed is not whole.
    ///
    /// # Errors
    /// What the writer gives, or that the header promises more cases.
    pub fn finish(mut self) -> io::Result<()> {
        if self.left > 0 {
            let missing = format!("the record lacks {} of its cases", self.left);
            return Err(io::Error::other(missing));
        }
        writeln!(self.to, "{}", seal::end(&self.all))?;
        self.to.flush()
    }

    fn put(&mut self, line: &str) -> io::Result<()> {
        add(&mut self.all, line);
        self.to.write_all(line.as_bytes())?;
        self.to.write_all(b"\n")
    }
}

/// The line of a case, without its end.
///
/// # Errors
/// If it is longer than [`MAX_LINE`]: no reader would take it.
pub fn line(case: &CaseRecord) -> io::Result<String> {
    let line = sealed(case)?;
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

fn sealed(value: &impl Serialize) -> io::Result<String> {
    let mut line = serde_json::to_string(value)?;
    seal::seal(&mut line);
    Ok(line)
}

pub(crate) fn add(all: &mut blake3::Hasher, line: &str) {
    all.update(line.as_bytes());
    all.update(b"\n");
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
    /// The line that closes it is missing.
    #[error("the record is not whole: it ends with line {line}, before the line that closes it")]
    Open {
        /// The last line, from 1.
        line: usize,
    },
}

impl ReadError {
    /// What is wrong with a last line that closes other lines.
    pub(crate) const MOVED: &str = "its checksum is not that of the lines before it: \
                                    one was taken out, put in or moved";
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
    from: R,
    header: Header,
    /// Cases so far.
    found: usize,
    /// What was diagnosed, complete at the end.
    diagnoses: Vec<Diagnosis>,
    /// Over all lines so far.
    all: blake3::Hasher,
    ids: HashSet<[u8; 16]>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn new(mut from: R) -> Result<Self, ReadError> {
        let first = text_line(&mut from, 1)?.ok_or(ReadError::Empty)?;
        let header = read_header(&first)?;
        let mut all = blake3::Hasher::new();
        add(&mut all, &first);
        Ok(Self {
            from,
            header,
            found: 0,
            diagnoses: Vec::new(),
            all,
            ids: HashSet::new(),
            ended: false,
        })
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

    /// The next case, and its line as it would be written today.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn next_line(&mut self) -> Result<Option<(CaseRecord, String)>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        let read = self.advance();
        self.ended = !matches!(read, Ok(Some(_)));
        read
    }

    fn advance(&mut self) -> Result<Option<(CaseRecord, String)>, ReadError> {
        let mut number = self.found + 2;
        let is_sealed = is_sealed(&self.header);
        let promised = self.header.cases;
        let mut next = text_line(&mut self.from, number)?;
        if self.found == promised {
            while let Some(line) = next.take_if(|line| is_sealed && line.starts_with(DIAGNOSIS)) {
                let read: Diagnosed<Diagnosis> = own(&line, number)?;
                self.diagnoses.push(read.diagnosis);
                add(&mut self.all, &line);
                number += 1;
                next = text_line(&mut self.from, number)?;
            }
            return match next {
                Some(line) if is_sealed && seal::is_end(&line) => self.close(&line, number),
                Some(_) => Err(ReadError::More {
                    promised,
                    line: number,
                }),
                None if is_sealed => Err(ReadError::Open { line: number - 1 }),
                None => Ok(None),
            };
        }
        let found = self.found;
        let cut_off = ReadError::CutOff { promised, found };
        let line = next.ok_or(cut_off)?;
        if is_sealed && seal::is_end(&line) {
            return Err(ReadError::CutOff { promised, found });
        }
        let damaged = |why| ReadError::Damaged { line: number, why };
        add(&mut self.all, &line);
        let read = match is_sealed {
            true => (own(&line, number)?, None),
            false => renewed(&line).map_err(|e| damaged(in_its_line(&e)))?,
        };
        let (case, line) = match read {
            (case, None) => (case, line),
            (case, Some(line)) => (case, line),
        };
        case.holds().map_err(damaged)?;
        if !self.ids.insert(short(&case.id)) {
            return Err(damaged(format!("the case `{}` is there twice", case.id)));
        }
        self.found += 1;
        Ok(Some((case, line)))
    }

    /// The last line of a record that has one.
    fn close(
        &mut self,
        line: &str,
        number: usize,
    ) -> Result<Option<(CaseRecord, String)>, ReadError> {
        if line != seal::end(&self.all) {
            return Err(ReadError::Damaged {
                line: number,
                why: ReadError::MOVED.to_owned(),
            });
        }
        match text_line(&mut self.from, number + 1)? {
            None => Ok(None),
            Some(_) => Err(ReadError::More {
                promised: self.header.cases,
                line: number + 1,
            }),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<CaseRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.next_line();
        read.map(|read| read.map(|(case, _)| case)).transpose()
    }
}

/// What stands for an id where only its sameness counts.
fn short(id: &str) -> [u8; 16] {
    let hash = *blake3::hash(id.as_bytes()).as_bytes();
    std::array::from_fn(|n| hash[n])
}

/// Whether a record with this header has checksums.
const fn is_sealed(header: &Header) -> bool {
    !older::is_older(header.ptodiff_record as u64)
}

/// A case as it was read, and its line where today's is another.
type Read = (CaseRecord, Option<String>);

/// What stands in a line of a record of today.
pub(crate) fn own<T: DeserializeOwned>(line: &str, number: usize) -> Result<T, ReadError> {
    let damaged = |why| ReadError::Damaged { line: number, why };
    let body = seal::checked(line).map_err(|why| damaged(why.to_owned()))?;
    serde_json::from_str(&body).map_err(|e| damaged(in_its_line(&e)))
}

/// A case of an older record, and its line as it would be written today.
fn renewed(line: &str) -> serde_json::Result<Read> {
    let mut value = serde_json::from_str(line)?;
    older::renew(&mut value);
    let case = serde_json::from_value(value)?;
    let mut line = serde_json::to_string(&case)?;
    seal::seal(&mut line);
    Ok((case, Some(line)))
}

/// Line `number` without its end, if there is one.
pub(crate) fn text_line(from: impl BufRead, number: usize) -> Result<Option<String>, ReadError> {
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
    let damaged = |_| ReadError::Damaged {
        line: number,
        why: "it is not UTF-8".to_owned(),
    };
    String::from_utf8(bytes).map(Some).map_err(damaged)
}

/// What is wrong with a line: it was read alone, so that its number there is always 1.
fn in_its_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let column = error.column();
    match text.strip_suffix(&format!(" at line 1 column {column}")) {
        Some(what) => format!("{what} at column {column}"),
        None => text,
    }
}

/// The version is looked at before anything else: a newer header may have
/// fields that this reader does not know.
fn read_header(line: &str) -> Result<Header, ReadError> {
    let damaged = |e: serde_json::Error| ReadError::Damaged {
        line: 1,
        why: in_its_line(&e),
    };
    let changed = |why: String| ReadError::Damaged { line: 1, why };
    if line.starts_with(HUNT) {
        return Err(ReadError::Hunt);
    }
    // Where the word does not even stand, it is another file.
    if !line.contains("\"ptodiff_record\"") {
        return Err(ReadError::None);
    }
    let mut any: serde_json::Value = serde_json::from_str(line).map_err(damaged)?;
    let found = any.get("ptodiff_record");
    let Some(found) = found.and_then(serde_json::Value::as_u64) else {
        return Err(ReadError::None);
    };
    if found > u64::from(FORMAT) {
        return Err(ReadError::Newer { found });
    }
    if older::is_older(found) {
        older::renew(&mut any);
        return serde_json::from_value(any).map_err(damaged);
    }
    let body = seal::checked(line).map_err(|why| changed(why.to_owned()))?;
    serde_json::from_str(&body).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(cases: usize) -> Header {
        Header {
            ptodiff_record: FORMAT,
            version: "0.1.0".into(),
            seed: 0,
            st_data: None,
            schedules: 4,
            readings: vec![],
            beside: vec![],
            all_readings: false,
            targets: vec![],
            implementations: vec![],
            cases,
            part: None,
            typed: Vec::new(),
        }
    }

    /// A header alone, whatever it promises.
    fn first(header: &Header) -> String {
        sealed(header).unwrap() + "\n"
    }

    fn case(id: &str) -> CaseRecord {
        let case = serde_json::json!({
            "id": id, "name": "\u{e9}", "instruction": "MGATHER", "file": "a.yaml", "line": 1,
            "call": {"oob": "Clamp"}, "verdict": "violation",
            "targets": {"cpu": {"verdict": "conforms"}, "a5": {"verdict": "violates", "findings": [
                {"failure_group": "g", "what": "w"},
            ]}},
        });
        serde_json::from_value(case).unwrap()
    }

    fn whole(cases: &[CaseRecord]) -> String {
        let mut out = Vec::new();
        write(&mut out, &header(0), cases).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn why(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn no_bit_of_a_record_can_be_another() {
        let good = whole(&[case("a"), case("b")]).into_bytes();
        read(&good[..]).unwrap();
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(read(&bad[..]).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn no_record_that_was_cut_is_read() {
        let good = whole(&[case("a"), case("b")]);
        for end in 0..good.len() - 1 {
            let why = read(&good.as_bytes()[..end]).map(|_| end);
            assert!(why.is_err(), "{end} bytes");
        }
        // The line is there, its end is not.
        assert!(read(good.trim_end().as_bytes()).is_ok());
        let lines: Vec<&str> = good.split_inclusive('\n').collect();
        let open = why(&lines[..3].concat());
        assert!(
            open.contains("ends with line 3, before the line that closes it"),
            "{open}"
        );
        let two = "its header promises 2 cases, 1 follow; it ends with line 2";
        assert!(why(&lines[..2].concat()).contains(two));
        assert!(why(&[lines[0], lines[1], lines[3]].concat()).contains(two));
        let more = [&lines[..], &lines[..1]].concat().concat();
        assert!(
            why(&more).contains("more follow in line 5"),
            "{}",
            why(&more)
        );
    }

    #[test]
    fn a_line_that_was_changed_is_named_and_so_is_one_that_moved() {
        let good = whole(&[case("a"), case("b")]);
        let changed = good.replacen("\"name\":\"\u{e9}\"", "\"name\":\"e\"", 2);
        let expected = "line 2 of the record is damaged: it was changed: its checksum is another";
        assert_eq!(why(&changed), expected);
        let header = good.replace("\"seed\":0", "\"seed\":1");
        assert!(why(&header).starts_with("line 1 of the record is damaged: it was changed"));
        let lines: Vec<&str> = good.split_inclusive('\n').collect();
        let moved = [lines[0], lines[2], lines[1], lines[3]].concat();
        assert!(why(&moved).starts_with("line 4 of the record is damaged: its checksum"));
        let twice = [lines[0], lines[1], lines[1], lines[3]].concat();
        assert_eq!(
            why(&twice),
            "line 3 of the record is damaged: the case `a` is there twice"
        );
        let bare = good.replacen(",\"check\":", ",\"chick\":", 1);
        assert!(why(&bare).contains("line 1 of the record is damaged: it has no checksum"));
        // Line ends of another system are none of what is said.
        assert!(read(good.replace('\n', "\r\n").as_bytes()).is_ok());
    }

    /// Also where the checksums are right: of somebody's own tool, or in an older record.
    #[test]
    fn a_verdict_that_does_not_follow_is_named() {
        let with = |change: &dyn Fn(&mut CaseRecord)| {
            let mut bad = case("b");
            change(&mut bad);
            why(&whole(&[case("a"), bad]))
        };
        assert_eq!(
            with(&|bad| bad.verdict = crate::Verdict::Agree),
            "line 3 of the record is damaged: its verdict is `agree`, and what is found makes it `violation`"
        );
        let fine = crate::TargetVerdict::Conforms;
        let all = |bad: &mut CaseRecord| bad.targets.values_mut().for_each(|t| t.verdict = fine);
        assert!(with(&all).contains("a5 has findings, and its verdict is `conforms`"));
        let nothing = |bad: &mut CaseRecord| {
            bad.targets.values_mut().for_each(|t| t.findings.clear());
        };
        assert!(with(&nothing).contains("a5 violates, and nothing is found"));
        let pair = |verdict: &'static str, differing: u64| {
            move |bad: &mut CaseRecord| {
                let pair = serde_json::json!({
                    "targets": ["cpu", "a5"], "verdict": verdict, "differing": differing,
                });
                bad.pairs.push(serde_json::from_value(pair).unwrap());
            }
        };
        assert!(
            with(&pair("agree", 3)).contains("differ in 3 slots, and their verdict is `agree`")
        );
        assert!(with(&pair("permitted", 0)).contains("differ in 0 slots"));
        let absent = |bad: &mut CaseRecord| {
            bad.targets.pop_first();
            pair("violation", 1)(bad);
        };
        assert!(with(&absent).contains("and cpu takes no part"));
    }

    #[test]
    fn an_empty_record_is_rejected() {
        assert!(matches!(read(&b""[..]), Err(ReadError::Empty)));
    }

    #[test]
    fn a_header_alone_reads_back() {
        let (read_back, cases) = read(whole(&[]).as_bytes()).unwrap();
        assert_eq!(read_back, header(0));
        assert!(cases.is_empty());
    }

    #[test]
    fn a_newer_record_is_rejected_before_its_unknown_fields_are_read() {
        let newer = u64::from(FORMAT) + 1;
        let line = format!("{{\"ptodiff_record\": {newer}, \"moon\": \"full\"}}\n");
        let error = read(line.as_bytes()).unwrap_err();
        assert!(matches!(error, ReadError::Newer { found } if found == newer));
        assert!(
            error.to_string().contains(&format!("format {newer}")),
            "{error}"
        );
    }

    #[test]
    fn a_cut_off_record_is_rejected() {
        let error = read(first(&header(3)).as_bytes()).unwrap_err();
        assert!(matches!(
            error,
            ReadError::CutOff {
                promised: 3,
                found: 0
            }
        ));
    }

    /// What gives the same byte without an end, and counts.
    struct Endless(u8, u64);

    impl io::Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            into.fill(self.0);
            self.1 += into.len() as u64;
            Ok(into.len())
        }
    }

    #[test]
    fn a_line_without_an_end_is_read_no_further_than_a_line_may_be() {
        for byte in [b'x', b'[', 0] {
            let mut from = io::BufReader::new(Endless(byte, 0));
            let error = read(&mut from).unwrap_err();
            assert!(matches!(error, ReadError::LongLine { line: 1 }), "{error}");
            assert!(from.into_inner().1 < MAX_LINE + (1 << 16));
        }
    }

    #[test]
    fn the_longest_line_is_written_and_read_and_a_longer_one_is_neither() {
        let own = line(&case("")).unwrap();
        for (more, fits) in [(0, true), (1, false)] {
            let long = case(&"x".repeat(MAX_LINE as usize - own.len() + more));
            assert_eq!(line(&long).is_ok(), fits, "{more}");
            let text = sealed(&long).unwrap();
            for end in ["\n", "\r\n", ""] {
                let all = format!("{}{text}{end}", first(&header(1)));
                let error = why(&all);
                assert_eq!(
                    error.contains("before the line that closes"),
                    fits,
                    "{error}"
                );
                assert_eq!(
                    error.contains("line 2 of the record has more than 16 MiB"),
                    !fits
                );
            }
        }
    }

    #[test]
    fn a_header_that_no_reader_takes_is_not_written() {
        let part = crate::Part {
            partition: "hash:1/1".parse().unwrap(),
            of: 3_000_000,
            ids: String::new(),
            at: (0..3_000_000).collect(),
            again: vec![],
        };
        let part = Header {
            part: Some(part),
            ..header(3_000_000)
        };
        let mut out = Vec::new();
        let error = Writer::new(&mut out, &part).unwrap_err().to_string();
        assert!(error.contains("divide the run into more parts"), "{error}");
        assert!(out.is_empty());
    }

    #[test]
    fn a_record_has_as_many_cases_as_it_says() {
        let mut few = Writer::new(Vec::new(), &header(2)).unwrap();
        few.case(&case("a")).unwrap();
        assert!(few.finish().unwrap_err().to_string().contains("lacks 1"));
        let mut many = Writer::new(Vec::new(), &header(0)).unwrap();
        assert!(many.case(&case("a")).is_err());
    }

    #[test]
    fn cases_beyond_those_promised_are_not_read() {
        let mut all = first(&header(0));
        all.push_str(&"what is this?\n".repeat(1000));
        let mut from = all.as_bytes();
        let error = read(&mut from).unwrap_err();
        assert!(
            matches!(
                error,
                ReadError::More {
                    promised: 0,
                    line: 2
                }
            ),
            "{error}"
        );
        assert!(from.len() > 13_000, "{} bytes are left", from.len());
    }

    #[test]
    fn deep_nesting_and_numbers_out_of_range_are_damage() {
        let line = first(&header(1));
        for case in [
            "[".repeat(1 << 20),
            "{\"a\":".repeat(1 << 20),
            "{\"line\": 99999999999999999999999}".to_owned(),
            "{\"line\": 1e999}".to_owned(),
            "\u{0}".repeat(100),
        ] {
            let error = read(format!("{line}{case}\n").as_bytes()).unwrap_err();
            assert!(
                matches!(error, ReadError::Damaged { line: 2, .. }),
                "{error}"
            );
        }
        let deep = read("[".repeat(1 << 20).as_bytes()).unwrap_err();
        assert!(matches!(deep, ReadError::None), "{deep}");
        let error = read(first(&header(usize::MAX)).as_bytes()).unwrap_err();
        assert!(
            matches!(error, ReadError::CutOff { found: 0, .. }),
            "{error}"
        );
        let error = read(&b"\xff\n"[..]).unwrap_err();
        assert!(
            matches!(error, ReadError::Damaged { line: 1, .. }),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_line_has_one_number_and_a_column() {
        let damaged = |text: String| read(text.as_bytes()).unwrap_err().to_string();
        let mut line = "{\"id\": 3}".to_owned();
        seal::seal(&mut line);
        let case = damaged(format!("{}{line}\n", first(&header(1))));
        assert_eq!(
            case,
            "line 2 of the record is damaged: invalid type: integer `3`, expected a string at column 8"
        );
        let first = damaged("{\"a\": x}\n".to_owned());
        assert_eq!(
            first,
            "this is no record of a run: `ptodiff run` writes one, run.jsonl, with what is made of it"
        );
    }

    #[test]
    fn a_damaged_line_is_named() {
        let mut all = first(&header(1));
        all.push_str("{\"id\": 3}\n");
        assert!(matches!(
            read(all.as_bytes()),
            Err(ReadError::Damaged { line: 2, .. })
        ));
        let half = &b"{\"ptodiff_record\":6,"[..];
        assert!(matches!(
            read(half),
            Err(ReadError::Damaged { line: 1, .. })
        ));
        for other in ["{}", "not json", "cases:"] {
            assert!(
                matches!(read(other.as_bytes()), Err(ReadError::None)),
                "{other}"
            );
        }
    }
}
