//! Who survives (CONF), and the order of lanes that decides it (How::schedule).

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::ScatterConflict::Default as Any;

#[test]
fn conf_06_and_gap_09_any_writer_may_survive_under_default() {
    let data = tile(Int32, 1, 8);
    let call = mscatter(Elem, flat(Int32, 8), data, data).with(|c| c.conflict = Any);
    let survivors: BTreeSet<i32> = (0..300)
        .map(|seed| {
            let how = how(Schedule::Shuffled(seed));
            let table = scatter_how(&call, how, &[0; 8], &count_from(10, 8), &[3; 8]);
            assert_eq!(table.iter().filter(|v| **v == 0).count(), 7);
            table[3]
        })
        .collect();
    assert_eq!(survivors, (10..18).collect());
    // A contested row may be torn. Whole warps up or down: the last or the first survives.
    let call = mscatter(
        Row,
        rows(Int32, 1, 64),
        tile(Int32, 8, 64),
        tile(Int32, 1, 8),
    );
    let call = call.with(|c| c.conflict = Any);
    let src: Vec<i32> = (0..8 * 64).map(|k| k / 64).collect();
    let run = |schedule| scatter_how(&call, how(schedule), &[-1; 64], &src, &[0; 8]);
    let table = run(Schedule::Shuffled(5));
    assert!(table.iter().all(|v| (0..8).contains(v)));
    assert!(table.iter().any(|v| *v != table[0]), "never torn");
    assert_eq!(run(Schedule::InOrder), [7; 64]);
    assert_eq!(run(Schedule::Reversed), [0; 64]);
}

#[test]
fn the_last_kernels_follow_the_lanes_of_their_slots() {
    let data = tile(Int32, 1, 1088);
    let call = mscatter(Elem, flat(Int32, 1088), data, data);
    let stores = |schedule| -> Vec<i64> {
        let events = traced(Call::Mscatter(call), how(schedule), &count_from(0, 1088));
        let slot = |event: &Event| match event {
            Event::Store { offset, .. } => Some(offset / 4),
            _ => None,
        };
        events.iter().filter_map(slot).collect()
    };
    let up = stores(Schedule::InOrder);
    assert_eq!(up[30..34], [30, 31, 1024, 1025]);
    let down = stores(Schedule::Reversed);
    assert_eq!(down[..2], [1023, 1022]);
    assert_eq!(down[1086..], [1025, 1024]);
}
