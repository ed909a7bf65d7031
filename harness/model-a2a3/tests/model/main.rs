//! Tests of the A2/A3 model. Expected values are the witnesses of the
//! register, worked out by hand from documents 000, 001, 002 and 004.

mod common;
mod in_ub;
mod l1;
mod l1_trace;
mod nd;
mod never_panics;
mod nz;
mod oob_accesses;
mod pipes;
mod pipes_api;
mod readings_bytes;
mod readings_rows;
mod readings_strides;
mod rejections;
mod scatter_atomic;
mod trace;
