//! The other end of the protocol: being an implementation.

use std::{
    borrow::Cow,
    io::{self, BufRead, Write},
};

use ptodiff_isa::{Call, Memory, Readings, Region, Schedule, Target};

use crate::{
    Answered,
    frame::{Collector, ReadError, read, write},
    message::{Asked, OLDEST, PROTOCOL, Question, RegionWords, Reply, Returned},
    pages,
};

/// Why an implementation stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No frame could be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An answer could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The regions make no sense: why.
    #[error("{0}")]
    Regions(String),
    /// There is no such gap, or no such answer to it.
    #[error("there is no reading `{0}={1}`")]
    Reading(String, String),
    /// The answering function failed: why.
    #[error("{0}")]
    Failed(String),
}

/// What an implementation says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Greeting {
    /// What it calls itself.
    pub name: String,
    /// Most calls that it takes before it answers; none for one.
    pub batch: Option<u32>,
    /// Most processes of it that may run at once; none for one.
    pub jobs: Option<u32>,
    /// Whether it takes sparse regions.
    pub sparse: bool,
}

impl From<String> for Greeting {
    fn from(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }
}

/// Answers the questions that come from `input` until it ends. A question may
/// bring `room` raw bytes.
///
/// `greet` says what the implementation is, or why it cannot be the target; `answer`
/// runs a call on the memory. [`Answered::Failed`] ends it without an answer.
///
/// # Errors
/// If what comes makes no sense, nothing can be written, or an answer failed.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    room: u64,
    mut greet: impl FnMut(Target) -> Result<Greeting, String>,
    mut answer: impl FnMut(&Call, &Readings, Schedule, &mut Memory) -> Answered,
) -> Result<(), ServeError> {
    let mut frame = Collector::default();
    // Calls that come before somebody waits for their answers.
    let mut more = 0;
    while read(&mut input, room, &mut frame)? {
        match frame.header().map_err(ReadError::Bad)? {
            Question::Hello {
                protocol,
                newest,
                target,
            } => {
                let spoken = newest.max(protocol).min(PROTOCOL);
                let greeted = match spoken >= OLDEST.max(protocol) {
                    true => greet(target),
                    false => Err(format!("no version {protocol} here")),
                };
                let reply = match greeted {
                    Ok(Greeting {
                        name,
                        batch,
                        jobs,
                        sparse,
                    }) => Reply::Hello {
                        protocol: spoken,
                        name,
                        // Who speaks no more than the first version knows of none.
                        batch: batch.filter(|_| spoken > OLDEST),
                        jobs: jobs.filter(|_| spoken > OLDEST),
                        sparse: sparse && spoken > OLDEST,
                    },
                    Err(why) => Reply::Sorry { why },
                };
                write(&mut output, &reply, &[])?;
            }
            Question::Batch { calls } => {
                more = calls;
                continue;
            }
            Question::Call(asked) => {
                let readings = readings(&asked)?;
                let mut memory = memory(&asked.regions, frame.payload())?;
                let answered = answer(&asked.call.0, &readings, asked.schedule.into(), &mut memory);
                let (reply, back) = reply(asked.id, answered, &memory)?;
                let back: Vec<&[u8]> = back.iter().map(|raw| &raw[..]).collect();
                write(&mut output, &reply, &back)?;
                more = more.saturating_sub(1);
                if more > 0 {
                    continue;
                }
            }
        }
        output.flush()?;
    }
    Ok(())
}

fn readings(asked: &Asked) -> Result<Readings, ServeError> {
    let mut readings = Readings::default();
    for (gap, choice) in &asked.readings {
        let unknown = |_| ServeError::Reading(gap.to_string(), choice.to_string());
        readings.set(gap, choice).map_err(unknown)?;
    }
    Ok(readings)
}

fn memory(regions: &[RegionWords], payload: &[u8]) -> Result<Memory, ServeError> {
    let mut left = payload;
    let mut memory = Memory::default();
    for words in regions {
        let region = region(words, &mut left).ok_or_else(|| {
            ServeError::Regions(format!("{words:?} does not fit the bytes that came"))
        })?;
        memory.regions.push(region);
    }
    if left.is_empty() {
        Ok(memory)
    } else {
        let why = format!("{} bytes are of no region", left.len());
        Err(ServeError::Regions(why))
    }
}

fn region(words: &RegionWords, left: &mut &[u8]) -> Option<Region> {
    let all = usize::try_from(words.bytes).ok()?;
    let [start, len] = words.body.map(usize::try_from);
    let start = start.ok()?;
    let end = start.checked_add(len.ok()?)?;
    if end > all {
        return None;
    }
    let Some(parts) = words.parts else {
        let bytes = left.split_off(..all)?;
        return Some(Region::new(words.role, bytes.to_vec(), start..end));
    };
    let parts = pages::take(parts, words.bytes, left)?;
    let mut region = Region::sparse(words.role, all, start..end).ok()?;
    pages::put(parts, &mut region);
    Some(region)
}

/// Raw bytes, region by region.
type Raw<'a> = Vec<Cow<'a, [u8]>>;

/// The reply, and its raw bytes.
fn reply(id: u64, answered: Answered, memory: &Memory) -> Result<(Reply, Raw<'_>), ServeError> {
    let reply = match answered {
        Answered::Done { out_of_bounds } => {
            let returned = |region| {
                let (parts, raw) = pages::raw(region);
                let returned = Returned {
                    role: region.role,
                    bytes: region.bytes().len() as u64,
                    parts,
                };
                (returned, raw)
            };
            let (regions, back): (Vec<Returned>, Vec<_>) =
                memory.regions.iter().map(returned).unzip();
            let bytes = back.iter().map(|raw| raw.len() as u64).sum();
            let done = Reply::Done {
                id,
                regions,
                bytes,
                out_of_bounds,
            };
            return Ok((done, back));
        }
        Answered::Rejected { clause, why } => Reply::Rejected { id, why, clause },
        Answered::Hangs => Reply::Hangs { id },
        Answered::Unsupported { why } => Reply::Unsupported { id, why },
        Answered::Failed(failure) => return Err(ServeError::Failed(failure.to_string())),
    };
    Ok((reply, Vec::new()))
}
