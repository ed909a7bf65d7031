//! The order of lanes (How::schedule).

use crate::common::*;

/// Slots of the table in the order of their stores.
fn stores(call: Mscatter, idx: &[i32], schedule: Schedule) -> Vec<i64> {
    let events = traced(Call::Mscatter(call), how(schedule), idx);
    let slot = |event: &Event| match event {
        Event::Store { offset, .. } => Some(offset / 4),
        _ => None,
    };
    events.iter().filter_map(slot).collect()
}

fn elem(conflict: ScatterConflict, count: u64) -> (Mscatter, Vec<i32>) {
    let data = tile(Int32, 1, count);
    let call = mscatter(Elem, flat(Int32, count), data, data);
    let call = Mscatter { conflict, ..call };
    (call, count_from(0, count as i32))
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
    let call = mscatter(
        Row,
        rows(Int32, 2, 128),
        tile(Int32, 2, 128),
        tile(Int32, 1, 2),
    )
    .with(|c| c.conflict = ScatterConflict::Default);
    let up = stores(call, &[0, 1], Schedule::InOrder);
    assert_eq!(up, (0..256).collect::<Vec<i64>>());
    let down = stores(call, &[0, 1], Schedule::Reversed);
    assert_eq!(down, (0..256).rev().collect::<Vec<i64>>());
    // Twenty rows of 80: one warp a row, columns 0..31, 32..63, 64..79.
    let call = call.with(|c| {
        (c.table, c.src, c.idx) = (rows(Int32, 20, 80), tile(Int32, 20, 80), tile(Int32, 1, 20))
    });
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
