//! A run with an implementation under test that takes the first writer of a slot.

use ptodiff_isa::{Instruction, Party, Role};
use ptodiff_record::{
    CaseRecord, Diagnosis, Header, PairRecord, PairVerdict, TargetVerdict, Verdict,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use super::{A5, case, did, made, mixed, over, pair, violating};

/// Its failure group, the most frequent one.
const GROUP: &str = "MSCATTER a5:mine valid MSCATTER-SEM-02";

/// The run: header, cases and what was diagnosed.
pub(crate) fn tested() -> (Header, Vec<CaseRecord>, Vec<Diagnosis>) {
    let cases = cases();
    let header = Header {
        implementations: made(json!([{"party": mine(), "introduced": "simulator 3"}])),
        ..super::header(&cases)
    };
    let fit = json!({
        "name": "first-writer", "sentence": "takes the first writer of a slot, not the last",
        "explains": 3, "contradicts": 0,
    });
    let diagnosis = json!({
        "party": mine(), "failure_group": GROUP, "failures": 3, "passes": 41, "fits": [fit],
    });
    (header, cases, vec![made(diagnosis)])
}

fn mine() -> Party {
    Party::form(A5, "mine")
}

fn cases() -> Vec<CaseRecord> {
    let mut all: Vec<_> = mixed();
    all.retain(|case| case.verdict != Verdict::Violation);
    for case in &mut all {
        case.targets.insert(mine(), did(TargetVerdict::Conforms));
        if !case.pairs.is_empty() {
            case.pairs.push(with_mine(PairVerdict::Agree));
        }
    }
    // Every instruction in every form: as many pairs as a run may have.
    for instruction in [
        Instruction::Mgather,
        Instruction::Mscatter,
        Instruction::Tscatter,
        Instruction::Tgatherb,
    ] {
        for form in ["Scalar", "Simt", "current"] {
            let mut one = case("cases/axes/forms.yaml", &format!("{instruction}_{form}"));
            one.instruction = instruction;
            let form = Party::form(A5, form);
            for party in [&form, &mine()] {
                one.targets
                    .insert(party.clone(), did(TargetVerdict::Conforms));
            }
            one.pairs.push(with_mine(PairVerdict::Agree));
            for other in [Party::of(A5), mine()] {
                let mut targets = [form.clone(), other];
                targets.sort();
                let [a, b] = targets;
                one.pairs.push(pair(a, b, PairVerdict::Agree));
            }
            all.push(one);
        }
    }
    all.push(flaky());
    all.extend((0..3).map(wrong));
    all.push(crash());
    all
}

fn with_mine(verdict: PairVerdict) -> PairRecord {
    pair(Party::of(A5), mine(), verdict)
}

/// `of`, with what is said of a party said of another one.
fn renamed<T: Serialize + DeserializeOwned>(of: &T, names: &[(&str, &str)]) -> T {
    let mut text = serde_json::to_string(of).expect("JSON");
    for (name, other) in names {
        text = text.replace(&format!("\"{name}\""), &format!("\"{other}\""));
    }
    serde_json::from_str(&text).expect("the same")
}

/// The same slots are wrong under two schedules.
fn wrong(n: usize) -> CaseRecord {
    let name = format!("last_writer_{n}");
    let mut one = violating("cases/clauses/mscatter.yaml", &name, GROUP);
    let a5 = one
        .targets
        .insert(Party::of(A5), did(TargetVerdict::Conforms));
    let mut theirs = renamed(&a5.expect("it is there"), &[("a5", "a5:mine")]);
    for slot in theirs.findings.iter_mut().filter_map(|f| f.slot.as_mut()) {
        slot.whose = vec!["tile (0, 5)".into()];
        slot.due = vec!["tile (5, 30)".into()];
        for (index, lane) in (7..).zip(&mut slot.lanes) {
            lane.index = Some(index);
        }
    }
    let mut again = theirs.findings.clone();
    again[0].schedule = Some("in order".into());
    theirs.findings.extend(again);
    one.targets.insert(mine(), theirs);
    one.outlier = Some(mine());
    one.pairs = vec![
        renamed(&one.pairs[1], &[("a5", "a5:mine"), ("cpu", "a2a3")]),
        renamed(&one.pairs[2], &[("a5", "a5:mine"), ("a2a3", "a5")]),
    ];
    for two in &mut one.pairs {
        two.why = Some("a5:mine breaks its contract".into());
        two.failure_groups.clear();
    }
    one
}

/// Wrong when it was asked first, and right when it was asked again alone.
fn flaky() -> CaseRecord {
    let mut one = case("cases/clauses/mscatter.yaml", "wrong_once");
    let mut theirs = did(TargetVerdict::Conforms);
    let wrong = wrong(9).targets.remove(&mine());
    theirs.flaky = wrong.map(|t| t.findings).unwrap_or_default();
    theirs.flaky.truncate(1);
    // An operand is called by its key: here a scatter changed what it reads.
    for slot in theirs.flaky.iter_mut().filter_map(|f| f.slot.as_mut()) {
        (slot.role, slot.at) = (Role::Source, "(2, 5)".into());
    }
    one.targets.insert(mine(), theirs);
    one.pairs.push(with_mine(PairVerdict::Agree));
    one
}

/// No slot to show.
fn crash() -> CaseRecord {
    let what = "the implementation ended with signal 11";
    let finding = json!({"failure_group": "TGATHERB a5:mine crash -", "what": what});
    let theirs = json!({
        "verdict": "violates", "findings": [finding], "stderr": ["mine: bad descriptor"],
    });
    let more = json!({
        "instruction": "TGATHERB", "verdict": "violation", "targets": {"a5:mine": theirs},
    });
    over("cases/clauses/tgatherb.yaml", "falls_over", more)
}
