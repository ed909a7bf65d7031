//! MSCATTER, first revision (003): values, policies, atomics, launch.

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

/// The table after an accepted call without out-of-bounds accesses.
pub(crate) fn scattered<T: Item>(
    call: &MscatterFirst,
    how: How,
    table: &[T],
    src: &[T],
    idx: &[i32],
) -> Vec<T> {
    let operands = [
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Table, bytes(table)),
    ];
    let call = Call::MscatterFirst(*call);
    items(&clean_but(call, how, &operands, &[Role::Table])[0])
}

#[test]
fn sem_01_rows_go_to_their_rows() {
    // [N, 1] indices of either layout stand one after the other (GAP-07).
    for idx in [tile(Int32, 4, 1), col_major(tile(Int32, 4, 1))] {
        let call = mscatter_first(rows(Int32, 6, 8), tile(Int32, 4, 8), idx);
        let src: Vec<i32> = (1..33).collect();
        let table = scattered(&call, How::default(), &[0; 48], &src, &[4, 0, 5, 2]);
        assert_eq!(table[32..40], src[..8]);
        assert_eq!(table[..8], src[8..16]);
        assert_eq!(table[40..], src[16..24]);
        assert_eq!(table[16..24], src[24..]);
        assert_eq!((&table[8..16], &table[24..32]), (&[0; 8][..], &[0; 8][..]));
    }
}

#[test]
fn sem_02_elements_go_to_flat_slots_through_each_tiles_layout() {
    // Element (r, c) of the source stands at 8r + c, its index at 2c + r.
    let idx = col_major(tile(Int32, 2, 8));
    let call = mscatter_first(rows(Int32, 3, 8), tile(Int32, 2, 8), idx);
    let src: Vec<i32> = (1..17).collect();
    let idx: Vec<i32> = (0..16).map(|k| 20 - k).collect();
    let table = scattered(&call, How::default(), &[0; 24], &src, &idx);
    // (0, 0) to 20, (1, 0) to 19, (0, 1) to 18.
    assert_eq!(table[18..], [2, 9, 1, 0, 0, 0]);
    assert_eq!(table[5], 16);
    assert_eq!(table[..5], [0; 5]);
}

#[test]
fn cap_01_policies_in_row_mode_act_on_the_rows() {
    let run = |oob| {
        let call = MscatterFirst {
            oob,
            ..mscatter_first(rows(Int32, 5, 8), tile(Int32, 1, 8), tile(Int32, 1, 1))
        };
        let table = scattered(&call, How::default(), &[0; 40], &[9; 8], &[7]);
        table.chunks(8).position(|row| row == [9; 8])
    };
    assert_eq!(run(ScatterOob::Skip), None);
    assert_eq!(run(ScatterOob::Clamp), Some(4));
    assert_eq!(run(ScatterOob::Wrap), Some(2));
}

#[test]
fn cap_02_policies_in_element_mode_act_on_the_last_two_extents() {
    // Two planes of 2 by 4: the capacity is 8, not 16 (GAP-04).
    let run = |oob| {
        let table = packed(Int32, [1, 1, 2, 2, 4]);
        let call = MscatterFirst {
            oob,
            ..mscatter_first(table, tile(Int32, 1, 8), tile(Int32, 1, 8))
        };
        let idx = [9, 0, 0, 0, 0, 0, 0, 0];
        let src = [5, 0, 0, 0, 0, 0, 0, 0];
        let how = reading(|readings| readings.first_conflict = FirstConflict::Last);
        let table = scattered(&call, how, &[0; 16], &src, &idx);
        table.iter().position(|slot| *slot == 5)
    };
    assert_eq!(run(ScatterOob::Skip), None);
    assert_eq!(run(ScatterOob::Clamp), Some(7));
    assert_eq!(run(ScatterOob::Wrap), Some(1));
}

#[test]
fn atom_01_and_06_atomics_combine_with_the_slot() {
    for schedule in SCHEDULES {
        let run = |atomic, idx: Tile, indices: &[i32]| {
            let call = MscatterFirst {
                atomic,
                ..mscatter_first(rows(Int32, 2, 8), tile(Int32, 2, 8), idx)
            };
            let src: Vec<i32> = (0..16).map(|k| k - 8).collect();
            scattered(&call, how(schedule), &[1; 16], &src, indices)
        };
        // Rows -8..-1 and 0..7 both onto row 1.
        let by_row = |atomic| run(atomic, tile(Int32, 2, 1), &[1, 1]);
        let sums = [-7, -5, -3, -1, 1, 3, 5, 7];
        assert_eq!(by_row(ScatterAtomicOp::Add)[8..], sums);
        assert_eq!(by_row(ScatterAtomicOp::Max)[8..], [1, 1, 2, 3, 4, 5, 6, 7]);
        let lowest = [-8, -7, -6, -5, -4, -3, -2, -1];
        assert_eq!(by_row(ScatterAtomicOp::Min)[8..], lowest);
        assert_eq!(by_row(ScatterAtomicOp::Add)[..8], [1; 8]);
        // All sixteen onto slot 3: -8 in sum.
        let table = run(ScatterAtomicOp::Add, tile(Int32, 2, 8), &[3; 16]);
        assert_eq!(table[..5], [1, 1, 1, -7, 1]);
    }
}

#[test]
fn launch_01_always_1024_threads() {
    let traced = |call: MscatterFirst| {
        let bytes_of = |tile: Tile| vec![0; (tile.rows * tile.cols) as usize * 4];
        let mut memory = memory(&[
            (Role::Table, vec![0; 64 * 4]),
            (Role::Source, bytes_of(call.src)),
            (Role::Index, bytes_of(call.idx)),
        ]);
        let log = execute(Call::MscatterFirst(call), &mut memory, How::default());
        assert_eq!(log.oob_accesses, OobAccesses::default());
        log.trace.expect("a trace")
    };
    let elem = |rows, cols| {
        let tiles = (tile(Int32, rows, cols), tile(Int32, rows, cols));
        traced(mscatter_first(flat(Int32, 64), tiles.0, tiles.1))
    };
    let kernel = "simt_mscatter_elem_kernel";
    assert_eq!(elem(1, 2)[0], launch(kernel, Elem, 32, 1));
    assert_eq!(elem(32, 32)[0], launch(kernel, Elem, 32, 1));
    // GAP-09: work beyond the launch in strides of the launch.
    assert_eq!(elem(33, 32)[0], launch(kernel, Elem, 32, 2));
    let row = |rows, cols| {
        let src = tile(Int32, rows, cols);
        traced(mscatter_first(flat(Int32, 64), src, tile(Int32, rows, 1)))
    };
    let kernel = "simt_mscatter_row_kernel";
    // No scalar path for one element.
    assert_eq!(row(1, 1)[0], launch(kernel, Row, 32, 1));
    assert_eq!(row(8, 64)[0], launch(kernel, Row, 32, 1));
    let events = row(40, 2);
    assert_eq!(events[0], launch(kernel, Row, 32, 2));
    assert_eq!(count(&events, is_launch), 1);
    assert_eq!(count(&events, is_flag), 0);
    assert_eq!(count(&events, is_gm_store), 80);
    // Warp 0 serves rows 0 and 32, then warp 1 row 1: indices at 0, 128, 4.
    let loads: Vec<i64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Load {
                role: Role::Index,
                offset,
                ..
            } => Some(*offset),
            _ => None,
        })
        .collect();
    assert_eq!(loads[..3], [0, 128, 4]);
    assert_eq!(loads.len(), 40);
}

#[test]
fn a_tile_without_rows_or_columns_scatters_nothing() {
    for (rows_, cols) in [(0, 8), (8, 0), (0, u64::MAX), (u64::MAX, 0), (0, 0)] {
        let (src, table) = (tile(Int32, rows_, cols), rows(Int32, 2, 8));
        for idx in [tile(Int32, rows_, 1), tile(Int32, rows_, cols)] {
            for schedule in SCHEDULES {
                for first_conflict in [FirstConflict::Any, FirstConflict::Last] {
                    let mut how = how(schedule);
                    how.readings.first_conflict = first_conflict;
                    let mut memory = memory(&[
                        (Role::Table, vec![5; 64]),
                        (Role::Source, vec![]),
                        (Role::Index, vec![0; 64]),
                    ]);
                    let call = Call::MscatterFirst(mscatter_first(table, src, idx));
                    let end = A5.execute(&call, &mut memory, &how, &mut Log::default());
                    assert!(end == Ok(End::Finished) || end.is_err());
                    let table = memory.get(Role::Table).expect("a table");
                    assert_eq!(table.body(), [5; 64]);
                }
            }
        }
    }
}
