//! The other end of the protocol, for mocks: what comes is taken as it is meant.

use std::io::{self, BufRead, BufReader, Write};

use ptodiff_impl::{
    Answered, PROTOCOL, frame,
    message::{Asked, Question, RegionWords, Reply, Returned},
};
use ptodiff_isa::{Call, Memory, Readings, Region, Schedule, Target};

/// What a mock says of itself.
#[derive(Clone, Default)]
pub(crate) struct Greeting {
    pub(crate) name: String,
    /// Most calls that it takes before it answers; none for one.
    pub(crate) batch: Option<u32>,
    /// Most processes of it that may run at once; none for one.
    pub(crate) jobs: Option<u32>,
    /// Whether it takes sparse regions.
    pub(crate) sparse: bool,
}

/// Answers the questions of standard input until it ends. `greet` says what the mock is,
/// or why it cannot be the target; `answer` runs a call on the memory.
pub(crate) fn serve(
    mut output: impl Write,
    mut greet: impl FnMut(Target) -> Result<Greeting, String>,
    mut answer: impl FnMut(&Call, &Readings, Schedule, &mut Memory) -> Answered,
) {
    let mut input = BufReader::new(io::stdin());
    // Calls that come before somebody waits for their answers.
    let mut more = 0;
    while let Some((question, raw)) = next(&mut input) {
        let (reply, back) = match question {
            Question::Hello { target, .. } => (greeted(greet(target)), Vec::new()),
            Question::Batch { calls } => {
                more = calls;
                continue;
            }
            Question::Call(asked) => {
                more = more.saturating_sub(1);
                let mut memory = memory(&asked, &raw);
                let (readings, order) = (readings(&asked), asked.schedule.into());
                let answered = answer(&asked.call.0, &readings, order, &mut memory);
                reply(asked.id, answered, &memory)
            }
        };
        frame::write(&mut output, &reply, &[&back]).expect("written");
        if more == 0 {
            output.flush().expect("written");
        }
    }
}

/// The next question and its raw bytes, unless the input has ended.
pub(crate) fn next(input: &mut impl BufRead) -> Option<(Question, Vec<u8>)> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line).expect("a line") == 0 {
        return None;
    }
    let question = serde_json::from_slice(&line).expect("a question");
    let bytes = match &question {
        Question::Call(asked) => asked.bytes,
        _ => 0,
    };
    let mut raw = vec![0; bytes as usize];
    input.read_exact(&mut raw).expect("the regions");
    Some((question, raw))
}

fn greeted(greeting: Result<Greeting, String>) -> Reply {
    match greeting {
        Ok(Greeting {
            name,
            batch,
            jobs,
            sparse,
        }) => Reply::Hello {
            protocol: PROTOCOL,
            name,
            batch,
            jobs,
            sparse,
        },
        Err(why) => Reply::Sorry { why },
    }
}

fn readings(asked: &Asked) -> Readings {
    let mut readings = Readings::default();
    for (gap, choice) in &asked.readings {
        readings.set(gap, choice).expect("a reading");
    }
    readings
}

fn memory(asked: &Asked, raw: &[u8]) -> Memory {
    let mut left = raw;
    let regions = asked.regions.iter().map(|words| region(words, &mut left));
    let regions = regions.collect();
    assert!(left.is_empty(), "bytes of no region");
    Memory { regions }
}

fn region(words: &RegionWords, left: &mut &[u8]) -> Region {
    let [start, len] = words.body.map(|n| n as usize);
    let (all, body) = (words.bytes as usize, start..start + len);
    let Some(parts) = words.parts else {
        return Region::new(words.role, cut(left, all).to_vec(), body);
    };
    let mut region = Region::sparse(words.role, all, body).expect("room");
    let places: Vec<_> = (0..parts).map(|_| [number(left), number(left)]).collect();
    for [at, len] in places {
        let part = region.part_mut(at..at + len).expect("inside");
        part.copy_from_slice(cut(left, len));
    }
    region
}

fn cut<'a>(left: &mut &'a [u8], len: usize) -> &'a [u8] {
    left.split_off(..len).expect("bytes")
}

fn number(left: &mut &[u8]) -> usize {
    u64::from_le_bytes(cut(left, 8).try_into().expect("eight")) as usize
}

/// The reply, and its raw bytes.
fn reply(id: u64, answered: Answered, memory: &Memory) -> (Reply, Vec<u8>) {
    let reply = match answered {
        Answered::Done { out_of_bounds } => {
            let mut back = Vec::new();
            let all = memory.regions.iter();
            let regions = all.map(|region| returned(region, &mut back)).collect();
            let done = Reply::Done {
                id,
                regions,
                bytes: back.len() as u64,
                out_of_bounds,
            };
            return (done, back);
        }
        Answered::Rejected { clause, why } => Reply::Rejected { id, why, clause },
        Answered::Hangs => Reply::Hangs { id },
        Answered::Unsupported { why } => Reply::Unsupported { id, why },
        Answered::Failed(failure) => panic!("{failure}"),
    };
    (reply, Vec::new())
}

fn returned(region: &Region, back: &mut Vec<u8>) -> Returned {
    let bytes = region.bytes();
    let sparse = region.is_sparse();
    let parts = sparse.then(|| region.touched().collect::<Vec<_>>());
    match &parts {
        None => back.extend(bytes),
        Some(parts) => {
            for place in parts.iter().flat_map(|part| [part.start, part.len()]) {
                back.extend((place as u64).to_le_bytes());
            }
            parts
                .iter()
                .for_each(|part| back.extend(&bytes[part.clone()]));
        }
    }
    Returned {
        role: region.role,
        bytes: bytes.len() as u64,
        parts: parts.map(|parts| parts.len() as u64),
    }
}
