//! The versioned record of a run: what `run.jsonl` holds.
//!
//! The first line is a [`Header`], then comes a line for each [`CaseRecord`] and for
//! each [`Diagnosis`]; the last one is a checksum of them all. Each has one of its own. The record holds no
//! clock, no path of a machine and nothing that depends on the number of threads:
//! the same cases and seed give the same bytes.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod case;
mod detail;
mod diagnosis;
mod finding;
mod header;
mod holds;
mod jsonl;
mod merge;
mod older;
mod partition;
pub mod reproduce;
mod schema;
mod seal;
mod sealed;
mod words;

pub use case::{
    AnswerRecord, CaseRecord, Covers, PairRecord, PairVerdict, ReadingUse, TargetRecord,
    TargetVerdict, Took, Verdict, flaky_by_no_chance,
};
pub use detail::{CaseDetail, NoStates, SlotMap, SlotState, Source, StateRuns, TraceText, Win};
pub use diagnosis::{Diagnosis, Fit, Near};
pub use finding::{Finding, Lane, Reason, Slot, SlotValue, Unpromised, Unseen, Wide, Wrong};
pub use header::{DEFAULT_SCHEDULES, FORMAT, Header, ImplementationRecord, StData, Unjudged};
pub use jsonl::{HUNT, Reader, Writer, line, read, write};
pub use merge::{MergeError, merge, numbers};
pub use partition::{NoPartition, Part, Partition, fingerprint};
pub use schema::{PartyText, schema, sealed_schema};
pub use seal::sealed;
pub use sealed::{MAX_LINE, ReadError, SealedReader, SealedWriter};
pub use words::{counted, grouped, joined};
