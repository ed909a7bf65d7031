//! What no judge sees of the a2a3 model: rejections and faults as they are told, events,
//! accesses outside operands, pipes, and what is left where the documents let anything be
//! left. That it leaves and rejects what the contract says, on any call, is tested in
//! `runner`.

mod common;
mod l1_trace;
mod left;
mod outside;
mod pipes;
mod pipes_api;
mod told;
mod trace;
