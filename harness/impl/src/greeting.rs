//! The start of a process, up to its greeting.

use std::io::IoSlice;

use ptodiff_isa::Target;

use crate::{
    Failure, StartError, Trouble,
    message::{OLDEST, PROTOCOL, Question, Reply},
    process::{Cost, Place, Running, line},
    reply::{header, said},
    system::is_of_the_machine,
};

/// Most calls that are asked at once, whatever an implementation takes.
const MOST_AT_ONCE: usize = 4096;

/// What a process said of itself.
pub(crate) struct Greeted {
    pub(crate) name: String,
    /// Most calls at once.
    pub(crate) batch: usize,
    pub(crate) jobs: Option<usize>,
    pub(crate) sparse: bool,
}

/// A new process of the command `words` that has greeted at this `cost`, and what it said
/// of itself.
pub(crate) fn greeted(
    words: &[String],
    place: &Place,
    target: Target,
    cost: &Cost,
) -> Result<(Running, Greeted), StartError> {
    let mut process = Running::start(words, place).map_err(|e| {
        let why = e.to_string();
        match is_of_the_machine(&e) {
            true => StartError::Machine(why),
            false => StartError::Program {
                program: words[0].clone(),
                why,
            },
        }
    })?;
    let hello = Question::Hello {
        protocol: OLDEST,
        newest: PROTOCOL,
        target,
    };
    let mut reply = Err(Trouble::Garbage("nothing was asked".to_owned()));
    let asked = line(&hello).and_then(|line| {
        process.ask(&mut [IoSlice::new(&line)], &[0], cost, &mut |_, answer| {
            reply = header(answer);
            Ok(())
        })
    });
    let trouble = match asked.and(reply) {
        Ok(Reply::Hello {
            protocol,
            name,
            batch,
            jobs,
            sparse,
        }) if (OLDEST..=PROTOCOL).contains(&protocol) => {
            let many = |said: Option<u32>| said.and_then(|n| usize::try_from(n).ok());
            let greeted = Greeted {
                name: said(&name),
                batch: many(batch).unwrap_or(1).clamp(1, MOST_AT_ONCE),
                jobs: many(jobs),
                sparse,
            };
            return Ok((process, greeted));
        }
        Ok(Reply::Hello { protocol, .. }) => return Err(StartError::Version(protocol)),
        Ok(Reply::Sorry { why }) => {
            return Err(StartError::Sorry(said(&why)));
        }
        Ok(_) => Trouble::Garbage("no greeting in answer to a greeting".to_owned()),
        Err(Trouble::Machine(why)) => return Err(StartError::Machine(why)),
        Err(trouble) => trouble,
    };
    Err(StartError::Failed(Failure {
        trouble,
        stderr: process.last_words(),
    }))
}
