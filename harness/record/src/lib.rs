//! The versioned record of a run: what `run.jsonl` holds.
//!
//! The first line is a [`Header`], every further line a [`CaseRecord`]. The
//! record holds no clock, no path of a machine and nothing that depends on the
//! number of threads: the same cases and seed give the same bytes.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod case;
mod detail;
mod finding;
mod header;
mod jsonl;
mod merge;
mod older;
mod partition;
pub mod reproduce;
mod schema;
mod tally;
mod words;

pub use case::{
    AnswerRecord, CaseRecord, Covers, PairRecord, PairVerdict, ReadingUse, TargetRecord,
    TargetVerdict, Verdict,
};
pub use detail::{CaseDetail, NoStates, SlotMap, SlotState, StateRuns, TraceText, Win};
pub use finding::{Finding, Lane, Reason, Slot, SlotValue, Unseen, Wide};
pub use header::{DEFAULT_SCHEDULES, FORMAT, Header, ImplementationRecord, StData};
pub use jsonl::{MAX_BYTES, MAX_LINE, ReadError, read, write_case, write_header};
pub use merge::{MergeError, Whole, merge};
pub use partition::{NoPartition, Part, Partition, fingerprint};
pub use schema::schema;
pub use tally::{PairTally, Tally, TargetTally};
pub use words::counted;
