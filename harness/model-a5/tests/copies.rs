//! Rows that are copied whole, of the lengths that have loops of their own and of
//! others: nobody may see how, so each call is held against the same with a trace,
//! which goes lane by lane.

use crate::common::*;
use crate::fast::{limit, operands};
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

/// A tile whose rows are neighbours, of `len` bytes each, every second type padded.
fn data(dtype: DType, rows: u64, len: u64) -> Tile {
    let cols = len / dtype.size() as u64;
    match dtype {
        DType::Half | DType::Int64 => valid(dtype, rows, cols + 8, rows, cols),
        _ => tile(dtype, rows, cols),
    }
}

/// Every copying call of a tile and a table of five rows.
fn calls(data: Tile) -> Vec<Call> {
    let table = rows(data.dtype, 5, data.valid_col.get());
    let idx = tile(DType::Int32, 1, data.rows);
    let scatter = mscatter(Coalesce::Row, table, data, idx);
    let gather = mgather(Coalesce::Row, table, data, idx);
    let mut calls = Vec::new();
    for oob in [
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ] {
        for conflict in [ScatterConflict::Last, ScatterConflict::Default] {
            let scatter = Mscatter {
                oob,
                conflict,
                ..scatter
            };
            calls.push(Call::Mscatter(scatter));
        }
    }
    for oob in [
        GatherOob::Undefined,
        GatherOob::Zero,
        GatherOob::Clamp,
        GatherOob::Wrap,
    ] {
        calls.push(Call::Mgather(Mgather { oob, ..gather }));
    }
    calls
}

/// Holds a call whose operands lack `cut` bytes, with indices below `end`, against
/// the same with a trace.
fn same_with_a_trace(call: &Call, end: u64, cut: [usize; 4], schedule: Schedule) {
    let before = operands(call, end, cut, 7);
    let (mut silent, mut log) = (before.clone(), Log::default());
    let ended = A5.execute(call, &mut silent, &how(schedule), &mut log);
    assert_eq!(ended, Ok(End::Finished));
    let mut traced = before;
    let full = execute(*call, &mut traced, how(schedule));
    let what = || format!("{call:?} below {end} without {cut:?} bytes {schedule:?}");
    assert!(silent == traced, "{}", what());
    assert_eq!(log.strays.count, full.strays.count, "{}", what());
}

/// Holds all calls with rows of `len` bytes, all inside and not, against the same
/// with a trace.
fn rows_of(len: u64) {
    let schedules = [Schedule::InOrder, Schedule::Reversed, Schedule::Shuffled(3)];
    for dtype in [DType::Int8, DType::Half, DType::Float, DType::Int64] {
        // Fewer than warps, as many, and more.
        for (count, schedule) in [1, 4, 32, 70].into_iter().zip(schedules.iter().cycle()) {
            for call in calls(data(dtype, count, len)) {
                let (all, row) = (limit(&call), len as usize);
                same_with_a_trace(&call, all, [0; 4], *schedule);
                same_with_a_trace(&call, all + 3, [0; 4], *schedule);
                for cut in [1, row, row + 1] {
                    same_with_a_trace(&call, all, [cut, 0, 0, 0], *schedule);
                    same_with_a_trace(&call, all, [0, cut, 0, 0], *schedule);
                }
            }
        }
        for schedule in schedules {
            for call in calls(data(dtype, 70, len)) {
                same_with_a_trace(&call, limit(&call), [0; 4], schedule);
            }
        }
    }
}

#[test]
fn rows_of_32_bytes_are_copied_as_lane_by_lane() {
    rows_of(32);
}

#[test]
fn rows_of_64_bytes_are_copied_as_lane_by_lane() {
    rows_of(64);
}

#[test]
fn rows_of_128_bytes_are_copied_as_lane_by_lane() {
    rows_of(128);
}

#[test]
fn rows_of_256_bytes_are_copied_as_lane_by_lane() {
    rows_of(256);
}

#[test]
fn rows_of_other_lengths_are_copied_as_lane_by_lane() {
    for len in [8, 24, 40, 96, 264] {
        rows_of(len);
    }
}
