//! From the records of parts to that of the whole run.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    io::{self, BufRead, Write},
};

use crate::partition::Fingerprint;
use crate::{FORMAT, Header, Partition, ReadError, Reader, Writer};

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
    /// One says something impossible of its place in the whole.
    #[error("{name}: its header is damaged: {why}")]
    Damaged {
        /// Which.
        name: String,
        /// What is impossible.
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
    let mut text = named.collect::<Vec<_>>().join(",");
    let left: usize = runs.iter().skip(NAMED).map(|run| run.len()).sum();
    if left > 0 {
        text.push_str(&format!(" and {left} more"));
    }
    text
}

/// A record with its place in the whole.
struct Piece<R> {
    name: String,
    header: Header,
    partition: Option<Partition>,
    /// Cases of the whole run.
    of: usize,
    /// Fingerprint of their ids; a whole record has none beside its cases.
    ids: Option<String>,
    /// Places of its cases that are not yet read, the next first; none of a whole
    /// record, which has every place.
    places: Option<std::vec::IntoIter<usize>>,
    reader: Reader<R>,
    next: Option<Entry>,
}

/// One case and where it goes.
struct Entry {
    place: usize,
    id: String,
    line: String,
}

impl<R: BufRead> Piece<R> {
    fn open(name: String, from: R) -> Result<Self, MergeError> {
        let reader = match Reader::new(from) {
            Ok(reader) => reader,
            Err(why) => return Err(MergeError::Read { name, why }),
        };
        let mut header = reader.header().clone();
        let mut piece = Self {
            partition: None,
            of: header.cases,
            ids: None,
            places: None,
            next: None,
            reader,
            name,
            header: header.clone(),
        };
        if let Some(part) = header.part.take() {
            if let Err(why) = possible(&part.at, part.of, header.cases) {
                let name = piece.name;
                return Err(MergeError::Damaged { name, why });
            }
            piece.partition = Some(part.partition);
            piece.of = part.of;
            piece.ids = Some(part.ids);
            piece.places = Some(part.at.into_iter());
        }
        piece.header = header;
        Ok(piece)
    }

    /// Reads on to its next case.
    fn advance(&mut self) -> Result<(), MergeError> {
        let before = self.next.take();
        let read = self.reader.next_line().map_err(|why| MergeError::Read {
            name: self.name.clone(),
            why,
        })?;
        let Some((case, line)) = read else {
            return Ok(());
        };
        let place = match &mut self.places {
            // There are as many as cases.
            Some(places) => places.next().unwrap_or(usize::MAX),
            None => before.map_or(0, |before| before.place + 1),
        };
        let id = case.id;
        self.next = Some(Entry { place, id, line });
        Ok(())
    }
}

/// What is wrong with the places of `cases` cases in a run of `of`.
fn possible(at: &[usize], of: usize, cases: usize) -> Result<(), String> {
    if at.len() != cases {
        return Err(format!("{} places for {cases} cases", at.len()));
    }
    if !at.is_sorted_by(|a, b| a < b) {
        return Err("the places of its cases do not rise".to_owned());
    }
    match at.last().filter(|last| **last >= of) {
        Some(last) => Err(format!("place {last} in a run of {of} cases")),
        None => Ok(()),
    }
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
    let (of, ids) = (first.of, first.ids.clone());
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
        heads.extend(piece.next.as_ref().map(|next| Reverse((next.place, at))));
    }
    let mut fingerprint = Fingerprint::default();
    let mut written = 0;
    let mut last: Option<(usize, usize)> = None;
    while let Some(Reverse((place, at))) = heads.pop() {
        let Some(entry) = &pieces[at].next else {
            continue;
        };
        if let Some((_, other)) = last.filter(|(before, _)| *before == place) {
            return Err(MergeError::Overlap {
                first: pieces[other].name.clone(),
                second: pieces[at].name.clone(),
                id: entry.id.clone(),
                place: place + 1,
            });
        }
        last = Some((place, at));
        fingerprint.add(&entry.id);
        to.line(&entry.line)?;
        written += 1;
        pieces[at].advance()?;
        let next = pieces[at].next.as_ref();
        heads.extend(next.map(|next| Reverse((next.place, at))));
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

fn same_run<R>(a: &Piece<R>, b: &Piece<R>) -> Result<(), MergeError> {
    let (x, y) = (&a.header, &b.header);
    let shown = |header: &Header| -> [(&'static str, String); 10] {
        let targets: Vec<String> = header.targets.iter().map(ToString::to_string).collect();
        let implementations: Vec<String> = header
            .implementations
            .iter()
            .map(|s| {
                format!("{} {}", s.party, s.introduced)
                    .trim_end()
                    .to_owned()
            })
            .collect();
        let readings = header
            .readings
            .iter()
            .map(|(gap, choice)| format!("{gap}={choice}"));
        let readings: Vec<String> = readings.collect();
        let beside = header.beside.iter();
        let beside: Vec<String> = beside.map(|(o, v)| format!("{o} {v}")).collect();
        let or = |list: String, none: &str| match list.is_empty() {
            true => none.to_owned(),
            false => list,
        };
        [
            ("formats", header.ptodiff_record.to_string()),
            ("versions of ptodiff", header.version.clone()),
            ("seeds", header.seed.to_string()),
            ("data folders", folders(header)),
            ("schedules", header.schedules.to_string()),
            ("targets", targets.join(" ")),
            ("implementations", or(implementations.join(" "), "none")),
            ("readings", or(readings.join(" "), "those of the cases")),
            ("numbers and data given", or(beside.join(" "), "none")),
            ("runs over all readings", header.all_readings.to_string()),
        ]
    };
    let cases = |piece: &Piece<R>| ("cases of the whole run", piece.of.to_string());
    // That of a whole record is not known yet: it overlaps with any other.
    let known = |piece: &Piece<R>| {
        piece
            .ids
            .clone()
            .filter(|_| a.ids.is_some() == b.ids.is_some())
    };
    let ids = |piece: &Piece<R>| {
        let ids = known(piece).unwrap_or_default();
        ("ids of the cases of the whole run", ids)
    };
    let ours = shown(x).into_iter().chain([cases(a), ids(a)]);
    let others = shown(y).into_iter().chain([cases(b), ids(b)]);
    match ours.zip(others).find(|(ours, others)| ours != others) {
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

/// Where the data was read from, in one line.
fn folders(header: &Header) -> String {
    header.st_data.as_ref().map_or_else(
        || "none".to_owned(),
        |data| format!("{} of {} as {}", data.folder, data.suite, data.held_to),
    )
}

/// Partitions of which there is no record, where all are parts of one division.
fn not_given<R>(pieces: &[Piece<R>]) -> Vec<Partition> {
    /// A longer list would help nobody.
    const MOST: usize = 1 << 16;
    let given: Vec<Partition> = pieces.iter().filter_map(|p| p.partition).collect();
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
