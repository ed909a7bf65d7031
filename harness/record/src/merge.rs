//! From the records of parts to that of the whole run.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    io::{self, BufRead, Write},
};

use ptodiff_isa::Target;

use crate::partition::Fingerprint;
use crate::{CaseRecord, FORMAT, Header, Part, Partition, ReadError, Reader, Writer, joined};

/// Why records do not make a whole one. Records are named as the caller named them.
#[derive(thiserror::Error, Debug)]
pub enum MergeError {
    /// None was given.
    #[error("there is no record to merge")]
    Nothing,
    /// One could not be read.
    #[error("{name}: {why}")]
    Read {
        /// Which.
        name: String,
        /// Why.
        #[source]
        why: ReadError,
    },
    /// One says something impossible of its place in the whole, or ended at a failure.
    #[error("{name}: {why}")]
    Unfit {
        /// Which.
        name: String,
        /// Why.
        why: String,
    },
    /// Two were not run the same way.
    #[error(
        "{first} and {second} are not of one {of}: their {what} differ ({theirs} and {others})"
    )]
    Differ {
        /// The first record.
        first: String,
        /// The one that differs from it.
        second: String,
        /// Run or hunt.
        of: &'static str,
        /// What differs.
        what: &'static str,
        /// As in the first.
        theirs: Box<str>,
        /// As in the second.
        others: Box<str>,
    },
    /// Two hold the same case.
    #[error(
        "{first} and {second} both hold `{id}`, case {place} of the whole run: give each part once"
    )]
    Overlap {
        /// One of the two.
        first: String,
        /// The other.
        second: String,
        /// The case.
        id: String,
        /// Its place in the whole run, from 1.
        place: usize,
    },
    /// Two are the same part of a hunt.
    #[error("{first} and {second} are both part {part}: give each part once")]
    Twice {
        /// One of the two.
        first: String,
        /// The other.
        second: String,
        /// The part, as `2/4`.
        part: String,
    },
    /// Cases are in none.
    #[error("{missing} of the {of} cases of the whole are in no record{}", absent(.parts))]
    Gap {
        /// How many.
        missing: u64,
        /// Cases of the whole run or hunt.
        of: u64,
        /// Partitions of which no record was given; none where the records do
        /// not tell.
        parts: Vec<Partition>,
    },
    /// Ids do not add up.
    #[error(
        "the records hold other cases than their headers speak of: one of them was edited, or is of another corpus"
    )]
    OtherCases,
    /// The whole could not be written.
    #[error("cannot write the whole: {0}")]
    Write(#[from] io::Error),
}

fn absent(parts: &[Partition]) -> String {
    let Some(first) = parts.first() else {
        return String::new();
    };
    let (of, numbers) = (first.parts(), numbers(parts));
    match parts.len() {
        1 => format!(": part {numbers} of {of} is missing"),
        _ => format!(": parts {numbers} of {of} are missing"),
    }
}

/// The numbers of `parts`, which rise, as an array job takes them: `3,7-9`.
#[must_use]
pub fn numbers(parts: &[Partition]) -> String {
    /// Of more the message names no more.
    const NAMED: usize = 64;
    let runs: Vec<&[Partition]> = parts.chunk_by(|a, b| a.part() + 1 == b.part()).collect();
    let named = runs.iter().take(NAMED).map(|run| match run {
        [first, .., last] => format!("{}-{}", first.part(), last.part()),
        _ => run.iter().map(|one| one.part().to_string()).collect(),
    });
    let mut text = joined(named, ",");
    let left: usize = runs.iter().skip(NAMED).map(|run| run.len()).sum();
    if left > 0 {
        text.push_str(&format!(" and {left} more"));
    }
    text
}

/// A record with its place in the whole.
struct Piece<R> {
    name: String,
    /// Its header, without its part.
    header: Header,
    /// Its place in the whole run; none of a whole record, which has every place.
    part: Option<Part>,
    reader: Reader<R>,
    /// Cases that were read.
    read: usize,
    /// Its next case, and where that goes.
    next: Option<(usize, CaseRecord)>,
}

impl<R: BufRead> Piece<R> {
    fn open(name: String, from: R) -> Result<Self, MergeError> {
        let reader = match Reader::new(from) {
            Ok(reader) => reader,
            Err(why) => return Err(MergeError::Read { name, why }),
        };
        let mut header = reader.header().clone();
        let part = header.part.take();
        if let Some(part) = &part
            && let Err(why) = fits(part, &header)
        {
            return Err(MergeError::Unfit { name, why });
        }
        Ok(Self {
            name,
            header,
            part,
            reader,
            read: 0,
            next: None,
        })
    }

    /// Cases of the whole run.
    fn of(&self) -> usize {
        self.part.as_ref().map_or(self.header.cases, |part| part.of)
    }

    /// Fingerprint of their ids; a whole record has none beside its cases.
    fn ids(&self) -> Option<&str> {
        self.part.as_ref().map(|part| part.ids.as_str())
    }

    /// Reads on to its next case.
    fn advance(&mut self) -> Result<(), MergeError> {
        let read = self.reader.next().transpose();
        let read = read.map_err(|why| MergeError::Read {
            name: self.name.clone(),
            why,
        })?;
        let place = match &self.part {
            // There are as many as cases.
            Some(part) => part.at.get(self.read).copied().unwrap_or(usize::MAX),
            None => self.read,
        };
        self.next = read.map(|case| (place, case));
        self.read += 1;
        Ok(())
    }
}

/// What is wrong with the record of a part with this header.
fn fits(part: &Part, header: &Header) -> Result<(), String> {
    let (at, of, cases) = (&part.at, part.of, header.cases);
    if let Some(left) = header.left_out {
        return Err(format!(
            "{left} of its cases were not begun, as enough had failed: run this part without \
             --fail-fast and --max-fails"
        ));
    }
    let why = if at.len() != cases {
        format!("{} places for {cases} cases", at.len())
    } else if !at.is_sorted_by(|a, b| a < b) {
        "the places of its cases do not rise".to_owned()
    } else if let Some(last) = at.last().filter(|last| **last >= of) {
        format!("place {last} in a run of {of} cases")
    } else {
        return Ok(());
    };
    Err(format!("its header is damaged: {why}"))
}

/// Puts the records of all parts of a run together, each with a name for
/// messages, and writes the whole as one run would have written it, to the byte;
/// returns its header. Any division of a run into parts will do, in any order; a
/// whole record is its own only part.
///
/// All are read at once, case by case: memory holds one of each.
///
/// # Errors
/// If a record is damaged, two are of different runs, a case is missing or
/// there twice, or the whole cannot be written. What was written then is no record.
pub fn merge<R: BufRead>(
    records: impl IntoIterator<Item = (String, R)>,
    to: impl Write,
) -> Result<Header, MergeError> {
    let mut pieces: Vec<Piece<R>> = Vec::new();
    for (name, from) in records {
        let piece = Piece::open(name, from)?;
        if let Some(first) = pieces.first() {
            same_run(first, &piece)?;
        }
        pieces.push(piece);
    }
    let first = pieces.first().ok_or(MergeError::Nothing)?;
    let (of, ids) = (first.of(), first.ids().map(str::to_owned));
    let header = Header {
        // Lines of an older record come in the words of today.
        ptodiff_record: FORMAT,
        cases: of,
        part: None,
        ..first.header.clone()
    };
    let mut to = Writer::new(to, &header)?;
    let mut heads = BinaryHeap::new();
    for (at, piece) in pieces.iter_mut().enumerate() {
        piece.advance()?;
        heads.extend(piece.next.as_ref().map(|(place, _)| Reverse((*place, at))));
    }
    let mut fingerprint = Fingerprint::default();
    let mut written = 0;
    let mut last: Option<(usize, usize)> = None;
    while let Some(Reverse((place, at))) = heads.pop() {
        let Some((_, case)) = &pieces[at].next else {
            continue;
        };
        if let Some((_, other)) = last.filter(|(before, _)| *before == place) {
            return Err(MergeError::Overlap {
                first: pieces[other].name.clone(),
                second: pieces[at].name.clone(),
                id: case.id.clone(),
                place: place + 1,
            });
        }
        last = Some((place, at));
        fingerprint.add(&case.id);
        to.case(case)?;
        written += 1;
        pieces[at].advance()?;
        let next = pieces[at].next.as_ref();
        heads.extend(next.map(|(place, _)| Reverse((*place, at))));
    }
    // Every place is below `of`, and none is there twice.
    if written < of {
        return Err(MergeError::Gap {
            missing: (of - written) as u64,
            of: of as u64,
            parts: not_given(&pieces),
        });
    }
    if ids.is_some_and(|ids| ids != fingerprint.digits()) {
        return Err(MergeError::OtherCases);
    }
    to.finish()?;
    Ok(header)
}

/// `all` in one line, `none` where there is nothing.
fn list(all: impl Iterator<Item = String>, none: &str) -> String {
    let all: Vec<String> = all.collect();
    match all.is_empty() {
        true => none.to_owned(),
        false => all.join(" "),
    }
}

/// Whether both are of one run, as far as their headers say.
fn same_run<R: BufRead>(a: &Piece<R>, b: &Piece<R>) -> Result<(), MergeError> {
    // The ids of a whole record are not known yet: it overlaps with any other.
    let both_are_parts = a.part.is_some() == b.part.is_some();
    let shown = |piece: &Piece<R>| -> [(&'static str, String); 14] {
        let header = &piece.header;
        let data = header.st_data.iter();
        let data = data.map(|d| format!("{} of {} as {}", d.folder, d.suite, d.held_to));
        let implementations = header.implementations.iter();
        let implementations = implementations.map(|i| format!("{} {}", i.party, i.introduced));
        let implementations = implementations.map(|i| i.trim_end().to_owned());
        let readings = header.readings.iter();
        let readings = readings.map(|(gap, choice)| format!("{gap}={choice}"));
        let beside = header.beside.iter().map(|(o, v)| format!("{o} {v}"));
        let ids = piece.ids().filter(|_| both_are_parts);
        let texts = piece.part.as_ref().map(|part| &part.texts);
        let texts = texts.filter(|_| both_are_parts);
        let mut again = piece.part.iter().flat_map(|part| &part.again);
        let kept = again.all(|word| word != "--no-details");
        [
            ("formats", header.ptodiff_record.to_string()),
            ("versions of ptodiff", header.version.clone()),
            ("seeds", header.seed.to_string()),
            ("data folders", list(data, "none")),
            ("schedules", header.schedules.to_string()),
            (
                "targets",
                list(header.targets.iter().map(Target::to_string), ""),
            ),
            ("implementations", list(implementations, "none")),
            ("readings", list(readings, "those of the cases")),
            ("numbers and data given", list(beside, "none")),
            ("runs over all readings", header.all_readings.to_string()),
            ("cases of the whole run", piece.of().to_string()),
            ("details kept", kept.to_string()),
            (
                "ids of the cases of the whole run",
                ids.unwrap_or_default().to_owned(),
            ),
            (
                "texts of the cases of the whole run",
                texts.cloned().unwrap_or_default(),
            ),
        ]
    };
    let mut both = shown(a).into_iter().zip(shown(b));
    match both.find(|(ours, others)| ours != others) {
        None => Ok(()),
        Some(((what, theirs), (_, others))) => Err(MergeError::Differ {
            first: a.name.clone(),
            second: b.name.clone(),
            of: "run",
            what,
            theirs: theirs.into(),
            others: others.into(),
        }),
    }
}

/// Partitions of which there is no record, where all are parts of one division.
fn not_given<R>(pieces: &[Piece<R>]) -> Vec<Partition> {
    /// A longer list would help nobody.
    const MOST: usize = 1 << 16;
    let parts = pieces.iter().filter_map(|p| p.part.as_ref());
    let given: Vec<Partition> = parts.map(|part| part.partition).collect();
    let Some(first) = given.first() else {
        return Vec::new();
    };
    if !given.iter().all(|p| p.parts() == first.parts()) {
        return Vec::new();
    }
    let given: BTreeSet<Partition> = given.iter().copied().collect();
    let all = first.siblings().take(MOST);
    all.filter(|p| !given.contains(p)).collect()
}
