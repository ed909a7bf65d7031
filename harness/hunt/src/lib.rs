//! The hunt for holes: cases are drawn, tried on every model, classified, and
//! what is found is shrunk and kept.
//!
//! [`hunt()`] tries the cases of a [`Plan`] and counts what it [`Found`];
//! [`distinct()`] says which holes these are, [`distil()`] makes a smallest case
//! of each, [`complete()`] adds what shows beside them, [`keep()`] writes them.
//! The same plan and count give the same files, on any number of threads. A hunt may be
//! divided: [`merge_records()`] makes one of the records of its parts.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod campaign;
mod complete;
mod dims;
mod distil;
mod explain;
mod found;
mod keep;
mod loose;
mod plan;
mod record;
pub mod relation;
pub mod shrink;
mod smallest;
mod words;

pub use campaign::{Limit, Participants, hunt, hunt_on};
pub use complete::complete;
pub use distil::{Distinct, distil, distinct, shows};
pub use explain::explain;
pub use found::{Asked, Found, Group, Seen};
pub use keep::{Known, MOST_CLAUSES, keep};
pub use loose::{Count, Kind, Loose};
pub use plan::{Draw, Drawer, Plan};
pub use ptodiff_runner::{Trial, trial};
pub use record::{
    HUNT_FORMAT, HuntHeader, merge_records, read_header, read_record, schema, write_record,
};
pub use relation::Relation;
pub use shrink::shrink;
pub use smallest::{Smallest, smallest, to_compare, unexplained};
