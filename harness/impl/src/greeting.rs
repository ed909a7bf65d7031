//! The start of a process, up to its greeting.

use std::{
    io::{self, ErrorKind, IoSlice},
    path::Path,
};

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

/// What a shell would want, too, to run a file that is there.
fn to_run(program: &str, error: &io::Error, place: &Place) -> String {
    let folder = place.folder.as_deref().unwrap_or(Path::new("."));
    let is_there = folder.join(program).is_file();
    match error.kind() {
        ErrorKind::NotFound if is_there && !program.contains(['/', '\\']) => {
            format!("; for the file that is here write `./{program}`, or what runs it before it")
        }
        ErrorKind::NotFound if is_there => {
            "; the file is there: what its first line names to run it, or its loader, is not"
                .to_owned()
        }
        ErrorKind::PermissionDenied if is_there => {
            "; it is not executable: `chmod +x` it, or write what runs it before it".to_owned()
        }
        _ => String::new(),
    }
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
        let program = words[0].clone();
        match is_of_the_machine(&e) {
            true => StartError::Machine(e.to_string()),
            false => StartError::Program {
                why: format!("{e}{}", to_run(&program, &e, place)),
                program,
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
