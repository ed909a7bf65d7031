//! Tests of the A2/A3 model. Expected values are the witnesses of the
//! register, worked out by hand from documents 000, 001, 002 and 004.

mod common;
mod counts;
mod gather_nz;
mod gather_values;
mod l1_readings;
mod l1_trace;
mod l1_values;
mod lines;
mod lines_gm;
mod lines_l1;
mod never_panics;
mod oob_accesses;
mod pipes;
mod pipes_api;
mod plain;
mod readings_atomic;
mod readings_bytes;
mod readings_fills;
mod readings_rows;
mod readings_strides;
mod rejections;
mod rejections_more;
mod rejections_readings;
mod scatter_atomic;
mod scatter_nz;
mod scatter_oob;
mod scatter_values;
mod tgatherb;
mod trace;
mod tscatter;
mod tscatter_rows;
