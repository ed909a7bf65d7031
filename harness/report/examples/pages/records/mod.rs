//! Records built by hand: what the page is tested with.

mod diverging;
pub(crate) mod hostile;
mod many;
mod mixed;
mod tested;

use std::sync::LazyLock;

use ptodiff_isa::{Party, Target};
use ptodiff_record::{
    CaseRecord, FORMAT, Header, PairRecord, PairVerdict, TargetRecord, TargetVerdict,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lay::lay;

pub(crate) use Target::{A2a3, A5, Cpu};
pub(crate) use diverging::{map, permitted, violating};
pub(crate) use hostile::hostile;
pub(crate) use many::many;
pub(crate) use mixed::mixed;
pub(crate) use tested::tested;

/// What a record says in this JSON.
pub(crate) fn made<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("a part of a record")
}

/// A header for `cases`.
pub(crate) fn header(cases: &[CaseRecord]) -> Header {
    made(json!({
        "ptodiff_record": FORMAT, "version": "0.1.0", "seed": 7, "schedules": 4,
        "targets": ["cpu", "a2a3", "a5"], "cases": cases.len(),
    }))
}

/// A part with nothing to say but its verdict.
pub(crate) fn did(verdict: TargetVerdict) -> TargetRecord {
    made(json!({"verdict": verdict}))
}

pub(crate) fn because(verdict: &str, clause: &str, why: &str) -> Value {
    json!({"verdict": verdict, "reasons": [{"clause": clause, "why": why}]})
}

/// The same of each target.
pub(crate) fn each(part: &Value) -> Value {
    json!({"cpu": part, "a2a3": part, "a5": part})
}

/// A pair of these parties.
pub(crate) fn pair(a: Party, b: Party, verdict: PairVerdict) -> PairRecord {
    let compared = match verdict {
        PairVerdict::Agree => 256,
        _ => 0,
    };
    made(json!({"targets": [a, b], "verdict": verdict, "compared": compared}))
}

/// Three targets that conform and agree.
static AGREE: LazyLock<CaseRecord> = LazyLock::new(|| {
    let agree = |a, b| pair(Party::of(a), Party::of(b), PairVerdict::Agree);
    made(json!({
        "id": "", "name": "", "instruction": "MSCATTER", "file": "", "line": 12,
        "call": {
            "atomic": "None", "dtype": "float", "mode": "Elem", "oob": "Skip",
            "conflict": "Default", "layout": "ND", "tile": "8x32 RowMajor", "table": "1x1x1x1x256",
        },
        "verdict": "agree",
        "targets": each(&json!({"verdict": "conforms"})),
        "pairs": [agree(Cpu, A2a3), agree(Cpu, A5), agree(A2a3, A5)],
    }))
});

/// A case of three targets that conform and agree.
pub(crate) fn case(file: &str, name: &str) -> CaseRecord {
    like(&AGREE, file, name)
}

/// The same as `one` in a case of this name.
fn like(one: &CaseRecord, file: &str, name: &str) -> CaseRecord {
    let stem = file
        .rsplit('/')
        .next()
        .and_then(|f| f.strip_suffix(".yaml"));
    let mut own = one.clone();
    own.id = format!("{}/{name}", stem.unwrap_or("cases"));
    own.name = name.into();
    own.file = file.into();
    own.detail.get_or_insert_default().yaml = yaml(name);
    own
}

/// Such a case, with what lies over it.
pub(crate) fn over(file: &str, name: &str, more: Value) -> CaseRecord {
    let mut case = serde_json::to_value(case(file, name)).expect("JSON");
    lay(&mut case, more);
    made(case)
}

fn yaml(name: &str) -> String {
    format!(
        "cases:\n  - name: {name}\n    instruction: MSCATTER\n    mode: Elem\n    atomic: None\n    oob: Skip\n    conflict: Default\n    dtype: float\n    tile: {{shape: [8, 32]}}\n    index: {{shape: [8, 32], dtype: int32_t, data: {{fill: spread, below: 256}}}}\n    table: {{shape: [1, 1, 1, 1, 256], layout: ND}}\n"
    )
}
