//! A red run in which everything comes about that a page has a place for.

use ptodiff_isa::{Instruction, Party};
use ptodiff_record::{CaseRecord, PairVerdict, SlotMap, TargetVerdict, Verdict};
use serde_json::json;

use super::{A2a3, A5, because, case, did, made, map, pair, permitted, violating};

/// A red run of every verdict.
pub(crate) fn mixed() -> Vec<CaseRecord> {
    let mut all = Vec::new();
    for n in 0..3 {
        all.push(violating(
            "cases/clauses/mscatter.yaml",
            &format!("last_writer_{n}"),
            "MSCATTER a5 valid MSCATTER-SEM-02",
        ));
    }
    all.push(violating(
        "cases/regressions/edges.yaml",
        "torn_row",
        "MSCATTER a5 guard MSCATTER-OOB-04",
    ));
    for n in 0..40 {
        all.push(permitted(
            "cases/clauses/mscatter_conflicts.yaml",
            &format!("any_writer_{n:02}"),
            "MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06+MSCATTER-CONF-10",
        ));
    }
    // As a record of an older version, or of a run that kept no details.
    if let Some(last) = all.last_mut() {
        last.detail = None;
    }
    for n in 0..6 {
        all.push(permitted(
            "cases/clauses/mscatter_atomics.yaml",
            &format!("sum_{n}"),
            "MSCATTER cpu/a5 permitted valid MSCATTER-ATOM-18",
        ));
    }
    all.push(rejected());
    all.push(undefined());
    all.push(hangs());
    all.push(alone());
    all.push(formed());
    all.push(read());
    all.push(gap());
    all.push(strided());
    for n in 0..300 {
        let mut one = case(
            "cases/st/mgather-a5.yaml",
            &format!("MGATHERTest.case_elem2d_float_8x{n}_256size"),
        );
        one.id = format!("a5/{}", one.name);
        one.suite = Some(A5);
        one.instruction = Instruction::Mgather;
        one.line = 10 + 9 * n;
        all.push(one);
    }
    all
}

pub(super) fn rejected() -> CaseRecord {
    let mut one = case("cases/clauses/mgather.yaml", "unaligned_tile");
    one.instruction = Instruction::Mgather;
    one.verdict = Verdict::Rejected;
    one.pairs.clear();
    for part in one.targets.values_mut() {
        *part = because(
            TargetVerdict::Rejected,
            "MGATHER-ALIGN-01",
            "padded width of 3 float",
        );
    }
    one
}

pub(super) fn undefined() -> CaseRecord {
    let mut one = case("cases/holes/mscatter.yaml", "tile_larger_than_index");
    one.verdict = Verdict::Undefined;
    for part in one.targets.values_mut() {
        *part = because(
            TargetVerdict::Undefined,
            "MSCATTER-TILE-05",
            "valid extents 8x32 and 4x32",
        );
        part.out_of_bounds = 496;
    }
    for two in &mut one.pairs {
        two.verdict = PairVerdict::NotCompared;
        two.compared = 0;
        two.why = Some("both promise nothing".into());
    }
    one.holes = vec![
        "unchecked-precondition a5 MSCATTER-TILE-05 out-of-bounds-write".into(),
        "one-sided-rejection a5/a2a3 MSCATTER-TILE-03+MSCATTER-GAP-10 rejection".into(),
    ];
    one
}

fn hangs() -> CaseRecord {
    let mut one = case("cases/clauses/launch.yaml", "direct_scatter_hangs");
    one.verdict = Verdict::Hangs;
    one.targets = [(
        Party::of(A5),
        because(
            TargetVerdict::Hangs,
            "MSCATTER-LAUNCH-10",
            "the first async_invoke has no SIMT context",
        ),
    )]
    .into();
    one.pairs.clear();
    one
}

pub(super) fn alone() -> CaseRecord {
    let mut one = case("cases/clauses/tgatherb.yaml", "beyond_the_source");
    one.instruction = Instruction::Tgatherb;
    one.verdict = Verdict::Single;
    one.targets.insert(
        Party::of(A2a3),
        because(
            TargetVerdict::Rejected,
            "TGATHERB-DTYPE-01",
            "no such dtype",
        ),
    );
    one.targets.insert(
        Party::of(A5),
        because(
            TargetVerdict::Undefined,
            "TGATHERB-OOB-01",
            "offset 512 of 128 bytes",
        ),
    );
    for two in &mut one.pairs {
        two.verdict = PairVerdict::NotCompared;
        two.compared = 0;
        two.why = Some("a2a3: rejected".into());
    }
    one
}

fn formed() -> CaseRecord {
    let mut one = case(
        "cases/st/mgather_gm2l1-a5.yaml",
        "MGATHERGM2L1Test.case_elem_float_16x16_256size",
    );
    one.instruction = Instruction::Mgather;
    one.suite = Some(A5);
    one.name_differs = Some("the suite's name has the sizes of another case".into());
    let simt = Party::form(A5, "Simt");
    one.targets
        .insert(simt.clone(), did(TargetVerdict::Conforms));
    one.pairs
        .push(pair(Party::of(A5), simt, PairVerdict::Agree));
    let a5 = made(json!({
        "verdict": "conforms", "unseen": [{"slots": 4, "clause": "MGATHER-SEM-01"}],
        "deviates_from": [
            {"clause": "MGATHERL1-GAP-14", "why": "the cpu suite gathers to L1"},
        ],
    }));
    one.targets.insert(Party::of(A5), a5);
    one
}

pub(super) fn read() -> CaseRecord {
    let mut one = case("cases/clauses/tscatter.yaml", "negative_index");
    one.instruction = Instruction::Tscatter;
    one.readings = made(json!([{
        "gap": "negative-index", "clauses": ["MSCATTER-GAP-01", "TSCATTER-GAP-06"],
        "choice": "unsigned", "differs_under": {"signed": ["a2a3", "a5"]},
        "verdict_under": {"signed": "permitted"},
    }]));
    one.covers = made(json!({
        "clauses": ["TSCATTER-SEM-01"], "targets": ["cpu", "a2a3", "a5"],
    }));
    one
}

fn gap() -> CaseRecord {
    let mut one = case("cases/gaps/mgather_indices.yaml", "g02_negative_clamp");
    one.instruction = Instruction::Mgather;
    one.covers = made(json!({
        "targets": ["a2a3", "a5"], "gap": "MGATHER-GAP-02",
        "answers": [
            {"letter": "a", "verdict": "agree",
                "expects": {"a2a3": "destination[0-1] = 11.0 13.0"}},
            {"letter": "b", "expects": {"a2a3": "destination[0-1] = 11.0 anything"}},
        ],
    }));
    one
}

/// A table of one long row whose record is cut, and one of many rows.
fn strided() -> CaseRecord {
    let mut one = permitted(
        "cases/clauses/mscatter_tables.yaml",
        "long_table",
        "MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06",
    );
    if let Some(detail) = &mut one.detail {
        let wide = map(864, false);
        detail.slots = Some(SlotMap {
            rows: 1,
            cols: 27648,
            band: 27648,
            ..wide
        });
    }
    one
}
