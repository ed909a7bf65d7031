//! Tests of the A2/A3 model. Expected values are the witnesses of the
//! register, worked out by hand from documents 000 and 001.

mod common;
mod gather_nz;
mod gather_values;
mod never_panics;
mod refusals;
mod scatter_atomic;
mod scatter_nz;
mod scatter_oob;
mod scatter_values;
mod strays;
mod trace;
