//! Cases in which targets differ, with values, map and traces.

use std::{collections::BTreeMap, sync::LazyLock};

use ptodiff_isa::{Party, Role, Target};
use ptodiff_record::{
    CaseRecord, Lane, PairVerdict, Slot, SlotMap, SlotState, SlotValue, TraceText, Verdict,
};
use serde_json::json;

use super::{A2a3, A5, Cpu, like, made, over};

pub(super) fn value(bits: u32) -> SlotValue {
    SlotValue {
        bits: format!("{bits:#010x}"),
        value: f32::from_bits(bits).to_string(),
    }
}

fn lane(r: u64, c: u64) -> Lane {
    Lane::at(0, r, c)
}

/// A slot of a table of 32 columns, with what parties left in it.
fn slot(element: u64, got: &[(Target, u32)]) -> Slot {
    let got = got.iter().map(|(target, bits)| (target, value(*bits)));
    made(json!({
        "role": "table", "offset": 4 * element, "element": element,
        "at": format!("[0, 0, 0, {}, {}]", element / 32, element % 32),
        "initial": value(0x3f2b_499a), "got": got.collect::<BTreeMap<_, _>>(),
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

static PERMITTED: LazyLock<CaseRecord> = LazyLock::new(|| {
    let differs = |n: u32| {
        let got = [(A2a3, 0x3fef_785a + n), (A5, 0xc046_d477 + n)];
        slot(u64::from(37 + 64 * (n / 2) + n % 2), &got)
    };
    let differ = json!({
        "verdict": "permitted", "compared": null, "differing": 9,
        "clauses": ["MSCATTER-CONF-06", "MSCATTER-CONF-10"],
        "slots": (0..8).map(differs).collect::<Vec<_>>(),
    });
    let traces: BTreeMap<Target, TraceText> = [A2a3, A5, Cpu].map(|t| (t, trace(t, 120))).into();
    let detail = json!({
        "traces": traces, "slots": map(8, false),
        "sources": [[0, 0, 5, "9.000001"], [0, 2, 7, "4"], [0, 5, 30, "9"]],
    });
    let more = json!({"verdict": "permitted", "pairs": [{}, {}, differ], "detail": detail});
    over("", "", more)
});

/// A case in which a2a3 and a5 differ by a clause.
pub(crate) fn permitted(file: &str, name: &str, failure_group: &str) -> CaseRecord {
    let mut one = like(&PERMITTED, file, name);
    one.pairs[2].failure_groups = vec![failure_group.into()];
    one
}

static VIOLATING: LazyLock<CaseRecord> = LazyLock::new(|| {
    let mut one = permitted("", "", "MSCATTER a2a3/a5 violation valid");
    let (right, wrong) = (0x4110_0000, 0x4110_0001);
    let found = Slot {
        permitted: Some("9 (0x41100000)".into()),
        clauses: vec!["MSCATTER-SEM-02".into()],
        ..slot(69, &[(A5, wrong)])
    };
    one.verdict = Verdict::Violation;
    one.outlier = Some(Party::of(A5));
    let violates = made(json!({
        "verdict": "violates",
        "findings": [{
            "failure_group": "", "what": "a slot holds what no permit allows",
            "clause": "MSCATTER-SEM-02", "schedule": "reversed", "slot": found,
        }],
    }));
    one.targets.insert(Party::of(A5), violates);
    for (two, other) in one.pairs[1..].iter_mut().zip([Cpu, A2a3]) {
        two.verdict = PairVerdict::Violation;
        two.why = Some("a5 breaks its contract".into());
        two.clauses.clear();
        two.compared = 0;
        two.slots
            .insert(0, slot(69, &[(other, right), (A5, wrong)]));
    }
    one.pairs[1].differing = 1;
    one.pairs[1].failure_groups = vec!["MSCATTER cpu/a5 violation valid".into()];
    if let Some(detail) = &mut one.detail {
        detail.slots = Some(map(8, true));
    }
    one
});

/// A case in which a5 breaks its contract in one slot.
pub(crate) fn violating(file: &str, name: &str, failure_group: &str) -> CaseRecord {
    let mut one = like(&VIOLATING, file, name);
    if let Some(a5) = one.targets.get_mut(&Party::of(A5)) {
        a5.findings[0].failure_group = failure_group.into();
    }
    one
}
