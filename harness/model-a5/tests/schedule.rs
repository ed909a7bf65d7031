//! The order of lanes (How::schedule).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

/// Byte offsets of the stores to the table, in the order of the trace.
fn stores(call: Mscatter, idx: &[i32], schedule: Schedule) -> Vec<i64> {
    let size = |tile: Tile| (tile.rows * tile.cols) as usize * tile.dtype.size();
    let slots: u64 = call.table.shape.iter().map(|dim| dim.get()).product();
    let mut memory = memory(&[
        (Role::Table, vec![0; slots as usize * 4]),
        (Role::Source, vec![0; size(call.src)]),
        (Role::Index, bytes(idx)),
    ]);
    let log = execute(Call::Mscatter(call), &mut memory, how(schedule));
    log.trace
        .expect("a trace")
        .iter()
        .filter_map(|event| match event {
            Event::Store { offset, .. } => Some(offset / 4),
            _ => None,
        })
        .collect()
}

fn elem(conflict: ScatterConflict, count: u64) -> (Mscatter, Vec<i32>) {
    let call = mscatter(
        Elem,
        flat(Int32, count),
        tile(Int32, 1, count),
        tile(Int32, 1, count),
    );
    (Mscatter { conflict, ..call }, (0..count as i32).collect())
}

#[test]
fn elem_runs_warp_after_warp() {
    let (call, idx) = elem(ScatterConflict::Default, 1088);
    let up = stores(call, &idx, Schedule::InOrder);
    // Warp 0 serves 0..31 and 1024..1055, warp 1 serves 32..63 and 1056..1087.
    assert_eq!(up[30..34], [30, 31, 1024, 1025]);
    assert_eq!(up[63..65], [1055, 32]);
    let down = stores(call, &idx, Schedule::Reversed);
    assert_eq!(down[..2], [1023, 1022]);
    assert_eq!(down[1086..], [1025, 1024]);
}

#[test]
fn a_lane_keeps_its_order_in_a_shuffle() {
    for conflict in [ScatterConflict::Default, ScatterConflict::Last] {
        let (call, idx) = elem(conflict, 3000);
        let shuffled = stores(call, &idx, Schedule::Shuffled(11));
        assert_eq!(shuffled.len(), 3000);
        let mut last = vec![-1; 1024];
        for slot in &shuffled {
            let lane = (*slot % 1024) as usize;
            assert!(last[lane] < *slot, "lane {lane} runs backwards");
            last[lane] = *slot;
        }
        let again = stores(call, &idx, Schedule::Shuffled(11));
        assert_eq!(shuffled, again);
        assert_ne!(shuffled, stores(call, &idx, Schedule::Shuffled(12)));
    }
}

#[test]
fn warps_of_a_row_take_its_columns_in_turn() {
    // Two rows of 128 columns: 2 row warps, 4 warps a row.
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..mscatter(
            Row,
            rows(Int32, 2, 128),
            tile(Int32, 2, 128),
            tile(Int32, 1, 2),
        )
    };
    let up = stores(call, &[0, 1], Schedule::InOrder);
    assert_eq!(up, (0..256).collect::<Vec<i64>>());
    let down = stores(call, &[0, 1], Schedule::Reversed);
    assert_eq!(down, (0..256).rev().collect::<Vec<i64>>());
    // Twenty rows of 80: one warp a row, columns 0..31, 32..63, 64..79.
    let call = Mscatter {
        table: rows(Int32, 20, 80),
        src: tile(Int32, 20, 80),
        idx: tile(Int32, 1, 20),
        ..call
    };
    let idx: Vec<i32> = (0..20).collect();
    let down = stores(call, &idx, Schedule::Reversed);
    let row = 19 * 80;
    assert_eq!(down[..2], [row + 31, row + 30]);
    assert_eq!(down[31..33], [row, row + 63]);
    assert_eq!(down[64], row + 79);
}

#[test]
fn the_last_kernels_follow_the_lanes_of_their_slots() {
    let (call, idx) = elem(ScatterConflict::Last, 1088);
    let up = stores(call, &idx, Schedule::InOrder);
    assert_eq!(up[30..34], [30, 31, 1024, 1025]);
    let down = stores(call, &idx, Schedule::Reversed);
    assert_eq!(down[..2], [1023, 1022]);
    assert_eq!(down[1086..], [1025, 1024]);
}

#[test]
fn rows_that_warps_share_are_stored_in_the_order_of_these() {
    // 16 rows of 96 columns: 2 warps a row, of which the first has columns 0..31 and
    // 64..95 (MSCATTER-LAUNCH-05). All rows meet in one but the last, which the table
    // has not, so that the out-of-bounds accesses tell the order even where no trace is kept.
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..mscatter(
            Row,
            rows(Int32, 4, 96),
            tile(Int32, 16, 96),
            tile(Int32, 1, 16),
        )
    };
    let src: Vec<i32> = (0..16 * 96).map(|k| k / 96).collect();
    let mut idx = [2; 16];
    idx[15] = 4;
    let up: Vec<i64> = (0..32).chain(64..96).collect();
    let down: Vec<i64> = (0..64).rev().collect();
    for (schedule, survivor, columns) in
        [(Schedule::InOrder, 14, up), (Schedule::Reversed, 0, down)]
    {
        let mut memory = memory(&[
            (Role::Table, bytes(&[-1; 4 * 96])),
            (Role::Source, bytes(&src)),
            (Role::Index, bytes(&idx)),
        ]);
        let log = execute_silently(Call::Mscatter(call), &mut memory, how(schedule));
        let stored: Vec<i64> = log
            .oob_accesses
            .first
            .iter()
            .map(|oob_access| oob_access.offset / 4)
            .collect();
        // The first of 96.
        let expected: Vec<i64> = columns.iter().map(|col| 4 * 96 + col).collect();
        assert_eq!((stored, log.oob_accesses.count), (expected, 96));
        let table: Vec<i32> = items(memory.get(Role::Table).expect("a table").body());
        assert_eq!(table[2 * 96..3 * 96], [survivor; 96]);
        assert_eq!(table[..2 * 96], [-1; 2 * 96]);
    }
}
