//! What a page shows of one case, as it is written and where it is cut.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Role, Target};
use ptodiff_record::{CaseDetail, Lane, SlotMap, SlotState, StateRuns, TraceText};
use serde_json::json;

fn lane(r: u64, c: u64) -> Lane {
    Lane::at(0, r, c)
}

fn map() -> SlotMap {
    use SlotState::{Differs, Kept, Same, Violates};
    let states = [
        (Kept, 2),
        (Kept, 10),
        (Same, 0),
        (Differs, 3),
        (Violates, 1),
    ];
    SlotMap {
        role: Role::Table,
        rows: 4,
        cols: 4,
        band: 4,
        slot_bytes: 4,
        slots: 16,
        states: states.into_iter().collect(),
        winners: BTreeMap::new(),
    }
}

#[test]
fn slots_won_by_neighbours_are_one_run() {
    let mut slots = map();
    let party = Party::form(Target::A5, "Simt");
    for (slot, lane) in [(12, lane(1, 0)), (13, lane(1, 1)), (14, lane(2, 2))] {
        slots.win(&party, slot, lane);
    }
    let json = serde_json::to_value(&slots).unwrap();
    assert_eq!(json["states"], "k12d3v1");
    let runs = json!([[12, 2, 0, 1, 0], [14, 1, 0, 2, 2]]);
    assert_eq!(json["winners"], json!({"a5:Simt": runs}));
}

#[test]
fn a_detail_without_differences_has_its_text_alone() {
    let alone = CaseDetail {
        yaml: "x".into(),
        ..CaseDetail::default()
    };
    let text = serde_json::to_string(&alone).unwrap();
    assert_eq!(text, r#"{"yaml":"x"}"#);
    assert_eq!(serde_json::from_str::<CaseDetail>(&text).unwrap(), alone);
}

#[test]
fn every_state_has_its_letter() {
    use SlotState::{Differs, Kept, Open, Padding, Same, Violates};
    let all = [Padding, Kept, Same, Open, Differs, Violates].map(|state| (state, 1));
    let states: StateRuns = all.into_iter().collect();
    assert_eq!(String::from(states.clone()), "p1k1s1o1d1v1");
    assert_eq!("p1k1s1o1d1v1".to_owned().try_into(), Ok(states));
}

#[test]
fn a_text_that_is_no_list_of_states_is_rejected() {
    for bad in ["x3", "k", "k0", "3k", "k1-", "k99999999999999999999", "ké"] {
        let error = StateRuns::try_from(bad.to_owned()).unwrap_err().to_string();
        assert!(error.contains(bad), "{error}");
    }
    assert_eq!(String::new().try_into(), Ok(StateRuns::default()));
}

#[test]
fn too_many_runs_are_cut_and_the_cut_shows() {
    let state = |n| [SlotState::Open, SlotState::Same][n % 2];
    // Two beyond, the second as the last that is kept: they must not join.
    let all = (0..StateRuns::RUNS + 2).map(|n| (state(n), 1));
    let states: StateRuns = all.collect();
    let text = String::from(states.clone());
    assert_eq!(text.matches('1').count(), StateRuns::RUNS);
    assert_eq!(text.try_into(), Ok(states));
}

#[test]
fn too_many_winners_are_cut() {
    let (mut map, party) = (map(), Party::of(Target::Cpu));
    for slot in 0..2 * SlotMap::WINS as u64 {
        map.win(&party, slot, lane(slot, 0));
    }
    assert_eq!(map.winners[&party].len(), SlotMap::WINS);
}

#[test]
fn a_long_trace_is_cut_and_says_by_how_much() {
    let long = (0..TraceText::LINES + 7).map(|n| n.to_string());
    let text = TraceText::of(long);
    assert_eq!((text.lines.len(), text.more), (TraceText::LINES, 7));
    assert_eq!(text.lines[1], "1");
    assert_eq!(TraceText::of(["a".to_owned()]).more, 0);
}
