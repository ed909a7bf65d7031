//! A red run in which everything comes about that a page has a place for.

use ptodiff_isa::{Instruction, Party};
use ptodiff_record::{CaseRecord, PairVerdict, SlotMap};
use serde_json::{Value, json};

use super::{A5, because, case, each, map, over, pair, permitted, violating};

/// A red run of every verdict.
pub(crate) fn mixed() -> Vec<CaseRecord> {
    let wrong = |n| {
        let group = "MSCATTER a5 valid MSCATTER-SEM-02";
        violating(
            "cases/clauses/mscatter.yaml",
            &format!("last_writer_{n}"),
            group,
        )
    };
    let conflict = |n| {
        let group = "MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06+MSCATTER-CONF-10";
        let name = format!("any_writer_{n:02}");
        permitted("cases/clauses/mscatter_conflicts.yaml", &name, group)
    };
    let sum = |n| {
        let group = "MSCATTER cpu/a5 permitted valid MSCATTER-ATOM-18";
        permitted(
            "cases/clauses/mscatter_atomics.yaml",
            &format!("sum_{n}"),
            group,
        )
    };
    let mut all: Vec<CaseRecord> = (0..3).map(wrong).collect();
    all.push(violating(
        "cases/regressions/edges.yaml",
        "torn_row",
        "MSCATTER a5 guard MSCATTER-OOB-04",
    ));
    all.extend((0..40).map(conflict));
    // As a record of an older version, or of a run that kept no details.
    if let Some(last) = all.last_mut() {
        last.detail = None;
    }
    all.extend((0..6).map(sum));
    all.extend([rejected(), undefined(), hangs(), alone()]);
    all.extend([formed(), read(), gap(), strided()]);
    all.extend((0..300).map(mirrored));
    all
}

fn mirrored(n: u32) -> CaseRecord {
    let name = format!("MGATHERTest.case_elem2d_float_8x{n}_256size");
    CaseRecord {
        id: format!("a5/{name}"),
        suite: Some(A5),
        instruction: Instruction::Mgather,
        line: 10 + 9 * n,
        ..case("cases/st/mgather-a5.yaml", &name)
    }
}

/// Three pairs that are not compared, for this reason.
fn apart(why: &str) -> Value {
    let pair = json!({"verdict": "not-compared", "compared": null, "why": why});
    json!([pair, pair, pair])
}

fn rejected() -> CaseRecord {
    let rejects = because("rejected", "MGATHER-ALIGN-01", "padded width of 3 float");
    let more = json!({
        "instruction": "MGATHER", "verdict": "rejected", "targets": each(&rejects), "pairs": null,
    });
    over("cases/clauses/mgather.yaml", "unaligned_tile", more)
}

fn undefined() -> CaseRecord {
    let mut part = because(
        "undefined",
        "MSCATTER-TILE-05",
        "valid extents 8x32 and 4x32",
    );
    part["out_of_bounds"] = 496.into();
    let more = json!({
        "verdict": "undefined", "targets": each(&part), "pairs": apart("both promise nothing"),
        "holes": [
            "unchecked-precondition a5 MSCATTER-TILE-05 out-of-bounds-write",
            "one-sided-rejection a5/a2a3 MSCATTER-TILE-03+MSCATTER-GAP-10 rejection",
        ],
    });
    over("cases/holes/mscatter.yaml", "tile_larger_than_index", more)
}

fn hangs() -> CaseRecord {
    let why = "the first async_invoke has no SIMT context";
    let hangs = because("hangs", "MSCATTER-LAUNCH-10", why);
    let targets = json!({"cpu": null, "a2a3": null, "a5": hangs});
    let more = json!({"verdict": "hangs", "targets": targets, "pairs": null});
    over("cases/clauses/launch.yaml", "direct_scatter_hangs", more)
}

fn alone() -> CaseRecord {
    let targets = json!({
        "a2a3": because("rejected", "TGATHERB-DTYPE-01", "no such dtype"),
        "a5": because("undefined", "TGATHERB-OOB-01", "offset 512 of 128 bytes"),
    });
    let more = json!({
        "instruction": "TGATHERB", "verdict": "single", "targets": targets,
        "pairs": apart("a2a3: rejected"),
    });
    over("cases/clauses/tgatherb.yaml", "beyond_the_source", more)
}

fn formed() -> CaseRecord {
    let cpu_too = json!({"clause": "MGATHERL1-GAP-14", "why": "the cpu suite gathers to L1"});
    let more = json!({
        "instruction": "MGATHER", "suite": "a5",
        "name_differs": "the suite's name has the sizes of another case",
        "targets": {
            "a5": {
                "unseen": [{"slots": 4, "clause": "MGATHER-SEM-01"}], "deviates_from": [cpu_too],
            },
            "a5:Simt": {"verdict": "conforms"},
        },
    });
    let name = "MGATHERGM2L1Test.case_elem_float_16x16_256size";
    let mut one = over("cases/st/mgather_gm2l1-a5.yaml", name, more);
    let simt = Party::form(A5, "Simt");
    one.pairs
        .push(pair(Party::of(A5), simt, PairVerdict::Agree));
    one
}

fn read() -> CaseRecord {
    let more = json!({
        "instruction": "TSCATTER",
        "readings": [{
            "gap": "tscatter-negative-index", "clauses": ["TSCATTER-GAP-06"],
            "choice": "unsigned", "differs_under": {"signed": ["a2a3", "a5"]},
            "verdict_under": {"signed": "permitted"},
        }],
        "covers": {"clauses": ["TSCATTER-SEM-01"], "targets": ["cpu", "a2a3", "a5"]},
    });
    over("cases/clauses/tscatter.yaml", "negative_index", more)
}

fn gap() -> CaseRecord {
    let covers = json!({
        "targets": ["a2a3", "a5"], "gap": "MGATHER-GAP-02",
        "answers": [
            {"letter": "a", "verdict": "agree",
                "expects": {"a2a3": "destination[0-1] = 11.0 13.0"}},
            {"letter": "b", "expects": {"a2a3": "destination[0-1] = 11.0 anything"}},
        ],
    });
    let more = json!({"instruction": "MGATHER", "covers": covers});
    over(
        "cases/gaps/mgather_indices.yaml",
        "g02_negative_clamp",
        more,
    )
}

/// A table of one long row whose record is cut, and one of many rows.
fn strided() -> CaseRecord {
    let mut one = permitted(
        "cases/clauses/mscatter_tables.yaml",
        "long_table",
        "MSCATTER a2a3/a5 permitted valid MSCATTER-CONF-06",
    );
    if let Some(detail) = &mut one.detail {
        detail.slots = Some(SlotMap {
            rows: 1,
            cols: 27648,
            band: 27648,
            ..map(864, false)
        });
    }
    one
}
