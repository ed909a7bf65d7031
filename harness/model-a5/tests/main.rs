//! What no judge sees of the a5 model: rejections and faults as they are told, launches and
//! all else that is issued, accesses outside operands, what a schedule decides, and what is
//! left where the documents let anything be left. That it leaves and rejects what the
//! contract says, on any call, is tested in `runner`.

mod caller;
mod common;
mod first;
mod l1_trace;
mod launch;
mod left;
mod outside;
mod schedule;
mod told;
mod trace;
