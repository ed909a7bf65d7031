//! Records built by hand: what the page is tested with.

mod diverging;
pub(crate) mod hostile;
mod many;
mod mixed;
mod tested;

use ptodiff_isa::{Instruction, Party, Target};
use ptodiff_record::{
    CaseDetail, CaseRecord, Covers, FORMAT, Header, PairRecord, PairVerdict, Reason, TargetRecord,
    TargetVerdict, Verdict,
};

pub(crate) use Target::{A2a3, A5, Cpu};
pub(crate) use diverging::{map, permitted, violating};
pub(crate) use hostile::hostile;
pub(crate) use many::many;
pub(crate) use mixed::mixed;
pub(crate) use tested::tested;

/// A header for `cases`.
pub(crate) fn header(cases: &[CaseRecord]) -> Header {
    Header {
        cases: cases.len(),
        ..bare_header()
    }
}

fn bare_header() -> Header {
    let text = format!(
        r#"{{"ptodiff_record":{FORMAT},"version":"0.1.0","seed":7,"schedules":4,"targets":["cpu","a2a3","a5"],"cases":0}}"#
    );
    serde_json::from_str(&text).expect("a header")
}

/// A part with nothing to say but its verdict.
pub(crate) fn did(verdict: TargetVerdict) -> TargetRecord {
    TargetRecord {
        verdict,
        reasons: vec![],
        findings: vec![],
        wrong: None,
        out_of_bounds: 0,
        unseen: vec![],
        wide: None,
        deviates_from: vec![],
        why: None,
        stderr: vec![],
        flaky: Vec::new(),
    }
}

pub(crate) fn because(verdict: TargetVerdict, clause: &str, why: &str) -> TargetRecord {
    TargetRecord {
        reasons: vec![Reason {
            clause: clause.into(),
            why: why.into(),
        }],
        ..did(verdict)
    }
}

/// A pair that compared 256 slots and found the same, or nothing.
pub(crate) fn pair(a: Target, b: Target, verdict: PairVerdict) -> PairRecord {
    let agree = verdict == PairVerdict::Agree;
    PairRecord {
        targets: (Party::of(a), Party::of(b)),
        verdict,
        why: None,
        clauses: vec![],
        compared: if agree { 256 } else { 0 },
        differing: 0,
        slots: vec![],
        failure_groups: vec![],
    }
}

/// A case of three targets that conform and agree.
pub(crate) fn case(file: &str, name: &str) -> CaseRecord {
    let stem = file
        .rsplit('/')
        .next()
        .and_then(|f| f.strip_suffix(".yaml"));
    let call = [
        ("atomic", "None"),
        ("dtype", "float"),
        ("mode", "Elem"),
        ("oob", "Skip"),
        ("conflict", "Default"),
        ("layout", "ND"),
        ("tile", "8x32 RowMajor"),
        ("table", "1x1x1x1x256"),
    ];
    CaseRecord {
        id: format!("{}/{name}", stem.unwrap_or("cases")),
        name: name.into(),
        suite: None,
        instruction: Instruction::Mscatter,
        file: file.into(),
        line: 12,
        call: call.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
        verdict: Verdict::Agree,
        targets: [Cpu, A2a3, A5]
            .map(|t| (Party::of(t), did(TargetVerdict::Conforms)))
            .into(),
        pairs: [(Cpu, A2a3), (Cpu, A5), (A2a3, A5)]
            .map(|(a, b)| pair(a, b, PairVerdict::Agree))
            .into(),
        outlier: None,
        readings: vec![],
        name_differs: None,
        unpromised: vec![],
        holes: vec![],
        covers: Covers::default(),
        detail: Some(CaseDetail {
            yaml: yaml(name, "MSCATTER", "Elem", "float"),
            ..CaseDetail::default()
        }),
    }
}

pub(crate) fn yaml(name: &str, instruction: &str, mode: &str, dtype: &str) -> String {
    format!(
        "cases:\n  - name: {name}\n    instruction: {instruction}\n    mode: {mode}\n    atomic: None\n    oob: Skip\n    conflict: Default\n    dtype: {dtype}\n    tile: {{shape: [8, 32]}}\n    index: {{shape: [8, 32], dtype: int32_t, data: {{fill: spread, below: 256}}}}\n    table: {{shape: [1, 1, 1, 1, 256], layout: ND}}\n"
    )
}
