//! From the records of parts to that of the whole run.

use std::io::{self, BufRead, Write};

use crate::{FORMAT, Header, MAX_BYTES, Partition, ReadError, fingerprint, jsonl, write_header};

/// The record of a whole run, put together from its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Whole {
    /// Its header.
    pub header: Header,
    lines: Vec<String>,
}

impl Whole {
    /// Writes it as one run would have written it, to the byte.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        write_header(&mut to, &self.header)?;
        for line in &self.lines {
            to.write_all(line.as_bytes())?;
            to.write_all(b"\n")?;
        }
        Ok(())
    }
}

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
    #[error("{first} and {second} are not of one run: their {what} differ ({theirs} and {others})")]
    Differ {
        /// The first record.
        first: String,
        /// The one that differs from it.
        second: String,
        /// What differs.
        what: &'static str,
        /// As in the first.
        theirs: String,
        /// As in the second.
        others: String,
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
    /// Cases are in none.
    #[error("{missing} of the {of} cases of the whole run are in no record{}", absent(.parts))]
    Gap {
        /// How many.
        missing: usize,
        /// Cases of the whole run.
        of: usize,
        /// Partitions of which no record was given; none where the records do
        /// not tell.
        parts: Vec<Partition>,
    },
    /// Ids do not add up.
    #[error(
        "the records hold other cases than their headers speak of: one of them was edited, or is of another corpus"
    )]
    OtherCases,
}

fn absent(parts: &[Partition]) -> String {
    /// Of so many parts the message names each.
    const NAMED: usize = 8;
    let named: Vec<String> = parts.iter().take(NAMED).map(ToString::to_string).collect();
    match parts.len() {
        0 => String::new(),
        n if n > NAMED => format!(": {} and {} more are missing", named.join(", "), n - NAMED),
        1 => format!(": {} is missing", named.join(", ")),
        _ => format!(": {} are missing", named.join(", ")),
    }
}

/// A record with its place in the whole.
struct Piece {
    name: String,
    header: Header,
    partition: Option<Partition>,
    /// Cases of the whole run.
    of: usize,
    /// Fingerprint of their ids.
    ids: String,
}

/// One line and where it goes.
struct Entry {
    place: usize,
    piece: usize,
    id: String,
    line: String,
}

/// Puts the records of all parts of a run together, each with a name for
/// messages. Any division of a run into parts will do, in any order; a whole
/// record is its own only part.
///
/// # Errors
/// If a record is damaged, two are of different runs, or a case is missing or
/// there twice.
pub fn merge<R: BufRead>(
    records: impl IntoIterator<Item = (String, R)>,
) -> Result<Whole, MergeError> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    let mut room = MAX_BYTES;
    for (name, from) in records {
        let piece = read_piece(name, from, pieces.len(), &mut entries, &mut room)?;
        if let Some(first) = pieces.first() {
            same_run(first, &piece)?;
        }
        pieces.push(piece);
    }
    let first = pieces.first().ok_or(MergeError::Nothing)?;
    entries.sort_by_key(|entry| entry.place);
    if let Some([a, b]) = entries.array_windows().find(|[a, b]| a.place == b.place) {
        return Err(MergeError::Overlap {
            first: pieces[a.piece].name.clone(),
            second: pieces[b.piece].name.clone(),
            id: a.id.clone(),
            place: a.place + 1,
        });
    }
    // Every place is below `of`, and none is there twice.
    if entries.len() < first.of {
        return Err(MergeError::Gap {
            missing: first.of - entries.len(),
            of: first.of,
            parts: not_given(&pieces),
        });
    }
    if fingerprint(entries.iter().map(|e| e.id.as_str())) != first.ids {
        return Err(MergeError::OtherCases);
    }
    let header = Header {
        // Lines of an older record come in the words of today.
        ptodiff_record: FORMAT,
        cases: first.of,
        part: None,
        ..first.header.clone()
    };
    let lines = entries.into_iter().map(|entry| entry.line).collect();
    Ok(Whole { header, lines })
}

fn read_piece<R: BufRead>(
    name: String,
    from: R,
    piece: usize,
    entries: &mut Vec<Entry>,
    room: &mut u64,
) -> Result<Piece, MergeError> {
    let start = entries.len();
    let take = |case: crate::CaseRecord, line| {
        let place = entries.len() - start;
        let id = case.id;
        entries.push(Entry {
            place,
            piece,
            id,
            line,
        });
    };
    let mut header = match jsonl::read_lines(from, room, take) {
        Ok(header) => header,
        Err(why) => return Err(MergeError::Read { name, why }),
    };
    let own = &mut entries[start..];
    let Some(part) = header.part.take() else {
        return Ok(Piece {
            name,
            partition: None,
            of: own.len(),
            ids: fingerprint(own.iter().map(|e| e.id.as_str())),
            header,
        });
    };
    let damaged = |why: String| MergeError::Damaged {
        name: name.clone(),
        why,
    };
    if part.at.len() != own.len() {
        let why = format!("{} places for {} cases", part.at.len(), own.len());
        return Err(damaged(why));
    }
    if !part.at.is_sorted_by(|a, b| a < b) {
        return Err(damaged("the places of its cases do not rise".to_owned()));
    }
    if let Some(last) = part.at.last().filter(|last| **last >= part.of) {
        let why = format!("place {last} in a run of {} cases", part.of);
        return Err(damaged(why));
    }
    for (entry, place) in own.iter_mut().zip(part.at) {
        entry.place = place;
    }
    Ok(Piece {
        name,
        header,
        partition: Some(part.partition),
        of: part.of,
        ids: part.ids,
    })
}

fn same_run(a: &Piece, b: &Piece) -> Result<(), MergeError> {
    let (x, y) = (&a.header, &b.header);
    let shown = |header: &Header| -> [(&'static str, String); 9] {
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
            ("runs over all readings", header.all_readings.to_string()),
        ]
    };
    let cases = |piece: &Piece| ("cases of the whole run", piece.of.to_string());
    let ids = |piece: &Piece| ("ids of the cases of the whole run", piece.ids.clone());
    let ours = shown(x).into_iter().chain([cases(a), ids(a)]);
    let others = shown(y).into_iter().chain([cases(b), ids(b)]);
    match ours.zip(others).find(|(ours, others)| ours != others) {
        None => Ok(()),
        Some(((what, theirs), (_, others))) => Err(MergeError::Differ {
            first: a.name.clone(),
            second: b.name.clone(),
            what,
            theirs,
            others,
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
fn not_given(pieces: &[Piece]) -> Vec<Partition> {
    /// A longer list would help nobody.
    const MOST: usize = 1 << 16;
    let given: Vec<Partition> = pieces.iter().filter_map(|p| p.partition).collect();
    let Some(first) = given.first() else {
        return Vec::new();
    };
    let all: Vec<Partition> = first.siblings().take(MOST).collect();
    if !given.iter().all(|p| all.contains(p)) {
        return Vec::new();
    }
    all.into_iter().filter(|p| !given.contains(p)).collect()
}
