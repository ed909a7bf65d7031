//! Tests of the A2/A3 model. Expected values are the witnesses of the
//! register, worked out by hand from documents 000, 001, 002 and 004.

mod common;
mod gather_nz;
mod gather_values;
mod l1;
mod l1_trace;
mod never_panics;
mod oob_accesses;
mod pipes;
mod pipes_api;
mod readings_bytes;
mod readings_rows;
mod readings_strides;
mod rejections;
mod scatter_atomic;
mod scatter_nz;
mod scatter_oob;
mod scatter_values;
mod tgatherb;
mod trace;
mod tscatter;
