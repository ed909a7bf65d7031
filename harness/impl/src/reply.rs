//! What an answer comes to, if it makes sense.

use ptodiff_isa::{Memory, Role};

use crate::{
    Failure, Trouble,
    frame::Collector,
    message::{Reply, Returned},
    pages,
    text::one_line,
};

/// What came of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answered {
    /// It ran; the memory holds what it left.
    Done {
        /// Out-of-bounds accesses that it noticed itself.
        out_of_bounds: u64,
    },
    /// Its checks reject the call.
    Rejected {
        /// The clause behind the check, as the implementation wrote it: whether there
        /// is such a clause was not looked at.
        clause: Option<String>,
        /// What they say.
        why: String,
    },
    /// The call would never return.
    Hangs,
    /// It cannot run such calls.
    Unsupported {
        /// What it has not.
        why: String,
    },
    /// There is no answer.
    Failed(Failure),
}

/// Characters of a text by the implementation that are kept.
const WHY: usize = 4000;

/// A text by the implementation as one line.
pub(crate) fn said(text: &str) -> String {
    one_line(text.as_bytes(), WHY)
}

/// What the frame says.
pub(crate) fn header(answer: &Collector) -> Result<Reply, Trouble> {
    answer
        .header()
        .map_err(|bad| Trouble::Garbage(bad.to_string()))
}

/// What a call left: regions of the memory that it had, and their bytes one after another.
#[derive(Default)]
pub(crate) struct Left {
    regions: Vec<Returned>,
    bytes: Vec<u8>,
}

impl Left {
    /// Puts it where it belongs: into the memory that it was held against.
    pub(crate) fn put_into(&self, memory: &mut Memory) {
        let mut left = &self.bytes[..];
        for Returned { role, bytes, parts } in &self.regions {
            let Some(region) = memory.get_mut(*role) else {
                continue;
            };
            if let Some(parts) = parts {
                let parts = pages::take(*parts, *bytes, &mut left);
                pages::put(parts.unwrap_or_default(), region);
            } else {
                let to = region.bytes_mut();
                let (own, rest) = left.split_at(to.len());
                to.copy_from_slice(own);
                left = rest;
            }
        }
    }
}

/// What came of question `id`, which was asked on `memory`.
pub(crate) fn told(
    answer: &Collector,
    id: u64,
    output: Role,
    memory: &Memory,
) -> Result<(Answered, Left), Trouble> {
    let reply = header(answer)?;
    if let Some(of) = reply.id().filter(|of| *of != id) {
        let said = format!("it answers question {of}, and was asked question {id}");
        return Err(match of < id {
            true => Trouble::Late { said },
            false => Trouble::Garbage(said),
        });
    }
    let answered = match reply {
        Reply::Done {
            regions,
            out_of_bounds,
            ..
        } => {
            check(&regions, answer.payload(), output, memory).map_err(Trouble::Garbage)?;
            let bytes = answer.payload().to_vec();
            return Ok((Answered::Done { out_of_bounds }, Left { regions, bytes }));
        }
        Reply::Rejected { why, clause, .. } => Answered::Rejected {
            clause: clause.map(|clause| said(&clause)),
            why: said(&why),
        },
        Reply::Hangs { .. } => Answered::Hangs,
        Reply::Unsupported { why, .. } => Answered::Unsupported { why: said(&why) },
        Reply::Hello { .. } | Reply::Sorry { .. } => {
            let why = "a greeting in the place of an answer";
            return Err(Trouble::Garbage(why.to_owned()));
        }
    };
    Ok((answered, Left::default()))
}

/// That the regions of an answer make sense.
fn check(
    regions: &[Returned],
    payload: &[u8],
    output: Role,
    memory: &Memory,
) -> Result<(), String> {
    let mut left = payload;
    for (n, Returned { role, bytes, parts }) in regions.iter().enumerate() {
        let Some(asked) = memory.get(*role) else {
            return Err(format!("the call has no {role}"));
        };
        if asked.bytes().len() as u64 != *bytes {
            let len = asked.bytes().len();
            return Err(format!("the {role} has {len} bytes, not {bytes}"));
        }
        if regions[..n].iter().any(|before| before.role == *role) {
            return Err(format!("the {role} came twice"));
        }
        match parts {
            _ if parts.is_some() != asked.is_sparse() => {
                let kind = if parts.is_some() { "not " } else { "" };
                return Err(format!("the {role} is {kind}sparse"));
            }
            Some(parts) if pages::take(*parts, *bytes, &mut left).is_none() => {
                return Err(format!("the {parts} parts of the {role} make no sense"));
            }
            Some(_) => {}
            None => {
                let own = usize::try_from(*bytes).unwrap_or(usize::MAX);
                left = &left[own.min(left.len())..];
            }
        }
    }
    if regions.iter().all(|region| region.role != output) {
        return Err(format!("the {output} did not come back"));
    }
    if regions.iter().any(|region| region.parts.is_some()) {
        return match left.len() {
            0 => Ok(()),
            more => Err(format!("{more} bytes came that are of no region")),
        };
    }
    // Each is one of the memory's and none comes twice: no sum is too large.
    let all: u64 = regions.iter().map(|region| region.bytes).sum();
    if all != payload.len() as u64 {
        let came = payload.len();
        return Err(format!("the regions have {all} bytes, and {came} came"));
    }
    Ok(())
}
