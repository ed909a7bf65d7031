//! Cases in which targets differ, with values, map and traces.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Role, Target};
use ptodiff_record::{
    CaseDetail, CaseRecord, Lane, PairVerdict, Slot, SlotMap, SlotState, SlotValue, Source,
    TargetVerdict, TraceText, Verdict,
};
use serde_json::json;

use super::{A2a3, A5, Cpu, case, made, yaml};

pub(super) fn value(bits: u32) -> SlotValue {
    SlotValue {
        bits: format!("{bits:#010x}"),
        value: f32::from_bits(bits).to_string(),
    }
}

fn lane(r: u64, c: u64) -> Lane {
    Lane::at(0, r, c)
}

/// A slot of a table of 32 columns, with what two parties left in it.
fn slot(element: u64, got: [(Party, u32); 2]) -> Slot {
    let got = got.map(|(party, bits)| (party, value(bits)));
    made(json!({
        "role": "table", "offset": 4 * element, "element": element,
        "at": format!("[0, 0, 0, {}, {}]", element / 32, element % 32),
        "initial": value(0x3f2b_499a), "got": BTreeMap::from(got),
        "clauses": ["MSCATTER-CONF-06"],
        "lanes": [lane(0, element % 32), lane(2, 7), lane(5, 30)], "more_lanes": 2,
        "schedule": "reversed",
    }))
}

fn trace(target: Target, lines: usize) -> TraceText {
    TraceText::of((0..lines).map(|n| match (target, n % 3) {
        (A5, 0) => format!("lane {:>4}  store GM table+{} 4 bytes", n, n * 12 % 1024),
        (_, 0) => format!("load      UB index+{} 4 bytes", 4 * n),
        (_, 1) => format!("load      UB source+{} 4 bytes", 4 * n),
        _ => format!("store     GM table+{} 4 bytes", n * 52 % 1024),
    }))
}

/// A table of `rows` x 32 in which some slots differ, one violates where `bad`.
pub(crate) fn map(rows: u64, bad: bool) -> SlotMap {
    let state = |n: u64| match n % 32 {
        5 if bad && n == 69 => SlotState::Violates,
        5 | 6 if n % 64 > 32 => SlotState::Differs,
        9 => SlotState::Open,
        28.. => SlotState::Padding,
        20..28 => SlotState::Kept,
        _ => SlotState::Same,
    };
    let mut map = SlotMap {
        role: Role::Table,
        rows,
        cols: 32,
        band: 32,
        slot_bytes: 4,
        slots: rows * 32,
        states: (0..rows * 32).map(|n| (state(n), 1)).collect(),
        winners: BTreeMap::new(),
    };
    for n in (0..rows * 32).filter(|n| state(*n) == SlotState::Differs) {
        map.win(&Party::of(A2a3), n, lane(7, n % 32));
        map.win(&Party::of(A5), n, lane(n / 32 % 8, (n * 7) % 32));
    }
    map
}

/// A case in which a2a3 and a5 differ by a clause.
pub(crate) fn permitted(file: &str, name: &str, failure_group: &str) -> CaseRecord {
    let mut one = case(file, name);
    one.verdict = Verdict::Permitted;
    let two = &mut one.pairs[2];
    two.verdict = PairVerdict::Permitted;
    two.compared = 0;
    two.differing = 9;
    two.clauses = vec!["MSCATTER-CONF-06".into(), "MSCATTER-CONF-10".into()];
    two.failure_groups = vec![failure_group.into()];
    two.slots = (0..8)
        .map(|n| {
            slot(
                37 + 64 * (n / 2) + n % 2,
                [
                    (Party::of(A2a3), 0x3fef_785a + n as u32),
                    (Party::of(A5), 0xc046_d477 + n as u32),
                ],
            )
        })
        .collect();
    one.detail = Some(CaseDetail {
        yaml: yaml(name),
        traces: [A2a3, A5, Cpu].map(|t| (t, trace(t, 120))).into(),
        slots: Some(map(8, false)),
        sources: vec![
            Source(0, 0, 5, "9.000001".into()),
            Source(0, 2, 7, "4".into()),
            Source(0, 5, 30, "9".into()),
        ],
    });
    one
}

/// A case in which a5 breaks its contract in one slot.
pub(crate) fn violating(file: &str, name: &str, failure_group: &str) -> CaseRecord {
    let mut one = permitted(file, name, "MSCATTER a2a3/a5 violation valid");
    one.verdict = Verdict::Violation;
    one.outlier = Some(Party::of(A5));
    let wrong = Slot {
        permitted: Some("9 (0x41100000)".into()),
        clauses: vec!["MSCATTER-SEM-02".into()],
        ..slot(
            69,
            [(Party::of(A5), 0x4110_0001), (Party::of(A5), 0x4110_0001)],
        )
    };
    let finding = made(json!({
        "failure_group": failure_group, "what": "a slot holds what no permit allows",
        "clause": "MSCATTER-SEM-02", "schedule": "reversed", "slot": wrong,
    }));
    if let Some(a5) = one.targets.get_mut(&Party::of(A5)) {
        a5.verdict = TargetVerdict::Violates;
        a5.findings.push(finding);
    }
    for two in &mut one.pairs[1..] {
        two.verdict = PairVerdict::Violation;
        two.why = Some("a5 breaks its contract".into());
        two.clauses.clear();
        two.compared = 0;
    }
    let at = slot(
        69,
        [(Party::of(A2a3), 0x4110_0000), (Party::of(A5), 0x4110_0001)],
    );
    one.pairs[2].slots.insert(0, at);
    let at = slot(
        69,
        [(Party::of(Cpu), 0x4110_0000), (Party::of(A5), 0x4110_0001)],
    );
    one.pairs[1].slots = vec![at];
    one.pairs[1].differing = 1;
    one.pairs[1].failure_groups = vec!["MSCATTER cpu/a5 violation valid".into()];
    if let Some(detail) = &mut one.detail {
        detail.slots = Some(map(8, true));
    }
    one
}
